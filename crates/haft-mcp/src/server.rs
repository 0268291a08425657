//! haft as an MCP server: offers the tools of an executor to any host.
//!
//! `rmcp` implements the protocol, in its newest revision and in earlier ones; `stdio` serves over
//! stdin and stdout, whose lines `host` reads and writes; `params` and `refusal` describe errors in
//! a request; `content` converts the answer of a tool. A call uses the same [`ToolExecutor`] as a
//! call of a model: arguments are repaired and validated, the time is limited, a panic is caught,
//! the output is capped. Approval is left to the host, which can ask its user.

mod content;
mod host;
mod params;
mod refusal;
mod stdio;

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use haft_core::{AiMessage, Emitter, Tool, ToolCall};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};

use self::refusal::Refusal;
use crate::transport::partial_response::IdScanner;
use haft_tools::ToolExecutor;
use haft_tools::{ProgressSigns, with_progress};

/// The id of the call in a round with one call.
const CALL_ID: &str = "call_1";

/// An MCP server that offers the tools of an executor. Cheap to clone.
///
/// ```
/// use haft_mcp::ToolServer;
/// use haft_tools::{ToolExecutor, ToolManager, get_current_datetime};
///
/// let mut tools = ToolManager::new();
/// tools.add(get_current_datetime())?;
/// let server = ToolServer::new(ToolExecutor::new(tools));
/// // `server.serve_stdio(std::future::pending()).await` ends with the host.
/// # drop(server);
/// # Ok::<_, haft_tools::ToolsError>(())
/// ```
#[derive(Clone)]
pub struct ToolServer {
    executor: ToolExecutor,
    /// The tools as hosts see them, in the order of the collection: a stable list lets a model
    /// server reuse its cached prompt.
    tools: Arc<[rmcp::model::Tool]>,
}

impl ToolServer {
    /// A server with all tools of `executor`.
    #[must_use]
    pub fn new(executor: ToolExecutor) -> Self {
        let tools = executor.tools().get_tools().iter().map(listed).collect();
        Self { executor, tools }
    }

    /// Checks a message that a host posts. The error is the JSON-RPC error to answer it with, or
    /// null if the message expects no answer.
    ///
    /// # Errors
    ///
    /// The answer.
    ///
    /// ```
    /// use haft_mcp::ToolServer;
    ///
    /// assert!(ToolServer::check(br#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#).is_ok());
    /// let refused = ToolServer::check(br#"{"jsonrpc": "2.0", "id": 1}"#).unwrap_err();
    /// assert_eq!(refused["id"], 1);
    /// ```
    pub fn check(message: &[u8]) -> Result<(), Value> {
        let read = refusal::read(message);
        read.map(drop)
            .map_err(|refusal| refusal.answer().unwrap_or_default())
    }

    /// The answer to a message of more than `limit` bytes that begins with `beginning`.
    #[must_use]
    pub fn too_large(beginning: &[u8], limit: usize) -> Value {
        let refusal = Refusal::too_large(IdScanner::head_of(beginning), limit);
        refusal.answer().unwrap_or_default()
    }

    /// Runs one call as a round of its own.
    async fn call(&self, request: CallToolRequestParams) -> CallToolResponse {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let call = ToolCall::new(&*request.name, arguments, CALL_ID);
        let asked = AiMessage::new("").with_tool_calls([call]);
        let answers = self.executor.run_round(&asked, &Emitter::silent()).await;
        content::result(answers.into_iter().next()).into()
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let haft = Implementation::new("haft", env!("CARGO_PKG_VERSION"));
        // There are no prompts and resources, but some hosts request them regardless of the
        // declared capabilities: the default implementations answer with empty lists.
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .build();
        ServerConfig::new(capabilities).with_server_info(haft)
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if params.and_then(|params| params.cursor).is_some() {
            let message = "There is no such cursor: the list has one page";
            return Err(ErrorData::invalid_params(message, None));
        }
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.executor.tools().find(&request.name).is_none() {
            let message = format!("There is no tool \"{}\"", request.name);
            return Err(ErrorData::invalid_params(message, None));
        }
        let signs = Arc::default();
        let telling = report_progress(&signs, &context);
        tokio::select! {
            biased;
            // The running tool is dropped; the host expects no answer any more.
            () = context.ct.cancelled() => {
                Err(ErrorData::internal_error("The call was cancelled", None))
            }
            never = telling => match never {},
            answer = with_progress(Arc::clone(&signs), self.call(request)) => Ok(answer),
        }
    }

    /// An unknown request, or a known one with invalid parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let version = context.protocol_version();
        Err(params::refusal(&request, version.as_ref()))
    }
}

/// Sends a notification for each sign of progress if the host requested it. Tools do not report a
/// total.
async fn report_progress(
    signs: &ProgressSigns,
    context: &RequestContext<RoleServer>,
) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    loop {
        let count = signs.next().await;
        #[expect(clippy::cast_precision_loss, reason = "nobody counts so far")]
        let progress = ProgressNotificationParam::new(token.clone(), count as f64);
        // A disconnected host cancels the call.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// A tool as hosts see it. There is no output schema, because haft's tools have none.
fn listed(tool: &Arc<dyn Tool>) -> rmcp::model::Tool {
    let mut schema = match tool.schema() {
        Value::Object(schema) => schema.clone(),
        _ => Map::new(),
    };
    // The protocol requires the field, even for a tool without arguments.
    schema
        .entry("type")
        .or_insert_with(|| Value::from("object"));
    let marks = tool.annotations();
    let mut annotations = ToolAnnotations::new().read_only(marks.read_only);
    if !marks.read_only {
        annotations = annotations.idempotent(marks.idempotent);
    }
    // Hosts treat a tool without this hint as destructive. A missing mark on our side does not
    // promise that it is harmless.
    if marks.destructive {
        annotations = annotations.destructive(true);
    }
    rmcp::model::Tool::new(
        tool.name().to_owned(),
        tool.description().to_owned(),
        Arc::new(schema),
    )
    .with_annotations(annotations)
}

impl fmt::Debug for ToolServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolServer")
            .field("executor", &self.executor)
            .finish_non_exhaustive()
    }
}
