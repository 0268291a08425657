//! What may differ from agent to agent.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

/// How an agent goes about its work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentOptions {
    /// Guidance that goes before every conversation.
    pub system: Option<String>,
    /// How often the model is asked for one question, at the most and exactly: 10. The last
    /// time it gets no tools, so that the work of the earlier rounds ends in an answer. At
    /// least 1.
    pub max_rounds: u32,
    /// How long one question may take in all; no limit by default, as every part has its own.
    pub timeout: Option<Duration>,
    /// JSON Schema of the final answer.
    pub response_schema: Option<Arc<Value>>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            system: None,
            max_rounds: 10,
            timeout: None,
            response_schema: None,
        }
    }
}
