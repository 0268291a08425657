//! Forwards requests that haft does not answer itself to an upstream with the same API: embeddings,
//! files, and if permitted the administration of models.
//!
//! Only the model's name is read, and only if several upstreams could have the model.

mod payload;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{self, Method, StatusCode, header};
use axum::response::Response;
use futures_util::stream;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::{ByteStream, ForwardBody, ServerKind};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use self::payload::{Payload, bounded, renamed};
use super::reply::{ProxiedReply, Source, UnreadBody};
use crate::access::Caller;
use crate::dialects::dialect::Dialect;
use crate::receive::receive;
use crate::respond::Refusal;
use crate::scheduler::{Choice, Lease, Upstreams, Wanted};
use crate::shared::Shared;

/// The time limit of administrative requests: downloading hundreds of gigabytes over a slow line
/// takes a day.
const ADMINISTRATION_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// A request that is forwarded.
struct Forwarded {
    head: Parts,
    /// The kinds of servers that can answer it.
    kinds: &'static [ServerKind],
    /// Whether it changes the upstream's models or settings.
    is_administrative: bool,
    caller: Caller,
}

/// Forwards a request.
pub(crate) async fn answer(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Extension(dialect): Extension<&'static dyn Dialect>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    let answer = async {
        let forwarded = Forwarded::new(dialect, head, caller)?;
        forwarded.answer(&shared, body).await
    };
    match answer.await {
        Ok(response) => response,
        Err(refusal) => dialect.refused(&refusal),
    }
}

impl Forwarded {
    fn new(dialect: &dyn Dialect, head: Parts, caller: Caller) -> Result<Self, Refusal> {
        let path = head.uri.path();
        if !is_plain(path) {
            return Err(not_here(path));
        }
        let forwarding = dialect.forwarding().ok_or_else(|| not_here(path))?;
        let below = path.strip_prefix(forwarding.below);
        let below = below.ok_or_else(|| not_here(path))?;
        let first = below.split('/').next().unwrap_or_default();
        let is_administrative =
            forwarding.administrative.contains(&first) || head.method == Method::DELETE;
        Ok(Self {
            kinds: forwarding.kinds,
            is_administrative,
            head,
            caller,
        })
    }

    async fn answer(mut self, shared: &Shared, body: Body) -> Result<Response, Refusal> {
        let Ok(room) = shared.room.clone().try_acquire_owned() else {
            return Err(Refusal::new(503, "Too many requests are being answered"));
        };
        let path = self.head.uri.path().to_owned();
        let upstreams = &shared.upstreams;
        let speaking = upstreams.speaking(self.kinds);
        if speaking.is_empty() {
            return Err(not_here(&path));
        }
        if self.is_administrative && self.caller.key().is_some() {
            let message = "Only the operator changes what the model server has";
            return Err(Refusal::new(403, message));
        }
        if self.is_administrative && !shared.admin {
            let method = &self.head.method;
            let message = format!(
                "{method} {path} changes what the model server has (hint: `haft serve --admin` \
                 lets clients do that)"
            );
            return Err(Refusal::new(404, message));
        }
        let reads_model = upstreams.needs_model(&speaking) || !self.caller.may_use_any_model();
        let is_packed = self.head.headers.contains_key(header::CONTENT_ENCODING);
        let payload = if self.is_json() && (reads_model || is_packed) {
            Payload::read(&mut self.head.headers, receive(body).await?)?
        } else {
            Payload::Stream(body)
        };
        let model = match &payload {
            Payload::Json(_, Some(model)) => Some(model.name.as_str()),
            _ => None,
        };
        self.caller.admit(model).await?;
        let choices = match &payload {
            Payload::Json(_, Some(model)) => {
                match upstreams.those_with(&model.name, &speaking).await {
                    Ok(those) => those,
                    // A model that is being downloaded is not listed yet.
                    Err(_) if self.is_administrative => speaking,
                    Err(error) => return Err(Refusal::from(&error)),
                }
            }
            _ => speaking,
        };
        let (response, lease) = self.sent(upstreams, choices, payload).await?;
        Ok(self.passed_on(response, lease, room))
    }

