//! What a query is about: a thing at home, the clock, the web, knowledge, small talk, or another
//! tool.
//!
//! `label` names the intents. `words` cuts a text, `features` and `weights` are the learned part,
//! `rules` stands in front of it for what must never be missed, `clauses` finds the parts of a
//! compound query, `language` tells whether it is English at all, `classifier` joins them,
//! `training` is for the program that learns. The words of the home come from `english`, which the
//! command engine shares.

mod classification;
mod classifier;
mod clauses;
mod features;
mod label;
mod language;
mod rules;
pub mod training;
mod weights;
mod words;

pub use classification::{Classification, OpenReason, Scores};
pub use classifier::IntentClassifier;
pub use label::{Intent, IntentSet};
pub use weights::Weights;
