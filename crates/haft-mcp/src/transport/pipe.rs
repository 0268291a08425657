//! The connection to a child process: messages as lines in both directions, within limits.
//!
//! `rmcp` has such a transport, but it ignores lines that it cannot parse, so that the call never
//! gets an answer. This one answers the call with an error instead, drops responses to requests
//! that were never sent, and ends with the child even if a grandchild holds its output open.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use haft_core::Secrets;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::IgnoredAny;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use crate::transport::lines::{Line, Lines, MAX_LINE, trimmed};
use crate::transport::partial_response::{Head, IdScanner, pruned};
use crate::transport::pending_requests::PendingRequests;
use crate::transport::protocol_version::{self, Protocol};
use crate::transport::trouble::Trouble;
use haft_tools::ProcessTree;

/// A child that reads nothing for this time is considered hung.
const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// The time limit of the discovery request: servers answer an unknown request soon after their
/// start, or never. A server that has not even started by then is contacted with the old protocol,
/// which it supports or refuses.
const PROBE_LIMIT: Duration = Duration::from_secs(3);

/// How long to read after the exit of a child: its output is already in the pipe, but another
/// process may hold the other end open.
const LAST_LINES: Duration = Duration::from_millis(300);

/// How long to wait for the exit status of a child that closed its output. Its watcher first ends
/// the remaining processes.
const STATUS_LIMIT: Duration = Duration::from_secs(1);

/// How long a child has to exit, first after its input was closed, then after it was asked to.
const END_LIMIT: Duration = Duration::from_secs(3);

/// The maximum number of characters of an invalid line that are logged.
const MAX_LOGGED: usize = 200;

/// A child process and its pipes. Dropping it kills the child with all its descendants.
#[derive(Debug)]
pub(crate) struct Pipe {
    child: Child,
    tree: ProcessTree,
    output: Lines<ChildStdout>,
    input: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    asked: PendingRequests,
    /// Set once, when no more data will come.
    ended: watch::Sender<bool>,
    /// The secrets that are masked in logs.
    secrets: Secrets,
    /// When reading ends, if the child has exited.
    last_lines: Option<Instant>,
    trouble: Trouble,
}

