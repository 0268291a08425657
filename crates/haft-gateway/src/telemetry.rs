//! Traces: the spans of a conversation at the gateway, and the headers that continue the client's
//! trace at the model server.
//!
//! The spans are those of `tracing`, with the target [`TRACES`]; the program decides whether they
//! are exported. `export` (feature `otlp`) has what needs OpenTelemetry's API: the ids of spans,
//! and the metrics of `gen_ai_metrics`. No span has content of a conversation.

#[cfg(feature = "otlp")]
mod export;
#[cfg(feature = "otlp")]
mod gen_ai_metrics;

use axum::http::HeaderMap;
use haft_core::{RequestContext, TRACES, Usage};
use haft_models::ServerKind;
use tracing::Span;

#[cfg(feature = "otlp")]
pub(crate) use self::gen_ai_metrics::GenAiMetrics;
use crate::request_id::{HEADER, RequestId};

/// The headers of W3C Trace Context (<https://www.w3.org/TR/trace-context/>).
const TRACE_HEADERS: [&str; 2] = ["traceparent", "tracestate"];

/// The maximum length of a value of these headers, as the specification recommends.
const MOST_BYTES: usize = 512;

/// The span of a client's request at this path, which continues the client's trace.
pub(crate) fn server_span(path: &'static str, headers: &HeaderMap, id: &RequestId) -> Span {
    let span = tracing::info_span!(
        target: TRACES,
        "request",
        otel.name = format_args!("POST {path}"),
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        http.request.method = "POST",
        http.route = path,
        http.response.status_code = tracing::field::Empty,
        error.type = tracing::field::Empty,
        haft.request.id = id.text(),
        haft.upstream = tracing::field::Empty,
    );
    #[cfg(feature = "otlp")]
    export::continue_trace(&span, headers);
    #[cfg(not(feature = "otlp"))]
    let _ = headers;
    span
}

/// The span of a conversation that passes through to a model server.
pub(crate) fn chat_span(model: &str) -> Span {
    tracing::info_span!(
        target: TRACES,
        "chat",
        otel.name = format_args!("chat {model}"),
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        gen_ai.operation.name = "chat",
        gen_ai.request.model = model,
        gen_ai.provider.name = tracing::field::Empty,
        gen_ai.usage.input_tokens = tracing::field::Empty,
        gen_ai.usage.output_tokens = tracing::field::Empty,
        error.type = tracing::field::Empty,
        server.address = tracing::field::Empty,
    )
}

/// Records the result of a request in its span.
pub(crate) fn record_status(span: &Span, status: u16) {
    span.record("http.response.status_code", i64::from(status));
    if status >= 500 {
        record_error(span, status);
    }
}

/// Records the result of a conversation that passed through.
pub(crate) fn record_chat(span: &Span, status: u16, usage: Usage) {
    // Attributes of OpenTelemetry have no unsigned numbers.
    span.record(
        "gen_ai.usage.input_tokens",
        usage.input_tokens.cast_signed(),
    );
    span.record(
        "gen_ai.usage.output_tokens",
        usage.output_tokens.cast_signed(),
    );
    if status != 200 {
        record_error(span, status);
    }
}

fn record_error(span: &Span, status: u16) {
    span.record("error.type", status.to_string());
    span.record("otel.status_code", "ERROR");
}

/// The name of a server's API, as OpenTelemetry has it for `gen_ai.provider.name`.
pub(crate) fn provider_name(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::Ollama => "ollama",
        ServerKind::OpenAi => "openai",
        ServerKind::Anthropic => "anthropic",
    }
}

/// What model servers are sent about a request: its id, and the trace that its span belongs to. If
/// the span is not exported, they are sent the client's own trace.
pub(crate) fn request_context(span: &Span, headers: &HeaderMap, id: &RequestId) -> RequestContext {
    let context = RequestContext::default().with_header(HEADER, id.text());
    #[cfg(feature = "otlp")]
    let own = export::trace_headers(span);
    #[cfg(not(feature = "otlp"))]
    let own = {
        let _ = span;
        Vec::new()
    };
    let sent = if own.is_empty() {
        clients_trace(headers)
    } else {
        own
    };
    sent.into_iter().fold(context, |context, (name, value)| {
        context.with_header(name, value)
    })
}

/// The client's headers about its trace, as far as they are usable.
fn clients_trace(headers: &HeaderMap) -> Vec<(&'static str, String)> {
    let values = TRACE_HEADERS.into_iter().filter_map(|name| {
        let value = headers.get(name)?.to_str().ok()?;
        (value.len() <= MOST_BYTES).then(|| (name, value.to_owned()))
    });
    values.collect()
}

/// Metrics that nobody exports.
#[cfg(not(feature = "otlp"))]
#[derive(Debug, Default)]
pub(crate) struct GenAiMetrics;

#[cfg(not(feature = "otlp"))]
impl GenAiMetrics {
    pub(crate) fn record(
        &self,
        _: &str,
        _: &crate::scheduler::Upstreams,
        _: &crate::metrics::Answered<'_>,
    ) {
    }
}
