//! Without the feature `otlp`: spans have no ids, and metrics are not exported.

use axum::http::HeaderMap;
use tracing::Span;

use crate::metrics::Answered;
use crate::scheduler::Upstreams;

pub(super) fn continue_trace(_: &Span, _: &HeaderMap) {}

pub(super) fn trace_headers(_: &Span) -> Vec<(&'static str, String)> {
    Vec::new()
}

/// Metrics that nobody exports.
#[derive(Debug)]
pub(crate) struct GenAiMetrics;

impl GenAiMetrics {
    pub(crate) fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(crate) fn record(&self, _: &str, _: &Upstreams, _: &Answered<'_>) {}
}
