//! The agent loop: a question in, a stream of events and an answer out.
//!
//! # Brief overview
//!
//! An [`Agent`] holds a [`ChatModel`](haft_core::ChatModel) and a
//! [`ToolExecutor`](haft_tools::ToolExecutor), asks the one, lets the other answer the calls,
//! and goes on until there is an answer or the round limit is reached. It is the same loop for
//! every model; it knows no wire format and runs no tool itself. [`Agent::stream`] is the one
//! driver, and [`Agent::ask`] is that stream collected. A reply that is no use goes through the
//! recovery ladder before anyone is told to be content with it; [`Rungs`] says which of its rungs
//! are in use, [`Agent::metrics`] how they did. [`AgentBuilder`] puts the parts
//! together from names and configuration files.
//!
//! Its neighbours are `haft-models` below, `haft-tools` below, and the crate `haft` above, which
//! is what programs depend on.
//!
//! ```
//! use haft_agent::Agent;
//! use haft_core::ToolError;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let agent = Agent::builder()
//!     .model("builtin")
//!     .tool(haft_tools::get_current_datetime())
//!     .build()
//!     .await?;
//! let answer = agent.ask("What time is it in Tokyo?").await?;
//! assert!(answer.text.contains("in Tokyo"), "{}", answer.text);
//! # Ok::<_, haft_agent::AgentError>(())
//! # }).unwrap();
//! ```

mod agent;
mod attempts;
mod builder;
mod context;
mod error;
mod options;
mod recovery;
mod round;
mod run;
mod selection;
mod structured;
mod tooling;
mod turn;
mod web_search;

pub use agent::{Agent, EventStream};
pub use attempts::{Attempt, Metrics, RungCount, SuccessCount};
#[cfg(feature = "store")]
pub use attempts::{AttemptStore, AttemptSummary, ModelSummary};
pub use builder::{AgentBuilder, ModelSource};
pub use error::{AgentError, AgentErrorKind};
pub use options::AgentOptions;
pub use recovery::{CallDue, Rungs};
pub use selection::ToolSelection;
pub use turn::Turn;
pub use web_search::{Playwright, WebSearch};
