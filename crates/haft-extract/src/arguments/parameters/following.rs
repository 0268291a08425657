//! Whether a tag inside a value ends it: what kind of tag it is, and what stands behind it.

use crate::arguments::parameters::Style;
use crate::arguments::parameters::mark::{Mark, MarkKind};
use crate::arguments::parameters::text::Reader;
use crate::arguments::parameters::value::{End, Form, MAX_LOOK, OpenValue};
use crate::scan::tag::Found;

/// How many closing tags of one value are followed.
const MAX_DOUBLED: usize = 4;

/// After what kind of closing tag something follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// That of a value.
    Value,
    /// That of a call or a wrapper.
    Call,
}

impl OpenValue {
    /// True for another opening tag of the parameter.
    pub(super) fn is_same_key(&self, reader: &Reader<'_>, mark: &Mark) -> bool {
        reader.slice(&reader.opening(mark).key) == reader.slice(&self.key)
    }

    /// True for an element inside that is named like the one outside.
    pub(super) fn is_same_element(&self, reader: &Reader<'_>, mark: &Mark) -> bool {
        self.form == Form::Element
            && reader.slice(&mark.name) == reader.slice(&self.name)
            && !reader.is_empty_element(mark)
    }

    /// True for the closing tag that the opening one asks for.
    pub(super) fn is_own_close(&self, reader: &Reader<'_>, mark: &Mark) -> bool {
        match self.form {
            Form::Tag => matches!(mark.kind, MarkKind::ParameterClose),
            Form::Pair => matches!(mark.kind, MarkKind::ValueClose),
            Form::Element => {
                mark.close
                    && reader
                        .slice(&mark.name)
                        .eq_ignore_ascii_case(reader.slice(&self.name))
            }
        }
    }

    /// True for a closing tag that models write by mistake: of another format, or with the
    /// parameter's name.
    pub(super) fn is_wrong_close(&self, reader: &Reader<'_>, mark: &Mark) -> bool {
        match mark.kind {
            MarkKind::ParameterClose | MarkKind::ValueClose => true,
            _ => self.form == Form::Tag && reader.slice(&mark.name) == reader.slice(&self.key),
        }
    }

    /// The end that a tag makes which is not the value's own.
    pub(super) fn before(&self, reader: &Reader<'_>, found: usize, mark: &Mark) -> End {
        self.closed_before(reader, found, mark)
            .unwrap_or_else(|| End::before(self.quoted.ends_before(reader, found, mark)))
    }

    /// The end at the value's own closing tag, not in quotes, that stands before a tag at `found`
    /// which is none of a value, with a few words and no other tag between them. Where a parameter
    /// has no name, its name may stand between its tags, and the value behind them.
    fn closed_before(&self, reader: &Reader<'_>, found: usize, mark: &Mark) -> Option<End> {
        let is_close = matches!(
            mark.kind,
            MarkKind::ElementClose | MarkKind::ValueClose | MarkKind::ParameterClose
        );
        if is_close || self.key.is_empty() {
            return None;
        }
        let from = self.start.max(found.saturating_sub(MAX_LOOK));
        let value = from + memchr::memrchr(b'<', reader.text.as_bytes().get(from..found)?)?;
        let Found::Yes(close) = reader.mark(value, self.prefixed) else {
            return None;
        };
        let quote = reader.byte(close.end);
        let is_quoted = matches!(quote, Some(b'`' | b'\'' | b'"'))
            && value > self.start
            && reader.byte(value - 1) == quote;
        (self.is_own_close(reader, &close) && !is_quoted).then_some(End {
            value,
            resume: found,
            mended: true,
        })
    }

    /// Whether an opening tag ends the value although nothing closed it.
    pub(super) fn breaks(&self, reader: &Reader<'_>, found: usize, mark: &Mark) -> Found<()> {
        let begins_line = reader.begins_line(found);
        match mark.kind {
            MarkKind::Parameter if mark.barred && self.barred => Found::Yes(()),
            _ if self.form == Form::Element => Found::No,
            MarkKind::Parameter | MarkKind::Key if begins_line => Found::Yes(()),
            MarkKind::Parameter if reader.is_glued(found) => Found::Yes(()),
            MarkKind::Key if self.form == Form::Pair => reader.is_whole_key(mark.end),
            _ => Found::No,
        }
    }

    /// False for the opening tag of a call that ends before `from` and is data: the value's own
    /// closing tag comes next, before anything of a call.
    fn is_no_data(&self, reader: &Reader<'_>, from: usize) -> Found<()> {
        let Some(at) = reader.find(from).filter(|at| at - from <= MAX_LOOK) else {
            let may_come = reader.rest(from).len() <= MAX_LOOK && !reader.finished;
            return if may_come {
                Found::More
            } else {
                Found::Yes(())
            };
        };
        match reader.mark(at, false) {
            Found::More => Found::More,
            Found::Yes(mark) if self.is_own_close(reader, &mark) => Found::No,
            _ => Found::Yes(()),
        }
    }

    /// Whether what may stand behind a closing tag stands at `from`.
    pub(super) fn follows(&self, reader: &Reader<'_>, from: usize, after: After) -> Found<()> {
        let mut at = from;
        let mut wrong = false;
        for _ in 0..MAX_DOUBLED {
            let blanks = reader.blanks(at);
            at = blanks.end;
            if at - from > MAX_LOOK {
                return Found::No;
            }
            if blanks.undecided {
                return Found::More;
            }
            match reader.byte(at) {
                None if reader.finished => return Found::Yes(()),
                None => return Found::More,
                Some(b'<') => {}
                Some(_) if after == After::Value && self.form == Form::Pair => {
                    return reader.is_unopened_key(at);
                }
                Some(_) => return Found::No,
            }
            let mark = match reader.mark(at, blanks.prefixed) {
                Found::More => return Found::More,
                Found::No if reader.is_cut_tag(at) => return Found::Yes(()),
                Found::No => return Found::No,
                Found::Yes(mark) => mark,
            };
            let is_value = after == After::Value;
            match mark.kind {
                MarkKind::Call | MarkKind::Wrapper if !is_value => {
                    return self.is_no_data(reader, mark.end);
                }
                MarkKind::CallClose
                | MarkKind::WrapperClose
                | MarkKind::Call
                | MarkKind::Wrapper
                | MarkKind::Frame => return Found::Yes(()),
                MarkKind::Parameter | MarkKind::Key if is_value => return Found::Yes(()),
                MarkKind::Element if is_value && self.form == Form::Element => {
                    return Found::Yes(());
                }
                // The unprefixed one was data, in a value that a prefixed one will end.
                _ if self.prefixed && blanks.prefixed && self.is_own_close(reader, &mark) => {
                    return Found::No;
                }
                MarkKind::ElementClose if reader.style == Style::Element => {
                    return Found::Yes(());
                }
                // Behind another closing tag it is the own one, and the first was data.
                _ if wrong && self.is_own_close(reader, &mark) => return Found::No,
                MarkKind::ParameterClose | MarkKind::ValueClose if is_value => at = mark.end,
                MarkKind::ElementClose if is_value => {
                    wrong |= !self.is_own_close(reader, &mark);
                    at = mark.end;
                }
                _ => return Found::No,
            }
        }
        Found::No
    }
}
