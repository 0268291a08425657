//! What has happened since the last question.

use haft_core::{AiMessage, Message, ToolMessage};

/// The replies and results since the last question.
pub(super) struct Turn<'a> {
    /// Replies since the question.
    pub(super) replies: Vec<&'a AiMessage>,
    /// The results of the last reply's calls.
    pub(super) results: Vec<&'a ToolMessage>,
}

impl<'a> Turn<'a> {
    pub(super) fn of(messages: &'a [Message]) -> Self {
        let is_question = |message: &Message| matches!(message, Message::Human(_));
        let start = messages
            .iter()
            .rposition(is_question)
            .map_or(0, |at| at + 1);
        let since = messages.get(start..).unwrap_or_default();
        let mut turn = Self {
            replies: Vec::new(),
            results: Vec::new(),
        };
        for message in since {
            match message {
                Message::Ai(reply) => {
                    turn.replies.push(reply);
                    turn.results.clear();
                }
                Message::Tool(result) => turn.results.push(result),
                _ => {}
            }
        }
        turn
    }

    /// True when the `last` reply repeats the calls of an earlier one.
    pub(super) fn repeats(&self, last: &AiMessage) -> bool {
        let same = |reply: &&&AiMessage| reply.tool_calls == last.tool_calls;
        self.replies.iter().filter(same).count() > 1
    }
}
