//! A reply of an upstream on its way to the client, byte for byte, and the lease that it holds
//! until its end.

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
    /// Given back at the end.
    lease: Option<Lease>,
}

/// Where the bytes come from.
pub(super) enum Source {
    /// A conversation, which is watched while it passes.
    Conversation {
        reply: Box<PassThroughReply>,
        /// As the client names it.
        model: String,
    },
    /// Anything else: nothing of it is read, so that its limits are watched here.
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

/// The body of an answer that nobody reads.
pub(super) struct UnreadBody {
    pub(super) body: ByteStream,
    /// What its status says about the upstream, if that has failed.
    pub(super) failure: Option<ModelError>,
    /// How many bytes may still come.
    pub(super) bytes_left: u64,
    /// When it has to be over.
    pub(super) deadline: Instant,
}

impl ProxiedReply {
    pub(super) fn new(source: Source, lease: Lease) -> Self {
        Self {
            source,
            lease: Some(lease),
        }
    }

    /// More of the reply; none after its end or an error. May be dropped at any time and called
    /// again.
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

    /// What was noticed of a conversation so far.
    pub(super) fn observed(&self) -> Option<&PassThroughReply> {
        match &self.source {
            Source::Conversation { reply, .. } => Some(reply.as_ref()),
            Source::Unread(_) => None,
        }
    }
}

impl Source {
    /// Says what a reply that came to its end says about the upstream.
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
