//! The server over stdin and stdout, for a host that starts it as a child process.

use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use tokio::io::{AsyncRead, AsyncWrite};

use super::ToolServer;
use super::host::{Ends, Host, write};
use haft_tools::{ToolsError, ToolsErrorKind};

impl ToolServer {
    /// Serves until the host closes stdin or `end` completes; then running calls have 30 s to be
    /// answered. Only protocol messages are written to stdout, and no other code in the process may
    /// write there.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Served`] when the input is not MCP.
    pub async fn serve_stdio(self, end: impl Future<Output = ()> + Send) -> Result<(), ToolsError> {
        self.serve_over(tokio::io::stdin(), tokio::io::stdout(), end)
            .await
    }

    /// Serves one host over the given pipes.
    pub(super) async fn serve_over(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        end: impl Future<Output = ()> + Send,
    ) -> Result<(), ToolsError> {
        let ends = Ends::default();
        let (host, outgoing) = Host::new(input, ends.clone());
        let writing = tokio::spawn(write(output, outgoing));
        let input = ends.input.clone();
        // Boxed, so that the protocol's code is compiled only once.
        let mut serving = Box::pin(self.serve(host, ends));
        let served = tokio::select! {
            served = &mut serving => served,
            () = end => {
                input.cancel();
                serving.await
            }
        };
        // The connection is closed, and the writer ends after the last line.
        let _ = writing.await;
        served
    }

    async fn serve<R>(self, host: Host<R>, ends: Ends) -> Result<(), ToolsError>
    where
        R: AsyncRead + Send + Unpin + 'static,
    {
        let running = match serve_server_with_ct(self, host, ends.work).await {
            Ok(running) => running,
            // The host closed the input at once, or `end` completed before a host connected.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => {
                tracing::debug!(%error, "MCP handshake failed");
                let message = "What came on stdin does not open a connection of MCP";
                return Err(ToolsError::new(ToolsErrorKind::Served, message)
                    .with_hint("let an MCP host start this command; it is not for typing"));
            }
        };
        match running.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => Err(ToolsError::new(
                ToolsErrorKind::Served,
                format!("The server ended: {error}"),
            )),
            Ok(_) => Ok(()),
        }
    }
}
