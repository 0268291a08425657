//! The English that the intent classifier and the command engine share: contractions, and what
//! things at home and their states are called.
//!
//! The classifier tells what a query is about, `haft-command` understands it to the last word. Both
//! read the same sentences, so both must agree on which words are a device and what "don't" is made
//! of; that is why these tables stand once, in the lower of the two crates. How a text is cut into
//! words is each reader's own: the classifier hashes words without apostrophes and digits, while
//! the engine keeps the place of every word and what stands between them.

mod contractions;
mod home;

pub use self::contractions::written_out;
pub use self::home::{
    DeviceKind, State, is_device_noun, kind_of_group, kind_of_noun, kind_of_one, state,
};

/// True when `word` is one of `choices`, which are separated by `|`.
#[must_use]
pub fn one_of(word: &str, choices: &str) -> bool {
    choices.split('|').any(|choice| choice == word)
}
