//! Local commands: decides whether the embedded command engine answers instead of the model.
//!
//! Executing a wrong command is worse than leaving one to the model, so two checks must agree: the
//! engine must be able to carry out every part of the text with the bound tools, and the classifier
//! must assign the text to a device or the clock. The engine then answers alone, even if a tool
//! fails, because the tool's error message is the best advice.

use std::sync::Arc;

use haft_agent::{Agent, AgentError, AgentOptions, WebSearch};
use haft_command::Builtin;
use haft_select::{Classification, Intent};
use haft_tools::ToolExecutor;

/// The minimum combined probability of the intents "device" and "clock". Of the development queries
/// that the engine accepts as commands, those that are none score below 0.34, and all but two of
/// the others above 0.64.
const SURE: f32 = 0.5;

/// True if the engine should answer `text` with these tools.
pub(crate) fn takes(executor: &ToolExecutor, text: &str, about: &Classification) -> bool {
    let scores = about.scores();
    let probable = scores.of(Intent::Device) + scores.of(Intent::Datetime);
    probable >= SURE && Builtin::with_tools(executor.tools().get_tools()).is_sure_of(text)
}

/// An agent with the engine and these tools. It is created for each question, because the tools of
/// servers may change; that takes microseconds.
pub(crate) fn agent(executor: ToolExecutor) -> Result<Agent, AgentError> {
    let mut options = AgentOptions::default();
    options.selection = None;
    options.web_search = WebSearch::off();
    Agent::new(Arc::new(Builtin::new()), executor, options)
}
