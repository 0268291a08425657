//! The last turn: it goes without tools, so that the work so far ends in an answer.

use haft_core::Rung;

use crate::run::Run;

impl Run {
    /// Why the next turn goes without tools, if it does.
    pub(crate) async fn withhold_tools(&mut self) -> Option<Rung> {
        if let Some(rung) = self.ladder.withheld {
            return Some(rung);
        }
        if !self.is_last_round() {
            return None;
        }
        // Nobody's work is cut short by the only turn that there is.
        if self.turns == 0 {
            return Some(Rung::RoundLimit);
        }
        if !self.sees(Rung::RoundLimit) {
            return None;
        }
        let limit = self.shared.options.max_rounds;
        let reason = format!("the last of {limit} rounds goes without tools");
        self.begin_pending(Rung::RoundLimit, &reason).await;
        Some(Rung::RoundLimit)
    }
}
