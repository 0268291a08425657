//! Ollama's requests about models: which models there are, and their capabilities.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use haft_core::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::dialect::Dialect;
use super::Ollama::Chat;
use super::entries::{self, details};
use crate::access::Caller;
use crate::catalog::Models;
use crate::respond::{Refusal, json};
use crate::scheduler::{Member, is_same};
use crate::shared::Shared;

type Handle = State<Arc<Shared>>;
type From = Extension<Caller>;

/// The version of Ollama's API that is implemented here.
const OLLAMA_VERSION: &str = "0.12.10";

/// What each upstream reported about its models.
type Listings = Vec<(Arc<Member>, Vec<Value>)>;

/// `GET /api/tags`: the models of all upstreams; entries of an Ollama server are unchanged.
pub(super) async fn tags(State(shared): Handle, Extension(caller): From) -> Response {
    let listing = async |member: &Member| {
        if member.is_ollama() {
            return entries(member, "/api/tags").await;
        }
        entries::entries(member).await
    };
    united(shared.upstreams.each(listing).await, &caller)
}

/// `GET /api/ps`: the loaded models of all upstreams; only Ollama servers report them.
pub(super) async fn loaded(State(shared): Handle, Extension(caller): From) -> Response {
    let listing = async |member: &Member| {
        if member.is_ollama() {
            return entries(member, "/api/ps").await;
        }
        Ok(Vec::new())
    };
    united(shared.upstreams.each(listing).await, &caller)
}

/// The models in one of Ollama's lists.
async fn entries(member: &Member, path: &str) -> Result<Vec<Value>, ModelError> {
    #[derive(Deserialize)]
    struct List {
        models: Option<Vec<Value>>,
    }
    let text = member.server().get(path).await?;
    let list: List = serde_json::from_str(&text).map_err(|error| {
        let message = "The model server's answer is not what Ollama's is";
        ModelError::new(ModelErrorKind::Malformed, message).with_detail(error.to_string())
    })?;
    Ok(list.models.unwrap_or_default())
}

/// All lists merged into one of Ollama's form, with the names that clients use.
fn united(lists: Result<Listings, ModelError>, caller: &Caller) -> Response {
    let lists = match lists {
        Ok(lists) => lists,
        Err(error) => return Chat.refused(&Refusal::from(&error)),
    };
    let mut models = Models::default();
    for (member, entries) in &lists {
        for entry in entries {
            let real = entry
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let names = member.names_of(real);
            for name in names.filter(|name| caller.may_use(name)) {
                models.add(name, || {
                    let mut entry = entry.clone();
                    if let Some(entry) = entry.as_object_mut() {
                        entry.insert("name".to_owned(), name.into());
                        entry.insert("model".to_owned(), name.into());
                    }
                    entry
                });
            }
        }
    }
    json(&json!({"models": models.entries}))
}

/// `GET /api/version`.
pub(super) async fn version() -> Response {
    json(&json!({"version": OLLAMA_VERSION}))
}

/// `POST /api/show`: the reply of an Ollama server, or what is known about another server's model.
/// Through haft every chat model can call tools.
pub(super) async fn show(State(shared): Handle, Extension(caller): From, body: Bytes) -> Response {
    let Ok(Value::Object(mut asked)) = serde_json::from_slice(&body) else {
        return Chat.refused(&Refusal::new(400, "The request cannot be read"));
    };
    // Older clients use the field `name`.
    let name = asked.remove("model").or_else(|| asked.remove("name"));
    let Some(Value::String(name)) = name else {
        return Chat.refused(&Refusal::new(400, "The request names no model"));
    };
    if !caller.may_use(&name) {
        return Chat.refused(&Refusal::new(404, format!("model '{name}' not found")));
    }
    match shown(&shared, &name, asked).await {
        Ok(answer) => json(&answer),
        Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
            let message = format!("model '{name}' not found");
            Chat.refused(&Refusal::new(404, message))
        }
        Err(error) => Chat.refused(&Refusal::from(&error)),
    }
}

async fn shown(
    shared: &Shared,
    name: &str,
    mut asked: Map<String, Value>,
) -> Result<Value, ModelError> {
    let not_found = || {
        ModelError::new(
            ModelErrorKind::ModelNotFound,
            "No model server has this model",
        )
    };
    let mut failure = None;
    for member in shared.upstreams.holders(name).await? {
        let server = member.server();
        if member.is_ollama() {
            asked.insert("model".to_owned(), member.real_name(name).into());
            let asking = server.post("/api/show", asked.clone().into());
            match member.ask(asking).await {
                Ok(text) => return Ok(with_tools(&text)),
                Err(error) => failure = failure.or(Some(error)),
            }
            continue;
        }
        match member.ask(server.models()).await {
            Ok(models)
                if models
                    .iter()
                    .any(|one| is_same(one, member.real_name(name))) =>
            {
                return Ok(nothing_known());
            }
            Ok(_) => {}
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Err(failure.unwrap_or_else(not_found))
}

/// The reply of an Ollama server, with "tools" added to the capabilities of a chat model.
fn with_tools(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(fields) = answer.as_object_mut() else {
        return nothing_known();
    };
    let capabilities = fields.entry("capabilities").or_insert_with(|| json!([]));
    if let Some(capabilities) = capabilities.as_array_mut() {
        let has = |name: &str| capabilities.iter().any(|known| known == name);
        // Servers before 0.6.4 sent no list.
        let talks = has("completion") || capabilities.is_empty();
        if talks && !has("tools") {
            capabilities.push("tools".into());
        }
    }
    answer
}

fn nothing_known() -> Value {
    json!({
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": details("", None),
        "model_info": {},
        "capabilities": ["completion", "tools"],
    })
}
