//! Where the conversation stands: what was asked last, and what was called since.

use haft_core::{Message, ToolCall, ToolMessage};

use super::catalog::Wanted;

/// The current turn, from the last message of the user on.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) text: String,
    pub(super) has_pictures: bool,
    /// How often tools were called in this turn.
    pub(super) rounds: usize,
    /// How many calls the whole conversation holds; new ids count on from here.
    pub(super) calls_before: usize,
    calls: Vec<(ToolCall, Option<ToolMessage>)>,
}

impl Progress {
    pub(super) fn of(messages: &[Message]) -> Self {
        let mut turn = Self::default();
        for message in messages {
            match message {
                Message::System(_) => {}
                Message::Human(human) => {
                    turn = Self {
                        text: human.content.text(),
                        has_pictures: human.content.images().next().is_some(),
                        calls_before: turn.calls_before,
                        ..Self::default()
                    };
                }
                Message::Ai(reply) => {
                    turn.rounds += usize::from(!reply.tool_calls.is_empty());
                    turn.calls_before += reply.tool_calls.len();
                    turn.calls
                        .extend(reply.tool_calls.iter().map(|call| (call.clone(), None)));
                }
                Message::Tool(result) => {
                    let open = turn
                        .calls
                        .iter_mut()
                        .find(|(call, answer)| call.id == result.tool_call_id && answer.is_none());
                    if let Some((_, answer)) = open {
                        *answer = Some(result.clone());
                    }
                }
            }
        }
        turn
    }

    /// True when this very call was made in this turn.
    pub(super) fn has_called(&self, wanted: &Wanted) -> bool {
        self.calls.iter().any(|(call, _)| is_same(call, wanted))
    }

    /// The result of this very call.
    pub(super) fn result(&self, wanted: &Wanted) -> Option<&ToolMessage> {
        let (_, result) = self.calls.iter().find(|(call, _)| is_same(call, wanted))?;
        result.as_ref()
    }

    /// All results in the order of their calls.
    pub(super) fn results(&self) -> impl Iterator<Item = &ToolMessage> {
        self.calls.iter().filter_map(|(_, result)| result.as_ref())
    }
}

fn is_same(call: &ToolCall, wanted: &Wanted) -> bool {
    call.name == wanted.tool && call.args == wanted.arguments
}