    /// The upstream's response, within the limits.
    fn passed_on(
        &self,
        response: http::Response<ByteStream>,
        lease: Lease,
        room: OwnedSemaphorePermit,
    ) -> Response {
        let (bytes_left, time) = if self.is_administrative {
            (u64::MAX, ADMINISTRATION_TIMEOUT)
        } else {
            let limits = lease.member().server().limits();
            (limits.response_bytes as u64, limits.total)
        };
        let failure = failure(&response);
        let (head, body) = response.into_parts();
        let body = UnreadBody {
            body,
            failure,
            bytes_left,
            deadline: Instant::now() + time,
        };
        let reply = ProxiedReply::new(Source::Unread(body), lease);
        // The permit for running requests is held until the end of the response.
        let pieces = stream::unfold((reply, room), |(mut reply, room)| async {
            let piece = reply.next().await?;
            Some((piece.map_err(io::Error::other), (reply, room)))
        });
        Response::from_parts(head, Body::from_stream(pieces))
    }

    /// The response of the first upstream that does not fail, or of the last one.
    async fn sent(
        &self,
        upstreams: &Upstreams,
        mut choices: Vec<Choice>,
        payload: Payload,
    ) -> Result<(http::Response<ByteStream>, Lease), Refusal> {
        let mut payload = Some(payload);
        loop {
            let wanted = Wanted {
                choices: choices.clone(),
                session: None,
                share: self.caller.queue_share(),
                context: None,
            };
            let lease = upstreams.take(wanted).await;
            let lease = lease.map_err(|error| Refusal::from(&error))?;
            choices.retain(|choice| choice.upstream != lease.upstream());
            let (body, again) = match payload.take() {
                Some(Payload::Stream(body)) => (
                    ForwardBody::Stream(bounded(body, self.is_administrative)),
                    None,
                ),
                Some(Payload::Json(bytes, model)) => {
                    let body = ForwardBody::Whole(renamed(&bytes, model.as_ref(), lease.member()));
                    (body, Some(Payload::Json(bytes, model)))
                }
                None => return Err(Refusal::new(502, "No model server could be asked")),
            };
            let may_try_another = again.is_some() && !choices.is_empty() && !self.is_administrative;
            payload = again;
            let request = http::Request::from_parts(self.head.clone(), body);
            let time_limit = self.time_limit(&lease);
            let answer = lease.member().server().forward(request, time_limit).await;
            let error = match answer {
                Ok(answer) => match failure(&answer) {
                    Some(error) if may_try_another || is_redirect(answer.status()) => error,
                    _ => return Ok((answer, lease)),
                },
                Err(error) => error,
            };
            lease.failed(&error);
            if !may_try_another {
                return Err(Refusal::from(&error));
            }
        }
    }

    fn time_limit(&self, lease: &Lease) -> Duration {
        if self.is_administrative {
            ADMINISTRATION_TIMEOUT
        } else {
            lease.member().server().limits().first_byte
        }
    }

    fn is_json(&self) -> bool {
        let kind = self.head.headers.get(header::CONTENT_TYPE);
        kind.and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.contains("json"))
    }
}

fn not_here(path: &str) -> Refusal {
    Refusal::new(404, format!("There is no {path} here"))
}

/// True for a path without `..` in any encoding and without hidden characters.
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

/// Whether a response is at another address. It is never asked there: the keys are not for it.
fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The failure that a status means, if it is the upstream's fault.
fn failure(answer: &http::Response<ByteStream>) -> Option<ModelError> {
    let status = answer.status().as_u16();
    if is_redirect(answer.status()) {
        let message = format!(
            "The model server redirects to another address (status {status}), which is not followed"
        );
        return Some(ModelError::new(ModelErrorKind::Malformed, message));
    }
    let kind = match status {
        429 => ModelErrorKind::RateLimited,
        500.. => ModelErrorKind::Server,
        _ => return None,
    };
    let message = format!("The model server answered with status {status}");
    Some(ModelError::new(kind, message).with_status(status))
}

#[cfg(test)]
mod tests;
