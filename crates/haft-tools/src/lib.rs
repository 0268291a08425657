//! Tools except for their models: the collection of tools, the executor that answers every call,
//! and the built-in tools for the time and for web search.
//!
//! # Brief overview
//!
//! A [`ToolManager`] holds tools of every origin in one flat list: functions of the program made
//! with [`tool()`], the clock [`get_current_datetime`], the web search [`search_web`], and
//! [`ChangingTools`] of servers, which `haft-mcp` implements. A [`ToolExecutor`] answers the calls
//! of an [`AiMessage`](haft_core::AiMessage) with exactly one
//! [`ToolMessage`](haft_core::ToolMessage) each, whatever happens: it coerces and validates
//! arguments through `haft-schema`, asks for approval, limits the time, catches panics and caps the
//! output. No model is called here; `haft-agent` does that.
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

#[cfg(feature = "search")]
mod address;
mod approval;
mod changing_tools;
mod datetime;
mod effect;
mod error;
mod executor;
mod friendly;
mod function;
mod manager;
#[cfg(feature = "process")]
mod process;
mod progress;
mod redact;
mod results;
mod round;
#[cfg(feature = "search")]
mod search;
mod under_way;
mod unseen;

#[cfg(feature = "search")]
pub use address::is_loopback;
pub use approval::{Approval, ApprovalMode, ApprovalRequest, Approve, refuse};
pub use changing_tools::ChangingTools;
pub use datetime::get_current_datetime;
pub use effect::describe_effect;
pub use error::{ToolsError, ToolsErrorKind};
pub use executor::{CheckedCall, ExecutorOptions, ToolExecutor};
pub use function::{FunctionTool, schema_of, tool};
pub use manager::{Synonym, ToolManager};
#[cfg(all(feature = "process", target_os = "linux"))]
pub use process::reap_adopted;
#[cfg(feature = "process")]
pub use process::{ProcessTree, adopt_orphans, kill_descendants};
pub use progress::{ProgressSigns, report_progress, with_progress};
pub use redact::redacted;
pub use results::{ResultText, capped, result_text};
pub use round::answer_calls;
#[cfg(feature = "search")]
pub use search::{
    GoogleSearch, MAX_SEARCH_QUERY, SEARCH_WEB, SearchOptions, SearchResult, SearchUrl,
    quoted_results, results_from_snapshot, search_web,
};
pub use under_way::{CallUnderWay, calls_under_way, in_time};
pub use unseen::{escape_unseen, is_unseen, without_unseen};
