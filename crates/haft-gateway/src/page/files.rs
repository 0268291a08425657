//! The files of the page, which are part of the binary.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::headers::protect;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of the page.
struct File {
    name: &'static str,
    content_type: &'static str,
    text: &'static str,
}

/// Every file.
const FILES: &[File] = &[
    file("index.html", HTML, include_str!("files/index.html")),
    file("page.css", CSS, include_str!("files/page.css")),
    file("theme.css", CSS, include_str!("files/theme.css")),
    file("icon.svg", SVG, include_str!("files/icon.svg")),
    script("api.js", include_str!("files/api.js")),
    script("charts.js", include_str!("files/charts.js")),
    script("detail.js", include_str!("files/detail.js")),
    script("dom.js", include_str!("files/dom.js")),
    script("events.js", include_str!("files/events.js")),
    script("frames.js", include_str!("files/frames.js")),
    script("login.js", include_str!("files/login.js")),
    script("main.js", include_str!("files/main.js")),
    script("messages.js", include_str!("files/messages.js")),
    script("requests.js", include_str!("files/requests.js")),
    script("run.js", include_str!("files/run.js")),
    script("runs.js", include_str!("files/runs.js")),
    script("tables.js", include_str!("files/tables.js")),
    script("theme.js", include_str!("files/theme.js")),
    script("try.js", include_str!("files/try.js")),
    script("words.js", include_str!("files/words.js")),
];

const fn script(name: &'static str, text: &'static str) -> File {
    file(name, JAVASCRIPT, text)
}

const fn file(name: &'static str, content_type: &'static str, text: &'static str) -> File {
    File {
        name,
        content_type,
        text,
    }
}

/// The response with this file; `None` if there is none of this name.
pub(super) fn response(name: &str) -> Option<Response> {
    let file = FILES.iter().find(|file| file.name == name)?;
    let content_type = [(header::CONTENT_TYPE, file.content_type)];
    let mut response = (content_type, file.text).into_response();
    protect(response.headers_mut());
    Some(response)
}
