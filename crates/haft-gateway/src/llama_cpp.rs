//! The pages of llama.cpp's server about itself: `GET /props` and `GET /slots`
//! (`ggml-org/llama.cpp: tools/server/README.md`).
//!
//! They come from the only such server, or from the one that has the model in the query
//! (`/props?model=NAME`). Other servers are not asked.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use haft_core::ModelError;
use haft_models::{LlamaCppPage, LlamaCppPageKind, ServerKind};
use reqwest::Url;

use crate::access::Caller;
use crate::dialects::of_path;
use crate::respond::{Refusal, json_bytes};
use crate::scheduler::Member;
use crate::shared::Shared;

/// Adds the pages.
pub(crate) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    router
        .route("/props", get(props))
        .route("/slots", get(slots))
}

async fn props(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Response {
    answered(&shared, &caller, &uri, LlamaCppPageKind::Props).await
}

/// Only for the operator, as it may show the prompts of others.
async fn slots(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Response {
    if caller.key().is_some() {
        let message = "This page is for the operator, with the key of --token";
        return of_path(uri.path()).refused(&Refusal::new(403, message));
    }
    answered(&shared, &caller, &uri, LlamaCppPageKind::Slots).await
}

async fn answered(shared: &Shared, caller: &Caller, uri: &Uri, kind: LlamaCppPageKind) -> Response {
    let model = model_in(uri);
    let admitted = caller.admit(model.as_deref()).await;
    let found = match admitted {
        Ok(()) => found(shared, uri.path(), kind, model.as_deref()).await,
        Err(refusal) => Err(refusal),
    };
    match found {
        Ok(page) => json_bytes(page),
        Err(refusal) => of_path(uri.path()).refused(&refusal),
    }
}

/// The page of the right server.
async fn found(
    shared: &Shared,
    path: &str,
    kind: LlamaCppPageKind,
    model: Option<&str>,
) -> Result<String, Refusal> {
    let members: Vec<Arc<Member>> = match model {
        Some(model) => {
            let holders = shared.upstreams.holders(model).await;
            holders.map_err(|error| Refusal::from(&error))?
        }
        None => shared.upstreams.in_use().into_iter().cloned().collect(),
    };
    let (mut pages, mut failure) = (Vec::new(), None);
    for member in &members {
        if member.server().kind() != ServerKind::OpenAi {
            continue;
        }
        match page_of(member, kind, model).await {
            Ok(page) => pages.extend(page),
            Err(error) => failure = failure.or(Some(error)),
        }
        if model.is_some() && !pages.is_empty() {
            break;
        }
    }
    match (pages.pop(), pages.is_empty(), failure) {
        (Some(page), true, _) => Ok(page),
        (Some(_), false, _) => {
            let message = format!(
                "Several model servers have this page; name a model of the wanted one: \
                 {path}?model=NAME"
            );
            Err(Refusal::new(400, message))
        }
        (None, _, Some(error)) => Err(Refusal::from(&error)),
        (None, _, None) => {
            let message = format!("There is no {path} here: no model server is llama.cpp's");
            Err(Refusal::new(404, message))
        }
    }
}

async fn page_of(
    member: &Member,
    kind: LlamaCppPageKind,
    model: Option<&str>,
) -> Result<Option<String>, ModelError> {
    let model = model.map(|model| member.real_name(model).to_owned());
    let page = LlamaCppPage::new(kind, model);
    member.ask(member.server().llama_cpp_page(&page)).await
}

/// The model in the query.
fn model_in(uri: &Uri) -> Option<String> {
    let url = Url::parse(&format!("http://localhost/?{}", uri.query()?)).ok()?;
    let mut pairs = url.query_pairs();
    let model = pairs.find(|(name, _)| name == "model")?.1;
    (!model.is_empty()).then(|| model.into_owned())
}
