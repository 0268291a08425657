//! The model servers behind the gateway, and which request uses which of them.
//!
//! [`Upstreams`] are all of them, with their models by name; several servers with the same model
//! share its load. `member` is one server; `slots` chooses a server for a request and has the
//! queue, in which `fairness` lets users take turns; `lease` is a slot that a request holds; `breaker` excludes a server that keeps failing,
//! `watch` detects when it is back, and `cool_downs` is what gateways tell each other of it; `sessions` knows which server has the beginning of a
//! conversation in its cache. `pooled` is the model that an agent uses; `first` finds the first
//! server that answers, in the order of `tries`. `proxy` uses the same choice for conversations
//! that pass through.

mod breaker;
mod cool_downs;
mod fairness;
mod first;
mod lease;
mod member;
mod pooled;
mod sessions;
mod slots;
mod tries;
mod upstream;
mod watch;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::join_all;
use haft_core::{ChatModel, ModelError, ModelErrorKind};
use haft_models::{Limits, ModelServer, ServerKind};
use tokio::sync::mpsc;

pub(crate) use self::cool_downs::{CoolDown, Reason};
pub(crate) use self::lease::Lease;
use self::member::Has;
pub(crate) use self::member::{Member, is_same};
use self::pooled::PooledModel;
pub(crate) use self::pooled::WantedModel;
pub(crate) use self::slots::{Choice, Wanted};
use self::slots::{Slot, Slots};
pub use self::upstream::{Upstream, UpstreamStatus};
use crate::error::{GatewayError, GatewayErrorKind};

/// The maximum number of waiting requests, as in other gateways (the default of
/// `lightseekorg/smg`'s `--queue-size`).
const MOST_WAITING: usize = 100;

/// How long a list of models is used before it is fetched again, in the background.
const FRESH: Duration = Duration::from_secs(30);

/// The minimum pause between two requests of the model lists for an unknown model.
const UNKNOWN_AGAIN: Duration = Duration::from_secs(2);

/// All model servers of a gateway. Clones share their state.
#[derive(Clone)]
pub struct Upstreams(Arc<Inner>);

struct Inner {
    members: Vec<Arc<Member>>,
    slots: Arc<Slots>,
    /// The channel on which cool-downs are announced to other gateways.
    cool_downs: OnceLock<mpsc::Sender<CoolDown>>,
}

/// The upstreams for a model, as far as their lists of models are known.
struct KnownChoices {
    choices: Vec<Choice>,
    /// Whether every upstream has listed its models.
    all_listed: bool,
}

impl fmt::Debug for Upstreams {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.members.iter().map(|member| &member.name);
        formatter.debug_list().entries(names).finish()
    }
}

impl From<ModelServer> for Upstreams {
    fn from(server: ModelServer) -> Self {
        Self::of(vec![server.into()], MOST_WAITING)
    }
}

impl Upstreams {
    /// Upstreams with a queue of up to a hundred requests.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] when there are none, two have the same name, or one
    /// accepts no requests.
    pub fn new(upstreams: Vec<Upstream>) -> Result<Self, GatewayError> {
        Self::with_queue(upstreams, MOST_WAITING)
    }

