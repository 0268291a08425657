//! `POST /v1/messages/count_tokens`: the count of the model server, or an estimate.
//!
//! A server of Anthropic's API is asked with the client's request, and llama.cpp's server for its
//! chat template and tokens. Other servers do not count without computing the whole prompt, so the
//! answer is an estimate then, with the header `x-haft-estimate: true`.

use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use haft_core::estimated_tokens;
use haft_models::{ClientRequest, ServerKind};
use serde_json::{Value, json};

use super::super::dialect::Dialect;
use super::Anthropic;
use crate::access::Caller;
use crate::content_encoding::decoded;
use crate::proxy;
use crate::receive::receive;
use crate::respond::{Refusal, json};
use crate::shared::Shared;

/// The header of an answer that is an estimate.
const ESTIMATE: HeaderName = HeaderName::from_static("x-haft-estimate");

/// The estimated overhead of a message or a tool in tokens.
const AROUND: u64 = 8;

pub(super) async fn answer(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let (mut head, body) = request.into_parts();
    let received = receive(body).await;
    let body = match received.and_then(|body| decoded(&head.headers, body)) {
        Ok(body) => body,
        Err(refusal) => return Anthropic.refused(&refusal),
    };
    head.headers.remove(CONTENT_ENCODING);
    head.headers.remove(CONTENT_LENGTH);
    let asked = match CountRequest::read(head, body) {
        Ok(asked) => asked,
        Err(refusal) => return Anthropic.refused(&refusal),
    };
    match asked.counted(&shared, caller).await {
        Ok(Some(response)) => response,
        Ok(None) => asked.estimated(),
        Err(refusal) => Anthropic.refused(&refusal),
    }
}

/// A request for a count.
struct CountRequest {
    head: Parts,
    body: Bytes,
    request: ClientRequest,
}

impl CountRequest {
    fn read(head: Parts, body: Bytes) -> Result<Self, Refusal> {
        let mut request: Value = serde_json::from_slice(&body)
            .map_err(|error| Refusal::new(400, format!("The request cannot be read: {error}")))?;
        // The parser requires a limit on the reply, which this request does not have; the value
        // does not affect the count.
        if let Some(request) = request.as_object_mut() {
            request.insert("max_tokens".to_owned(), 1.into());
        }
        let request = ClientRequest::from_anthropic(request.to_string().as_bytes());
        let request = request.map_err(|error| Refusal::from(&error))?;
        Ok(Self {
            head,
            body,
            request,
        })
    }

    /// The answer of a model server that counts; `None` if none does or none answers.
    async fn counted(
        &self,
        shared: &Arc<Shared>,
        caller: Caller,
    ) -> Result<Option<Response>, Refusal> {
        let name = &self.request.model;
        let Ok(holders) = shared.upstreams.holders(name).await else {
            return Ok(None);
        };
        let has = |kind| holders.iter().any(|one| one.server().kind() == kind);
        if has(ServerKind::Anthropic) {
            let request = Request::from_parts(self.head.clone(), Body::from(self.body.clone()));
            let response = proxy::forward(State(shared.clone()), Extension(caller), request).await;
            return Ok((!lacks_the_path(response.status())).then_some(response));
        }
        if !has(ServerKind::OpenAi) {
            return Ok(None);
        }
        caller.admit(Some(name))?;
        for member in holders {
            let mut request = self.request.clone();
            request.model = member.real_name(name).to_owned();
            let counting = member.server().count_tokens(&request);
            match member.ask(counting).await {
                Ok(Some(tokens)) => return Ok(Some(json(&json!({"input_tokens": tokens})))),
                Ok(None) => {}
                Err(error) => tracing::debug!(upstream = &*member.name, %error, "no token count"),
            }
        }
        Ok(None)
    }

    fn estimated(&self) -> Response {
        let tokens = estimate(&self.request);
        let mut response = json(&json!({"input_tokens": tokens}));
        let value = HeaderValue::from_static("true");
        response.headers_mut().insert(ESTIMATE, value);
        response
    }
}

/// Whether a server of Anthropic's API does not count tokens, as some do not.
fn lacks_the_path(status: StatusCode) -> bool {
    [
        StatusCode::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::NOT_IMPLEMENTED,
    ]
    .contains(&status)
}

fn estimate(request: &ClientRequest) -> u64 {
    let messages = request.messages.iter();
    let messages = messages.map(|message| message.content().text());
    let tools = request.tools.iter();
    let tools = tools.map(|tool| format!("{}{}{}", tool.name(), tool.description(), tool.schema()));
    messages
        .chain(tools)
        .map(|text| estimated_tokens(&text) + AROUND)
        .sum()
}
