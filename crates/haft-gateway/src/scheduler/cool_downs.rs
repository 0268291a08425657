//! What gateways with one store tell each other about upstreams that are to be left alone.
//!
//! A gateway that finds an upstream down, or is told to wait, tells the others, so that they do not
//! try it at once. Each of them probes it by itself, as it may be down for one of them alone.

use std::time::Duration;

use tokio::sync::mpsc;

use super::breaker::Verdict;
use super::{Member, Upstreams};
use crate::host::is_local;

/// The maximum number of messages that wait for the store; more are not told.
const MOST_WAITING: usize = 64;

/// How long the news of an upstream that is down is worth reading.
const NEWS: Duration = Duration::from_secs(5);

/// An upstream that a gateway leaves alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoolDown {
    /// The name and address of the upstream.
    pub(crate) upstream: String,
    pub(crate) reason: Reason,
    /// How long.
    pub(crate) rest: Duration,
    /// Whether the upstream is on the machine of the gateway, so that others mean another one by
    /// this address.
    pub(crate) is_local: bool,
}

/// Why an upstream is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reason {
    /// It does not work.
    Down,
    /// It has asked for no requests for a while.
    Busy,
}

impl Reason {
    /// The name in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Busy => "busy",
        }
    }

    /// The reason of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = [Self::Down, Self::Busy].into_iter();
        all.find(|reason| reason.name() == name)
    }
}

impl Upstreams {
    /// What this gateway has to tell the others from now on; `None` if that was asked before.
    pub(crate) fn cool_downs(&self) -> Option<mpsc::Receiver<CoolDown>> {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        self.0.cool_downs.set(sender).ok().map(|()| receiver)
    }

    /// Tells the others what a failure has shown; `opened` says whether it opened the breaker.
    pub(super) fn tell(&self, upstream: usize, verdict: Verdict, opened: bool) {
        let (Some(sender), Some(member)) = (self.0.cool_downs.get(), self.member(upstream)) else {
            return;
        };
        let (reason, rest) = match verdict {
            Verdict::Busy(rest) => (Reason::Busy, rest),
            Verdict::Failed | Verdict::Gone if opened => (Reason::Down, NEWS),
            _ => return,
        };
        // Nobody waits for the store; what is lost is found out by each gateway.
        let _ = sender.try_send(CoolDown {
            upstream: shared_name(member),
            reason,
            rest,
            is_local: is_local(&member.server().host()),
        });
    }

    /// Leaves an upstream alone that another gateway has found to be down or busy, if there are
    /// others to ask.
    pub(crate) fn heed(&self, cool_down: &CoolDown) {
        let members = &self.0.members;
        let upstream = members
            .iter()
            .position(|member| shared_name(member) == cool_down.upstream);
        let Some(upstream) = upstream.filter(|_| members.len() > 1) else {
            return;
        };
        let verdict = match cool_down.reason {
            Reason::Down => Verdict::Gone,
            Reason::Busy => Verdict::Busy(cool_down.rest),
        };
        let reason = cool_down.reason.name();
        tracing::info!(
            upstream = cool_down.upstream,
            reason,
            "found by another gateway"
        );
        self.judge(upstream, verdict);
    }
}

/// The name of an upstream in the store, equal in all gateways with equal settings.
fn shared_name(member: &Member) -> String {
    format!("{} {}", member.name, member.server().host())
}

#[cfg(test)]
mod tests;
