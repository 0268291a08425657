//! Requests that haft has no answer of its own to, passed on to an upstream that speaks the same:
//! embeddings, files, and with leave the administration of models.
//!
//! Nothing of them is looked at but the model's name where several upstreams could have it.

mod relay;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{self, Method, header};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use haft_core::{ModelError, ModelErrorKind};
use haft_models::{ByteStream, Dialect, ForwardBody, ServerKind, status_of};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use self::relay::Relay;
use crate::chat::{MAX_BODY, RECEIVING};
use crate::gateway::Shared;
use crate::routes::{dialect_of, refused};
use crate::upstreams::{Choice, Member, Taken, Upstreams};

/// Paths below `/api/` that change what an Ollama has or whose it is (`ollama/ollama:
/// server/routes.go`).
const OF_OLLAMA: [&str; 8] = [
    "pull", "push", "create", "copy", "delete", "blobs", "signout", "user",
];

/// The same below `/v1/`, of vLLM.
const OF_OTHERS: [&str; 2] = ["load_lora_adapter", "unload_lora_adapter"];

/// Where a request names its model; the second in older requests to Ollama.
const NAMES: [&str; 2] = ["model", "name"];

/// How long the administration of models may take: to fetch hundreds of gigabytes over a slow
/// line takes a day.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);

/// The largest file of a model that may be uploaded: 256 GiB, more than any that is in use.
const LARGEST_FILE: u64 = 256 << 30;

/// A request that is passed on.
struct Passing {
    head: Parts,
    /// What the upstream must speak.
    kinds: &'static [ServerKind],
    /// It changes what the upstream has.
    is_administrative: bool,
}

/// Its body.
enum Payload {
    /// As it comes; it can be sent once.
    Stream(Body),
    /// JSON, which may name a model.
    Json(Bytes, Option<(String, Value)>),
}

/// A refusal: its status and its sentence.
type Refusal = (u16, String);

/// Passes a request on.
pub(crate) async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let mut dialect = dialect_of(request.uri().path());
    if dialect == Dialect::OpenAi && request.headers().contains_key("anthropic-version") {
        dialect = Dialect::Anthropic;
    }
    let (head, body) = request.into_parts();
    let passed = async {
        let passing = Passing::of(dialect, head)?;
        passing.passed(&shared, body).await
    };
    match passed.await {
        Ok(response) => response,
        Err((status, message)) => refused(dialect, status, &message),
    }
}

impl Passing {
    fn of(dialect: Dialect, head: Parts) -> Result<Self, Refusal> {
        let path = head.uri.path();
        let not_here = || (404, format!("There is no {path} here"));
        if !is_plain(path) {
            return Err(not_here());
        }
        let (below, kinds, administrative): (_, &[ServerKind], &[&str]) = match dialect {
            Dialect::Ollama | Dialect::OllamaGenerate => (
                path.strip_prefix("/api/"),
                &[ServerKind::Ollama],
                &OF_OLLAMA,
            ),
            Dialect::Anthropic => (path.strip_prefix("/v1/"), &[ServerKind::Anthropic], &[]),
            // Ollama has some of these paths as well.
            Dialect::OpenAi => (
                path.strip_prefix("/v1/"),
                &[ServerKind::OpenAi, ServerKind::Ollama],
                &OF_OTHERS,
            ),
        };
        let below = below.ok_or_else(not_here)?;
        let first = below.split('/').next().unwrap_or_default();
        let is_administrative = administrative.contains(&first) || head.method == Method::DELETE;
        Ok(Self {
            kinds,
            is_administrative,
            head,
        })
    }

    async fn passed(self, shared: &Shared, body: Body) -> Result<Response, Refusal> {
        let Ok(room) = shared.room.clone().try_acquire_owned() else {
            return Err((503, "Too many requests are being answered".to_owned()));
        };
        let path = self.head.uri.path();
        let upstreams = &shared.upstreams;
        let speaking = upstreams.speaking(self.kinds);
        if speaking.is_empty() {
            return Err((404, format!("There is no {path} here")));
        }
        if self.is_administrative && !shared.admin {
            let method = &self.head.method;
            let message = format!(
                "{method} {path} changes what the model server has (hint: `haft serve --admin` \
                 lets clients do that)"
            );
            return Err((404, message));
        }
        let payload = if self.is_json() && upstreams.needs_model(&speaking) {
            self.read(body).await?
        } else {
            Payload::Stream(body)
        };
        let choices = match &payload {
            Payload::Json(_, Some((model, _))) => {
                match upstreams.those_with(model, &speaking).await {
                    Ok(those) => those,
                    // What is fetched is not there yet.
                    Err(_) if self.is_administrative => speaking,
                    Err(error) => return Err(told(&error)),
                }
            }
            _ => speaking,
        };
        let (response, taken) = self.sent(upstreams, choices, payload).await?;
        let (left, time) = if self.is_administrative {
            (u64::MAX, LONG)
        } else {
            let limits = taken.member().server().limits();
            (limits.response_bytes as u64, limits.total)
        };
        let failure = failure(&response);
        let (head, body) = response.into_parts();
        let relay = Relay {
            body,
            held: Some((taken, room)),
            failure,
            left,
            end: Instant::now() + time,
        };
        Ok(Response::from_parts(head, relay.body()))
    }

