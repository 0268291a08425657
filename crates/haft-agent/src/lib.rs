//! The agent loop: a question in, a stream of events and an answer out.
//!
//! # Brief overview
//!
//! An [`Agent`] holds a [`ChatModel`](haft_core::ChatModel) and a
//! [`ToolExecutor`](haft_tools::ToolExecutor). It asks the model, lets the executor answer the
//! tool calls, and repeats this until there is an answer or the round limit is reached. The loop
//! knows no wire format and runs no tool itself. [`Agent::ask`] collects [`Agent::stream`], so
//! both give the same answer. A [`Session`] keeps the history of a conversation.
//!
//! A reply that is not usable goes through recovery steps: [`RecoverySteps`] selects them and
//! [`Agent::metrics`] counts them. [`AgentBuilder`] builds an agent from names and configuration
//! files. [`Agent::turn`] takes one turn of the loop for a client that runs its own tools.
//!
//! Models are in `haft-models`, tools in `haft-tools`. Programs depend on the crate `haft`, which
//! re-exports this one.
//!
//! ```
//! use haft_agent::Agent;
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
//!
//! # Where things are
//!
//! | to find | look in |
//! |---|---|
//! | the loop, from question to answer | `run.rs` |
//! | a recovery step | `recovery/`, one file each |
//! | router mode, for very small models | `router.rs` |
//! | whether a call is what the user meant | `agreement.rs`, `recovery/refusals.rs` |
//! | whether an answer is true to the results | `grounding.rs`, `verification.rs` |
//! | the web search | `web_search/` |
//! | what a caller may set | `builder.rs`, `options.rs` |
//! | which tools the model is offered | `selection.rs` |
//! | how a long conversation is shortened | `conversation.rs`, `context.rs` |
//! | counters, log lines and the store of attempts | `attempts/` |
//! | the store of conversations | `session_store.rs` |

mod agent;
mod agreement;
mod attempts;
mod builder;
mod client;
mod context;
mod conversation;
mod error;
mod grounding;
mod model;
mod model_requests;
mod options;
mod outcome;
mod question;
mod question_tools;
mod recovery;
mod repetition;
mod router;
mod run;
mod selection;
mod session;
#[cfg(feature = "store")]
mod session_store;
mod shared;
mod structured;
mod text;
mod tool_effect;
mod trace;
mod verification;
mod web_search;

pub use agent::Agent;
pub use attempts::attempt::Attempt;
pub use attempts::metrics::{Metrics, StepCount, SuccessCount};
#[cfg(feature = "store")]
pub use attempts::store::{AttemptStore, AttemptSummary, ModelSummary};
pub use builder::{AgentBuilder, ModelSource};
pub use error::{AgentError, AgentErrorKind};
pub use model::open_model;
pub use options::AgentOptions;
pub use options::client_turn::ClientTurn;
pub use options::recovery_steps::RecoverySteps;
pub use options::routing::Routing;
pub use options::tool_need::ToolNeedDetector;
pub use options::tool_selection::ToolSelection;
pub use options::web_search::{Playwright, WebSearch};
pub use question::EventStream;
pub use session::Session;
#[cfg(feature = "store")]
pub use session_store::{
    SavedSession, SessionHead, SessionId, SessionStore, SessionSummary, SessionTurn,
};
