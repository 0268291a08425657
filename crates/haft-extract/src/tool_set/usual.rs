//! The names of the arguments that the calls of a tool usually have, as a map to be copied and
//! filled: copying one hashes no name, and the calls of a tool have mostly the same.

use std::sync::OnceLock;

use haft_core::Arguments;
use serde_json::Value;

/// Names that are kept of one object. A call with more is not copied from.
const MAX_NAMES: usize = 16;

/// Bytes of a name that is kept.
const MAX_LENGTH: usize = 64;

/// How deep objects are kept.
const MAX_DEPTH: usize = 3;

/// What the first right call of a tool had.
#[derive(Debug, Default)]
pub(super) struct Usual(OnceLock<Arguments>);

impl Usual {
    /// The names with nothing behind them; none as long as there was no call.
    pub(super) fn names(&self) -> Arguments {
        self.0.get().cloned().unwrap_or_default()
    }

    /// A call came with these.
    pub(super) fn note(&self, arguments: &Arguments) {
        if self.0.get().is_none() {
            self.0
                .get_or_init(|| names(arguments, 1).unwrap_or_default());
        }
    }
}

/// The names in `members`, unless they are many or unusual. What is in a name here is the same in
/// every notation.
fn names(members: &Arguments, depth: usize) -> Option<Arguments> {
    let is_plain = |name: &String| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (1..=MAX_LENGTH).contains(&name.len()) && name.bytes().all(is_letter)
    };
    if members.len() > MAX_NAMES || depth > MAX_DEPTH || !members.keys().all(is_plain) {
        return None;
    }
    let empty = |value: &Value| match value {
        Value::Object(members) => names(members, depth + 1).map_or(Value::Null, Value::Object),
        _ => Value::Null,
    };
    let members = members.iter();
    Some(
        members
            .map(|(name, value)| (name.clone(), empty(value)))
            .collect(),
    )
}

/// Takes from `members` all but the first `count`.
pub(crate) fn keep_first(members: &mut Arguments, count: usize) {
    if count < members.len() {
        let mut at = 0;
        members.retain(|_, _| {
            at += 1;
            at <= count
        });
    }
}

#[cfg(test)]
mod tests;
