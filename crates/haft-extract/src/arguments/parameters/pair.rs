//! Parameters written as a pair of tags: `<arg_key>K</arg_key><arg_value>V</arg_value>`, with
//! `<arg_type>T</arg_type>` between them in some models. Under load, models lose any of these tags.

use std::ops::Range;

use crate::arguments::parameters::mark::MarkKind;
use crate::arguments::parameters::misspelt::resembles;
use crate::arguments::parameters::value::OpenValue;
use crate::arguments::parameters::{Parameter, Parameters, State, ValueKind};
use crate::scan::{Seen, Text};

/// The longest name of a parameter that stands between two tags.
pub(super) const MAX_KEY: usize = 256;

/// The opening tag of a value that lost its first sign.
const LOST_BRACKET: &str = "arg_value>";

impl Parameters {
    /// The name between `<arg_key>` and `</arg_key>`.
    pub(super) fn key(&mut self, source: &Text<'_>, start: usize) -> Seen<()> {
        let mut from = start;
        let (at, mark) = loop {
            match source.find(from) {
                Some(at) if at - start <= MAX_KEY => {
                    from = at + 1;
                    match source.mark(at, false)? {
                        Some(mark) if mark.kind == MarkKind::Element => self.repaired = true,
                        Some(mark) => break (at, mark),
                        None => {}
                    }
                }
                None if source.len() - start <= MAX_KEY => return self.cut(source),
                _ => {
                    self.repaired = true;
                    self.stray = Some(start);
                    self.state = State::Between;
                    return Ok(());
                }
            }
        };
        let end = mark.end;
        self.repaired |= mark.damaged || mark.kind != MarkKind::Key || !mark.close;
        let key = source.trimmed(start..at);
        let kind = ValueKind::Schema;
        match (mark.kind, mark.close) {
            (MarkKind::Key, false) => self.take(end, State::Key(end)),
            (MarkKind::Value, false) => {
                self.take(end, State::Value(OpenValue::pair(key, kind, end)));
            }
            (MarkKind::Value, true) if let Some((key, value)) = source.first_line(&key) => {
                self.list.push(Parameter { key, value, kind });
                self.take_between(end);
            }
            (MarkKind::Key | MarkKind::Value, true) => {
                self.take(end, State::AfterKey(key, kind));
            }
            (MarkKind::Type, false) => self.take(at, State::AfterKey(key, kind)),
            _ => self.over(at, false),
        }
        Ok(())
    }

    /// The reply may have ended inside a parameter.
    fn cut(&mut self, source: &Text<'_>) -> Seen<()> {
        source.ended()?;
        self.repaired = true;
        self.over(source.len(), false);
        Ok(())
    }

    /// What stands between a name and its value.
    pub(super) fn after_key(
        &mut self,
        source: &Text<'_>,
        key: Range<usize>,
        kind: ValueKind,
    ) -> Seen<()> {
        let at = source.blanks(self.at)?.end;
        let is_far = at - self.at > MAX_KEY;
        if at == source.len() && !is_far {
            return self.cut(source);
        }
        let Some(mark) = source.mark(at, false)?.filter(|_| !is_far) else {
            return self.unopened_value(source, at, OpenValue::pair(key, kind, self.at));
        };
        let end = mark.end;
        let is_value = (mark.kind == MarkKind::Value && !mark.close)
            || (mark.kind == MarkKind::Element && !mark.close && resembles(mark.name, "arg_value"));
        let is_expected = !mark.close && matches!(mark.kind, MarkKind::Value | MarkKind::Type);
        self.repaired |= mark.damaged || !is_expected;
        match (mark.kind, mark.close) {
            _ if is_value => self.take(end, State::Value(OpenValue::pair(key, kind, end))),
            (MarkKind::Type, false) => {
                let (kind, end) = source.value_type(end)?.unwrap_or((kind, end));
                self.take(end, State::AfterKey(key, kind));
            }
            (MarkKind::Key | MarkKind::Type, true) => self.take(end, State::AfterKey(key, kind)),
            (MarkKind::Key, false) => self.take(end, State::Key(end)),
            _ if mark.is_of_calls() => self.over(at, false),
            _ => return self.unopened_value(source, at, OpenValue::pair(key, kind, self.at)),
        }
        Ok(())
    }

    /// A value whose opening tag is missing, or lost its first sign, behind the blanks before `at`.
    fn unopened_value(&mut self, source: &Text<'_>, at: usize, mut value: OpenValue) -> Seen<()> {
        self.repaired = true;
        value.unopened = true;
        if source.begins(at, LOST_BRACKET)? {
            value.start = at + LOST_BRACKET.len();
        }
        self.take(value.start, State::Value(value));
        Ok(())
    }
}
