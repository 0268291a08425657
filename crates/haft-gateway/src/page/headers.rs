//! The headers of the page that tell a browser what it must not do.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// The page loads nothing from elsewhere, runs no script but its own files, and is shown in no
/// other page (Content Security Policy Level 3).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// Which pages may load a file (Fetch standard, "Cross-Origin-Resource-Policy header").
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The headers of every file.
const PROTECTING: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (RESOURCE_POLICY, "same-origin"),
];

/// Adds the headers that protect a file of the page.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in PROTECTING {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A new version of the gateway has new files.
    let fresh = HeaderValue::from_static("no-cache");
    headers.insert(header::CACHE_CONTROL, fresh);
}

/// Keeps the data of the page out of every cache and of pages from elsewhere.
pub(super) async fn unstored(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    response
}
