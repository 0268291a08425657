//! A conversation that passes through unchanged: the model server receives the client's request,
//! and the client receives the reply byte for byte.
//!
//! The guarantees for every reply apply here as well: it is complete or ends in an error of the
//! dialect, it is counted and logged, and nothing is sent before the first content. Choice of the
//! upstream, queue, breaker and failover are those of every request.

use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::{FutureExt, stream};
use haft_agent::{AgentError, RecoverySteps};
use haft_core::{ModelError, QueueShare};
use haft_models::{PassThrough, PassThroughApi, PassThroughRequest};

use super::reply::{ProxiedReply, Source};
use crate::batching::{MAX_LOOKS, MAX_PIECE, at_once};
use crate::overrides::Overrides;
use crate::request_log::RequestLog;
use crate::respond::{self, json_bytes};
use crate::scheduler::{Upstreams, Wanted};

/// Answers a conversation if it may pass through; otherwise returns it for normal handling.
pub(crate) async fn answer(
    mut log: Box<RequestLog>,
    body: &Bytes,
    asked: Overrides,
) -> ControlFlow<Response, Box<RequestLog>> {
    let Some(mut request) = passable(&log, body, asked) else {
        return ControlFlow::Continue(log);
    };
    log.model.clone_from(&request.model);
    log.stream = request.stream;
    if let Err(refusal) = log.admit().await {
        return ControlFlow::Break(log.refused(&refusal));
    }
    request.context = Some(log.trace.context.clone());
    let share = log.caller.queue_share();
    let is_streamed = request.stream;
    let upstreams = log.shared.upstreams.clone();
    log.trace.begin_chat(&log.model);
    let opening = pin!(open(&upstreams, request, share));
    let reply = match log.timed(opening).await {
        Ok(Some(reply)) => reply,
        Ok(None) => {
            log.trace.drop_chat();
            return ControlFlow::Continue(log);
        }
        Err(error) => return ControlFlow::Break(log.failed(&AgentError::from(error))),
    };
    let passing = Passing { reply, log };
    ControlFlow::Break(if is_streamed {
        passing.streamed().await
    } else {
        passing.whole().await
    })
}

/// The request, if nothing has to be done to it or its reply.
fn passable(log: &RequestLog, body: &Bytes, asked: Overrides) -> Option<PassThroughRequest> {
    let shared = &log.shared;
    let api = log.dialect.pass_through()?;
    if !shared.live.may_pass(asked) {
        return None;
    }
    let request = PassThroughRequest::read(api, body)?;
    let overrides = shared.live.overrides_for(&request.model, asked);
    let is_kept = |id: &str| shared.kept_replies.stored(id).is_some();
    let has_tools = overrides.server_tools != Some(false) && !shared.tools().is_empty();
    let passes = !overrides.repairs()
        && overrides.steps() == RecoverySteps::none()
        && overrides.select != Some(true)
        && !has_tools
        && shared.hidden_rounds.is_empty()
        && !request.previous_response.as_deref().is_some_and(is_kept);
    passes.then_some(request)
}

