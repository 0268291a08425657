//! Edits the document of a client, so that no field of it is lost on the way to a server of the
//! same API.
//!
//! The client's document ([`ClientDocument`]) is JSON text. [`edited`] writes it again with the
//! members that haft decides replaced; all others stay as the client wrote them, in their order.
//! Each provider's folder has a `document.rs` with the rules of its API. `members` reads objects
//! without parsing their values, `tools` edits the list of tools, and `foreign` has the fields of
//! one API that another does not have, those within tools and messages in `nested`.

mod foreign;
mod members;
mod nested;
mod tools;

use std::sync::Arc;

use bytes::Bytes;
use haft_core::{
    CallOptions, ClientApi, ClientDocument, ClientMessage, ModelError, ModelErrorKind,
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tracing::debug;

pub(crate) use self::foreign::{allows_one_call, noticed, user_of};
pub(crate) use self::members::{Members, parsed};
pub(crate) use self::tools::{EditedTools, OwnTool, edited_tools};
use crate::http::body_of;
use crate::server_kind::ServerKind;

/// The document of the client in `options`, if a server of this kind understands it.
pub(crate) fn document_for(
    options: &CallOptions,
    kind: ServerKind,
) -> Option<&Arc<ClientDocument>> {
    let document = options.client_document.as_ref();
    document.filter(|document| is_same(document.api, kind))
}

fn is_same(api: ClientApi, kind: ServerKind) -> bool {
    matches!(
        (api, kind),
        (ClientApi::OpenAi, ServerKind::OpenAi)
            | (ClientApi::Anthropic, ServerKind::Anthropic)
            | (
                ClientApi::Ollama | ClientApi::OllamaGenerate,
                ServerKind::Ollama
            )
    )
}

/// Writes `client` [`merged`] with `own`.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] if the request cannot be serialized.
pub(crate) fn edited<'a>(
    client: &Members<'a>,
    own: &Members<'a>,
    is_clients: impl Fn(&str) -> bool,
) -> Result<Bytes, ModelError> {
    body_of(&merged(client, own, is_clients))
}

/// The members that `is_clients` leaves to the client as they are in `client`, absent ones absent,
/// and all others as they are in `own`.
pub(crate) fn merged<'a>(
    client: &Members<'a>,
    own: &Members<'a>,
    is_clients: impl Fn(&str) -> bool,
) -> Members<'a> {
    let mut merged = Members::default();
    for (name, value) in &client.0 {
        let own = || own.get(name);
        if let Some(value) = is_clients(name).then_some(*value).or_else(own) {
            merged.push(name.clone(), value);
        }
    }
    for (name, value) in &own.0 {
        if client.get(name).is_none() && !is_clients(name) {
            merged.push(name.clone(), value);
        }
    }
    merged
}

/// Serializes a part of a request.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] if it cannot be serialized.
pub(crate) fn raw(part: &impl Serialize) -> Result<Box<RawValue>, ModelError> {
    to_raw_value(part).map_err(|error| {
        let message = "The request cannot be serialized as JSON";
        ModelError::new(ModelErrorKind::Configuration, message).with_detail(error.to_string())
    })
}

/// The members of the client's document. A document that cannot be read again, which does not
/// happen to one that was read before, counts as empty.
pub(crate) fn members_of(document: &ClientDocument) -> Members<'_> {
    Members::read(&document.text).unwrap_or_else(|| {
        debug!("the client's document cannot be read again");
        Members::default()
    })
}

/// Refuses to write a message again that has content which only a server of the client's API
/// understands.
///
/// # Errors
///
/// [`ModelErrorKind::BadRequest`] for such a message.
pub(crate) fn rewritable(
    document: &ClientDocument,
    message: Option<&ClientMessage>,
) -> Result<(), ModelError> {
    let Some(message) = message.filter(|message| !message.opaque.is_empty()) else {
        return Ok(());
    };
    let api = document.api.name();
    let kinds = message.opaque.join(", ");
    let message =
        format!("A message contains something that only servers of {api} understand ({kinds})");
    Err(ModelError::new(ModelErrorKind::BadRequest, message)
        .with_hint("leave it out, or ask a model of such a server"))
}
