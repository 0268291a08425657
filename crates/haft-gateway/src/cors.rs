//! Which web pages may read answers: the allowed origins (Fetch standard, "CORS protocol").
//!
//! None by default. A page whose origin is allowed still needs a key where keys are in use.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;

/// How long a browser may remember that an origin is allowed, in seconds.
const MAX_AGE: &str = "600";

/// The methods that pages may use.
const METHODS: &str = "GET, POST, DELETE, OPTIONS";

/// The response headers that pages may read.
const EXPOSED: &str = "x-request-id, x-haft-done, x-haft-dropped, x-haft-estimate, retry-after";

/// The allowed origins, such as `https://chat.example.org`.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedOrigins(Vec<String>);

impl AllowedOrigins {
    pub(crate) fn new(origins: Vec<String>) -> Self {
        Self(origins)
    }

    pub(crate) fn has(&self, origin: &str) -> bool {
        self.0
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }

    /// The origin of a request, if it is allowed.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.0.is_empty() {
            return None;
        }
        let origin = headers.get(header::ORIGIN)?;
        origin
            .to_str()
            .is_ok_and(|text| self.has(text))
            .then(|| origin.clone())
    }
}

/// The answer to a browser that asks whether a request would be allowed. It has no key.
pub(crate) fn preflight(request: &Request, origin: &HeaderValue) -> Option<Response> {
    let headers = request.headers();
    let asks = headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if request.method() != Method::OPTIONS || !asks {
        return None;
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let wanted = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let granted = response.headers_mut();
    let mut grant = |name: HeaderName, value: &'static str| {
        granted.insert(name, HeaderValue::from_static(value));
    };
    grant(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    grant(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if let Some(wanted) = wanted {
        granted.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted);
    }
    Some(allow(response, origin))
}

/// Lets pages of this origin read the response.
pub(crate) fn allow(mut response: Response, origin: &HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    let exposed = HeaderValue::from_static(EXPOSED);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    response
}
