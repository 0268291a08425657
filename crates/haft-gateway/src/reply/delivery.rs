//! Sends the steps of an answer to the client, streamed or whole.
//!
//! Nothing is sent before there is content: until then a failure can be an HTTP status.

use std::mem;
use std::pin::pin;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use haft_agent::AgentError;
use haft_core::ChatChunk;
use tokio::time::timeout;

use super::{Delivery, Reply, Step};
use crate::batching::{MAX_LOOKS, MAX_PIECE, at_once};
use crate::respond::{self, DROPPED, Refusal, json_bytes};

/// The header that reports the interventions in a whole reply.
const DONE: HeaderName = HeaderName::from_static("x-haft-done");

/// How long a reply that begins with a call waits before it announces the call. Short calls are
/// complete by then; after a longer wait, the client must see that the reply has begun, or it may
/// disconnect.
const CALL_DUE: Duration = Duration::from_secs(1);

impl Reply {
    /// Sends the answer in the way that the client requested.
    pub(crate) async fn response(self) -> Response {
        match self.delivery {
            Delivery::Streamed => self.streamed().await,
            Delivery::Whole => self.whole().await,
        }
    }

    /// Writes a step and all that are already available; returns true if no more follow.
    async fn write(&mut self, first: Result<Step, AgentError>, out: &mut Vec<u8>) -> bool {
        let mut step = first;
        let mut looks = 0;
        loop {
            match step {
                Ok(step) => out.append(&mut self.bytes(step)),
                Err(error) => {
                    let refusal = self.log.note_failure(&error);
                    let failed = self.writer.failed(&refusal);
                    let failed = failed.unwrap_or_else(|| self.log.dialect.stream_error(&refusal));
                    out.extend(failed);
                    return true;
                }
            }
            if out.len() >= MAX_PIECE || looks >= MAX_LOOKS {
                return false;
            }
            looks += 1;
            // A step has no state of its own: if it is not available now, polling can start again
            // later.
            step = match at_once(pin!(self.step())).await {
                Some(Some(step)) => step,
                Some(None) => return true,
                None => return false,
            };
        }
    }

    /// The bytes of a step.
    fn bytes(&mut self, step: Step) -> Vec<u8> {
        let writer = &mut self.writer;
        self.log.note_output();
        self.log.work(|| match step {
            Step::Piece(chunk) => writer.chunk(&chunk),
            Step::Part(chunk) => writer.part(&chunk),
            Step::Done(reply) => writer.chunk(&ChatChunk::Done(*reply)),
        })
    }

    /// Sends the answer as a stream.
    async fn streamed(mut self) -> Response {
        let mut first = match self.first_step().await {
            Ok(step) => step,
            Err(response) => return *response,
        };
        let content_type = self.log.dialect.framing().content_type();
        let dropped = self.dropped_header();
        // The head is sent together with it.
        let mut begin = Vec::new();
        if matches!(first, Step::Piece(ChatChunk::CallStart { .. }))
            && let Ok(next) = timeout(CALL_DUE, self.first_step()).await
        {
            // An answer whose calls stay invalid can still be reported as a status.
            let next = match next {
                Ok(next) => next,
                Err(response) => return *response,
            };
            begin = self.bytes(mem::replace(&mut first, next));
        }
        let is_over = self.write(Ok(first), &mut begin).await;
        let rest = stream::unfold((!is_over).then_some(self), |reply| async {
            let mut reply = reply?;
            let step = reply.step().await?;
            let mut out = Vec::new();
            let is_over = reply.write(step, &mut out).await;
            Some((out, (!is_over).then_some(reply)))
        });
        let pieces = stream::once(std::future::ready(begin)).chain(rest);
        let body = Body::from_stream(pieces.map(Ok::<_, std::convert::Infallible>));
        let mut response = respond::stream(content_type, body);
        response.headers_mut().extend(dropped);
        response
    }

    /// The header that names the fields of the request that the model server was not sent.
    fn dropped_header(&self) -> Option<(HeaderName, HeaderValue)> {
        let names = self.dropped.join(", ");
        let value = HeaderValue::from_str(&names).ok();
        let value = value.filter(|value| !value.is_empty())?;
        Some((DROPPED, value))
    }

    /// The first step, before which a failure is reported as a status.
    async fn first_step(&mut self) -> Result<Step, Box<Response>> {
        match self.step().await {
            Some(Ok(step)) => Ok(step),
            Some(Err(error)) => Err(Box::new(self.log.failed(&error))),
            None => Err(Box::new(self.log.refused(&incomplete()))),
        }
    }

    /// Sends the whole answer.
    async fn whole(mut self) -> Response {
        loop {
            match self.first_step().await {
                Ok(Step::Piece(_) | Step::Part(_)) => {}
                Ok(Step::Done(message)) => {
                    let dropped = self.dropped_header();
                    let Self { writer, log, .. } = &mut self;
                    let body = log.work(|| writer.whole(&message));
                    let mut response = json_bytes(body);
                    response.headers_mut().extend(dropped);
                    if let Some(done) = log.interventions.header() {
                        response.headers_mut().insert(DONE, done);
                    }
                    return response;
                }
                Err(response) => return *response,
            }
        }
    }
}

/// The error of a reply that ended before it was complete.
fn incomplete() -> Refusal {
    Refusal::new(502, "The reply ended before it was complete")
}
