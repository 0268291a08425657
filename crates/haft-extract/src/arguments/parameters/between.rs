//! What stands between two parameters: the tag of the next one, the end of the call, or stray text.
//!
//! Some formats write parameters as a pair of tags, `<arg_key>K</arg_key><arg_value>V</arg_value>`,
//! with `<arg_type>T</arg_type>` between them in some models. Under load, models lose any of these
//! tags.

use std::ops::Range;

use super::text::{Source, is_container_name};
use super::value::trimmed::resembles;
use super::{Mark, MarkKind, Names, OpenValue, Parameter, Parameters, State, Style, ValueKind};
use crate::limits;
use crate::scan::Seen;
use MarkKind::{Call, Element, Frame, Key, Separator, Type, Value, Wrapper};

/// The opening tag of a value that lost its first sign.
const LOST_BRACKET: &str = "arg_value>";

impl Parameters {
    /// The next tag between two parameters.
    #[inline(never)]
    pub(super) fn between(&mut self, source: &Source<'_>) -> Seen<()> {
        if self.stray.is_none() {
            let blanks = source.blanks(self.at)?;
            self.at = blanks.end;
            self.prefixed |= blanks.prefixed;
            if let Some(mark) = source.unbracketed(self.at)? {
                self.repaired = true;
                return self.open_value(source, &mark);
            }
        }
        let from = self.stray.unwrap_or(self.at);
        let found = source.find(self.at);
        let next = found.unwrap_or(source.len());
        if next - from > limits::AHEAD {
            self.repaired = true;
            return self.over(self.taken, true);
        }
        self.stray = (next > from).then_some(from);
        self.prefixed &= next == self.at;
        self.at = next;
        if found.is_none() {
            source.ended()?;
            self.repaired |= self.style != Style::Message || self.stray.is_some();
            let end = self.stray.map_or(source.len(), |_| self.taken);
            // Of a call that only began, nobody knows what would have followed.
            return self.over(end, self.style != Style::Invoke || !self.list.is_empty());
        }
        if self.stray.is_some()
            && let Some(tag) = source.prefix(next)?
        {
            self.prefixed = true;
            self.at = tag;
            return Ok(());
        }
        match source.kept_or_mark(self.at, self.prefixed)? {
            Some(mark) => self.tag_between(source, &mark),
            None if source.is_cut_tag(self.at) && self.stray.is_none() => {
                self.repaired = true;
                let tag = source.rest(self.at);
                let may_close = tag.starts_with("</") || "<|close|>".starts_with(tag);
                self.over(source.len(), may_close)
            }
            None => self.skip_stray(),
        }
    }

    /// Passes a `<` that means nothing.
    fn skip_stray(&mut self) -> Seen<()> {
        self.stray.get_or_insert(self.at);
        self.at += 1;
        self.prefixed = false;
        Ok(())
    }

