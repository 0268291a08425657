//! A server's tool as a [`Tool`].
//!
//! Errors become a sentence for the model, with the detail for the log. Secrets in the server's
//! entry are masked in both, because servers often repeat what they received.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use haft_core::{
    Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput, ToolSource,
};
use rmcp::model::{CallToolRequestParams, ErrorCode, RequestMetaObject};
use rmcp::service::ServiceError;
use serde_json::Value;

use crate::definitions::listed_tool::ListedTool;
use crate::session::call::CallError;
use crate::supervisor::supervised_server::{ServerError, SupervisedServer};
use crate::text::bounded;
use crate::tools::content;
use crate::tools::origin::Origin;
use crate::transport::http;
use haft_tools::describe_effect;

/// Where a call's `_meta` has the idempotency key of a durable run. MCP has no field for it, so the
/// name has a prefix (<https://modelcontextprotocol.io/specification/2025-11-25/basic#meta>).
const IDEMPOTENCY_KEY: &str = "io.github.haft-rs/idempotency-key";

#[derive(Clone)]
pub(crate) struct McpTool {
    /// The name here; the server's own name is in the definition.
    name: String,
    tool: Arc<ListedTool>,
    server: Arc<SupervisedServer>,
}

impl McpTool {
    /// The tool with its server's own name.
    pub(crate) fn new(server: &Arc<SupervisedServer>, tool: Arc<ListedTool>) -> Self {
        Self {
            name: tool.definition.name.clone(),
            tool,
            server: Arc::clone(server),
        }
    }

    /// Whether this has the definition `tool`, and not an earlier one.
    pub(crate) fn is(&self, tool: &Arc<ListedTool>) -> bool {
        Arc::ptr_eq(&self.tool, tool)
    }

    /// The server's own definition.
    pub(crate) fn listed(&self) -> &rmcp::model::Tool {
        &self.tool.listed
    }

    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin {
            server: &self.server.name,
            tool: &self.tool.definition.name,
        }
    }

    /// The name here.
    pub(crate) fn name_here(&self) -> &str {
        &self.name
    }

    /// A copy of this tool under another name.
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
                let Origin { server, tool } = self.origin();
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
            CallError::Ended(None) => self.unreachable().with_detail("it ended during the call"),
            CallError::Ended(Some(why)) => self.unreachable_because(why),
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
                Some(problem) => self.unreachable_because(&problem.message),
                None => self.unreachable().with_detail(error.to_string()),
            },
            ServiceError::Cancelled { .. } => ToolError::of_kind(
                ToolErrorKind::Cancelled,
                "The tool server stopped this call",
            ),
            error => self.not_understood().with_detail(error.to_string()),
        }
    }

    /// The result with the secrets of the server's entry masked, for models and logs.
    fn without_secrets(
        &self,
        result: Result<ToolOutput, ToolError>,
    ) -> Result<ToolOutput, ToolError> {
        let secrets = &self.server.secrets;
        if secrets.is_empty() {
            return result;
        }
        match result {
            Ok(output) => Ok(ToolOutput {
                value: secrets.mask_json(output.value),
                artifact: output.artifact.map(|artifact| secrets.mask_json(artifact)),
            }),
            Err(error) => {
                let masked = ToolError::of_kind(error.kind(), secrets.mask(&error.to_string()));
                Err(masked.with_detail(secrets.mask(error.detail())))
            }
        }
    }

    fn unreachable(&self) -> ToolError {
        let message = format!("The tool server {} cannot be reached", self.server.name);
        ToolError::of_kind(ToolErrorKind::Network, message)
    }

    fn unreachable_because(&self, why: &str) -> ToolError {
        let name = &self.server.name;
        let message = format!("The tool server {name} cannot be reached: {why}");
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
        &self.tool.definition.description
    }

    fn schema(&self) -> &Value {
        &self.tool.definition.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.tool.definition.annotations
    }

    /// The current definition of the tool; the server is started if it is not running.
    async fn current(&self) -> Result<Option<Arc<dyn Tool>>, ToolError> {
        let live = self.server.live(&self.tool.definition.name).await;
        let live = live.map_err(|error| self.failure(&error))?;
        if live.listed == self.tool.listed {
            return Ok(None);
        }
        Ok(Some(Arc::new(Self {
            tool: live,
            ..self.clone()
        })))
    }

    /// The title from its server; the description would be longer and is written for the model.
    async fn effect_of(&self, input: &ToolInput) -> Option<String> {
        let annotated = self.tool.listed.annotations.as_ref();
        let titles = [
            self.tool.listed.title.as_deref(),
            annotated.and_then(|hints| hints.title.as_deref()),
        ];
        let title = titles
            .into_iter()
            .flatten()
            .find(|title| !title.trim().is_empty())?;
        Some(describe_effect(title, self.schema(), &input.input))
    }

    fn source(&self) -> ToolSource {
        ToolSource::Mcp {
            server: self.server.name.clone(),
        }
    }

    /// Sends exactly `input.input` as the `arguments` of the call. Dropping the future sends a
    /// cancellation notice.
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let mut params = CallToolRequestParams::new(self.tool.definition.name.clone())
            .with_arguments(input.input);
        if let Some(key) = input.idempotency_key {
            let mut meta = RequestMetaObject::default();
            meta.insert(IDEMPOTENCY_KEY.to_owned(), key.into());
            params.meta = Some(meta);
        }
        let result = match self.server.call(params).await {
            Ok(result) => content::normalise(result).map(|output| self.tool.output.checked(output)),
            Err(error) => Err(self.failure(&error)),
        };
        self.without_secrets(result)
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