/// The reply to a request that may pass through. `None` if a possible upstream needs a changed
/// request or a reply that haft processes.
///
/// A whole reply passes through only if the upstream may be asked for a whole reply.
async fn open(
    upstreams: &Upstreams,
    request: PassThroughRequest,
    share: Option<QueueShare>,
) -> Result<Option<ProxiedReply>, ModelError> {
    // Converted to chat completions, a request would lose what only the Responses API has.
    let may_be_whole = request.api == PassThroughApi::Responses || upstreams.answers_in_one_piece();
    if !request.stream && !may_be_whole {
        return Ok(None);
    }
    // Nobody knows which of several servers has stored a reply.
    if request.previous_response.is_some() && !upstreams.is_sole() {
        return Ok(None);
    }
    let Ok(choices) = upstreams.choices(&request.model).await else {
        return Ok(None);
    };
    let mut candidates: Vec<(usize, Arc<PassThrough>)> = Vec::with_capacity(choices.len());
    for choice in &choices {
        let member = upstreams.member(choice.upstream);
        let pass_through =
            member.and_then(|member| member.pass_through(&request.model, request.api));
        match pass_through.filter(|pass_through| pass_through.takes(&request)) {
            Some(pass_through) => candidates.push((choice.upstream, pass_through)),
            None => return Ok(None),
        }
    }
    let session = (!upstreams.is_sole()).then(|| request.session());
    let request = Arc::new(request);
    let ask = |upstream| {
        let candidate = candidates.iter().find(|(number, _)| *number == upstream);
        let pass_through = candidate.map(|(_, pass_through)| pass_through.clone());
        let request = request.clone();
        async move {
            match pass_through {
                Some(pass_through) => pass_through.open(&request).await,
                None => Ok(None),
            }
        }
        .boxed()
    };
    let wanted = Wanted {
        choices,
        session,
        share,
        context: request.context.clone(),
    };
    let (reply, lease) = upstreams.first(wanted, ask).await?;
    Ok(reply.map(|reply| {
        lease.began();
        let source = Source::Conversation {
            reply,
            model: request.model.clone(),
        };
        ProxiedReply::new(source, lease)
    }))
}

/// A reply that is being passed on.
struct Passing {
    reply: ProxiedReply,
    log: Box<RequestLog>,
}

impl Passing {
    /// The next bytes; `None` after the end.
    async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        let closing = self.log.shared.closing.clone();
        let next = tokio::select! {
            biased;
            next = self.log.timed(self.reply.next()) => next,
            error = closing.closed() => Some(Err(error)),
        };
        if !matches!(next, Some(Ok(_)))
            && let Some(observed) = self.reply.observed()
        {
            self.log.usage = observed.usage();
            self.log.calls = observed.calls();
        }
        if let Some(Ok(piece)) = &next {
            self.log.exchange.pass(piece);
            self.log.note_output();
        }
        if next.is_none() {
            self.log.status = 200;
        }
        next
    }

    /// The bytes to write at once, those that are already available included, and whether the reply
    /// ends after them.
    async fn piece(&mut self) -> (Bytes, bool) {
        let mut out = match self.next().await {
            Some(Ok(piece)) => piece,
            Some(Err(error)) => return (self.error(error), true),
            None => return (Bytes::new(), true),
        };
        for _ in 0..MAX_LOOKS {
            if out.len() >= MAX_PIECE {
                break;
            }
            let more = at_once(pin!(self.next())).await;
            let more = match more {
                Some(Some(Ok(piece))) => piece,
                Some(Some(Err(error))) => return (joined(out, &self.error(error)), true),
                Some(None) => return (out, true),
                None => break,
            };
            out = joined(out, &more);
        }
        (out, false)
    }

    /// The error that ends a failed reply.
    fn error(&mut self, error: ModelError) -> Bytes {
        let refusal = self.log.note_failure(&AgentError::from(error));
        self.log.dialect.stream_error(&refusal).into()
    }

    async fn streamed(mut self) -> Response {
        let content_type = self.log.dialect.framing().content_type();
        // The head is sent together with it.
        let (first, is_over) = self.piece().await;
        let rest = (!is_over).then_some(self);
        let pieces = stream::unfold((Some(first), rest), |(first, rest)| async {
            if let Some(first) = first {
                return Some((Ok::<_, std::convert::Infallible>(first), (None, rest)));
            }
            let mut rest = rest?;
            let (piece, is_over) = rest.piece().await;
            Some((Ok(piece), (None, (!is_over).then_some(rest))))
        });
        respond::stream(content_type, Body::from_stream(pieces))
    }

    async fn whole(mut self) -> Response {
        let mut body = Bytes::new();
        loop {
            match self.next().await {
                Some(Ok(piece)) => body = joined(body, &piece),
                Some(Err(error)) => return self.log.failed(&AgentError::from(error)),
                None => return json_bytes(body),
            }
        }
    }
}

/// Joins two pieces, without a copy if the first is empty.
fn joined(first: Bytes, second: &Bytes) -> Bytes {
    if first.is_empty() {
        return second.clone();
    }
    let mut both = BytesMut::from(first);
    both.extend_from_slice(second);
    both.freeze()
}
