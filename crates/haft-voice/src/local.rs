//! Local commands: decides whether the embedded command engine answers instead of the model.
//!
//! A wrong capture is worse than a miss, so two witnesses must agree: the engine, that it can
//! carry out every part of the text with the tools that there are, and the classifier, that the
//! text is about a thing at home or the clock. What they let through is the engine's alone, also
//! where a tool then fails: the tool's own words say best what to do.

use std::sync::Arc;

use haft_agent::{Agent, AgentError, AgentOptions, WebSearch};
use haft_command::Builtin;
use haft_select::{Classification, Intent};
use haft_tools::ToolExecutor;

/// How probable the device and the clock must be together. Of the development queries that the
/// engine takes for commands, all that are none stand below 0.34, and all but two of the others
/// above 0.64.
const SURE: f32 = 0.5;

/// True when `text` is the business of the engine over these tools.
pub(crate) fn takes(executor: &ToolExecutor, text: &str, about: &Classification) -> bool {
    let scores = about.scores();
    let probable = scores.of(Intent::Device) + scores.of(Intent::Datetime);
    probable >= SURE && Builtin::with_tools(executor.tools().get_tools()).is_sure_of(text)
}

/// The engine with these tools. It is made for each question, as the tools of servers come and
/// go; that is a matter of microseconds.
pub(crate) fn agent(executor: ToolExecutor) -> Result<Agent, AgentError> {
    let mut options = AgentOptions::default();
    options.selection = None;
    options.web_search = WebSearch::off();
    Agent::new(Arc::new(Builtin::new()), executor, options)
}
