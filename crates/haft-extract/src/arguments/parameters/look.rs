//! Bounded looks ahead: what follows a tag, and whether a tag is cut off.

use super::ValueKind;
use super::mark::{Mark, MarkKind};
use crate::formats::Role;
use crate::scan::bytes::is_word_of;
use crate::scan::tag::tag_at;
use crate::scan::{Seen, Text};

/// The longest name of a type.
const MAX_TYPE: usize = 64;

/// The longest run of blanks at the beginning of a container.
const MAX_CONTAINER_BLANKS: usize = 256;

/// The longest piece of a tag at the end of a reply that is taken for a tag cut off.
const MAX_CUT_TAG: usize = 64;

/// The longest name of a parameter without its opening tag.
const MAX_UNOPENED: usize = 64;

impl<'t> Text<'t> {
    /// Whether MiniMax's tag that ends at `end` opens a parameter which is named like the wrapper of
    /// calls: no call follows in it.
    pub(super) fn is_parameter(&self, end: usize) -> Seen<bool> {
        let next = self.blanks(end)?.end;
        if next - end > MAX_CONTAINER_BLANKS {
            return Ok(false);
        }
        match self.byte(next) {
            None => self.ended().map(|()| false),
            Some(b'<') => {
                let role = tag_at(*self, next)?.and_then(|tag| Some(tag.marker?.role));
                Ok(role != Some(Role::Invoke))
            }
            Some(_) => Ok(true),
        }
    }

    /// The kind that `<arg_type>` names, from behind that tag, and the offset behind its closing
    /// tag.
    pub(super) fn value_type(&self, from: usize) -> Seen<Option<(ValueKind, usize)>> {
        let Some(at) = self.find_near(from, MAX_TYPE)? else {
            return Ok(None);
        };
        let kind = kind_of_type(self.slice(&(from..at)).trim()).unwrap_or(ValueKind::Schema);
        let close = self.mark(at, false)?;
        let close = close.filter(|mark| mark.kind == MarkKind::Type && mark.close);
        Ok(Some((kind, close.map_or(at, |mark| mark.end))))
    }

    /// True when the element holds the parameters of the call: `<parameters><city>...`.
    pub(super) fn is_container(&self, mark: &Mark<'_>) -> Seen<bool> {
        if !is_container_name(mark.name) {
            return Ok(false);
        }
        let next = self.blanks(mark.end)?.end;
        if next - mark.end > MAX_CONTAINER_BLANKS {
            return Ok(false);
        }
        match (self.byte(next), self.byte(next + 1)) {
            (None, _) | (Some(b'<'), None) => self.ended().map(|()| false),
            (first, second) => Ok(first == Some(b'<') && second != Some(b'/')),
        }
    }

    /// Whether a name and the tags that stand around it and its value follow `<arg_key>`.
    pub(super) fn is_whole_key(&self, from: usize) -> Seen<bool> {
        let close = self.name_and_mark(from)?;
        let Some(close) = close.filter(|mark| mark.kind == MarkKind::Key && mark.close) else {
            return Ok(false);
        };
        let value = self.name_and_mark(close.end)?;
        Ok(value.is_some_and(|mark| mark.kind == MarkKind::Value && !mark.close))
    }

    /// Whether a call goes on behind the tag that may have opened it.
    pub(super) fn opens_call(&self, from: usize) -> Seen<bool> {
        let mark = self.name_and_mark(from)?;
        Ok(mark.is_some_and(|mark| mark.opens_parameter() || mark.kind == MarkKind::Call))
    }

    /// The tag behind blanks and at most one name.
    pub(super) fn name_and_mark(&self, from: usize) -> Seen<Option<Mark<'t>>> {
        let Some(at) = self.find_near(from, MAX_CUT_TAG)? else {
            return Ok(None);
        };
        match self.slice(&(from..at)).trim().contains(char::is_whitespace) {
            true => Ok(None),
            false => self.mark(at, false),
        }
    }

    /// True when the reply ends inside a tag that begins at `at`.
    pub(super) fn is_cut_tag(&self, at: usize) -> bool {
        let mut unfinished = *self;
        unfinished.finished = false;
        self.finished && self.len() - at <= MAX_CUT_TAG && unfinished.mark(at, false).is_err()
    }

    /// True when it may be a closing one.
    pub(super) fn is_cut_closing_tag(&self, at: usize) -> bool {
        let rest = self.rest(at);
        self.is_cut_tag(at)
            && (rest.len() == 1 || rest.starts_with("</") || "<|close|>".starts_with(rest))
    }

    /// Whether a name stands at `at` whose opening tag was lost: `city</arg_key>`.
    pub(super) fn is_unopened_key(&self, at: usize) -> Seen<bool> {
        let len = self.word_length(at, MAX_UNOPENED);
        if at + len == self.len() {
            self.ended()?;
        }
        if len == 0 || self.byte(at + len) != Some(b'<') {
            return Ok(false);
        }
        let mark = self.mark(at + len, false)?;
        Ok(mark.is_some_and(|mark| mark.kind == MarkKind::Key && mark.close))
    }
}

pub(super) fn kind_of_type(name: &str) -> Option<ValueKind> {
    const JSON: &str = "number integer boolean object array null int float bool list dict json";
    match is_word_of("string str text", name) {
        true => Some(ValueKind::Text),
        false => is_word_of(JSON, name).then_some(ValueKind::Json),
    }
}

/// True for an element that holds the parameters of a call.
pub(super) fn is_container_name(name: &str) -> bool {
    is_word_of("parameters params arguments args", name)
}
