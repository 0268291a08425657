//! English words that the intent classifier and the command engine share: contractions, and the
//! names of devices and their states.
//!
//! The classifier detects the subject of a query, `haft-command` parses it completely. Both must
//! agree on which words are devices and how contractions are expanded, so these tables are in the
//! lower of the two crates. Each splits text in its own way: the classifier hashes words without
//! apostrophes and digits, the engine keeps the position of every word.

mod contractions;
mod home;

pub use self::contractions::written_out;
pub use self::home::{
    DeviceKind, State, is_device_noun, kind_of_group, kind_of_noun, kind_of_one, state,
};

/// True if `word` is one of `choices`, which are separated by `|`.
#[must_use]
pub fn one_of(word: &str, choices: &str) -> bool {
    choices.split('|').any(|choice| choice == word)
}
