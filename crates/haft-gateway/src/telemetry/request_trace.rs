//! The spans of one request: for the lines of the log, and for its trace.

use std::sync::Arc;

use axum::http::HeaderMap;
use haft_core::{RequestContext, TRACES, Usage};
use haft_models::ServerKind;
use tracing::{Span, field};

use super::{TRACE_HEADERS, export, provider_name};
use crate::request_id::{HEADER, RequestId};

/// The maximum length of a value of the client's headers about its trace, as the specification
/// recommends.
const MOST_BYTES: usize = 512;

/// The spans of a request.
#[derive(Debug)]
pub(crate) struct RequestTrace {
    pub(crate) id: RequestId,
    /// Gives each line of the log the request's id.
    log: Span,
    /// The request in its trace.
    server: Span,
    /// The conversation with the model server in the trace, if it passes through.
    chat: Span,
    /// What model servers are sent about the request, and what they replied.
    pub(crate) context: Arc<RequestContext>,
}

/// How a request ended.
#[derive(Debug)]
pub(crate) struct RequestEnd {
    pub(crate) status: u16,
    pub(crate) usage: Usage,
    /// The API of the upstream that was asked last.
    pub(crate) kind: Option<ServerKind>,
}

impl RequestTrace {
    /// The spans of a request to this path, which continue the client's trace.
    pub(crate) fn open(path: &'static str, headers: &HeaderMap, id: &RequestId) -> Self {
        let log = id.span();
        let server = log.in_scope(|| server_span(path, id));
        export::continue_trace(&server, headers);
        let context = Arc::new(context(&server, headers, id));
        Self {
            id: id.clone(),
            log,
            server,
            chat: Span::none(),
            context,
        }
    }

    /// Does a part of the work on the request.
    pub(crate) fn in_scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let in_chat = || self.chat.in_scope(work);
        self.log.in_scope(|| self.server.in_scope(in_chat))
    }

    /// Begins the span of a conversation that passes through.
    pub(crate) fn begin_chat(&mut self, model: &str) {
        self.chat = self.server.in_scope(|| chat_span(model));
    }

    /// Leaves the conversation to the agent, which has spans of its own.
    pub(crate) fn drop_chat(&mut self) {
        self.chat = Span::none();
    }

    /// Records how the request ended.
    pub(crate) fn end(&self, end: &RequestEnd) {
        if self.server.is_disabled() {
            return;
        }
        let status = end.status;
        self.server
            .record("http.response.status_code", i64::from(status));
        if status >= 500 {
            record_error(&self.server, status);
        }
        if let Some(upstream) = self.context.raw_reply().server() {
            self.server.record("haft.upstream", &*upstream);
            self.chat.record("server.address", &*upstream);
        }
        self.chat
            .record("gen_ai.provider.name", provider_name(end.kind));
        // Attributes of OpenTelemetry have no unsigned numbers.
        let tokens = [
            ("gen_ai.usage.input_tokens", end.usage.input_tokens),
            ("gen_ai.usage.output_tokens", end.usage.output_tokens),
        ];
        for (name, tokens) in tokens {
            self.chat.record(name, tokens.cast_signed());
        }
        if status != 200 {
            record_error(&self.chat, status);
        }
    }
}

fn record_error(span: &Span, status: u16) {
    span.record("error.type", status.to_string());
    span.record("otel.status_code", "ERROR");
}

fn server_span(path: &'static str, id: &RequestId) -> Span {
    tracing::info_span!(
        target: TRACES,
        "request",
        otel.name = format_args!("POST {path}"),
        otel.kind = "server",
        otel.status_code = field::Empty,
        http.request.method = "POST",
        http.route = path,
        http.response.status_code = field::Empty,
        error.type = field::Empty,
        haft.request.id = id.text(),
        haft.upstream = field::Empty,
    )
}

fn chat_span(model: &str) -> Span {
    tracing::info_span!(
        target: TRACES,
        "chat",
        otel.name = format_args!("chat {model}"),
        otel.kind = "client",
        otel.status_code = field::Empty,
        gen_ai.operation.name = "chat",
        gen_ai.request.model = model,
        gen_ai.provider.name = field::Empty,
        gen_ai.usage.input_tokens = field::Empty,
        gen_ai.usage.output_tokens = field::Empty,
        error.type = field::Empty,
        server.address = field::Empty,
    )
}

/// What model servers are sent about a request: its id, and the trace that its span belongs to. If
/// the span is not exported, they are sent the client's own trace.
fn context(span: &Span, headers: &HeaderMap, id: &RequestId) -> RequestContext {
    let own = export::trace_headers(span);
    let sent = if own.is_empty() {
        clients_trace(headers)
    } else {
        own
    };
    let context = RequestContext::default().with_header(HEADER, id.text());
    sent.into_iter().fold(context, |context, (name, value)| {
        context.with_header(name, value)
    })
}

/// The client's headers about its trace, as far as they are usable.
fn clients_trace(headers: &HeaderMap) -> Vec<(&'static str, String)> {
    let values = TRACE_HEADERS.iter().filter_map(|name| {
        let value = headers.get(name)?.to_str().ok()?;
        (value.len() <= MOST_BYTES).then(|| (name.as_str(), value.to_owned()))
    });
    values.collect()
}
