//! The model servers behind the gateway, and their models by name.
//!
//! Several that have the same model share its load. `member` is one of them, `places` chooses and
//! queues, `breaker` leaves out who fails, `sessions` knows where a conversation is cached,
//! `pooled` is the model that a request sees, `passed` a reply that nobody needs to read. `first`
//! finds the upstream that answers, by its `tries`.

mod breaker;
mod first;
mod member;
mod passed;
mod places;
mod pooled;
mod sessions;
mod taken;
mod tries;
mod upstream;
mod watch;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use haft_core::{ChatModel, ModelError, ModelErrorKind};
use haft_models::{Limits, ModelServer, ServerKind};

use self::member::Has;
pub(crate) use self::member::{Member, is_same};
pub(crate) use self::passed::Passed;
pub(crate) use self::places::Choice;
use self::places::{Places, Seat, Wanted};
use self::pooled::PooledModel;
pub(crate) use self::taken::Taken;
pub use self::upstream::{Upstream, UpstreamStatus};
use crate::error::{GatewayError, GatewayErrorKind};

/// So many requests may wait for a place, as in other gateways (the default of
/// `lightseekorg/smg`'s `--queue-size`).
const MOST_WAITING: usize = 100;

/// How long lists of models are believed; after that they are asked for beside a request.
const FRESH: Duration = Duration::from_secs(30);

/// How soon the lists may be asked for again for a model that nobody has.
const UNKNOWN_AGAIN: Duration = Duration::from_secs(2);

/// All model servers of a gateway. A clone is the same servers again.
#[derive(Clone)]
pub struct Upstreams(Arc<Inner>);

struct Inner {
    members: Vec<Arc<Member>>,
    places: Arc<Places>,
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
    /// These servers, before which up to a hundred requests wait.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] when there are none, two have the same name, or one
    /// takes no request at all.
    pub fn new(upstreams: Vec<Upstream>) -> Result<Self, GatewayError> {
        Self::with_queue(upstreams, MOST_WAITING)
    }

    /// These servers, before which up to `most_waiting` requests wait.
    ///
    /// # Errors
    ///
    /// Like [`new`](Self::new).
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
        let seats = upstreams
            .iter()
            .map(|upstream| Seat::new(upstream.max_in_flight, upstream.fallback));
        let places = Arc::new(Places::new(seats.collect(), most_waiting));
        let members = upstreams.into_iter().map(|mut upstream| {
            if !is_sole {
                // Whether and whom to ask again is decided here.
                upstream.server = upstream.server.without_retries();
            }
            Arc::new(Member::new(upstream))
        });
        Self(Arc::new(Inner {
            members: members.collect(),
            places,
        }))
    }

    /// How each of them is doing, in the order in which they were given.
    #[must_use]
    pub fn status(&self) -> Vec<UpstreamStatus> {
        let members = &self.0.members;
        let told = self.0.places.look(|number, seat, waiting| {
            let member = members.get(number)?;
            Some(UpstreamStatus {
                name: member.name.clone(),
                kind: member.server().kind(),
                is_healthy: seat.breaker.is_closed(),
                in_flight: seat.in_flight,
                waiting,
                requests: seat.requests,
                failures: seat.failures,
            })
        });
        told.into_iter().flatten().collect()
    }

    /// The model of this name, wherever it is. Where its reply does not go to the client as it comes,
    /// another upstream may take over until it is whole.
    pub(crate) fn model(
        &self,
        name: &str,
        is_streamed: bool,
    ) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(PooledModel::new(self.clone(), name, is_streamed)?))
    }

    /// Those that work, or all where none does.
    pub(crate) fn in_use(&self) -> Vec<&Arc<Member>> {
        let is_open = self.0.places.look(|_, seat, _| seat.breaker.is_open());
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

    /// What those that work answer; an error only where none does.
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
                    tracing::warn!(upstream = member.name, %error, "no answer");
                    failure = failure.or(Some(error));
                }
            }
        }
        match failure {
            Some(error) if answers.is_empty() => Err(error),
            _ => Ok(answers),
        }
    }

    /// The upstreams that have this model, those that work first.
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

    /// The upstreams that speak one of these, the first that any speaks.
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

    /// Whether it is of matter which model a request to these is for.
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

    /// A place at one of these, when one is free.
    pub(crate) async fn take(
        &self,
        choices: Vec<Choice>,
        session: Option<u64>,
    ) -> Result<Taken, ModelError> {
        let place = self.0.places.take(Wanted { choices, session }).await?;
        Taken::new(self.clone(), place).ok_or_else(|| self.no_such_model(""))
    }

    /// How long and how much a request may take.
    fn limits(&self) -> Limits {
        let first = self.0.members.first();
        first.map_or_else(Limits::default, |one| one.server().limits().clone())
    }

    /// Whether the only upstream takes every name.
    fn is_sole(&self) -> bool {
        matches!(self.0.members.as_slice(), [sole] if sole.takes_any())
    }

    /// Whether a reply that nobody reads as it comes is asked for in one piece. Where another
    /// upstream could take over, only a stream shows in time that one has stopped.
    fn answers_in_one_piece(&self) -> bool {
        self.is_sole() && matches!(self.0.members.as_slice(), [sole] if sole.in_one_piece)
    }

    /// The upstreams that have this model, as far as is known; the second is true where all have
    /// told what they have.
    fn known_choices(&self, name: &str) -> (Vec<Choice>, bool) {
        let mut all_told = true;
        let members = self.0.members.iter().enumerate();
        let choices = members.filter_map(|(upstream, member)| {
            let has = member.has(name);
            all_told &= has != Has::Unknown;
            (has == Has::Yes).then(|| Choice {
                upstream,
                is_loaded: member.is_loaded(name),
            })
        });
        (choices.collect(), all_told)
    }

    /// The upstreams for a model.
    async fn choices(&self, name: &str) -> Result<Vec<Choice>, ModelError> {
        if self.is_sole() {
            return Ok(vec![Choice::any(0)]);
        }
        let ages = || self.0.members.iter().map(|member| member.age());
        if ages().any(|age| age.is_none()) {
            self.learn(Duration::MAX).await;
        } else if ages().flatten().any(|age| age > FRESH) {
            // What is known is good enough for this request.
            let this = self.clone();
            tokio::spawn(async move { this.learn(FRESH).await });
        }
        let (choices, _) = self.known_choices(name);
        if !choices.is_empty() {
            return Ok(choices);
        }
        self.learn(UNKNOWN_AGAIN).await;
        let (choices, all_told) = self.known_choices(name);
        if !choices.is_empty() {
            return Ok(choices);
        }
        if !all_told {
            // Who does not tell is asked for it.
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
