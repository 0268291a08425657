//! Requests about stored replies: `GET` and `DELETE /v1/responses/ID`, and the items before one
//! (OpenAI's API reference, "Get a model response", "List input items").

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::super::dialect::Dialect;
use super::Responses;
use crate::respond::{Refusal, json};
use crate::shared::Shared;

/// `GET /v1/responses/ID`.
pub(super) async fn response(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Response {
    match shared.kept_replies.stored(&id) {
        Some(stored) => json(&stored.response),
        None => not_stored(&id),
    }
}

/// `DELETE /v1/responses/ID`.
pub(super) async fn delete(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    if shared.kept_replies.forget(&id) {
        return json(&json!({"id": id, "object": "response", "deleted": true}));
    }
    not_stored(&id)
}

/// `GET /v1/responses/ID/input_items`: all of them in one page, the latest first unless the query
/// has `order=asc`.
pub(super) async fn input_items(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response {
    let Some(stored) = shared.kept_replies.stored(&id) else {
        return not_stored(&id);
    };
    let mut items = stored.input;
    let mut queries = uri.query().unwrap_or_default().split('&');
    if !queries.any(|query| query == "order=asc") {
        items.reverse();
    }
    let id = |item: Option<&Value>| item.and_then(|item| item.get("id")).cloned();
    json(&json!({
        "object": "list",
        "first_id": id(items.first()),
        "last_id": id(items.last()),
        "has_more": false,
        "data": items,
    }))
}

fn not_stored(id: &str) -> Response {
    let message = format!(
        "The reply \"{id}\" is not stored: replies are stored for an hour if their request has \
         `store: true`"
    );
    Responses.refused(&Refusal::new(404, message))
}