    /// Upstreams with a queue of up to `most_waiting` requests.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn with_queue(upstreams: Vec<Upstream>, most_waiting: usize) -> Result<Self, GatewayError> {
        let wrong = |message: String, hint: &str| {
            Err(GatewayError::new(GatewayErrorKind::Configuration, message).with_hint(hint))
        };
        if upstreams.is_empty() {
            return wrong("There is no upstream".to_owned(), "name a model server");
        }
        let mut names: Vec<&str> = upstreams.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.array_windows().find(|[a, b]| a == b) {
            let message = format!("Two upstreams are called \"{twice}\"");
            return wrong(message, "give each a `name` of its own");
        }
        if let Some(none) = upstreams.iter().find(|one| one.max_in_flight == Some(0)) {
            let message = format!("The upstream \"{}\" takes no request", none.name);
            return wrong(
                message,
                "leave it out, or let `max_in_flight` be at least 1",
            );
        }
        Ok(Self::of(upstreams, most_waiting))
    }

    fn of(upstreams: Vec<Upstream>, most_waiting: usize) -> Self {
        let is_sole = upstreams.len() == 1;
        let slots = upstreams
            .iter()
            .map(|upstream| Slot::new(upstream.max_in_flight, upstream.fallback));
        let slots = Arc::new(Slots::new(slots.collect(), most_waiting));
        let members = upstreams.into_iter().map(|mut upstream| {
            if !is_sole {
                // The scheduler decides about retries, so the models must not.
                upstream.server = upstream.server.without_retries();
            }
            Arc::new(Member::new(upstream))
        });
        Self(Arc::new(Inner {
            members: members.collect(),
            slots,
            cool_downs: OnceLock::new(),
        }))
    }

    /// The status of each upstream, in the order in which they were given.
    #[must_use]
    pub fn status(&self) -> Vec<UpstreamStatus> {
        let members = &self.0.members;
        let statuses = self.0.slots.look(|number, slot, waiting| {
            let member = members.get(number)?;
            Some(UpstreamStatus {
                name: member.name.to_string(),
                kind: member.server().kind(),
                is_healthy: slot.breaker.is_closed(),
                in_flight: slot.in_flight,
                waiting,
                requests: slot.requests,
                failures: slot.failures,
            })
        });
        statuses.into_iter().flatten().collect()
    }

    /// The model, at any upstream. If its reply is not streamed to the client, another upstream may
    /// take over until it is complete.
    pub(crate) fn model(&self, model: &WantedModel<'_>) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(PooledModel::new(self.clone(), model)?))
    }

    /// The healthy upstreams, or all if none is healthy.
    pub(crate) fn in_use(&self) -> Vec<&Arc<Member>> {
        let is_open = self.0.slots.look(|_, slot, _| slot.breaker.is_open());
        let members = self.0.members.iter().zip(is_open);
        let working: Vec<_> = members
            .filter_map(|(member, is_open)| (!is_open).then_some(member))
            .collect();
        if working.is_empty() {
            self.0.members.iter().collect()
        } else {
            working
        }
    }

    /// The answers of all healthy upstreams; an error only if none answers.
    pub(crate) async fn each<T>(
        &self,
        question: impl AsyncFn(&Member) -> Result<T, ModelError>,
    ) -> Result<Vec<(Arc<Member>, T)>, ModelError> {
        let members = self.in_use();
        let asked = members.iter().map(async |member| {
            let answer = member.ask(question(member)).await;
            ((*member).clone(), answer)
        });
        let mut answers = Vec::new();
        let mut failure = None;
        for (member, answer) in join_all(asked).await {
            match answer {
                Ok(answer) => answers.push((member, answer)),
                Err(error) => {
                    tracing::warn!(upstream = &*member.name, %error, "no answer");
                    failure = failure.or(Some(error));
                }
            }
        }
        match failure {
            Some(error) if answers.is_empty() => Err(error),
            _ => Ok(answers),
        }
    }

    /// The upstreams that have this model, the healthy ones first.
    pub(crate) async fn holders(&self, name: &str) -> Result<Vec<Arc<Member>>, ModelError> {
        let choices = self.choices(name).await?;
        let working = self.in_use();
        let mut holders: Vec<&Arc<Member>> = choices
            .iter()
            .filter_map(|choice| self.0.members.get(choice.upstream))
            .collect();
        holders.sort_by_key(|holder| !working.iter().any(|one| Arc::ptr_eq(one, holder)));
        Ok(holders.into_iter().cloned().collect())
    }

    /// The upstreams of the first of these kinds that any upstream has.
    pub(crate) fn speaking(&self, kinds: &[ServerKind]) -> Vec<Choice> {
        let of = |kind: &ServerKind| {
            let members = self.0.members.iter().enumerate();
            let speaking = members.filter(|(_, member)| member.server().kind() == *kind);
            let choices = speaking.map(|(upstream, _)| Choice::any(upstream));
            choices.collect::<Vec<_>>()
        };
        let found = kinds.iter().map(of).find(|found| !found.is_empty());
        found.unwrap_or_default()
    }

    /// Whether the choice among these upstreams depends on the model.
    pub(crate) fn needs_model(&self, choices: &[Choice]) -> bool {
        !self.is_sole() && {
            let mut members = choices
                .iter()
                .filter_map(|one| self.0.members.get(one.upstream));
            choices.len() > 1 || members.any(|member| !member.takes_any())
        }
    }

    /// Those of these upstreams that have the model.
    pub(crate) async fn those_with(
        &self,
        model: &str,
        among: &[Choice],
    ) -> Result<Vec<Choice>, ModelError> {
        let mut choices = self.choices(model).await?;
        choices.retain(|choice| among.iter().any(|one| one.upstream == choice.upstream));
        if choices.is_empty() {
            return Err(self.no_such_model(model));
        }
        Ok(choices)
    }

    /// The upstream with this index.
    pub(crate) fn member(&self, upstream: usize) -> Option<&Arc<Member>> {
        self.0.members.get(upstream)
    }

    /// A slot at one of these upstreams, as soon as one is free.
    pub(crate) async fn take(&self, wanted: Wanted) -> Result<Lease, ModelError> {
        let context = wanted.context.clone();
        let permit = self.0.slots.take(wanted).await?;
        Lease::new(self.clone(), permit, context.as_deref()).ok_or_else(|| self.no_such_model(""))
    }

    /// Whether an upstream lists this model; `None` if none does and a list is not known.
    pub(crate) fn lists(&self, name: &str) -> Option<bool> {
        let known = self.known_choices(name);
        match known.choices.is_empty() {
            true if !known.all_listed => None,
            is_none => Some(!is_none),
        }
    }

    /// The kind of the upstream with this name.
    pub(crate) fn kind_of(&self, name: &str) -> Option<ServerKind> {
        let mut members = self.0.members.iter();
        let member = members.find(|member| &*member.name == name)?;
        Some(member.server().kind())
    }

    /// The limits of a request.
    fn limits(&self) -> Limits {
        let first = self.0.members.first();
        first.map_or_else(Limits::default, |one| one.server().limits().clone())
    }

    /// Whether the only upstream accepts every model name.
    pub(crate) fn is_sole(&self) -> bool {
        matches!(self.0.members.as_slice(), [sole] if sole.takes_any())
    }

    /// Whether a reply that the client does not want streamed is requested as a whole. If another
    /// upstream could take over, it is streamed, because only a stream shows in time that an
    /// upstream has stopped.
    pub(crate) fn answers_in_one_piece(&self) -> bool {
        self.is_sole() && matches!(self.0.members.as_slice(), [sole] if sole.in_one_piece)
    }

    /// The upstreams that have this model, as far as is known.
    fn known_choices(&self, name: &str) -> KnownChoices {
        let mut all_listed = true;
        let members = self.0.members.iter().enumerate();
        let choices = members.filter_map(|(upstream, member)| {
            let has = member.has(name);
            all_listed &= has != Has::Unknown;
            (has == Has::Yes).then(|| Choice {
                upstream,
                is_loaded: member.is_loaded(name),
            })
        });
        KnownChoices {
            choices: choices.collect(),
            all_listed,
        }
    }

    /// The upstreams for a model.
    pub(crate) async fn choices(&self, name: &str) -> Result<Vec<Choice>, ModelError> {
        if self.is_sole() {
            return Ok(vec![Choice::any(0)]);
        }
        let ages = || self.0.members.iter().map(|member| member.age());
        if ages().any(|age| age.is_none()) {
            self.learn(Duration::MAX).await;
        } else if ages().flatten().any(|age| age > FRESH) {
            // The known lists are sufficient for this request.
            let this = self.clone();
            tokio::spawn(async move { this.learn(FRESH).await });
        }
        let known = self.known_choices(name);
        if !known.choices.is_empty() {
            return Ok(known.choices);
        }
        self.learn(UNKNOWN_AGAIN).await;
        let known = self.known_choices(name);
        if !known.choices.is_empty() {
            return Ok(known.choices);
        }
        if !known.all_listed {
            // An upstream that does not list its models may have it.
            let members = self.0.members.iter().enumerate();
            let silent = members.filter(|(_, member)| member.has(name) == Has::Unknown);
            return Ok(silent.map(|(upstream, _)| Choice::any(upstream)).collect());
        }
        Err(self.no_such_model(name))
    }

    fn no_such_model(&self, name: &str) -> ModelError {
        let mut names: Vec<String> = self.0.members.iter().flat_map(|one| one.names()).collect();
        names.sort_unstable();
        names.dedup();
        let message = format!("No model server has a model \"{name}\"");
        ModelError::new(ModelErrorKind::ModelNotFound, message)
            .with_hint(format!("there are: {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests;
