//! Calls of which none is valid: the model reads the exact error and tries once more.
//!
//! The error goes out as the answer to each call, which every call gets anyway. What this rung
//! adds is an end: the same errors again, and the next turn goes without tools.

use haft_core::{AiMessage, Rung};

use super::Checked;
use crate::run::Run;

impl Run {
    /// Sees whether no call of a round is valid, and whether that was so before.
    pub(super) async fn look_at_errors(&mut self, reply: &AiMessage, checked: &[Checked]) {
        let refused = checked.iter().filter_map(|call| call.as_ref().err());
        let unread = reply.invalid_tool_calls.iter();
        let errors: Vec<String> = refused
            .map(ToString::to_string)
            .chain(unread.map(|call| call.error.clone()))
            .collect();
        if checked.iter().any(Result::is_ok) {
            self.ladder.errors = None;
            return;
        }
        let again = self.ladder.errors.as_ref() == Some(&errors);
        let first = errors.first().cloned().unwrap_or_default();
        self.ladder.errors = Some(errors);
        if !self.sees(Rung::InvalidCalls) {
            return;
        }
        let reason = if again {
            self.ladder.withheld = Some(Rung::InvalidCalls);
            format!("the same error again, so the next turn goes without tools: {first}")
        } else {
            format!("the model reads what is wrong: {first}")
        };
        self.begin_pending(Rung::InvalidCalls, &reason).await;
    }
}
