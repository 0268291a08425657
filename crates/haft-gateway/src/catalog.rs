//! The models of all upstreams together, for the model lists of every dialect, and the readiness
//! check. Each dialect formats its own lists (`dialects/*/catalog.rs`).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use haft_core::ModelError;
use serde_json::Value;

use crate::access::Caller;
use crate::scheduler::is_same;
use crate::shared::Shared;

/// Models by name without duplicates, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Models {
    pub(crate) names: Vec<String>,
    pub(crate) entries: Vec<Value>,
}

impl Models {
    /// Adds a model, unless one with this name exists.
    pub(crate) fn add(&mut self, name: &str, entry: impl FnOnce() -> Value) {
        if !self.names.iter().any(|known| is_same(known, name)) {
            self.names.push(name.to_owned());
            self.entries.push(entry());
        }
    }
}

/// The names of the models that the caller may use, without duplicates.
pub(crate) async fn names(shared: &Shared, caller: &Caller) -> Result<Vec<String>, ModelError> {
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
    models.names.retain(|name| caller.may_use(name));
    Ok(models.names)
}

/// `GET /readyz`: succeeds if a model server answers.
pub(crate) async fn ready(State(shared): State<Arc<Shared>>) -> Response {
    let members = shared.upstreams.in_use();
    let mut asked: FuturesUnordered<_> = members
        .iter()
        .map(|member| member.ask(member.server().models()))
        .collect();
    while let Some(answer) = asked.next().await {
        match answer {
            Ok(_) => return "ready".into_response(),
            Err(error) => tracing::warn!(%error, "not ready"),
        }
    }
    (StatusCode::SERVICE_UNAVAILABLE, "not ready").into_response()
}
