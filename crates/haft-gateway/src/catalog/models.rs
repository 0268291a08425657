//! Which models there are, as OpenAI's and Anthropic's clients read it. Both ask at `/v1/models`;
//! only Anthropic's name a version of its API (docs.anthropic.com, "List Models").

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use haft_core::ModelError;
use haft_models::Dialect;
use serde_json::{Value, json};

use super::{Handle, Models, failed};
use crate::gateway::Shared;
use crate::routes::{json, refused};
use crate::upstreams::is_same;

/// No server of local models says since when it has one.
const SINCE: &str = "1970-01-01T00:00:00Z";

/// `GET /v1/models`: those of all upstreams.
pub(crate) async fn list(State(shared): Handle, headers: HeaderMap) -> Response {
    let dialect = spoken(&headers);
    let names = match names(&shared).await {
        Ok(names) => names,
        Err(error) => return failed(dialect, &error),
    };
    let models: Vec<Value> = names.iter().map(|name| entry(dialect, name)).collect();
    if dialect == Dialect::OpenAi {
        return json(&json!({"object": "list", "data": models}));
    }
    json(&json!({
        "data": models,
        "first_id": names.first(),
        "last_id": names.last(),
        "has_more": false,
    }))
}

/// `GET /v1/models/NAME`.
pub(crate) async fn one(
    State(shared): Handle,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let dialect = spoken(&headers);
    match names(&shared).await {
        Ok(names) => match names.iter().find(|known| is_same(known, &name)) {
            Some(name) => json(&entry(dialect, name)),
            None => refused(dialect, 404, &format!("The model '{name}' does not exist")),
        },
        Err(error) => failed(dialect, &error),
    }
}

/// The names that clients know, each once.
async fn names(shared: &Shared) -> Result<Vec<String>, ModelError> {
    let lists = shared
        .upstreams
        .each(async |one| one.server().models().await)
        .await?;
    let mut models = Models::default();
    for (member, names) in &lists {
        for name in names.iter().flat_map(|name| member.names_of(name)) {
            models.add(name, || Value::Null);
        }
    }
    Ok(models.names)
}

fn spoken(headers: &HeaderMap) -> Dialect {
    if headers.contains_key("anthropic-version") {
        Dialect::Anthropic
    } else {
        Dialect::OpenAi
    }
}

fn entry(dialect: Dialect, name: &str) -> Value {
    if dialect == Dialect::Anthropic {
        json!({"type": "model", "id": name, "display_name": name, "created_at": SINCE})
    } else {
        json!({"id": name, "object": "model", "created": 0, "owned_by": "haft"})
    }
}
