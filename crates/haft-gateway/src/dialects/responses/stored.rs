//! Requests about stored replies: `GET` and `DELETE /v1/responses/ID`, and the items before one
//! (OpenAI's API reference, "Get a model response", "List input items").

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::dialect::Dialect;
use super::Responses;
#[cfg(feature = "durable")]
use super::background_requests::{About, BackgroundRequest};
use crate::access::Caller;
use crate::overrides::Overrides;
use crate::proxy;
use crate::respond::{Refusal, json};
use crate::shared::Shared;

/// `GET /v1/responses/ID`.
pub(super) async fn response(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    #[cfg(feature = "durable")]
    if let Some(response) = BackgroundRequest::new(&id, &request)
        .answer(&shared, About::Reply)
        .await
    {
        return response;
    }
    #[cfg(feature = "durable")]
    shared.kept_replies.find_shared(&id).await;
    match shared.kept_replies.stored(&id) {
        Some(stored) => json(&stored.response),
        None => elsewhere(shared, &id, request).await,
    }
}

/// `POST /v1/responses/ID/cancel`, for replies in the background.
#[cfg(feature = "durable")]
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    match BackgroundRequest::new(&id, &request)
        .answer(&shared, About::Cancel)
        .await
    {
        Some(response) => response,
        None => elsewhere(shared, &id, request).await,
    }
}

/// `DELETE /v1/responses/ID`.
pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let was_kept = shared.kept_replies.forget(&id);
    #[cfg(feature = "durable")]
    let was_kept = shared.kept_replies.forget_shared(&id).await || was_kept;
    #[cfg(feature = "durable")]
    if let Some(response) = BackgroundRequest::new(&id, &request)
        .answer(&shared, About::Delete)
        .await
    {
        return response;
    }
    if was_kept {
        return json(&json!({"id": id, "object": "response", "deleted": true}));
    }
    elsewhere(shared, &id, request).await
}

/// `GET /v1/responses/ID/input_items`: all of them in one page, the latest first unless the query
/// has `order=asc`.
pub(super) async fn input_items(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    #[cfg(feature = "durable")]
    shared.kept_replies.find_shared(&id).await;
    let kept = shared.kept_replies.stored(&id).map(|stored| stored.input);
    #[cfg(feature = "durable")]
    let kept = match kept {
        None => BackgroundRequest::new(&id, &request).input(&shared).await,
        kept => kept,
    };
    let Some(mut items) = kept else {
        return elsewhere(shared, &id, request).await;
    };
    let mut queries = request.uri().query().unwrap_or_default().split('&');
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

/// The answer for a reply that is not kept here: that of the model server, if conversations pass
/// through to one that may have stored it.
async fn elsewhere(shared: Arc<Shared>, id: &str, request: Request) -> Response {
    let caller = request.extensions().get::<Caller>().cloned();
    match caller {
        Some(caller) if shared.live.may_pass(Overrides::default()) => {
            let dialect: &'static dyn Dialect = &Responses;
            proxy::forward(
                State(shared),
                Extension(caller),
                Extension(dialect),
                request,
            )
            .await
        }
        _ => not_stored(id),
    }
}

fn not_stored(id: &str) -> Response {
    let message = format!(
        "The reply \"{id}\" is not stored: replies are stored for a while if their request has \
         `store: true`"
    );
    Responses.refused(&Refusal::new(404, message))
}
