//! What may differ from agent to agent.

use std::sync::Arc;
use std::time::Duration;

use haft_core::Generation;
use serde_json::Value;

use crate::recovery::{CallDue, Rungs};
use crate::selection::ToolSelection;

/// How an agent goes about its work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentOptions {
    /// Guidance that goes before every conversation.
    pub system: Option<String>,
    /// How many rounds of calls and results one question may take, at the most and exactly: 10.
    /// The last one gets no tools, so that the work of the earlier rounds ends in an answer. At
    /// least 1. What the recovery ladder asks again in place of a reply comes on top.
    pub max_rounds: u32,
    /// How long one question may take in all; no limit by default, as every part has its own.
    pub timeout: Option<Duration>,
    /// JSON Schema of the final answer.
    pub response_schema: Option<Arc<Value>>,
    /// How replies are written, where that is not left to the model.
    pub generation: Generation,
    /// Which rungs of the recovery ladder are in use; all by default.
    pub recovery: Rungs,
    /// How the tools of a question are chosen; without it all are bound to every question.
    pub selection: Option<ToolSelection>,
    /// Tells which questions surely call for a tool, where the choice of the tools does not.
    pub call_due: Option<CallDue>,
    /// Tokens that prompt and reply may have together, where the model does not tell or is not to
    /// have all that it could. Results of tools are kept within it.
    pub context: Option<u32>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            system: None,
            max_rounds: 10,
            timeout: None,
            response_schema: None,
            generation: Generation::default(),
            recovery: Rungs::all(),
            selection: Some(ToolSelection::default()),
            call_due: None,
            context: None,
        }
    }
}
