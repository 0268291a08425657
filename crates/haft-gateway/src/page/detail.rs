//! `GET /haft/requests/{number}`: one request with its messages, the raw reply of the model, and
//! what the client received.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use crate::activity::{Contents, KeptRequest};
use crate::dialects::of_path;
use crate::respond::{self, Refusal};
use crate::shared::Shared;

/// Whether there are messages to show, and why not.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum MessageState {
    Shown,
    /// They are not kept.
    NotKept,
    /// The request is larger than what is kept.
    TooLarge,
    /// The body is not a request of its API.
    Unreadable,
}

/// The request with this number.
pub(super) async fn request(
    State(shared): State<Arc<Shared>>,
    Path(number): Path<String>,
) -> Response {
    let number = number.parse().ok();
    let Some(exchange) = number.and_then(|number| shared.activity.find(number)) else {
        let message = "There is no such request among the latest ones; older ones are forgotten";
        return of_path("/").refused(&Refusal::new(404, message));
    };
    let contents = exchange.contents();
    let (state, asked) = asked(&shared, &contents);
    respond::json(&json!({
        "request": exchange.summary(),
        "content": contents.policy,
        "asked": state,
        "messages": asked.messages,
        "tools": asked.tools,
        "attempts": exchange.raw.attempts(),
        "passed": contents.passed,
        "given": contents.given,
        "interventions": contents.interventions,
    }))
}

/// What the client asked, in haft's own types.
#[derive(Default)]
struct AskedFor {
    messages: Value,
    /// The names of the client's tools.
    tools: Vec<String>,
}

/// Reads a kept request as its dialect does. It is read only when somebody looks at it.
fn asked(shared: &Shared, contents: &Contents) -> (MessageState, AskedFor) {
    let body = match &contents.request {
        KeptRequest::Body(body) => body,
        KeptRequest::Nothing => return (MessageState::NotKept, AskedFor::default()),
        KeptRequest::TooLarge => return (MessageState::TooLarge, AskedFor::default()),
    };
    let Ok(received) = contents.dialect.read(body, &shared.kept_replies) else {
        return (MessageState::Unreadable, AskedFor::default());
    };
    let request = received.request;
    let tools = request.tools.iter().map(|tool| tool.name().to_owned());
    let asked = AskedFor {
        tools: tools.collect(),
        messages: json!(request.messages),
    };
    (MessageState::Shown, asked)
}
