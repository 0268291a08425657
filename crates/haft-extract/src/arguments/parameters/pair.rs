//! Parameters written as a pair of tags: `<arg_key>K</arg_key><arg_value>V</arg_value>`, with
//! `<arg_type>T</arg_type>` between them in some models. Under load, models lose any of these tags.

use std::ops::Range;

use crate::arguments::parameters::mark::MarkKind;
use crate::arguments::parameters::misspelt::resembles;
use crate::arguments::parameters::text::Reader;
use crate::arguments::parameters::value::OpenValue;
use crate::arguments::parameters::{Parameter, Parameters, State, Step, ValueKind};
use crate::scan::tag::Found;

/// The longest name of a parameter that stands between two tags.
pub(super) const MAX_KEY: usize = 256;

/// The opening tag of a value that lost its first sign.
const LOST_BRACKET: &str = "arg_value>";

impl Parameters {
    /// The name between `<arg_key>` and `</arg_key>`.
    pub(super) fn key(&mut self, reader: &Reader<'_>, start: usize) -> Step {
        let mut from = start;
        loop {
            let (at, mark) = match reader.find(from) {
                Some(at) if at - start <= MAX_KEY => match reader.mark(at, false) {
                    Found::More => return Step::More,
                    Found::No => {
                        from = at + 1;
                        continue;
                    }
                    Found::Yes(mark) => (at, mark),
                },
                None if reader.text.len() - start <= MAX_KEY => {
                    return self.cut(reader, reader.text.len());
                }
                _ => {
                    self.mended = true;
                    self.state = State::Between { stray: Some(start) };
                    return Step::Again;
                }
            };
            let end = mark.end;
            self.mended |= mark.damaged || !matches!(mark.kind, MarkKind::KeyClose);
            let key = reader.trimmed(start..at);
            let kind = ValueKind::Schema;
            return match mark.kind {
                MarkKind::KeyClose => self.take(end, State::AfterKey { key, kind }),
                MarkKind::Value => self.take(end, State::Value(OpenValue::pair(key, kind, end))),
                MarkKind::Key => self.take(end, State::Key { start: end }),
                MarkKind::Type => self.take(at, State::AfterKey { key, kind }),
                MarkKind::ValueClose => match reader.first_line(&key) {
                    Some((key, value)) => {
                        self.list.push(Parameter { key, value, kind });
                        self.take(end, State::Between { stray: None })
                    }
                    None => self.take(end, State::AfterKey { key, kind }),
                },
                MarkKind::Element | MarkKind::ElementClose => {
                    from = at + 1;
                    continue;
                }
                _ => Step::Over {
                    end: at,
                    complete: false,
                },
            };
        }
    }

    /// The reply may have ended inside a parameter.
    fn cut(&mut self, reader: &Reader<'_>, end: usize) -> Step {
        if !reader.finished {
            return Step::More;
        }
        self.mended = true;
        Step::Over {
            end,
            complete: false,
        }
    }

    /// What stands between a name and its value.
    pub(super) fn after_key(
        &mut self,
        reader: &Reader<'_>,
        key: Range<usize>,
        kind: ValueKind,
    ) -> Step {
        let blanks = reader.blanks(self.at);
        let at = blanks.end;
        if blanks.undecided || (at == reader.text.len() && at - self.at <= MAX_KEY) {
            return self.cut(reader, reader.text.len());
        }
        let mark = match reader.mark(at, false) {
            Found::More => return Step::More,
            Found::Yes(mark) if at - self.at <= MAX_KEY => Some(mark),
            _ => None,
        };
        let end = mark.as_ref().map_or(at, |mark| mark.end);
        self.mended |= mark.as_ref().is_none_or(|mark| mark.damaged);
        let is_misspelt = mark
            .as_ref()
            .is_some_and(|mark| resembles(reader.slice(&mark.name), "arg_value"));
        match mark.map(|mark| mark.kind) {
            Some(MarkKind::Element) if is_misspelt => {
                self.mended = true;
                self.take(end, State::Value(OpenValue::pair(key, kind, end)))
            }
            Some(MarkKind::Value) => self.take(end, State::Value(OpenValue::pair(key, kind, end))),
            Some(MarkKind::Type) => match reader.value_type(end) {
                Found::More => Step::More,
                Found::Yes((kind, end)) => self.take(end, State::AfterKey { key, kind }),
                Found::No => self.take(end, State::AfterKey { key, kind }),
            },
            Some(MarkKind::KeyClose | MarkKind::TypeClose) => {
                self.mended = true;
                self.take(end, State::AfterKey { key, kind })
            }
            Some(MarkKind::Key) => {
                self.mended = true;
                self.take(end, State::Key { start: end })
            }
            Some(
                MarkKind::CallClose
                | MarkKind::WrapperClose
                | MarkKind::Call
                | MarkKind::Wrapper
                | MarkKind::Frame,
            ) => {
                self.mended = true;
                Step::Over {
                    end: at,
                    complete: false,
                }
            }
            _ => {
                self.mended = true;
                let rest = reader.rest(at);
                if !reader.finished
                    && rest.len() < LOST_BRACKET.len()
                    && LOST_BRACKET.starts_with(rest)
                {
                    return Step::More;
                }
                let start = match rest.starts_with(LOST_BRACKET) {
                    true => at + LOST_BRACKET.len(),
                    false => self.at,
                };
                let value = OpenValue::unopened(key, kind, start);
                self.take(start, State::Value(value))
            }
        }
    }
}