impl Pipe {
    pub(crate) fn new(mut child: Child, tree: ProcessTree, secrets: Secrets) -> io::Result<Self> {
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no pipes"));
        };
        Ok(Self {
            tree,
            child,
            output: Lines::new(output),
            input: Arc::new(tokio::sync::Mutex::new(Some(input))),
            asked: PendingRequests::default(),
            ended: watch::Sender::new(false),
            secrets,
            last_lines: None,
            trouble: Trouble::default(),
        })
    }

    /// Becomes true when the connection is closed, before any other part notices it.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// The processes to kill if the connection does not close by itself.
    pub(crate) fn tree(&self) -> ProcessTree {
        self.tree.clone()
    }

    /// What is known to be wrong with the child.
    pub(crate) fn trouble(&self) -> Trouble {
        self.trouble.clone()
    }

    /// Asks which protocol the child uses; `None` if it does not answer.
    pub(crate) async fn protocol(&mut self) -> Option<Protocol> {
        let asking = async {
            let mut input = self.input.lock().await;
            let input = input.as_mut()?;
            input.write_all(&protocol_version::probe()).await.ok()?;
            input.flush().await.ok()
        };
        timeout(PROBE_LIMIT, asking).await.ok()??;
        let answering = async {
            loop {
                let Line::Whole(line) = self.line().await? else {
                    continue;
                };
                if let Some(protocol) = protocol_version::detect(&line) {
                    self.trouble.message();
                    return Some(protocol);
                }
                if serde_json::from_slice::<IgnoredAny>(&line).is_err() {
                    self.trouble.garbage(&line);
                }
            }
        };
        // A late answer is dropped, because its request is no longer pending.
        timeout(PROBE_LIMIT, answering).await.ok()?
    }

    /// The next line; `None` at the end.
    async fn line(&mut self) -> Option<Line> {
        loop {
            let last_lines = self.last_lines;
            tokio::select! {
                biased;
                line = self.output.next() => return line.unwrap_or_else(|error| {
                    tracing::warn!(%error, "an MCP server's output cannot be read");
                    if error.kind() == io::ErrorKind::FileTooLarge {
                        self.trouble.endless_line();
                    }
                    None
                }),
                () = sleep_until(last_lines.unwrap_or_else(Instant::now)), if last_lines.is_some() => {
                    return None;
                }
                ended = self.child.wait(), if last_lines.is_none() => {
                    if let Ok(status) = ended {
                        self.trouble.exited(status);
                    }
                    self.last_lines = Some(Instant::now() + LAST_LINES);
                }
            }
        }
    }

    /// The message in a line, if it is one for us.
    fn message(&self, line: Line) -> Option<ServerJsonRpcMessage> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(head) => {
                tracing::warn!(
                    id = ?head.id,
                    "a line of an MCP server is longer than {MAX_LINE} bytes"
                );
                let sentence = "The answer of the tool server is larger than 16 MB";
                return self.refusal(&head, sentence);
            }
        };
        let line = trimmed(&line);
        if line.is_empty() {
            return None;
        }
        let parsed = serde_json::from_slice(line).or_else(|error| {
            let Some(pruned) = pruned(line) else {
                return Err(error);
            };
            tracing::warn!("a message of an MCP server is nested too deep: depths left out");
            serde_json::from_slice(&pruned)
        });
        match parsed {
            Ok(message) => {
                self.trouble.message();
                self.asked.expects(&message).then_some(message)
            }
            Err(error) => {
                // Masked before it is cut, because a part of a secret would not be recognised.
                let text = self.secrets.mask(&String::from_utf8_lossy(line));
                let text: String = text.chars().take(MAX_LOGGED).collect();
                tracing::debug!(%error, ?text, "a line of an MCP server is no message: skipped");
                self.trouble.garbage(line);
                let sentence = "The answer of the tool server is not a valid message";
                self.refusal(&IdScanner::head_of(line), sentence)
            }
        }
    }

    /// An error response for a pending request whose answer could not be parsed.
    fn refusal(&self, head: &Head, sentence: &'static str) -> Option<ServerJsonRpcMessage> {
        let id = head.answered().filter(|id| self.asked.remove(id))?;
        let error = ErrorData::internal_error(sentence, None);
        Some(JsonRpcMessage::error(error, Some(id.clone())))
    }

    async fn has_ended(&mut self) -> bool {
        timeout(END_LIMIT, self.child.wait()).await.is_ok()
    }
}

/// A child that cannot be written to during its start has exited. Its output and its exit status,
/// which the reader finds, say more than this error.
fn unless_starting(trouble: &Trouble, error: io::Error) -> io::Result<()> {
    match trouble.is_ready() {
        true => Err(error),
        false => Ok(()),
    }
}

impl Transport<RoleClient> for Pipe {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.asked.note(&message);
        let input = Arc::clone(&self.input);
        let trouble = self.trouble.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut input = input.lock().await;
            let Some(pipe) = input.as_mut() else {
                return unless_starting(&trouble, io::ErrorKind::NotConnected.into());
            };
            let written = timeout(WRITE_LIMIT, async {
                pipe.write_all(&line).await?;
                pipe.flush().await
            });
            let written = written.await.unwrap_or_else(|_| {
                // Part of a line may have been written, so nothing can follow it.
                *input = None;
                Err(io::ErrorKind::TimedOut.into())
            });
            match written {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    *input = None;
                    unless_starting(&trouble, error)
                }
                written => written,
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        while let Some(line) = self.line().await {
            if let Some(message) = self.message(line) {
                return Some(message);
            }
        }
        // A child that has closed its output exits soon, and its exit status says more.
        if let Ok(Ok(status)) = timeout(STATUS_LIMIT, self.child.wait()).await {
            self.trouble.exited(status);
        }
        self.ended.send_replace(true);
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.ended.send_replace(true);
        // After the child's exit its orphans could no longer be found.
        self.tree.note();
        if let Ok(mut input) = timeout(END_LIMIT, self.input.lock()).await {
            *input = None;
        }
        if !self.has_ended().await {
            self.tree.ask_to_end();
            if !self.has_ended().await {
                self.tree.kill();
                self.child.start_kill()?;
                self.child.wait().await?;
            }
        }
        // The child is gone, but maybe not all of its descendants.
        self.tree.kill();
        Ok(())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.tree.kill();
        // A dropped child is reaped later by the runtime; this waits for it now.
        let _ = self.child.start_kill();
    }
}
