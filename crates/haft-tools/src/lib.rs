//! Everything about tools but their models: the collection, the executor that answers every
//! call, MCP servers, the clock, and search on the web.
//!
//! # Brief overview
//!
//! A [`ToolManager`] holds tools of every origin in one flat list: functions of ours made by
//! [`tool()`], the clock [`get_current_datetime`], the search [`search_web`], and the tools of [`McpServers`]. A
//! [`ToolExecutor`] answers the calls of an [`AiMessage`](haft_core::AiMessage) with exactly one
//! [`ToolMessage`](haft_core::ToolMessage) each, whatever happens: it coerces and validates
//! arguments through `haft-schema`, asks for approval, limits the time, contains panics and
//! caps the output. No model is called here; `haft-agent` does that.
//!
//! ```
//! use haft_core::{AiMessage, Emitter, ToolCall, ToolError};
//! use haft_tools::{ToolExecutor, ToolManager, tool};
//! use serde_json::json;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum {
//!     /// The numbers to add
//!     numbers: Vec<f64>,
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let mut tools = ToolManager::new();
//! tools.add(tool("add", "Add numbers", |sum: Sum| async move {
//!     Ok::<_, ToolError>(sum.numbers.iter().sum::<f64>().to_string())
//! }))?;
//! let executor = ToolExecutor::new(tools);
//! // A small model wrote text where numbers were due.
//! let call = ToolCall::new("add", json!({"numbers": ["1.5", 2]}), "call_1");
//! let asked = AiMessage::new("").with_tool_calls([call]);
//! let answers = executor.run_round(&asked, &Emitter::silent()).await;
//! assert_eq!(answers[0].content.text(), "3.5");
//! # Ok::<_, haft_tools::ToolsError>(())
//! # }).unwrap();
//! ```

#[cfg(any(feature = "mcp", feature = "search"))]
mod address;
mod approval;
mod datetime;
mod error;
mod executor;
mod friendly;
mod function;
mod manager;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp-server")]
mod mcp_server;
#[cfg(feature = "process")]
mod process;
mod progress;
mod redact;
mod results;
mod round;
#[cfg(feature = "search")]
mod search;
mod unseen;

pub use approval::{Approval, ApprovalMode, ApprovalRequest, Approve, refuse};
pub use datetime::get_current_datetime;
pub use error::{ToolsError, ToolsErrorKind};
pub use executor::{ExecutorOptions, ToolExecutor};
pub use function::{FunctionTool, tool};
pub use manager::{Synonym, ToolManager};
#[cfg(feature = "mcp")]
pub use mcp::{McpConfig, McpDocument, McpFailure, McpOptions, McpServers, McpStatus};
#[cfg(feature = "mcp-server")]
pub use mcp_server::ToolServer;
#[cfg(feature = "process")]
pub use process::ProcessTree;
pub use progress::report_progress;
pub use results::{capped, result_text};
pub use round::answer_calls;
#[cfg(all(feature = "mcp", feature = "search"))]
pub use search::{BrowserSearch, OpenBrowser, reads_pages};
#[cfg(feature = "search")]
pub use search::{
    GoogleSearch, MAX_SEARCH_QUERY, SEARCH_WEB, SearchOptions, SearchResult, SearchUrl,
    quoted_results, results_from_snapshot, search_web,
};
pub use unseen::escape_unseen;
