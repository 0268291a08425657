//! The names of the arguments that the calls of a tool usually have, as a map to be copied and
//! filled: copying one hashes no name, and the calls of a tool have mostly the same.
//!
//! What is filled is checked in the same pass: of names that were right once only the values are
//! looked at.

use std::sync::OnceLock;

use haft_core::Arguments;
use haft_schema::{CompiledSchema, Member, PropertyKinds};
use serde_json::Value;

use crate::output::{Mark, hash_of_name};

/// Names that are kept of one object. A call with more is not copied from.
const MAX_NAMES: usize = 16;

/// Bytes of a name that is kept.
const MAX_LENGTH: usize = 64;

/// How deep objects are kept.
const MAX_DEPTH: usize = 3;

/// What the first right call of a tool had.
#[derive(Debug, Default)]
pub(super) struct Usual(OnceLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The names with nothing behind them.
    names: Arguments,
    /// What the schema wants of each; nothing where that does not tell whether they are right.
    members: Vec<(Member, u64)>,
}

/// A map that is being filled.
pub(crate) struct Filling<'s> {
    /// The names that are expected, with nothing behind them.
    pub(crate) arguments: Arguments,
    pub(crate) check: Check<'s>,
}

/// What is said of the arguments that were filled in so far.
pub(crate) struct Check<'s> {
    schema: Option<&'s CompiledSchema>,
    /// What is wanted of each, and the hash of its name.
    members: &'s [(Member, u64)],
    is_right: bool,
    has_object: bool,
    filled: usize,
    mark: Mark,
}

/// Arguments that were read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filled {
    pub(crate) arguments: Arguments,
    /// They are right as they are, and this is their mark.
    pub(crate) mark: Option<Mark>,
}

impl Usual {
    /// A map to be filled; an empty one as long as there was no call.
    pub(super) fn filling<'s>(
        &'s self,
        schema: impl FnOnce() -> Option<&'s CompiledSchema>,
        mark: Mark,
    ) -> Filling<'s> {
        let Some(known) = self.0.get() else {
            return Filling::empty();
        };
        Filling {
            arguments: known.names.clone(),
            check: Check {
                schema: schema(),
                members: &known.members,
                is_right: true,
                has_object: false,
                filled: 0,
                mark,
            },
        }
    }

    /// A call came with these.
    pub(super) fn note(&self, arguments: &Arguments, schema: Option<&CompiledSchema>) {
        if self.0.get().is_none() {
            self.0.get_or_init(|| known(arguments, schema));
        }
    }
}

fn known(arguments: &Arguments, schema: Option<&CompiledSchema>) -> Known {
    let names = names(arguments, 1).unwrap_or_default();
    let hashes = names.keys().map(|name| hash_of_name(name));
    let members = schema.and_then(|schema| schema.members(arguments));
    let members = members.unwrap_or_default().into_iter();
    Known {
        members: members.zip(hashes).collect(),
        names,
    }
}

impl Filling<'_> {
    /// A map of which nothing is expected.
    pub(crate) fn empty() -> Self {
        Self {
            arguments: Arguments::new(),
            check: Check::nothing(),
        }
    }
}

impl Check<'_> {
    /// Of arguments of which nothing is known.
    pub(crate) fn nothing() -> Self {
        Self {
            schema: None,
            members: &[],
            is_right: false,
            has_object: false,
            filled: 0,
            mark: Mark::default(),
        }
    }

    /// The sorts of values that the next of the names that are expected takes.
    pub(crate) fn kinds(&self) -> Option<PropertyKinds> {
        let (member, _) = self.members.get(self.filled)?;
        Some(member.kinds())
    }

    /// The next of the names that are expected has this value.
    #[inline]
    pub(crate) fn filled(&mut self, value: &Value) {
        let (Some((member, hash)), Some(schema)) = (self.members.get(self.filled), self.schema)
        else {
            self.is_right = false;
            return;
        };
        self.filled += 1;
        self.is_right = self.is_right && schema.takes(*member, value);
        self.has_object |= value.is_object();
        self.mark.member(*hash, value);
    }

    /// One that was filled was there once more, with another value.
    pub(crate) fn replaced(&mut self) {
        self.is_right = false;
    }

    /// What was found out about the `arguments`, which are filled.
    pub(crate) fn end(self, arguments: Arguments) -> Filled {
        let len = arguments.len();
        let is_all = self.filled == self.members.len() && self.filled == len;
        // A call may be written whole where its arguments belong.
        let may_be_frame = len == 2 && self.has_object;
        let is_right = self.is_right && is_all && !may_be_frame;
        Filled {
            mark: is_right.then(|| self.mark.of(len)),
            arguments,
        }
    }
}

impl From<Arguments> for Filled {
    /// Arguments of which nothing else is known.
    fn from(arguments: Arguments) -> Self {
        Self {
            arguments,
            mark: None,
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
