//! A conversation that passes as it is: nothing is done to the request, and the reply goes out as
//! it comes.
//!
//! What is promised of every reply holds here too: it is complete or ends in an error of the
//! dialect, it is counted and logged, and nothing goes out before it says something.

use std::pin::pin;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::stream;
use haft_agent::{AgentError, Rungs};
use haft_core::ModelError;
use haft_models::{Dialect, PassedRequest};
use tokio::sync::OwnedSemaphorePermit;

use crate::account::Account;
use crate::chat::told;
use crate::gateway::Shared;
use crate::reply::{AT_ONCE, LOOKS, at_once, failed, note};
use crate::routes::written;
use crate::switches::Switches;
use crate::upstreams::Passed;

/// A reply on its way.
struct Passing {
    passed: Passed,
    dialect: Dialect,
    account: Account,
    /// Its place among those that are answered, taken up to its end.
    _room: OwnedSemaphorePermit,
}

/// A request that passes, if nothing is to be done here.
pub(crate) fn passable(
    shared: &Shared,
    dialect: Dialect,
    body: &Bytes,
    asked: Switches,
) -> Option<PassedRequest> {
    if !shared.may_pass(asked) {
        return None;
    }
    let request = PassedRequest::read(dialect, body)?;
    let switches = shared.switches_for(&request.model, asked);
    let has_tools = switches.server_tools != Some(false) && !shared.tools().is_empty();
    let passes = !switches.repairs()
        && switches.rungs() == Rungs::none()
        && switches.select != Some(true)
        && !has_tools
        && shared.kept.is_empty();
    passes.then_some(request)
}

/// The answer to such a request; none where it takes the other way after all.
pub(crate) async fn answer(
    dialect: Dialect,
    request: PassedRequest,
    held: &mut Option<(Account, OwnedSemaphorePermit)>,
) -> Option<Response> {
    let (account, _) = held.as_mut()?;
    account.model.clone_from(&request.model);
    account.stream = request.stream;
    let is_streamed = request.stream;
    let shared = account.shared.clone();
    let passed = pin!(shared.upstreams.passed(request));
    let passed = account.timed(passed).await;
    let passed = match passed {
        Ok(passed) => passed?,
        Err(error) => return Some(failed(dialect, &AgentError::from(error), account)),
    };
    let (account, room) = held.take()?;
    let passing = Passing {
        passed,
        dialect,
        account,
        _room: room,
    };
    Some(if is_streamed {
        passing.streamed().await
    } else {
        passing.whole().await
    })
}

impl Passing {
    /// The next piece; none after the end.
    async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        let next = self.account.timed(self.passed.next()).await;
        if !matches!(next, Some(Ok(_))) {
            let reply = self.passed.reply();
            self.account.usage = reply.usage();
            self.account.calls = reply.calls();
        }
        if next.is_none() {
            self.account.status = 200;
        }
        next
    }

    /// What goes out at once, and whether nothing comes after it: a piece, and those that are there
    /// already.
    async fn piece(&mut self) -> (Bytes, bool) {
        let mut out = match self.next().await {
            Some(Ok(piece)) => piece,
            Some(Err(error)) => return (self.error(error), true),
            None => return (Bytes::new(), true),
        };
        for _ in 0..LOOKS {
            if out.len() >= AT_ONCE {
                break;
            }
            let more = match at_once(self.next()).await {
                Some(Some(Ok(piece))) => piece,
                Some(Some(Err(error))) => return (joined(out, &self.error(error)), true),
                Some(None) => return (out, true),
                None => break,
            };
            out = joined(out, &more);
        }
        (out, false)
    }

    /// The end of a reply that failed.
    fn error(&mut self, error: ModelError) -> Bytes {
        let error = AgentError::from(error);
        note(&error, &mut self.account);
        self.dialect
            .failed(self.account.status, &told(&error))
            .into()
    }

    async fn streamed(mut self) -> Response {
        let kind = self.dialect.stream_type();
        // The head goes out together with it.
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
        let headers = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "no-cache"),
        ];
        (StatusCode::OK, headers, Body::from_stream(pieces)).into_response()
    }

    async fn whole(mut self) -> Response {
        let mut body = Bytes::new();
        loop {
            match self.next().await {
                Some(Ok(piece)) => body = joined(body, &piece),
                Some(Err(error)) => {
                    let error = AgentError::from(error);
                    return failed(self.dialect, &error, &mut self.account);
                }
                None => return written(body),
            }
        }
    }
}

/// One behind the other; nothing is copied where the first is empty.
fn joined(first: Bytes, second: &Bytes) -> Bytes {
    if first.is_empty() {
        return second.clone();
    }
    let mut both = BytesMut::from(first);
    both.extend_from_slice(second);
    both.freeze()
}
