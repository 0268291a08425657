//! Calls that do not run because of what the user said.
//!
//! Three things are certain enough to refuse a call that the model made by itself: a call that changes
//! something where the user only asked, the name of a parameter in place of its value, and a value that
//! stands for the result of another call. The model reads why and goes on. This is no recovery step: it
//! cannot be switched off, and what the model makes of the refusal is its own.

use haft_core::{AiMessage, ToolCall, ToolMessage};
use haft_schema::{refers_to, stands_for_a_result, unresolved_argument};
use haft_select::DialogueAct;

use super::context::RecoveryContext;
use crate::agreement::placeholder;
use crate::tool_effect::surely_changes;

/// What the model reads in place of the result of a change.
const ONLY_ASKED: &str = "Not run: the user only asked a question and wants nothing changed. \
    Answer the question; to look something up, call a tool that only reads.";

/// For each entry of the reply's `tool_calls`, why it does not run.
pub(super) fn refusals(
    reply: &AiMessage,
    context: &RecoveryContext<'_>,
) -> Vec<Option<ToolMessage>> {
    let asks = DialogueAct::of(context.question) == DialogueAct::Question;
    let tools = context.executor().tools();
    let names_a_tool = |text: &str| {
        let mut tools = tools.get_tools().iter();
        tools.any(|tool| refers_to(text, tool.name()))
    };
    // What the user said is meant as it is.
    let is_unresolved =
        |text: &str| stands_for_a_result(text, names_a_tool) && !context.question.contains(text);
    let refusal = |call: &ToolCall| {
        let tool = tools.find(&call.name)?;
        if asks && surely_changes(tool.as_ref()) {
            return Some(ONLY_ASKED.to_owned());
        }
        if let Some(parameter) = unresolved_argument(&call.args, is_unresolved) {
            return Some(format!(
                "Not run: the value of \"{parameter}\" stands for the result of another call. Make \
                 that call first, then this one with what it returned."
            ));
        }
        let parameter = placeholder(call, tools.get_tools(), context.question)?;
        let value = call.args.get(&parameter)?;
        Some(format!(
            "Not run: {value} is a name in the schema and no value of \"{parameter}\". Take the \
             value from the user's words."
        ))
    };
    let message = |call: &ToolCall| {
        let refusal = refusal(call)?;
        tracing::warn!(tool = call.name, refusal, "a call is refused");
        Some(ToolMessage::error(&refusal, &call.id).with_name(&call.name))
    };
    reply.tool_calls.iter().map(message).collect()
}