    fn tag_between(&mut self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<()> {
        let (at, end, stray) = (self.at, mark.end, self.stray);
        self.repaired |= mark.damaged || stray.is_some();
        // Whatever its name, it holds no other parameters.
        let is_named = |names: &Names| names.not_given(source).any(|name| name == mark.name);
        let is_parameter = || mark.is_empty_element() || self.names.as_ref().is_some_and(is_named);
        let is_container = || is_container_name(mark.name);
        match (mark.kind, mark.close) {
            (MarkKind::Parameter, false) => self.open_value(source, mark),
            (Element, false) if stray.is_some() && !self.prefixed => self.skip_stray(),
            (Element, false) if is_parameter() || !source.is_container(mark)? => {
                self.open_value(source, mark)
            }
            (Key, false) => self.advance(end, State::Key(end)),
            (Key, true) if let Some(key) = stray.and_then(|stray| source.stray_key(stray..at)) => {
                self.advance(end, State::AfterKey(key, ValueKind::Schema))
            }
            (Value, false) => {
                self.repaired = true;
                let value = OpenValue::pair(at..at, ValueKind::Schema, end);
                self.advance(end, State::Value(value))
            }
            (Call, true) => {
                self.repaired |= self.style != Style::Invoke;
                self.over(end, true)
            }
            (Element, true) if self.style == Style::Element && !is_container() => {
                self.over(end, true)
            }
            (Call, false) | (Wrapper | Frame, _) => {
                let is_close = mark.kind == Wrapper && mark.close;
                let is_regular = (is_close && self.style == Style::Pairs)
                    || (mark.kind == Frame && self.style == Style::Message);
                self.repaired |= !is_regular;
                let is_before = stray.is_some() && !is_close;
                self.over(if is_before { self.taken } else { at }, true)
            }
            // What opens or closes nothing that is open here.
            _ => {
                let is_meant = mark.kind == Separator || (mark.kind == Element && is_container());
                self.repaired |= !is_meant;
                self.advance(end, State::Between)
            }
        }
    }

    /// Goes on behind the opening tag of a parameter.
    fn open_value(&mut self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<()> {
        if let Some(parameter) = source.value_in_tag(mark) {
            self.list.push(parameter);
            return self.advance(mark.end, State::Between);
        }
        let value = OpenValue::new(source, mark, self.prefixed);
        self.repaired |= value.key.is_empty();
        self.advance(value.start, State::Value(value))
    }

    /// The name between `<arg_key>` and `</arg_key>`.
    #[inline(never)]
    pub(super) fn key(&mut self, source: &Source<'_>, start: usize) -> Seen<()> {
        let mut from = start;
        let (at, mark) = loop {
            match source.find(from) {
                Some(at) if at - start <= limits::KEY => {
                    from = at + 1;
                    match source.mark(at, false)? {
                        Some(mark) if mark.kind == Element => self.repaired = true,
                        Some(mark) => break (at, mark),
                        None => {}
                    }
                }
                None if source.len() - start <= limits::KEY => return self.cut(source),
                _ => return self.over(start, false),
            }
        };
        let end = mark.end;
        self.repaired |= mark.damaged || mark.kind != Key || !mark.close;
        let key = source.trimmed(start..at);
        let kind = ValueKind::Schema;
        match (mark.kind, mark.close) {
            (Key, false) => self.advance(end, State::Key(end)),
            (Value, false) => self.advance(end, State::Value(OpenValue::pair(key, kind, end))),
            (Value, true) if let Some((key, value)) = source.first_line(&key) => {
                self.list.push(Parameter { key, value, kind });
                self.advance(end, State::Between)
            }
            (Key | Value, true) => self.advance(end, State::AfterKey(key, kind)),
            (Type, false) => self.advance(at, State::AfterKey(key, kind)),
            _ => self.over(at, false),
        }
    }

    /// The reply may have ended inside a parameter.
    fn cut(&mut self, source: &Source<'_>) -> Seen<()> {
        source.ended()?;
        self.repaired = true;
        self.over(source.len(), false)
    }

    /// What stands between a name and its value.
    #[inline(never)]
    pub(super) fn after_key(
        &mut self,
        source: &Source<'_>,
        key: Range<usize>,
        kind: ValueKind,
    ) -> Seen<()> {
        let at = source.blanks(self.at)?.end;
        let is_far = at - self.at > limits::KEY;
        if at == source.len() && !is_far {
            return self.cut(source);
        }
        let Some(mark) = source.mark(at, false)?.filter(|_| !is_far) else {
            return self.unopened_value(source, at, OpenValue::pair(key, kind, self.at));
        };
        let end = mark.end;
        let is_value = !mark.close
            && (mark.kind == Value || (mark.kind == Element && resembles(mark.name, "arg_value")));
        self.repaired |= mark.damaged || mark.close || !matches!(mark.kind, Value | Type);
        match (mark.kind, mark.close) {
            _ if is_value => self.advance(end, State::Value(OpenValue::pair(key, kind, end))),
            (Type, false) => {
                let (kind, end) = source.value_type(end)?.unwrap_or((kind, end));
                self.advance(end, State::AfterKey(key, kind))
            }
            (Key | Type, true) => self.advance(end, State::AfterKey(key, kind)),
            (Key, false) => self.advance(end, State::Key(end)),
            _ if mark.is_of_calls() => self.over(at, false),
            _ => self.unopened_value(source, at, OpenValue::pair(key, kind, self.at)),
        }
    }

    /// A value whose opening tag is missing, or lost its first sign, behind the blanks before `at`.
    fn unopened_value(&mut self, source: &Source<'_>, at: usize, mut value: OpenValue) -> Seen<()> {
        self.repaired = true;
        value.unopened = true;
        if source.begins(at, LOST_BRACKET)? {
            value.start = at + LOST_BRACKET.len();
        }
        self.advance(value.start, State::Value(value))
    }
}
