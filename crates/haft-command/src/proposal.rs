//! What the engine would do about a conversation, for a program that has a language model beside
//! it and asks the engine first.

use haft_core::Message;

use crate::builtin::Builtin;
use crate::clauses;
use crate::conversation::Progress;
use crate::intent::Intent;
use crate::plan::{self, Step};

/// What the engine proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proposal {
    /// Calls of the bound tools: the engine understands the whole text, and its reply to the
    /// conversation makes them.
    Calls,
    /// A sentence that settles the request: from the results of the calls, or why nothing was
    /// done, or which device is meant.
    Answer(String),
    /// Neither a command nor a question that the engine and the bound tools can settle.
    Unknown,
}

impl Builtin {
    /// What the engine proposes for the latest question of a conversation.
    ///
    /// ```
    /// use haft_command::{Builtin, Proposal};
    /// use haft_core::Message;
    ///
    /// let engine = Builtin::new();
    /// let proposal = engine.proposal(&[Message::user("Who wrote Faust?")]);
    /// assert_eq!(proposal, Proposal::Unknown);
    /// ```
    #[must_use]
    pub fn proposal(&self, messages: &[Message]) -> Proposal {
        let turn = Progress::of(messages);
        let home = self.home(&turn);
        let intents = clauses::intents(&turn.text, home);
        let is_social = |intent: &Intent| {
            matches!(
                intent,
                Intent::Nothing
                    | Intent::Greeting
                    | Intent::Farewell
                    | Intent::Thanks
                    | Intent::Help
            )
        };
        if turn.has_pictures || intents.iter().all(is_social) {
            return Proposal::Unknown;
        }
        for intent in &intents {
            match intent {
                // A bound tool may convert, and a language model knows how to ask it.
                Intent::Unknown | Intent::Convert(_) => return Proposal::Unknown,
                Intent::Stopped(doubt) if doubt.acts => return Proposal::Answer(doubt.sentence()),
                Intent::Stopped(_) => return Proposal::Unknown,
                _ => {}
            }
        }
        let spoken: Vec<Intent> = intents.into_iter().filter(|i| !is_social(i)).collect();
        let steps = plan::steps(&spoken, self.catalog(), home);
        let is_missing = |step: &Step| matches!(step, Step::Missing(_) | Step::Beyond);
        if steps.is_empty() || steps.iter().any(is_missing) {
            return Proposal::Unknown;
        }
        if !self.due(&steps, &turn).is_empty() {
            return Proposal::Calls;
        }
        Proposal::Answer(self.say(&steps, &turn).text)
    }
}
