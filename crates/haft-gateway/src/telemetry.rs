//! Traces: the spans of a conversation at the gateway (`request_trace`), and the headers that
//! continue the client's trace at the model server.
//!
//! The spans are those of `tracing`, with the target [`TRACES`](haft_core::TRACES); the program
//! decides whether they are exported. `export` (feature `otlp`) has what needs OpenTelemetry's API:
//! the ids of spans, and the metrics of `gen_ai_metrics`. No span has content of a conversation.

#[cfg(feature = "otlp")]
mod export;
#[cfg(feature = "otlp")]
mod gen_ai_metrics;
#[cfg(not(feature = "otlp"))]
mod no_export;
mod request_trace;

use axum::http::HeaderName;
use haft_models::ServerKind;

#[cfg(feature = "otlp")]
pub(crate) use self::gen_ai_metrics::GenAiMetrics;
#[cfg(not(feature = "otlp"))]
use self::no_export as export;
#[cfg(not(feature = "otlp"))]
pub(crate) use self::no_export::GenAiMetrics;
pub(crate) use self::request_trace::{RequestEnd, RequestTrace};

/// The headers of W3C Trace Context (<https://www.w3.org/TR/trace-context/>).
static TRACE_HEADERS: [HeaderName; 2] = [
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// The name of a server's API, as OpenTelemetry has it for `gen_ai.provider.name`.
fn provider_name(kind: Option<ServerKind>) -> &'static str {
    match kind {
        Some(ServerKind::Ollama) => "ollama",
        Some(ServerKind::OpenAi) => "openai",
        Some(ServerKind::Anthropic) => "anthropic",
        None => "haft",
    }
}
