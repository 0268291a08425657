//! The frame of the reader: where it is, what is open, blanks and comments, and which kind of
//! value stands there.

use haft_schema::{Repair, RepairKind};
use serde_json::Value;

use super::{Read, ReadError};
use crate::scan::{Place, Stray, Text, stray_closer};
use crate::{limits, scan::bytes::is_closer};

/// What was read last; it decides whether brackets that are open at the end may be supplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Last {
    /// A bracket was opened.
    #[default]
    Opener,
    /// A value was complete.
    Value,
    /// A comma after a value.
    Comma,
}

/// Reads one text from left to right.
#[derive(Debug, Default)]
pub(super) struct ValueReader<'t> {
    /// What is read; whether the reply goes on is said by `cut`.
    pub(super) source: Text<'t>,
    /// Where it is, in bytes.
    pub(super) at: usize,
    /// The reply ended where the text does.
    pub(super) cut: bool,
    /// The text stands between brackets that are not part of it.
    pub(super) is_enclosed: bool,
    /// Python's quotes, literals, tuples and trailing commas are no damage here.
    pub(super) is_python: bool,
    /// The argument being read has a name.
    pub(super) is_named: bool,
    /// A comma stood before the part that is being read, or before the end of the parts.
    pub(super) had_comma: bool,
    /// The closers of the open brackets, outermost first.
    pub(super) open: Vec<u8>,
    pub(super) last: Last,
    pub(super) repairs: Repairs,
}

impl<'t> ValueReader<'t> {
    pub(super) fn new(text: &'t str, cut: bool) -> Self {
        Self {
            source: Text::whole(text),
            cut,
            ..Self::default()
        }
    }

    /// What was read, with all repairs.
    pub(super) fn finish<T>(self, value: T) -> Read<T> {
        let finish = |(mut repair, count): (Repair, usize)| {
            if count > 1 && repair.kind != RepairKind::ClosersSupplied {
                repair.path.clear();
                repair.before.push_str(&format!(" and {} more", count - 1));
            }
            repair
        };
        let repairs = self.repairs.made.into_iter().map(finish).collect();
        Read { value, repairs }
    }

    /// The value at top level.
    pub(super) fn alone(&mut self) -> Result<Value, ReadError> {
        self.blanks();
        self.value(Place::Alone)
    }

    /// The value that begins here.
    pub(super) fn value(&mut self, place: Place) -> Result<Value, ReadError> {
        self.blanks_before_value();
        let value = match self.peek().ok_or(ReadError::CutOff)? {
            b'{' => self.braces()?,
            b'[' => self.list()?,
            b'(' => self.parentheses(place)?,
            _ => match self.quote() {
                Some(quote) => Value::String(self.string(quote, place)?),
                None => self.bare(place)?,
            },
        };
        self.last = Last::Value;
        Ok(value)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.source.byte(self.at)
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        self.source.bytes(self.at)
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.source.slice(&(from..to))
    }

    /// Records a repair of the value being read.
    pub(super) fn repair(&mut self, kind: RepairKind, before: &str, after: &str) {
        let Repairs { made, pointer } = &mut self.repairs;
        let mut known = made.iter_mut();
        let Some((repair, count)) = known.find(|(repair, _)| repair.kind == kind) else {
            let repair = Repair::new(&*pointer, kind, clip(before), clip(after));
            return made.push((repair, 1));
        };
        *count += 1;
        if kind == RepairKind::ClosersSupplied {
            repair.after.push_str(after);
        }
    }

    /// As [`repair`](Self::repair), but not for what Python allows.
    pub(super) fn mend_json(&mut self, kind: RepairKind, before: &str, after: &str) {
        if !self.is_python {
            self.repair(kind, before, after);
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> ReadError {
        let at = self.at;
        ReadError::Unreadable { at, expected }
    }

    /// True when what touches the end of the text may have gone on in the reply.
    pub(super) fn may_go_on(&self) -> bool {
        self.cut && (self.is_enclosed || !self.open.is_empty())
    }

    /// Steps over an opening bracket.
    pub(super) fn enter(&mut self, closer: u8) -> Result<(), ReadError> {
        if self.open.len() >= limits::DEPTH {
            return Err(self.expected("at most 64 brackets inside each other"));
        }
        self.at += 1;
        self.open.push(closer);
        self.last = Last::Opener;
        Ok(())
    }

    /// True when the bracket that `closer` closes ends here: with it, with a wrong one, or
    /// without, when an outer one closes or the text ends after a complete value.
    pub(super) fn ends(&mut self, closer: u8) -> Result<bool, ReadError> {
        let name = |closer: u8| char::from(closer).to_string();
        loop {
            self.blanks();
            let Some(byte) = self.peek() else {
                if self.last == Last::Opener || (self.last == Last::Comma && self.cut) {
                    return Err(ReadError::CutOff);
                }
                self.repair(RepairKind::ClosersSupplied, "", &name(closer));
                break;
            };
            if byte == closer {
                self.at += 1;
                break;
            }
            if !is_closer(byte) {
                return Ok(false);
            }
            let after = Text::whole(self.source.rest(self.at + 1));
            let stray = stray_closer(byte, &self.open, 0, after);
            let is_extra = matches!(stray, Err(_) | Ok(Stray::Nothing));
            let meant = if is_extra { "nothing" } else { &name(closer) };
            self.repair(RepairKind::BracketRepaired, &name(byte), meant);
            self.at += usize::from(stray != Ok(Stray::Outer));
            if !is_extra {
                break;
            }
            self.commas();
        }
        self.close();
        Ok(true)
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
        self.last = Last::Value;
    }
}

/// What was repaired so far, and where the reader is.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs {
    /// The repairs, and how often each was made.
    made: Vec<(Repair, usize)>,
    /// JSON pointer to the value being read.
    pointer: String,
}

impl Repairs {
    /// Goes into a part of the value: a member by its name, or an item by its number. Returns where
    /// to [come out](Self::leave).
    pub(super) fn enter(&mut self, step: &str) -> usize {
        let outer = self.pointer.len();
        self.pointer.push('/');
        for c in step.chars() {
            match c {
                '~' => self.pointer.push_str("~0"),
                '/' => self.pointer.push_str("~1"),
                c => self.pointer.push(c),
            }
        }
        outer
    }

    pub(super) fn leave(&mut self, outer: usize) {
        self.pointer.truncate(outer);
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(limits::EXCERPT) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
