//! The kinds of requests: those with equal labels, which are counted together.

use std::borrow::Cow;
use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;

use super::{Answered, Labels};

/// The label of a request for which no upstream was asked.
const NO_UPSTREAM: &str = "none";

/// The labels of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub(super) dialect: &'static str,
    pub(super) stream: bool,
    pub(super) status: u16,
    pub(super) model: Arc<str>,
    pub(super) upstream: Option<Arc<str>>,
}

impl Kind {
    /// The labels that say where a request was answered.
    pub(super) fn place(&self) -> Labels {
        let upstream = self.upstream.as_deref().unwrap_or(NO_UPSTREAM);
        vec![
            ("model", self.model.to_string().into()),
            ("upstream", upstream.to_owned().into()),
        ]
    }

    /// Labels with [`place`](Self::place) added.
    pub(super) fn with_place<const N: usize>(
        &self,
        labels: [(&'static str, Cow<'static, str>); N],
    ) -> Labels {
        labels.into_iter().chain(self.place()).collect()
    }
}

/// The counters of one kind of request.
#[derive(Debug)]
pub(super) struct Counters {
    pub(super) requests: Counter,
    pub(super) seconds: Histogram,
    pub(super) first_token: Histogram,
    pub(super) overhead: Histogram,
    pub(super) calls: Counter,
    pub(super) tokens_in: Counter,
    pub(super) tokens_out: Counter,
}

impl Counters {
    pub(super) fn count(&self, answered: &Answered<'_>) {
        self.requests.inc();
        self.seconds.observe(answered.took.as_secs_f64());
        if let Some(first) = answered.first_token {
            self.first_token.observe(first.as_secs_f64());
        }
        self.overhead.observe(answered.busy.as_secs_f64());
        let calls = u64::try_from(answered.calls).unwrap_or(u64::MAX);
        self.calls.inc_by(calls);
        self.tokens_in.inc_by(answered.usage.input_tokens);
        self.tokens_out.inc_by(answered.usage.output_tokens);
    }
}
