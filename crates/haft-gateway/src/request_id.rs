//! The id of a request: taken from the client or created here, logged, and sent back.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use tracing::Span;

/// The header, as OpenAI and most proxies name it.
pub(crate) const HEADER: &str = "x-request-id";

/// Its name as header maps have it, which need not parse it for each request.
const HEADER_NAME: HeaderName = HeaderName::from_static(HEADER);

/// The maximum length of an id of a client in bytes.
const LONGEST: usize = 128;

/// The id of a request.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The client's id, if it has a usable one, or a new one. In the headers it is set either way,
    /// so that a forwarded request has it, too.
    pub(crate) fn of(headers: &mut HeaderMap) -> Self {
        if let Some(id) = headers.get(HEADER_NAME).filter(|id| is_usable(id)) {
            return Self(id.clone());
        }
        let id = format!("req_{:032x}", fastrand::u128(..));
        let id = HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("req_"));
        headers.insert(HEADER_NAME, id.clone());
        Self(id)
    }

    /// For the log.
    pub(crate) fn text(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// The span of the request, so that each of its lines in the log has the id. Whatever level is
    /// logged, the span is part of it.
    pub(crate) fn span(&self) -> Span {
        tracing::error_span!("request", id = self.text())
    }

    /// Sets the header of the response.
    pub(crate) fn set(self, mut response: Response) -> Response {
        response.headers_mut().insert(HEADER_NAME, self.0);
        response
    }
}

/// Whether an id can stand in a line of a log.
fn is_usable(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    (1..=LONGEST).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests;
