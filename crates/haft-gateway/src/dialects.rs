//! The APIs that clients use, one folder each, and the list of them.
//!
//! [`dialect`] has the trait, [`format`](mod@format) the part of it that writes replies. Shared
//! code: `writer` decides which parts of a reply are written and when, `frames` wraps them in
//! events and lines. A dialect is added by a folder here and a line in [`ALL`], from which the
//! routes, the metrics labels and the form of errors follow; see `docs/contributing.md`.
//!
//! Requests of the three APIs that haft's own models use are parsed in `haft-models`
//! (`client_request`), next to the wire types; those of the Responses API here.

mod anthropic;
pub(crate) mod dialect;
pub(crate) mod format;
mod frames;
mod ollama;
mod openai;
mod responses;
pub(crate) mod writer;

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;

use self::dialect::Dialect;
use crate::shared::Shared;

/// Every dialect.
pub(crate) const ALL: &[&dyn Dialect] = &[
    &openai::OpenAi,
    &ollama::Ollama::Chat,
    &ollama::Ollama::Generate,
    &anthropic::Anthropic,
    &responses::Responses,
];

/// The dialect of conversations at this path.
pub(crate) fn of_conversation(path: &str) -> Option<&'static dyn Dialect> {
    ALL.iter().copied().find(|dialect| dialect.path() == path)
}

/// The dialect of errors for this path: the one with the longest root that is a prefix of the path.
/// OpenAI's root is `/`.
pub(crate) fn of_path(path: &str) -> &'static dyn Dialect {
    ALL.iter()
        .copied()
        .filter(|dialect| path.starts_with(dialect.root()))
        .max_by_key(|dialect| dialect.root().len())
        .unwrap_or(&openai::OpenAi)
}

/// The dialect of a request that is not a conversation. OpenAI's and Anthropic's paths are both
/// below `/v1/`; only Anthropic's clients send a version of the API.
pub(crate) fn of_request(path: &str, headers: &HeaderMap) -> &'static dyn Dialect {
    let dialect = of_path(path);
    if dialect.root() == openai::ROOT && anthropic::names_a_version(headers) {
        return &anthropic::Anthropic;
    }
    dialect
}

#[cfg(feature = "durable")]
pub(crate) use self::responses::background::begin_or_recall;

/// Adds the paths beside the conversations, such as lists of models.
pub(crate) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    responses::routes(ollama::routes(openai::routes(router)))
}

#[cfg(test)]
mod tests;
