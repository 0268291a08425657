//! A reply that passes through.

use std::mem;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use haft_core::{ModelError, ModelErrorKind, Usage};
use tokio::time::{Instant, timeout_at};

use super::{PassThroughRequest, Passing, Seen, Wire};
use crate::http::{Events, Framing, Incoming, empty, has_lines, reported};

/// How long to wait for the end of the body after the last event, so that the connection can be
/// reused.
const LINGER: Duration = Duration::from_millis(20);

/// The maximum number of bytes that are read of an answer in another form.
const STRANGE_BYTES: usize = 64 << 10;

/// A reply that has begun or, without streaming, is complete. Dropping it cancels the request.
#[derive(Debug)]
pub struct PassThroughReply {
    incoming: Incoming,
    wire: &'static Wire,
    events: Events,
    seen: Seen,
    /// The bytes that may be passed on.
    ready: Bytes,
    then: Then,
}

/// What follows after that.
#[derive(Debug)]
enum Then {
    /// More of the reply.
    More,
    /// Only the end of the connection, which is awaited until this time.
    Closing(Instant),
    Failed(ModelError),
    Nothing,
}

impl PassThroughReply {
    /// Waits until the reply has content; `None` if it has another form than requested.
    pub(super) async fn begin(
        mut incoming: Incoming,
        wire: &'static Wire,
        request: &PassThroughRequest,
    ) -> Result<Option<Box<Self>>, ModelError> {
        let framing = wire.framing.if_streamed(request.stream);
        let mut first = Bytes::new();
        while first.trim_ascii().is_empty() {
            first = incoming.read().await?.ok_or_else(empty)?;
        }
        if !framing.begins(&first) {
            let secrets = incoming.secrets();
            let rest = incoming.text(STRANGE_BYTES).await;
            let text = String::from_utf8_lossy(&first) + rest.as_str();
            return reported(&text, || secrets).map_or(Ok(None), Err);
        }
        // On the heap, because it passes through many hands.
        let reply = Box::new(Self {
            events: Events::new(framing, incoming.limits().line_bytes),
            incoming,
            wire,
            seen: Seen {
                leaves_out_usage: request.leaves_out_usage,
                prompt: request.prompt,
                ..Seen::default()
            },
            ready: Bytes::new(),
            then: Then::More,
        });
        if request.stream {
            reply.opened(first).await.map(Some)
        } else {
            reply.whole(first).await
        }
    }

    /// A stream with content; everything before that is held back.
    async fn opened(mut self: Box<Self>, first: Bytes) -> Result<Box<Self>, ModelError> {
        self.take(first);
        let mut held = mem::take(&mut self.ready);
        while !self.seen.has_said {
            match mem::replace(&mut self.then, Then::More) {
                Then::More => self.more().await,
                Then::Failed(error) => return Err(error),
                Then::Closing(_) | Then::Nothing => return Err(empty()),
            }
            held = joined(held, mem::take(&mut self.ready));
        }
        self.ready = held;
        Ok(self)
    }

    async fn whole(mut self: Box<Self>, first: Bytes) -> Result<Option<Box<Self>>, ModelError> {
        let mut body = first;
        while let Some(more) = self.incoming.read().await? {
            body = joined(body, more);
        }
        let text = std::str::from_utf8(&body).map_err(|_| not_text())?;
        if let Some(error) = reported(text, || self.incoming.secrets()) {
            return Err(error);
        }
        match (self.wire.whole)(text, &mut self.seen) {
            Ok(()) => {}
            Err(_) if has_lines(&body) => return Ok(None),
            Err(error) => return Err(error.masked(&self.incoming.secrets())),
        }
        self.ready = body;
        self.then = Then::Nothing;
        Ok(Some(self))
    }

