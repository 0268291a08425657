//! What a caller may set: the options of an agent, and in the files below the types of single
//! options. Nothing here acts; the driver in `run.rs` and the modules it calls read them.

pub(crate) mod client_turn;
pub(crate) mod recovery_steps;
pub(crate) mod routing;
pub(crate) mod tool_need;
pub(crate) mod tool_selection;
pub(crate) mod web_search;

use std::sync::Arc;
use std::time::Duration;

use haft_core::Generation;
#[cfg(feature = "mcp")]
use haft_mcp::BrowserSearch;
use serde_json::Value;

use self::recovery_steps::RecoverySteps;
use self::routing::Routing;
use self::tool_need::ToolNeedDetector;
use self::tool_selection::ToolSelection;
use self::web_search::WebSearch;
#[cfg(feature = "store")]
use crate::attempts::store::AttemptStore;

/// The options of an agent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentOptions {
    /// The system message of every conversation.
    pub system: Option<String>,
    /// The maximum number of rounds of one question: at least 1, by default 10. The last round
    /// offers no tools, so that the question ends in an answer. Requests of recovery steps are not
    /// counted.
    pub max_rounds: u32,
    /// The time limit of one question; none by default, as models and tools have their own.
    pub timeout: Option<Duration>,
    /// JSON Schema of the final answer.
    pub response_schema: Option<Arc<Value>>,
    /// Sampling parameters and limits of replies.
    pub generation: Generation,
    /// The enabled recovery steps; all by default.
    pub recovery: RecoverySteps,
    /// Whether the local command engine reads a question before the model; by default for models
    /// that are too small to choose tools.
    pub routing: Routing,
    /// How the tools of a question are chosen; `None` binds all tools to every question.
    pub selection: Option<ToolSelection>,
    /// Detects questions that need a tool call; `None` leaves that to the selection of tools.
    pub tool_need: Option<ToolNeedDetector>,
    /// The context size in tokens, prompt and reply together, if the model does not report it or
    /// should use less. Tool results are shortened to fit.
    pub context: Option<u32>,
    /// Web search when the model cannot answer.
    pub web_search: WebSearch,
    /// The browser of the web search; see [`WebSearch::take_browser`].
    #[cfg(feature = "mcp")]
    pub browser: Option<BrowserSearch>,
    /// The store that records every question; none by default.
    #[cfg(feature = "store")]
    pub attempts: Option<AttemptStore>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            system: None,
            max_rounds: 10,
            timeout: None,
            response_schema: None,
            generation: Generation::default(),
            recovery: RecoverySteps::all(),
            routing: Routing::default(),
            selection: Some(ToolSelection::default()),
            tool_need: None,
            context: None,
            web_search: WebSearch::default(),
            #[cfg(feature = "mcp")]
            browser: None,
            #[cfg(feature = "store")]
            attempts: None,
        }
    }
}
