//! The connection to a host: messages as lines, in and out, within limits.
//!
//! `rmcp` has such a transport, but it says nothing about a line that it cannot use, so that the
//! host waits without end, and it breaks off what runs when the input ends. This one answers such
//! a line with an error that carries its id, takes the last line without its end, and reports the
//! end of the input only once everything that was asked is answered, or took too long.

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
use crate::transport::lines::{Line, Lines, MAX_LINE};

/// For what runs when the input ends or a request to end comes: as long as a call may take.
const ENDING_LIMIT: Duration = Duration::from_secs(30);

/// A host that reads nothing for so long will not read any more.
const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// Lines that wait for a slow host, before no more are read from it.
const WAITING: usize = 64;

/// When to stop, in two steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Nothing more is read; what runs is answered.
    pub(super) input: CancellationToken,
    /// All is answered, or time is up: what still runs is dropped.
    pub(super) work: CancellationToken,
}

/// Messages from a host and to it.
#[derive(Debug)]
pub(super) struct Host<R> {
    input: Lines<R>,
    output: mpsc::Sender<Outgoing>,
    /// The requests that are not answered yet.
    open: watch::Sender<HashSet<RequestId>>,
    ends: Ends,
    /// The answer to a line that could not be used, on its way.
    refusal: Option<Vec<u8>>,
    /// No more is read; what runs has until then.
    last: Option<Instant>,
}

/// A line for the host, and who wants to know that it was written.
#[derive(Debug)]
pub(super) struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<io::Result<()>>>,
}

impl<R: AsyncRead + Unpin> Host<R> {
    /// The connection, and what is to be given to [`write`].
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

    /// The message in a line; none where it was answered with an error, or says nothing.
    fn message(&mut self, line: Line) -> Option<ClientJsonRpcMessage> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(head) => {
                self.refuse(&Refusal::too_large(head, MAX_LINE));
                return None;
            }
        };
        let line = line
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&line)
            .trim_ascii();
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

    /// Answers what cannot be used.
    fn refuse(&mut self, refusal: &Refusal) {
        if let Some(answer) = refusal.answer() {
            self.refusal = Some(format!("{answer}\n").into_bytes());
        }
    }

    /// Keeps in mind who waits for an answer.
    fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                // A subscription is answered when it ends, and it does not end by itself.
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
            // Also where it could not be written: there is nobody left to wait for.
            if let Some(id) = answered {
                open.send_modify(|open| {
                    open.remove(&id);
                });
            }
            sent
        }
    }

    /// May be dropped and called again: nothing is lost.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                // An error says that nobody reads any more; the input will end too.
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

/// Writes lines until there are no more, each in one piece, whoever gives up meanwhile.
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
            // Whoever sent it may have given up.
            let _ = written.send(outcome);
        }
        if failed {
            // Half a line may be out: nothing can follow it.
            return;
        }
    }
}

#[cfg(test)]
mod tests;
