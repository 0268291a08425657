//! Detects the subject of a query: a device at home, the clock, the web, knowledge, small talk, or
//! another tool.
//!
//! The path of a query: `words` splits the text, `rules` detect what must never be missed,
//! `clauses` splits compound queries, `language` detects other languages, `features` and `weights`
//! are the learned model, and `classifier` combines them into a `classification`. `label` has the
//! intents, `dialogue_act` tells a command from a question, `training` is for the training program. The words of the home are in `english`, which
//! the command engine shares.

mod classification;
mod classifier;
mod clauses;
mod dialogue_act;
mod features;
mod label;
mod language;
mod rules;
pub mod training;
mod weights;
mod words;

pub use classification::{Classification, OpenReason, Scores};
pub use classifier::IntentClassifier;
pub use dialogue_act::DialogueAct;
pub use label::{Intent, IntentSet};
pub use weights::Weights;
