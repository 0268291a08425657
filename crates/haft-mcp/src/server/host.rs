//! The connection to a host: messages as lines in both directions, within limits.
//!
//! `rmcp` has such a transport, but it ignores an invalid line, so that the host waits forever, and
//! it aborts running calls when the input ends. This one answers an invalid line with an error that
//! carries its id, accepts a last line without a line end, and reports the end of the input only
//! after all requests were answered or timed out.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::refusal::{self, Refusal};
use crate::transport::lines::{Line, Lines, MAX_LINE, trimmed};

/// The time limit for running calls after the end of the input or a request to exit: as long as a
/// call may take.
const ENDING_LIMIT: Duration = Duration::from_secs(30);

/// A host that reads nothing for this time is considered gone.
const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// The number of lines that may wait for a slow host before reading from it pauses.
const WAITING: usize = 64;

/// The shutdown in two steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Reading stops; running calls are answered.
    pub(super) input: CancellationToken,
    /// Everything is answered, or the time is up: running calls are dropped.
    pub(super) work: CancellationToken,
}

/// The messages from and to a host.
#[derive(Debug)]
pub(super) struct Host<R> {
    input: Lines<R>,
    output: mpsc::Sender<Outgoing>,
    /// The requests that are not answered yet.
    open: watch::Sender<HashSet<RequestId>>,
    ends: Ends,
    /// The answer to an invalid line that is being sent.
    refusal: Option<Vec<u8>>,
    /// Reading has stopped; running calls have until this time.
    last: Option<Instant>,
}

/// A line for the host, and the sender to notify once it was written.
#[derive(Debug)]
pub(super) struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<io::Result<()>>>,
}

impl<R: AsyncRead + Unpin> Host<R> {
    /// The connection, and the receiver that is to be passed to [`write`].
    pub(super) fn new(input: R, ends: Ends) -> (Self, mpsc::Receiver<Outgoing>) {
        let (output, outgoing) = mpsc::channel(WAITING);
        let host = Self {
            input: Lines::patient(input),
            output,
            open: watch::Sender::default(),
            ends,
            refusal: None,
            last: None,
        };
        (host, outgoing)
    }

    /// The message in a line; `None` if it was answered with an error, or is empty.
    fn message(&mut self, line: Line) -> Option<ClientJsonRpcMessage> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(head) => {
                self.refuse(&Refusal::too_large(head, MAX_LINE));
                return None;
            }
        };
        let line = trimmed(&line);
        if line.is_empty() {
            return None;
        }
        match refusal::read(line) {
            Ok(message) => {
                self.note(&message);
                Some(message)
            }
            Err(refusal) => {
                self.refuse(&refusal);
                None
            }
        }
    }

    /// Answers an invalid message.
    fn refuse(&mut self, refusal: &Refusal) {
        if let Some(answer) = refusal.answer() {
            self.refusal = Some(format!("{answer}\n").into_bytes());
        }
    }

    /// Records the id of a request that expects an answer.
    fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                // A subscription is answered when it ends, which it does not do by itself.
                if !matches!(
                    request.request,
                    ClientRequest::SubscriptionsListenRequest(_)
                ) {
                    let id = request.id.clone();
                    self.open.send_modify(|open| {
                        open.insert(id);
                    });
                }
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.send_modify(|open| {
                        open.remove(id);
                    });
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Transport<RoleServer> for Host<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (output, open) = (self.output.clone(), self.open.clone());
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
            };
            let sent = put(&output, &message).await;
            // Also if writing failed: no one waits for it any more.
            if let Some(id) = answered {
                open.send_modify(|open| {
                    open.remove(&id);
                });
            }
            sent
        }
    }

    /// Cancel safe.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                // An error means that the writer has ended; the input will end too.
                let place = self.output.reserve().await.ok();
                if let (Some(place), Some(line)) = (place, self.refusal.take()) {
                    place.send(Outgoing {
                        line,
                        written: None,
                    });
                }
            }
            if let Some(last) = self.last {
                let mut open = self.open.subscribe();
                let answered = timeout_at(last, open.wait_for(HashSet::is_empty)).await;
                if answered.is_err() {
                    tracing::warn!("calls were broken off: they took too long to end");
                }
                self.ends.work.cancel();
                return None;
            }
            let line = tokio::select! {
                biased;
                () = self.ends.input.cancelled() => Ok(None),
                line = self.input.next() => line,
            };
            match line {
                Ok(Some(line)) => {
                    if let Some(message) = self.message(line) {
                        return Some(message);
                    }
                }
                Ok(None) => self.last = Some(Instant::now() + ENDING_LIMIT),
                Err(error) => {
                    tracing::warn!(%error, "the host cannot be read");
                    self.last = Some(Instant::now() + ENDING_LIMIT);
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn put(output: &mpsc::Sender<Outgoing>, message: &ServerJsonRpcMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let (written, outcome) = oneshot::channel();
    let written = Some(written);
    let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
    let queued = output.send(Outgoing { line, written }).await;
    queued.map_err(|_| gone())?;
    outcome.await.unwrap_or_else(|_| Err(gone()))
}

/// Writes lines until the channel is closed. Each line is written completely, even if its sender
/// gave up.
pub(super) async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut outgoing: mpsc::Receiver<Outgoing>,
) {
    while let Some(Outgoing { line, written }) = outgoing.recv().await {
        let writing = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        let outcome = timeout(WRITE_LIMIT, writing).await;
        let outcome = outcome.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let failed = outcome.is_err();
        if let Some(written) = written {
            // The sender may have given up.
            let _ = written.send(outcome);
        }
        if failed {
            // Part of a line may have been written, so nothing can follow it.
            return;
        }
    }
}

#[cfg(test)]
mod tests;
