//! The ids of spans: taken from the client's headers, and given to the model server.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderName};
use opentelemetry::global::get_text_map_propagator;
use opentelemetry::propagation::Extractor;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::TRACE_HEADERS;

/// The headers of a client, as OpenTelemetry reads them.
struct ClientHeaders<'a>(&'a HeaderMap);

impl Extractor for ClientHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

/// Makes the span a child of the client's span, if its headers name one.
pub(super) fn continue_trace(span: &Span, headers: &HeaderMap) {
    if span.is_disabled() {
        return;
    }
    let parent = get_text_map_propagator(|reader| reader.extract(&ClientHeaders(headers)));
    // It fails only where spans are not exported.
    let _ = span.set_parent(parent);
}

/// The headers that make a request a child of this span; none if the span is not exported.
pub(super) fn trace_headers(span: &Span) -> Vec<(&'static str, String)> {
    if span.is_disabled() {
        return Vec::new();
    }
    let mut headers = HashMap::new();
    get_text_map_propagator(|writer| writer.inject_context(&span.context(), &mut headers));
    let names = TRACE_HEADERS.iter().map(HeaderName::as_str);
    let sent = names.filter_map(|name| Some((name, headers.remove(name)?)));
    sent.filter(|(_, value)| !value.is_empty()).collect()
}
