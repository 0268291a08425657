//! The lists of models for clients of OpenAI's and Anthropic's API. Both request `/v1/models`; only
//! Anthropic's clients send a version of the API, and only Codex its own version.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use haft_core::ModelError;
use haft_models::ServerKind;
use serde_json::{Map, Value, json};

use super::super::anthropic::{self, Anthropic};
use super::super::dialect::Dialect;
use super::super::responses::catalog as codex;
use super::OpenAi;
use crate::access::Caller;
use crate::catalog::{Models, names};
use crate::respond::{Refusal, json};
use crate::scheduler::{Member, is_same};
use crate::shared::Shared;

/// `GET /v1/models`: the models of all upstreams; entries of a server of chat completions keep their
/// fields, such as `created`, `owned_by` and `max_model_len`.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    if anthropic::names_a_version(&headers) {
        return answered(&Anthropic, names(&shared, &caller).await, |names| {
            anthropic::list(&names)
        });
    }
    answered(&OpenAi, entries(&shared, &caller).await, |models| {
        let mut list = json!({"object": "list", "data": models.entries});
        if let (true, Some(list)) = (is_codex(&uri), list.as_object_mut()) {
            let models = models.names.iter().map(|name| codex::entry(name));
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
    let is_it = |known: &&String| is_same(known, &name);
    let missing = |dialect: &dyn Dialect| {
        let message = format!("The model '{name}' does not exist");
        dialect.refused(&Refusal::new(404, message))
    };
    if anthropic::names_a_version(&headers) {
        return match names(&shared, &caller).await {
            Ok(names) => match names.iter().find(is_it) {
                Some(name) => json(&anthropic::entry(name)),
                None => missing(&Anthropic),
            },
            Err(error) => Anthropic.refused(&Refusal::from(&error)),
        };
    }
    match entries(&shared, &caller).await {
        Ok(models) => {
            let mut known = models.names.iter().zip(&models.entries);
            match known.find(|(known, _)| is_it(known)) {
                Some((_, entry)) => json(entry),
                None => missing(&OpenAi),
            }
        }
        Err(error) => OpenAi.refused(&Refusal::from(&error)),
    }
}

/// The models of all upstreams that the caller may use, with the names that clients use.
async fn entries(shared: &Shared, caller: &Caller) -> Result<Models, ModelError> {
    let lists = shared.upstreams.each(listing).await?;
    let mut models = Models::default();
    for (member, entries) in &lists {
        for listed in entries {
            let real = listed.get("id").and_then(Value::as_str);
            let names = member.names_of(real.unwrap_or_default());
            for name in names.filter(|name| caller.may_use(name)) {
                models.add(name, || {
                    let mut entry = listed.clone();
                    if let Some(entry) = entry.as_object_mut() {
                        entry.insert("id".to_owned(), name.into());
                    }
                    entry
                });
            }
        }
    }
    Ok(models)
}

/// The models of one upstream in OpenAI's form.
async fn listing(member: &Member) -> Result<Vec<Value>, ModelError> {
    let names = member.server().models().await?;
    let own: HashMap<String, Value> = if member.server().kind() == ServerKind::OpenAi {
        described(member).await
    } else {
        HashMap::new()
    };
    let entries = names.iter().map(|name| {
        let mut entry = fields_of(name);
        if let Some(Value::Object(own)) = own.get(name) {
            entry.extend(own.clone());
        }
        Value::Object(entry)
    });
    Ok(entries.collect())
}

/// What a server of chat completions says about its models, by their names; nothing if its list
/// cannot be read.
pub(in super::super) async fn described(member: &Member) -> HashMap<String, Value> {
    let Ok(text) = member.server().get("models").await else {
        return HashMap::new();
    };
    let list: Value = serde_json::from_str(&text).unwrap_or_default();
    let models = list.get("data").and_then(Value::as_array);
    let models = models.into_iter().flatten().filter_map(|model| {
        let name = model.get("id")?.as_str()?.to_owned();
        Some((name, model.clone()))
    });
    models.collect()
}

fn answered<T>(
    dialect: &dyn Dialect,
    models: Result<T, ModelError>,
    list: impl FnOnce(T) -> Value,
) -> Response {
    match models {
        Ok(models) => json(&list(models)),
        Err(error) => dialect.refused(&Refusal::from(&error)),
    }
}

/// True if the client sends the version of Codex.
fn is_codex(uri: &Uri) -> bool {
    let mut queries = uri.query().unwrap_or_default().split('&');
    queries.any(|query| query.starts_with("client_version="))
}

/// The fields that every entry has.
fn fields_of(name: &str) -> Map<String, Value> {
    let fields = [
        ("id", name.into()),
        ("object", "model".into()),
        ("created", 0.into()),
        ("owned_by", "haft".into()),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
