//! Durable runs over HTTP: clients begin runs, watch them from any machine, cancel them, and decide
//! about their calls. Workers (`haft work`) answer them; the gateway only reads and writes the store.
//!
//! `watch` has the stream of events, and `tokens` counts for keys.

mod tokens;
mod watch;

use std::sync::Arc;
use std::time::SystemTime;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use haft_durable::{Decision, RunOptions, RunState, RunSummary};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use self::tokens::count_tokens;
use crate::access::Caller;
use crate::content_encoding::decoded;
use crate::dialects::of_path;
use crate::receive::receive;
use crate::respond::{self, Refusal};
use crate::run_visitor::{MAX_BODY, Visitor, refusal};
use crate::shared::Shared;

/// The path of all runs.
const PATH: &str = "/v1/runs";

/// What stands for a session that is made with the run.
const NEW_SESSION: &str = "new";

/// Adds the routes.
pub(crate) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    router
        .route(PATH, get(list).post(begin))
        .route("/v1/runs/{run}", get(show))
        .route("/v1/runs/{run}/events", get(watch::events))
        .route("/v1/runs/{run}/cancel", post(cancel))
        .route("/v1/runs/{run}/approvals", post(decide))
}

/// The body of a request that begins a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    question: String,
    queue: Option<String>,
    /// When it begins; at once by default.
    at: Option<Timestamp>,
    /// The id of a session, or [`NEW_SESSION`].
    session: Option<String>,
}

/// The body of a decision.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    decision: Decision,
    /// The number of the decision that was seen, so that no later one is decided by mistake.
    number: Option<usize>,
}

impl Visitor {
    async fn begin(&self, wanted: Wanted) -> Result<RunSummary, Refusal> {
        if wanted.question.trim().is_empty() {
            return Err(Refusal::new(400, "The question is empty"));
        }
        self.admit().await?;
        let mut options = RunOptions::default();
        if let Some(queue) = wanted.queue {
            options.queue = queue;
        }
        options.at = wanted.at.map(SystemTime::from);
        options.owner = self.owner();
        let sessions = self.store.sessions();
        options.session = match wanted.session.as_deref() {
            None => None,
            Some(NEW_SESSION) => {
                let owner = options.owner.as_ref().map(|owner| owner.name.as_str());
                let made = sessions.create(owner).await;
                Some(made.map_err(|error| refusal(&error))?)
            }
            Some(id) => {
                let id = id.parse();
                Some(id.map_err(|_| Refusal::new(404, "There is no such session"))?)
            }
        };
        let begun = self.store.submit_with(wanted.question, options).await;
        let id = begun.map_err(|error| refusal(&error))?;
        self.run(&id).await
    }
}

/// `POST /v1/runs`.
async fn begin(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let begun = async {
        let visitor = Visitor::new(&shared, caller)?;
        visitor.begin(read(request).await?).await
    };
    match begun.await {
        Ok(run) => {
            let place = HeaderValue::from_str(&format!("{PATH}/{}", run.id));
            let mut response = respond::json(&json!(run));
            *response.status_mut() = StatusCode::ACCEPTED;
            if let Ok(place) = place {
                response.headers_mut().insert(header::LOCATION, place);
            }
            private(response)
        }
        Err(refusal) => of_path(PATH).refused(&refusal),
    }
}

/// `GET /v1/runs`: the newest runs, at most 1,000; for the operator also the schedules.
async fn list(State(shared): State<Arc<Shared>>, Extension(caller): Extension<Caller>) -> Response {
    let listed = async {
        let visitor = Visitor::new(&shared, caller)?;
        let runs = match visitor.caller.key() {
            Some(key) => visitor.store.list_of(key).await,
            None => visitor.store.list().await,
        };
        let runs = runs.map_err(|error| refusal(&error))?;
        Ok(json!({ "runs": runs }))
    };
    answer(&listed.await)
}

/// `GET /v1/runs/{run}`.
async fn show(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Response {
    let shown = async { Visitor::new(&shared, caller)?.run(&run).await };
    answer(&shown.await)
}

/// `POST /v1/runs/{run}/cancel`.
async fn cancel(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Response {
    let cancelled = async {
        let visitor = Visitor::new(&shared, caller)?;
        let mut seen = visitor.run(&run).await?;
        let cancelled = visitor.store.cancel(&run).await;
        cancelled.map_err(|error| refusal(&error))?;
        seen.state = RunState::Cancelled;
        Ok(seen)
    };
    answer(&cancelled.await)
}

/// `POST /v1/runs/{run}/approvals`.
async fn decide(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    request: Request,
) -> Response {
    let decided = async {
        let visitor = Visitor::new(&shared, caller)?;
        visitor.run(&run).await?;
        let Decided { decision, number } = read(request).await?;
        let decided = visitor.store.decide_number(&run, number, decision).await;
        decided.map_err(|error| refusal(&error))?;
        visitor.run(&run).await
    };
    answer(&decided.await)
}

/// Reads the JSON of a request.
async fn read<T: DeserializeOwned>(request: Request) -> Result<T, Refusal> {
    let (head, body) = request.into_parts();
    let body = decoded(&head.headers, receive(body).await?)?;
    if body.len() > MAX_BODY {
        return Err(Refusal::new(413, "The request is larger than 1 MiB"));
    }
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("The request cannot be read: {error}");
        Refusal::new(400, message)
    })
}

fn answer<T: Serialize>(done: &Result<T, Refusal>) -> Response {
    match done {
        Ok(body) => private(respond::json(&json!(body))),
        Err(refusal) => of_path(PATH).refused(refusal),
    }
}

/// Keeps questions and answers out of caches.
fn private(mut response: Response) -> Response {
    let no_store = HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, no_store);
    response
}
