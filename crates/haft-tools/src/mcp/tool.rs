//! A tool of a server as a [`Tool`] like any other.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use haft_core::{
    Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput, ToolSource,
};
use rmcp::model::{CallToolRequestParams, ErrorCode};
use rmcp::service::ServiceError;
use serde_json::Value;

use super::call::CallError;
use super::definition::Definition;
use super::output_schema::OutputSchema;
use super::server::{Server, ServerError};
use super::{bounded, content, http};

/// One tool of one server.
#[derive(Clone)]
pub(crate) struct McpTool {
    /// The name here; the server's own stands in the definition.
    name: String,
    definition: Arc<Definition>,
    output: Arc<OutputSchema>,
    server: Arc<Server>,
    listed: rmcp::model::Tool,
}

impl McpTool {
    pub(crate) fn new(server: &Arc<Server>, listed: rmcp::model::Tool) -> Self {
        let definition = Definition::of(&listed, server.endpoint.rules());
        Self {
            name: definition.name.clone(),
            output: Arc::new(OutputSchema::of(&definition)),
            definition: Arc::new(definition),
            server: Arc::clone(server),
            listed,
        }
    }

    /// The tool in the server's own words.
    pub(crate) fn definition(&self) -> &rmcp::model::Tool {
        &self.listed
    }

    /// The names of its server and, there, of itself.
    pub(crate) fn at_server(&self) -> (&str, &str) {
        (&self.server.name, &self.definition.name)
    }

    /// The name that it has here.
    pub(crate) fn name_here(&self) -> &str {
        &self.name
    }

    /// The same tool under another name here.
    pub(crate) fn named(&self, name: String) -> Self {
        Self {
            name,
            ..self.clone()
        }
    }

    fn failure(&self, error: &ServerError) -> ToolError {
        match error {
            ServerError::Down(problem) => self.unreachable().with_detail(problem.message.clone()),
            ServerError::Gone => {
                let (server, tool) = self.at_server();
                let message = format!("The tool server {server} no longer has the tool {tool}.");
                ToolError::of_kind(ToolErrorKind::UnknownTool, message)
            }
            ServerError::Call(error) => self.call_failure(error),
        }
    }

    fn call_failure(&self, error: &CallError) -> ToolError {
        let too_slow = |limit: &Duration| {
            let (server, seconds) = (&self.server.name, limit.as_secs());
            let message = format!("The tool server {server} did not answer within {seconds} s");
            ToolError::of_kind(ToolErrorKind::Timeout, message)
        };
        match error {
            CallError::Ended => self.unreachable().with_detail("it ended during the call"),
            CallError::Silent(limit) | CallError::Endless(limit) => too_slow(limit),
            CallError::NotUnderstood(why) => self.not_understood().with_detail(*why),
            CallError::Service(error) => self.service_failure(error),
        }
    }

    fn service_failure(&self, error: &ServiceError) -> ToolError {
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
        let message = format!("The tool server {} cannot be reached", self.server.name);
        ToolError::of_kind(ToolErrorKind::Network, message)
    }

    fn not_understood(&self) -> ToolError {
        ToolError::new(format!(
            "The tool server {} answered in a way that is not understood",
            self.server.name
        ))
    }
}

#[async_trait]
impl Tool for McpTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.definition.description
    }

    fn schema(&self) -> &Value {
        &self.definition.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.definition.annotations
    }

    fn source(&self) -> ToolSource {
        ToolSource::Mcp {
            server: self.server.name.clone(),
        }
    }

    /// Sends exactly `input.input` as the call's `arguments`. Dropping the future tells the
    /// server that nobody waits any more.
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let params =
            CallToolRequestParams::new(self.definition.name.clone()).with_arguments(input.input);
        match self.server.call(params).await {
            Ok(result) => content::normalise(result).map(|output| self.output.checked(output)),
            Err(error) => Err(self.failure(&error)),
        }
    }
}

impl fmt::Debug for McpTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("McpTool")
            .field("name", &self.name)
            .field("server", &self.server.name)
            .finish_non_exhaustive()
    }
}