    /// The next complete events, unchanged. `None` after the end or an error.
    ///
    /// Cancel safe.
    pub async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        loop {
            if !self.ready.is_empty() {
                return Some(Ok(mem::take(&mut self.ready)));
            }
            match self.then {
                Then::More => self.more().await,
                Then::Closing(until) => {
                    let read = timeout_at(until, self.incoming.read()).await;
                    if !matches!(read, Ok(Ok(Some(_)))) {
                        self.then = Then::Nothing;
                    }
                }
                Then::Failed(_) | Then::Nothing => {
                    return match mem::replace(&mut self.then, Then::Nothing) {
                        Then::Failed(error) => Some(Err(error)),
                        _ => None,
                    };
                }
            }
        }
    }

    /// The token counts that the server has reported so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.seen.usage
    }

    /// The number of calls that the model has begun.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.seen.calls
    }

    async fn more(&mut self) {
        use ModelErrorKind::{CutStream, Timeout};
        match self.incoming.read().await {
            Ok(Some(bytes)) => self.take(bytes),
            Ok(None) => self.ended(),
            // Some servers do not send an end marker.
            Err(error) if self.is_enough() && matches!(error.kind(), CutStream | Timeout) => {
                self.ended();
            }
            Err(error) => self.then = Then::Failed(error),
        }
    }

    fn take(&mut self, bytes: Bytes) {
        let complete = match self.events.push(bytes) {
            Ok(complete) => complete,
            Err(error) => {
                self.then = Then::Failed(error);
                return;
            }
        };
        let mut left = complete;
        let mut kept = Vec::new();
        let (mut piece, mut length) = (left.clone(), 0);
        while let Some(size) = self.events.next(&left) {
            let event = left.split_to(size);
            match self.event(&event) {
                Ok(Passing::Silent | Passing::Says) => length += size,
                Ok(Passing::LeftOut) => {
                    kept.push(piece.slice(..length));
                    (piece, length) = (left.clone(), 0);
                }
                Ok(Passing::End) => {
                    length += size;
                    self.then = Then::Closing(Instant::now() + LINGER);
                    break;
                }
                Err(error) => {
                    self.then = Then::Failed(error);
                    break;
                }
            }
        }
        kept.push(piece.slice(..length));
        self.ready = kept.into_iter().fold(Bytes::new(), joined);
    }

    fn event(&mut self, event: &[u8]) -> Result<Passing, ModelError> {
        let Some(data) = self.wire.framing.data(event)? else {
            return Ok(Passing::Silent);
        };
        if let Some(error) = reported(&data, || self.incoming.secrets()) {
            return Err(error);
        }
        let passing = (self.wire.event)(&data, &mut self.seen)
            .map_err(|error| error.masked(&self.incoming.secrets()))?;
        self.seen.has_said |= matches!(passing, Passing::Says | Passing::End);
        Ok(passing)
    }

    /// Handles the end of the bytes, which need not be the end of the reply.
    fn ended(&mut self) {
        self.then = Then::Nothing;
        let rest = self.events.rest();
        if !rest.trim_ascii().is_empty() {
            match self.event(&rest) {
                Ok(Passing::LeftOut) => {}
                Ok(passing) => {
                    let end: &[u8] = match self.wire.framing {
                        Framing::Ndjson => b"\n",
                        _ => b"\n\n",
                    };
                    self.ready = [rest.trim_ascii_end(), end].concat().into();
                    if passing == Passing::End {
                        return;
                    }
                }
                Err(error) if error.kind() == ModelErrorKind::Malformed => {
                    let message = "The reply ended in the middle of a message";
                    self.then = Then::Failed(cut(message));
                    return;
                }
                Err(error) => {
                    self.then = Then::Failed(error);
                    return;
                }
            }
        }
        if let Some(end) = self.wire.end.filter(|_| self.is_enough()) {
            let ready = mem::take(&mut self.ready);
            self.ready = joined(ready, Bytes::from_static(end.as_bytes()));
        } else if self.seen.is_begun {
            self.then = Then::Failed(cut("The reply ended before it was complete"));
        } else {
            self.then = Then::Failed(empty());
        }
    }

    /// Whether the reply is complete except for its end marker.
    fn is_enough(&self) -> bool {
        self.seen.is_finished && self.wire.end.is_some()
    }
}

/// Joins two pieces; nothing is copied if one is empty.
fn joined(first: Bytes, second: Bytes) -> Bytes {
    if first.is_empty() {
        return second;
    }
    if second.is_empty() {
        return first;
    }
    let mut both = BytesMut::from(first);
    both.extend_from_slice(&second);
    both.freeze()
}

fn cut(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::CutStream, message)
        .with_hint("ask again; if it happens often, look at the model server's log")
}

fn not_text() -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, "The reply is not text in UTF-8")
}
