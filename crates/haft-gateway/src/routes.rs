//! The routes: which handler answers which path.
//!
//! The paths of conversations and of lists of models come from the [dialects](crate::dialects);
//! this file has the other paths, and the fallback that forwards to the model servers.

use std::future::ready;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use futures_util::FutureExt;
use tracing::Instrument;

use crate::access::Caller;
use crate::answer::{Answer, routed};
use crate::dialects::{self, ALL, dialect::Dialect, of_conversation, of_path, of_request};
use crate::refusal_log::RefusalKind;
use crate::request_id::RequestId;
use crate::request_log::RequestLog;
use crate::respond::Refusal;
use crate::shared::Shared;
use crate::telemetry::RequestTrace;
use crate::{catalog, chat, cors, embeddings, llama_cpp, page, proxy, token_counts};

/// The service behind the guard. Conversations bypass the router, whose layers are a tenth of the
/// work for a request that passes through unchanged.
pub(crate) fn answer(shared: Arc<Shared>) -> Answer {
    let router = router(shared.clone());
    let shared_by_pages = shared.clone();
    let answer = Answer::new(move |mut request| {
        let id = RequestId::of(request.headers_mut());
        let Some(dialect) = conversation(&request) else {
            let answer = routed(&router, request).instrument(id.span());
            return Box::pin(answer.map(|response| id.set(response)));
        };
        match shared.guard.admit(request.headers()) {
            Err(refusal) => {
                note_refusal(&shared, &refusal);
                Box::pin(ready(id.set(dialect.refused(&refusal))))
            }
            Ok(caller) => {
                let trace = RequestTrace::open(dialect.path(), request.headers(), &id);
                let log = RequestLog::open(shared.clone(), dialect, caller, trace);
                Box::pin(chat::answer(log, request).map(|response| id.set(response)))
            }
        }
    });
    Answer::new(move |request| {
        let Some(origin) = shared_by_pages.guard.origins.of(request.headers()) else {
            return answer.to(request);
        };
        match cors::preflight(&request, &origin) {
            Some(response) => Box::pin(ready(response)),
            None => Box::pin(
                answer
                    .to(request)
                    .map(move |response| cors::allow(response, &origin)),
            ),
        }
    })
}

/// Logs that a request was refused at the door.
fn note_refusal(shared: &Shared, refusal: &Refusal) {
    shared.refusals.note(&RefusalKind {
        status: refusal.status,
        key: None,
        upstream: None,
    });
}

/// The dialect, if the request is for a conversation.
fn conversation(request: &Request) -> Option<&'static dyn Dialect> {
    let is_post = request.method() == Method::POST;
    is_post
        .then(|| of_conversation(request.uri().path()))
        .flatten()
}

/// All other paths.
fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new()
        .route("/metrics", get(metrics))
        .merge(page::data());
    for dialect in ALL {
        router = router.route(dialect.path(), any(only_post));
    }
    let router = token_counts::routes(embeddings::routes(dialects::routes(router)));
    #[cfg(feature = "durable")]
    let router = crate::runs::routes(router);
    llama_cpp::routes(router)
        .fallback(proxy::forward)
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        // The page has no data without a key.
        .merge(page::files())
        // Health checks need no key and reveal nothing else.
        .route("/healthz", get(|| async { "ok" }))
        .route("/readyz", get(catalog::ready))
        .with_state(shared)
}

/// Refuses every method but POST at the path of a conversation.
async fn only_post(request: Request) -> Response {
    let dialect = of_path(request.uri().path());
    let mut response = dialect.refused(&Refusal::new(405, "This path takes a POST"));
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// Lets a request with a valid key through, with the caller and the dialect of its errors as
/// extensions.
async fn guarded(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    match shared.guard.admit(request.headers()) {
        Err(refusal) => {
            note_refusal(&shared, &refusal);
            of_path(request.uri().path()).refused(&refusal)
        }
        Ok(caller) => {
            let dialect = of_request(request.uri().path(), request.headers());
            request.extensions_mut().insert(dialect);
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
    }
}

/// The page that Prometheus reads: for the operator, as it has the names of all keys.
async fn metrics(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
) -> Response {
    if caller.key().is_some() {
        let message = "This page is for the operator, with the key of --token";
        return of_path("/metrics").refused(&Refusal::new(403, message));
    }
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    (
        [(header::CONTENT_TYPE, content_type)],
        shared.metrics.page(),
    )
        .into_response()
}
