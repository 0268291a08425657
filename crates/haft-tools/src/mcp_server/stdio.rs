//! The server over stdin and stdout, for a host that starts it as a child process.

use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::stdio_pipes;
use tokio_util::sync::CancellationToken;

use super::ToolServer;
use crate::{ToolsError, ToolsErrorKind};

impl ToolServer {
    /// Serves until the host closes stdin or `end` is over, whichever comes first; then what is
    /// under way gets some seconds to be answered. Nothing but the protocol is written to
    /// stdout, and nothing else in the process may write there.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Served`] when what is on stdin does not speak MCP.
    pub async fn serve_stdio(self, end: impl Future<Output = ()> + Send) -> Result<(), ToolsError> {
        let ending = CancellationToken::new();
        // Boxed, so that the protocol is compiled here, once.
        let mut serving = Box::pin(self.serve(ending.clone()));
        tokio::select! {
            served = &mut serving => return served,
            () = end => ending.cancel(),
        }
        serving.await
    }

    async fn serve(self, ending: CancellationToken) -> Result<(), ToolsError> {
        let running = match serve_server_with_ct(self, stdio_pipes(), ending).await {
            Ok(running) => running,
            // A host that leaves at once, or an end before a host came.
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