    /// The answer of the first upstream that does not fail, else of the last one.
    async fn sent(
        &self,
        upstreams: &Upstreams,
        mut choices: Vec<Choice>,
        payload: Payload,
    ) -> Result<(http::Response<ByteStream>, Taken), Refusal> {
        let mut payload = Some(payload);
        loop {
            let taken = upstreams.take(choices.clone(), None).await;
            let taken = taken.map_err(|error| told(&error))?;
            choices.retain(|choice| choice.upstream != taken.upstream());
            let (body, again) = match payload.take() {
                Some(Payload::Stream(body)) => (ForwardBody::Stream(self.bounded(body)), None),
                Some(Payload::Json(bytes, named)) => {
                    let body = ForwardBody::Whole(renamed(&bytes, named.as_ref(), taken.member()));
                    (body, Some(Payload::Json(bytes, named)))
                }
                None => return Err((502, "No model server could be asked".to_owned())),
            };
            let may_try_another = again.is_some() && !choices.is_empty() && !self.is_administrative;
            payload = again;
            let request = http::Request::from_parts(self.head.clone(), body);
            let patience = self.patience(&taken);
            let answer = taken.member().server().forward(request, patience).await;
            let error = match answer {
                Ok(answer) => match failure(&answer) {
                    Some(error) if may_try_another => error,
                    _ => return Ok((answer, taken)),
                },
                Err(error) => error,
            };
            taken.failed(&error);
            if !may_try_another {
                return Err(told(&error));
            }
        }
    }

    fn patience(&self, taken: &Taken) -> Duration {
        if self.is_administrative {
            LONG
        } else {
            taken.member().server().limits().first_byte
        }
    }

    fn is_json(&self) -> bool {
        let kind = self.head.headers.get(header::CONTENT_TYPE);
        kind.and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.contains("json"))
    }

    /// The whole body, and the model that it names.
    async fn read(&self, body: Body) -> Result<Payload, Refusal> {
        let bytes = match timeout(RECEIVING, to_bytes(body, MAX_BODY)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => {
                return Err((413, format!("The request cannot be received: {error}")));
            }
            Err(_) => return Err((408, "The request takes too long to arrive".to_owned())),
        };
        let request: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let name = NAMES.iter().find_map(|key| request.get(key)?.as_str());
        let name = name.map(str::to_owned);
        Ok(Payload::Json(bytes, name.map(|name| (name, request))))
    }

    /// The body as it comes, up to a bound and without long pauses.
    fn bounded(&self, body: Body) -> ByteStream {
        let most = if self.is_administrative {
            LARGEST_FILE
        } else {
            MAX_BODY as u64
        };
        let pieces = body.into_data_stream();
        let pieces = stream::unfold((pieces, most), |(mut pieces, left)| async move {
            let piece = match timeout(RECEIVING, pieces.next()).await {
                Ok(piece) => piece?.map_err(io::Error::other),
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            };
            let length = piece.as_ref().map_or(0, Bytes::len) as u64;
            match left.checked_sub(length) {
                Some(left) => Some((piece, (pieces, left))),
                None => Some((Err(io::ErrorKind::FileTooLarge.into()), (pieces, 0))),
            }
        });
        pieces.boxed()
    }
}

/// Whether a path means what it says: no `..`, however it is written, and nothing hidden.
fn is_plain(path: &str) -> bool {
    let shown = path
        .to_ascii_lowercase()
        .replace("%2f", "/")
        .replace("%2e", ".");
    let is_ollama = path.starts_with("/api/");
    let hides = path.contains('\\') || shown.contains("%5c") || (is_ollama && path.contains('%'));
    let mut parts = shown.split('/').skip(1);
    !hides && parts.all(|part| !matches!(part, "" | "." | ".."))
}

/// The body with the model as its upstream calls it.
fn renamed(bytes: &Bytes, named: Option<&(String, Value)>, member: &Member) -> Bytes {
    let Some((name, request)) = named else {
        return bytes.clone();
    };
    let real = member.real_name(name);
    if real == name {
        return bytes.clone();
    }
    let mut request = request.clone();
    for key in NAMES {
        if let Some(model) = request.get_mut(key) {
            *model = real.into();
        }
    }
    request.to_string().into()
}

/// The failure that a status tells of, if it is one of the upstream's.
fn failure(answer: &http::Response<ByteStream>) -> Option<ModelError> {
    let status = answer.status().as_u16();
    let kind = match status {
        429 => ModelErrorKind::RateLimited,
        500.. => ModelErrorKind::Server,
        _ => return None,
    };
    let message = format!("The model server answered with status {status}");
    Some(ModelError::new(kind, message).with_status(status))
}

fn told(error: &ModelError) -> Refusal {
    (status_of(error.kind()), error.to_string())
}

#[cfg(test)]
mod tests;
