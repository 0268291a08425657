//! How many tokens a request has: Anthropic's `POST /v1/messages/count_tokens` and OpenAI's
//! `POST /v1/responses/input_tokens`.
//!
//! A server of the client's API is asked with the client's request, and llama.cpp's server for its
//! chat template and tokens. Other servers do not count without computing the whole prompt, so the
//! answer is an estimate then, with the header `x-haft-estimate: true`.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::post;
use axum::{Extension, Router};
use haft_core::estimated_tokens;
use haft_models::{ClientRequest, ServerKind};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::content_encoding::decoded;
use crate::dialects::{of_path, of_request};
use crate::proxy;
use crate::receive::receive;
use crate::respond::{Refusal, json};
use crate::shared::Shared;

/// The header of an answer that is an estimate.
const ESTIMATE: HeaderName = HeaderName::from_static("x-haft-estimate");

/// The estimated overhead of a message or a tool in tokens.
const AROUND: u64 = 8;

/// The API of a request for a count.
#[derive(Clone, Copy, Debug)]
enum CountingApi {
    Anthropic,
    Responses,
}

/// Adds the paths.
pub(crate) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    router
        .route("/v1/messages/count_tokens", post(anthropic))
        .route("/v1/responses/input_tokens", post(responses))
}

async fn anthropic(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    answer(CountingApi::Anthropic, &shared, caller, request).await
}

async fn responses(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    answer(CountingApi::Responses, &shared, caller, request).await
}

async fn answer(
    api: CountingApi,
    shared: &Arc<Shared>,
    caller: Caller,
    request: Request,
) -> Response {
    let dialect = of_path(request.uri().path());
    let answer = async {
        let asked = CountRequest::receive(api, shared, request).await?;
        if asked.has_server_of_api(shared).await {
            let response = asked.forwarded(shared, caller).await;
            if !lacks_the_path(response.status()) {
                return Ok(response);
            }
        } else {
            // Forwarding counts a request as well.
            caller.admit(Some(&asked.request.model)).await?;
        }
        Ok(match asked.counted_by_llama_cpp(shared).await {
            Some(tokens) => api.answer(tokens),
            None => asked.estimated(),
        })
    };
    answer
        .await
        .unwrap_or_else(|refusal: Refusal| dialect.refused(&refusal))
}

impl CountingApi {
    /// The servers that have this API, and may count.
    fn kind(self) -> ServerKind {
        match self {
            Self::Anthropic => ServerKind::Anthropic,
            Self::Responses => ServerKind::OpenAi,
        }
    }

    /// Parses a request for a count.
    fn read(self, body: &[u8], shared: &Shared) -> Result<ClientRequest, Refusal> {
        let read = match self {
            Self::Responses => of_path("/v1/responses")
                .read(body, &shared.kept_replies)
                .map(|received| received.request),
            Self::Anthropic => {
                let mut request: Value = serde_json::from_slice(body).map_err(|error| {
                    Refusal::new(400, format!("The request cannot be read: {error}"))
                })?;
                // The parser requires a limit on the reply, which this request does not have; the
                // value does not affect the count.
                if let Some(request) = request.as_object_mut() {
                    request.insert("max_tokens".to_owned(), 1.into());
                }
                ClientRequest::from_anthropic(request.to_string().as_bytes())
            }
        };
        read.map_err(|error| Refusal::from(&error))
    }

    fn answer(self, tokens: u64) -> Response {
        json(&match self {
            Self::Anthropic => json!({"input_tokens": tokens}),
            Self::Responses => json!({"object": "response.input_tokens", "input_tokens": tokens}),
        })
    }
}

/// A request for a count.
struct CountRequest {
    api: CountingApi,
    head: Parts,
    body: Bytes,
    request: ClientRequest,
}

impl CountRequest {
    async fn receive(api: CountingApi, shared: &Shared, request: Request) -> Result<Self, Refusal> {
        let (mut head, body) = request.into_parts();
        let body = decoded(&head.headers, receive(body).await?)?;
        head.headers.remove(CONTENT_ENCODING);
        head.headers.remove(CONTENT_LENGTH);
        Ok(Self {
            request: api.read(&body, shared)?,
            api,
            head,
            body,
        })
    }

    /// Whether a model server of the client's API has the model.
    async fn has_server_of_api(&self, shared: &Shared) -> bool {
        let holders = shared.upstreams.holders(&self.request.model).await;
        let mut holders = holders.iter().flatten();
        holders.any(|member| member.server().kind() == self.api.kind())
    }

    /// The answer of a model server of the client's API.
    async fn forwarded(&self, shared: &Arc<Shared>, caller: Caller) -> Response {
        let request = Request::from_parts(self.head.clone(), Body::from(self.body.clone()));
        let dialect = of_request(request.uri().path(), request.headers());
        proxy::forward(
            State(shared.clone()),
            Extension(caller),
            Extension(dialect),
            request,
        )
        .await
    }

    /// The count of a llama.cpp server; `None` if there is none or it does not answer.
    async fn counted_by_llama_cpp(&self, shared: &Shared) -> Option<u64> {
        let name = &self.request.model;
        for member in shared.upstreams.holders(name).await.ok()? {
            let mut request = self.request.clone();
            request.model = member.real_name(name).to_owned();
            let counting = member.server().count_tokens(&request);
            match member.ask(counting).await {
                Ok(Some(tokens)) => return Some(tokens),
                Ok(None) => {}
                Err(error) => tracing::debug!(upstream = &*member.name, %error, "no token count"),
            }
        }
        None
    }

    fn estimated(&self) -> Response {
        let mut response = self.api.answer(estimate(&self.request));
        let value = HeaderValue::from_static("true");
        response.headers_mut().insert(ESTIMATE, value);
        response
    }
}

/// Whether a server of the API does not count tokens, as some do not.
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
