//! How a question ended: decided from what the calls and the reply report.
//!
//! Only where no call succeeded and nobody else knows, the words of the reply count: a model that
//! says that it does not know has not answered.

use std::sync::Arc;

use haft_core::{AiMessage, Message, Outcome, StopReason, Tool, ToolStatus};
use haft_select::DialogueAct;

use crate::model_requests::is_cut;
use crate::tool_effect::surely_changes;
use crate::verification::Unproven;
use crate::web_search::admits_no_knowledge;

/// What a question ends with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending<'a> {
    /// The messages up to the reply.
    pub(crate) conversation: &'a [Message],
    /// All tools of the agent.
    pub(crate) tools: &'a [Arc<dyn Tool>],
    /// The outcome, if the reply is an answer.
    pub(crate) answered: Outcome,
}

/// What became of the calls of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// There were none.
    None,
    /// One succeeded; after a command, also one that changes something if there were any such.
    Succeeded,
    Failed,
}

impl Ending<'_> {
    /// The outcome of the question that `reply`, which has no calls, ends.
    pub(crate) fn outcome(&self, reply: &AiMessage) -> Outcome {
        if is_cut(reply) {
            return Outcome::Truncated;
        }
        if matches!(
            reply.stop_reason,
            Some(StopReason::Refusal | StopReason::Declined)
        ) {
            return match self.calls() {
                Calls::Failed => Outcome::ToolsFailed,
                Calls::None | Calls::Succeeded => Outcome::Refused,
            };
        }
        match self.calls() {
            Calls::Failed => Outcome::ToolsFailed,
            Calls::None if self.is_excuse(reply) => Outcome::Refused,
            Calls::None | Calls::Succeeded => self.answered,
        }
    }

    /// True where the model admits that it does not know, or that it did not do what only a tool
    /// can do.
    fn is_excuse(&self, reply: &AiMessage) -> bool {
        let unproven = Unproven {
            conversation: self.conversation,
            tools: self.tools,
        };
        admits_no_knowledge(reply) || unproven.is_excuse(&reply.content.text())
    }

    /// The calls since the latest question.
    fn calls(&self) -> Calls {
        let is_question = |message: &Message| matches!(message, Message::Human(_));
        let start = self.conversation.iter().rposition(is_question);
        let question = start.and_then(|start| self.conversation.get(start));
        let question = question.map(|question| question.content().text());
        // To look something up, no change must succeed.
        let only_asks =
            question.is_some_and(|question| DialogueAct::of(&question) == DialogueAct::Question);
        let since = self.conversation.iter().skip(start.unwrap_or_default());
        let results: Vec<_> = since
            .filter_map(|message| match message {
                Message::Tool(result) => Some(result),
                _ => None,
            })
            .collect();
        let changes = |name: &Option<String>| {
            let mut tools = self.tools.iter();
            let named = |tool: &&Arc<dyn Tool>| {
                let name = name.as_deref();
                name == Some(tool.name()) || (name.is_some() && name == tool.lc_name())
            };
            tools
                .find(named)
                .is_some_and(|tool| surely_changes(tool.as_ref()))
        };
        let is_success = |status: ToolStatus| status == ToolStatus::Success;
        let mut changing = results
            .iter()
            .filter(|result| changes(&result.name))
            .peekable();
        let has_changed = match changing.peek() {
            None => true,
            Some(_) if only_asks => true,
            Some(_) => changing.any(|result| is_success(result.status)),
        };
        if results.is_empty() {
            Calls::None
        } else if has_changed && results.iter().any(|result| is_success(result.status)) {
            Calls::Succeeded
        } else {
            Calls::Failed
        }
    }
}

#[cfg(test)]
mod tests;
