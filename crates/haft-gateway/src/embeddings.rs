//! Embeddings: `POST /v1/embeddings` of OpenAI's API, `/api/embed` and the older `/api/embeddings`
//! of Ollama's, over model servers of both.
//!
//! A server that has the client's API receives the request with every field, and its reply is the
//! client's. For the other servers `convert` writes the request and the reply anew. Anthropic's API
//! has no embeddings.

mod convert;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::{Extension, Router, routing::post};
use futures_util::FutureExt;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::ServerKind;
use serde::Deserialize;
use serde_json::Value;

use self::convert::{Embedded, EmbeddingApi, EmbeddingRequest};
use crate::access::Caller;
use crate::content_encoding::decoded;
use crate::dialects::of_path;
use crate::receive::receive;
use crate::request_id::RequestId;
use crate::request_log::RequestLog;
use crate::respond::{DROPPED, Refusal, json};
use crate::scheduler::{Member, Wanted};
use crate::shared::Shared;
use crate::telemetry::RequestTrace;

/// Adds the paths of embeddings.
pub(crate) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    EmbeddingApi::ALL.iter().fold(router, |router, api| {
        router.route(
            api.path(),
            post(
                |State(shared): State<Arc<Shared>>,
                 Extension(caller): Extension<Caller>,
                 mut request: Request| {
                    let id = RequestId::of(request.headers_mut());
                    let trace = RequestTrace::open(api.path(), request.headers(), &id);
                    let dialect = of_path(api.path());
                    answer(
                        *api,
                        RequestLog::open(shared, dialect, caller, trace),
                        request,
                    )
                },
            ),
        )
    })
}

/// Answers a request.
async fn answer(api: EmbeddingApi, mut log: Box<RequestLog>, request: Request) -> Response {
    if !log.take_room() {
        return log.refused(&Refusal::new(503, "Too many requests are being answered"));
    }
    let (head, body) = request.into_parts();
    let asked = match receive(body)
        .await
        .and_then(|body| read(&head.headers, body))
    {
        Ok(body) => Arc::new(Asked::new(api, body)),
        Err(refusal) => return log.refused(&refusal),
    };
    log.model.clone_from(&asked.model);
    let admitted = match asked.is_named() {
        Ok(()) => log.admit().await,
        unnamed => unnamed,
    };
    if let Err(refusal) = admitted {
        return log.refused(&refusal);
    }
    match asked.answered(&log).await {
        Ok(reply) => {
            log.status = 200;
            log.usage.input_tokens = reply.tokens;
            let mut response = json(&reply.body);
            if let Some(dropped) = reply.dropped {
                response.headers_mut().insert(DROPPED, dropped);
            }
            response
        }
        Err(error) => log.failed(&error.into()),
    }
}

/// The body as JSON.
fn read(headers: &HeaderMap, body: axum::body::Bytes) -> Result<Value, Refusal> {
    let body = decoded(headers, body)?;
    serde_json::from_slice(&body)
        .map_err(|error| Refusal::new(400, format!("The request cannot be read: {error}")))
}

/// A request for embeddings.
#[derive(Debug)]
struct Asked {
    api: EmbeddingApi,
    /// The model's name; empty if the request has none.
    model: String,
    body: Value,
    /// The request for servers of the other API, or why it cannot be written for them.
    converted: Result<EmbeddingRequest, String>,
}

/// The answer to a client.
struct EmbeddingReply {
    body: Value,
    /// The tokens of the input.
    tokens: u64,
    /// The value of the header that names the fields that were left out.
    dropped: Option<axum::http::HeaderValue>,
}

impl Asked {
    fn new(api: EmbeddingApi, body: Value) -> Self {
        let model = body.get("model").and_then(Value::as_str);
        Self {
            api,
            model: model.unwrap_or_default().to_owned(),
            converted: EmbeddingRequest::read(api, &body),
            body,
        }
    }

    fn is_named(&self) -> Result<(), Refusal> {
        if self.model.trim().is_empty() {
            return Err(Refusal::new(400, "The request names no model in `model`"));
        }
        Ok(())
    }

    /// The answer of the first model server that succeeds.
    async fn answered(self: &Arc<Self>, log: &RequestLog) -> Result<EmbeddingReply, ModelError> {
        let upstreams = &log.shared.upstreams;
        let mut choices = upstreams.choices(&self.model).await?;
        let of_kind = |upstream: usize, kind: ServerKind| {
            let member = upstreams.member(upstream);
            member.is_some_and(|member| member.server().kind() == kind)
        };
        choices.retain(|choice| !of_kind(choice.upstream, ServerKind::Anthropic));
        if choices.is_empty() {
            let message = format!(
                "The model \"{}\" is at a server of Anthropic's API, which has no embeddings",
                self.model
            );
            return Err(ModelError::new(ModelErrorKind::Unsupported, message));
        }
        if let Err(message) = &self.converted {
            choices.retain(|choice| of_kind(choice.upstream, self.api.server()));
            if choices.is_empty() {
                return Err(ModelError::new(ModelErrorKind::BadRequest, message.clone()));
            }
        }
        let wanted = Wanted {
            choices,
            session: None,
            share: log.caller.queue_share(),
            context: Some(log.trace.context.clone()),
        };
        let ask = |upstream: usize| {
            let (asked, member) = (self.clone(), upstreams.member(upstream).cloned());
            async move {
                let member = member.ok_or_else(|| {
                    ModelError::new(
                        ModelErrorKind::ModelNotFound,
                        "No model server has the model",
                    )
                })?;
                asked.asked_at(&member).await
            }
            .boxed()
        };
        let (reply, lease) = upstreams.first(wanted, ask).await?;
        lease.done();
        Ok(reply)
    }

    async fn asked_at(&self, member: &Member) -> Result<EmbeddingReply, ModelError> {
        let server = member.server();
        let real = member.real_name(&self.model);
        if server.kind() == self.api.server() {
            let mut body = self.body.clone();
            if let Some(model) = body.get_mut("model") {
                *model = real.into();
            }
            let text = server.compute(self.api.path_at_server(), body).await?;
            return passed_on(&text);
        }
        let request = match &self.converted {
            Ok(request) => request,
            Err(message) => {
                return Err(ModelError::new(ModelErrorKind::BadRequest, message.clone()));
            }
        };
        let embedded = if request.is_empty() {
            Embedded::default()
        } else {
            let other = self.api.other();
            let text = server
                .compute(other.path_at_server(), request.body_for(other, real))
                .await?;
            Embedded::read(other, &text, request.len())?
        };
        Ok(EmbeddingReply {
            body: self.api.reply(&self.model, &embedded, request.encoding),
            tokens: embedded.tokens,
            dropped: request.dropped(),
        })
    }
}

/// The reply of a server that has the client's API, as it is.
fn passed_on(text: &str) -> Result<EmbeddingReply, ModelError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Counted {
        usage: Option<Usage>,
        prompt_eval_count: Option<u64>,
    }
    #[derive(Deserialize)]
    struct Usage {
        #[serde(default)]
        prompt_tokens: u64,
    }
    let body: Value = serde_json::from_str(text).map_err(|error| convert::not_an_answer(&error))?;
    let counted = Counted::deserialize(&body).unwrap_or_default();
    let tokens = counted.usage.map(|usage| usage.prompt_tokens);
    Ok(EmbeddingReply {
        body,
        tokens: tokens.or(counted.prompt_eval_count).unwrap_or_default(),
        dropped: None,
    })
}
