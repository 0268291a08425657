//! A blank reply that ran out of tokens: the same question, with room for more.

use haft_core::{AiMessage, CallOptions, Rung, StopReason, ToolChoice};

use super::is_blank;
use super::reask::Reask;
use crate::run::Run;

impl Run {
    /// The reply with more room, of use or not; none where that is not what was missing.
    pub(super) async fn more_room(
        &mut self,
        blank: &AiMessage,
        withheld: Option<Rung>,
    ) -> Option<AiMessage> {
        if blank.stop_reason != Some(StopReason::MaxTokens) || !self.sees(Rung::MoreRoom) {
            return None;
        }
        let tool_choice = if withheld.is_some() {
            ToolChoice::None
        } else {
            ToolChoice::Auto
        };
        let asked = Reask {
            rung: Rung::MoreRoom,
            reason: "the reply ran out of tokens before it said anything",
            messages: self.shown().await,
            options: CallOptions {
                tool_choice,
                more_room: true,
                ..CallOptions::default()
            },
        };
        let reply = self.reask(asked, |reply| !is_blank(reply, withheld)).await;
        reply.map_or_else(|reply| reply, Some)
    }
}
