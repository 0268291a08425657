//! The model servers behind the gateway, and which request uses which of them.
//!
//! [`Upstreams`] are all of them, with their models by name; several servers with the same model
//! share its load. `member` is one server; `choices` finds the servers that have a model, and `slots`
//! chooses one of them for a request and has the queue, in which `fairness` lets users take turns;
//! `lease` is a slot that a request holds; `breaker` excludes a server that keeps failing, `watch`
//! detects when it is back, and `cool_downs` is what gateways tell each other of it; `sessions`
//! knows which server has the beginning of a conversation in its cache. `pooled` is the model that
//! an agent uses; `first` finds the first server that answers, in the order of `tries`. `proxy` uses
//! the same choice for conversations that pass through.

mod breaker;
mod choices;
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

use futures_util::future::join_all;
use haft_core::{ChatModel, ModelError};
use haft_models::{Limits, ModelServer, ServerKind};
use tokio::sync::mpsc;

pub(crate) use self::cool_downs::{CoolDown, Reason};
pub(crate) use self::lease::Lease;
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

/// All model servers of a gateway. Clones share their state.
#[derive(Clone)]
pub struct Upstreams(Arc<Inner>);

struct Inner {
    members: Vec<Arc<Member>>,
    slots: Arc<Slots>,
    /// The channel on which cool-downs are announced to other gateways.
    cool_downs: OnceLock<mpsc::Sender<CoolDown>>,
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
}

#[cfg(test)]
mod tests;
