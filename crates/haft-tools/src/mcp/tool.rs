//! A tool of a server as a [`Tool`] like any other.

use std::fmt;

use async_trait::async_trait;
use haft_core::{
    Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput, ToolSource,
};
use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorCode};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::Value;

use super::{bounded, content, http};

/// One tool of one server.
#[derive(Clone)]
pub(crate) struct McpTool {
    /// The name here; differs from the server's where two servers collide.
    name: String,
    name_at_server: String,
    description: String,
    schema: Value,
    annotations: ToolAnnotations,
    server: String,
    peer: Peer<RoleClient>,
}

impl McpTool {
    pub(crate) fn new(server: &str, peer: Peer<RoleClient>, tool: rmcp::model::Tool) -> Self {
        let hints = tool.annotations.unwrap_or_default();
        Self {
            name: tool.name.to_string(),
            name_at_server: tool.name.into_owned(),
            description: bounded(tool.description.as_deref().unwrap_or_default()),
            schema: Value::Object((*tool.input_schema).clone()),
            // The protocol counts an unmarked tool as destructive; then nearly all tools would
            // be, and the mark would say nothing. Only what the server does say is passed on.
            annotations: ToolAnnotations {
                read_only: hints.read_only_hint == Some(true),
                destructive: hints.destructive_hint == Some(true),
                idempotent: hints.idempotent_hint == Some(true),
                sequential: false,
            },
            server: server.to_owned(),
            peer,
        }
    }

    /// The same tool with its server's name before its own.
    pub(crate) fn prefixed(&self) -> Self {
        let server = self.server.replace(
            |character: char| !character.is_ascii_alphanumeric() && character != '-',
            "_",
        );
        Self {
            name: format!("{server}_{}", self.name_at_server),
            ..self.clone()
        }
    }

    fn failure(&self, error: &ServiceError) -> ToolError {
        match error {
            ServiceError::McpError(error) => {
                let kind = if error.code == ErrorCode::INVALID_PARAMS {
                    ToolErrorKind::InvalidArguments
                } else {
                    ToolErrorKind::Failed
                };
                ToolError::of_kind(kind, bounded(&error.message))
            }
            ServiceError::TransportClosed => self.unreachable(),
            ServiceError::TransportSend(error) => match http::problem("the server", error) {
                Some(problem) => self.unreachable().with_detail(problem.message),
                None => self.unreachable().with_detail(error.to_string()),
            },
            ServiceError::Cancelled { .. } => ToolError::of_kind(
                ToolErrorKind::Cancelled,
                "The tool server stopped this call",
            ),
            error => self.not_understood().with_detail(error.to_string()),
        }
    }

    fn unreachable(&self) -> ToolError {
        let message = format!("The tool server {} cannot be reached", self.server);
        ToolError::of_kind(ToolErrorKind::Network, message)
    }

    fn not_understood(&self) -> ToolError {
        ToolError::new(format!(
            "The tool server {} answered in a way that is not understood",
            self.server
        ))
    }
}

#[async_trait]
impl Tool for McpTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }

    fn source(&self) -> ToolSource {
        ToolSource::Mcp {
            server: self.server.clone(),
        }
    }

    /// Sends exactly `input.input` as the call's `arguments`. Dropping the future tells the
    /// server that nobody waits any more.
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let params =
            CallToolRequestParams::new(self.name_at_server.clone()).with_arguments(input.input);
        match self.peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => content::normalise(result),
            Ok(_) => Err(self.not_understood()),
            Err(error) => Err(self.failure(&error)),
        }
    }
}

impl fmt::Debug for McpTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("McpTool")
            .field("name", &self.name)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
