//! The lists of models for clients of OpenAI's and Anthropic's API. Both request `/v1/models`; only
//! Anthropic's clients send a version of the API, and only Codex its own version.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use haft_core::ModelError;
use serde_json::{Value, json};

use super::super::anthropic::{self, Anthropic};
use super::super::dialect::Dialect;
use super::super::responses::catalog as codex;
use super::OpenAi;
use crate::access::Caller;
use crate::catalog::names;
use crate::respond::{Refusal, json};
use crate::scheduler::is_same;
use crate::shared::Shared;

/// `GET /v1/models`: the models of all upstreams.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    if anthropic::names_a_version(&headers) {
        return answered(&Anthropic, names(&shared, &caller).await, anthropic::list);
    }
    answered(&OpenAi, names(&shared, &caller).await, |names| {
        let models: Vec<Value> = names.iter().map(|name| entry(name)).collect();
        let mut list = json!({"object": "list", "data": models});
        if let (true, Some(list)) = (is_codex(&uri), list.as_object_mut()) {
            let models = names.iter().map(|name| codex::entry(name));
            list.insert("models".to_owned(), models.collect());
        }
        list
    })
}

/// `GET /v1/models/NAME`.
pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let (dialect, entry): (&dyn Dialect, fn(&str) -> Value) =
        if anthropic::names_a_version(&headers) {
            (&Anthropic, anthropic::entry)
        } else {
            (&OpenAi, entry)
        };
    match names(&shared, &caller).await {
        Ok(names) => match names.iter().find(|known| is_same(known, &name)) {
            Some(name) => json(&entry(name)),
            None => {
                let message = format!("The model '{name}' does not exist");
                dialect.refused(&Refusal::new(404, message))
            }
        },
        Err(error) => dialect.refused(&Refusal::from(&error)),
    }
}

fn answered(
    dialect: &dyn Dialect,
    names: Result<Vec<String>, ModelError>,
    list: impl FnOnce(&[String]) -> Value,
) -> Response {
    match names {
        Ok(names) => json(&list(&names)),
        Err(error) => dialect.refused(&Refusal::from(&error)),
    }
}

/// True if the client sends the version of Codex.
fn is_codex(uri: &Uri) -> bool {
    let mut queries = uri.query().unwrap_or_default().split('&');
    queries.any(|query| query.starts_with("client_version="))
}

fn entry(name: &str) -> Value {
    json!({"id": name, "object": "model", "created": 0, "owned_by": "haft"})
}
