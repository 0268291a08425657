//! A blank reply: the question once more, without tools and with the word to answer directly.

use haft_core::{AiMessage, CallOptions, Message, Rung, ToolChoice};

use super::Tried;
use super::reask::Reask;
use crate::run::Run;

/// The guidance of the second request, word for word as specified.
const GUIDANCE: &str = "Answer the question directly without calling any tools";

impl Run {
    /// Counts a blank reply and tells the log, whether anything is done about it or not. A list
    /// of calls that is empty and one that is missing are the same here.
    pub(super) fn note_blank(&mut self, reply: &AiMessage) {
        self.count_blank();
        tracing::warn!(
            model = self.shared.model.id(),
            round = self.rounds,
            original_ms = super::milliseconds(self.took),
            stop_reason = ?reply.stop_reason,
            "Empty tool call pattern detected"
        );
    }

    /// The answer without tools.
    pub(super) async fn without_tools(&mut self) -> Tried {
        let options = CallOptions::default();
        self.direct(Rung::WithoutTools, "the reply is blank", options)
            .await
    }

    /// Asks for a direct answer; calls count for nothing in it.
    pub(super) async fn direct(
        &mut self,
        rung: Rung,
        reason: &'static str,
        options: CallOptions,
    ) -> Tried {
        if !self.sees(rung) {
            return Tried::Not;
        }
        let asked = Reask {
            rung,
            reason,
            messages: guided(self.shown().await),
            options: CallOptions {
                tool_choice: ToolChoice::None,
                ..options
            },
        };
        match self.reask(asked, |reply| !reply.content.is_blank()).await {
            Ok(reply) => Tried::Helped(AiMessage {
                tool_calls: Vec::new(),
                invalid_tool_calls: Vec::new(),
                ..reply
            }),
            Err(_) => Tried::InVain,
        }
    }
}

/// The conversation with the guidance. Many chat templates take a system message at the
/// beginning only, and only one.
fn guided(mut messages: Vec<Message>) -> Vec<Message> {
    match messages.first_mut() {
        Some(Message::System(system)) => system.content.push_paragraph(GUIDANCE),
        _ => messages.insert(0, Message::system(GUIDANCE)),
    }
    messages
}
