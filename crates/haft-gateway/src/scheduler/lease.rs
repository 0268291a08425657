//! A lease of a slot at an upstream, with which the result of the reply is reported.

use std::fmt;
use std::sync::Arc;

use haft_core::{ModelError, RequestContext};

use super::breaker::Verdict;
use super::slots::Permit;
use super::{Member, Upstreams};

/// A slot at an upstream that one request holds. Dropping it frees the slot without reporting a
/// result.
pub(crate) struct Lease {
    upstreams: Upstreams,
    member: Arc<Member>,
    permit: Permit,
}

impl fmt::Debug for Lease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Lease")
            .field(&self.member.name)
            .finish()
    }
}

impl Lease {
    /// The lease of a permit, of which the request is told.
    pub(super) fn new(
        upstreams: Upstreams,
        permit: Permit,
        context: Option<&RequestContext>,
    ) -> Option<Self> {
        let member = upstreams.0.members.get(permit.upstream)?.clone();
        if let Some(context) = context {
            context.raw_reply().asks(member.name.clone());
        }
        Some(Self {
            upstreams,
            member,
            permit,
        })
    }

    pub(crate) fn upstream(&self) -> usize {
        self.permit.upstream
    }

    pub(crate) fn member(&self) -> &Member {
        &self.member
    }

    /// The reply begins.
    pub(crate) fn began(&self) {
        self.permit.began();
    }

    /// The reply ended.
    pub(crate) fn done(self) {
        self.permit.done();
    }

    /// The reply failed.
    pub(crate) fn failed(self, error: &ModelError) {
        let upstream = &*self.member.name;
        tracing::warn!(upstream, %error, detail = error.detail(), "an upstream failed");
        let number = self.permit.upstream;
        let verdict = Verdict::of(error);
        let pause = self.permit.failed(verdict);
        self.upstreams.tell(number, verdict, pause.is_some());
        if let Some(pause) = pause {
            self.upstreams.watch(number, pause);
        }
    }
}
