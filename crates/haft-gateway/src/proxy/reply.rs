//! Passes a reply of an upstream on to the client byte for byte, and holds the lease until its end.

use bytes::Bytes;
use futures_util::StreamExt;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::{ByteStream, PassThroughReply};
use tokio::time::{Instant, timeout_at};

use crate::scheduler::Lease;

/// A reply that passes through.
#[derive(Debug)]
pub(super) struct ProxiedReply {
    source: Source,
    /// Released at the end.
    lease: Option<Lease>,
}

/// The source of the bytes.
pub(super) enum Source {
    /// A conversation, which is observed while it passes through.
    Conversation {
        reply: Box<PassThroughReply>,
        /// The model's name in the request.
        model: String,
    },
    /// Any other response. It is not read, so its limits are enforced here.
    Unread(UnreadBody),
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Conversation { .. } => "Conversation",
            Self::Unread(_) => "Unread",
        })
    }
}

/// The body of a response that is not read.
pub(super) struct UnreadBody {
    pub(super) body: ByteStream,
    /// The failure of the upstream that the status means, if any.
    pub(super) failure: Option<ModelError>,
    /// The number of bytes that may still follow.
    pub(super) bytes_left: u64,
    /// The time at which it must have ended.
    pub(super) deadline: Instant,
}

impl ProxiedReply {
    pub(super) fn new(source: Source, lease: Lease) -> Self {
        Self {
            source,
            lease: Some(lease),
        }
    }

    /// The next bytes; `None` after the end or an error. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        self.lease.as_ref()?;
        let next = match &mut self.source {
            Source::Conversation { reply, .. } => reply.next().await,
            Source::Unread(body) => body.next().await,
        };
        match &next {
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                if let Some(lease) = self.lease.take() {
                    lease.failed(error);
                }
            }
            None => {
                if let Some(lease) = self.lease.take() {
                    self.source.ended(lease);
                }
            }
        }
        next
    }

    /// The name of the upstream, until the end.
    pub(super) fn upstream(&self) -> Option<&str> {
        self.lease
            .as_ref()
            .map(|lease| lease.member().name.as_str())
    }

    /// What was observed of a conversation so far.
    pub(super) fn observed(&self) -> Option<&PassThroughReply> {
        match &self.source {
            Source::Conversation { reply, .. } => Some(reply.as_ref()),
            Source::Unread(_) => None,
        }
    }
}

impl Source {
    /// Reports the result of a finished reply to the upstream's breaker.
    fn ended(&mut self, lease: Lease) {
        match self {
            Self::Conversation { model, .. } => {
                lease.member().note_loaded(model);
                lease.done();
            }
            Self::Unread(body) => match body.failure.take() {
                Some(failure) => lease.failed(&failure),
                None => lease.done(),
            },
        }
    }
}

impl UnreadBody {
    async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        let piece = match timeout_at(self.deadline, self.body.next()).await {
            Ok(Some(Ok(piece))) => piece,
            Ok(Some(Err(error))) => return Some(Err(cut(&error.to_string()))),
            Ok(None) => return None,
            Err(_) => return Some(Err(cut("it took too long"))),
        };
        match self.bytes_left.checked_sub(piece.len() as u64) {
            Some(left) => {
                self.bytes_left = left;
                Some(Ok(piece))
            }
            None => Some(Err(cut("it is too large"))),
        }
    }
}

fn cut(detail: &str) -> ModelError {
    let message = "The answer ended before it was complete";
    ModelError::new(ModelErrorKind::CutStream, message).with_detail(detail)
}
