//! Whether a tag inside a value ends it: what kind of tag it is, whether it is one of a call that is
//! quoted, and what stands behind it.

use haft_schema::match_key;
use serde_json::Value;

use super::value::{End, Verdict};
use super::{
    Mark, MarkKind, OpenValue, Style, ValueKind,
    text::{PREFIX, Source},
};
use crate::limits;
use crate::scan::{More, Seen, near};

/// After what kind of closing tag something follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// That of a value.
    Value,
    /// One that ends a value only by mistake.
    Wrong,
    /// One that may close a tag inside the value.
    Inner,
    /// That of a call or a wrapper.
    Call,
}

impl OpenValue {
    /// True for a tag like the opening one, with whatever attributes.
    pub(super) fn is_same_tag(&self, source: &Source<'_>, mark: &Mark<'_>) -> bool {
        let is_same_name = || mark.name.eq_ignore_ascii_case(source.slice(&self.name));
        match self.tag {
            MarkKind::Element => is_same_name(),
            MarkKind::Value => mark.kind == self.tag,
            own => mark.kind == own && mark.barred == self.barred && is_same_name(),
        }
    }

    /// True for the closing tag that the opening one asks for.
    fn is_own_close(&self, source: &Source<'_>, mark: &Mark<'_>) -> bool {
        mark.close && self.is_same_tag(source, mark)
    }

    /// True for the opening tag of a parameter that may follow, in the notation of this one.
    fn may_be_next(&self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<bool> {
        let key = match self.tag {
            MarkKind::Value if mark.kind == MarkKind::Key => {
                let end = source.find_near(mark.end, limits::KEY)?.unwrap_or(mark.end);
                let words = source.slice(&(mark.end..end));
                words.split_ascii_whitespace().next().unwrap_or_default()
            }
            // Where this one has no name, no other has one.
            _ if self.key.is_empty() || mark.key.is_empty() => return Ok(self.key.is_empty()),
            MarkKind::Parameter if self.is_same_tag(source, mark) => mark.key,
            _ => return Ok(false),
        };
        let is_alike = source.is_attribute(&source.range_of(key)) == source.is_attribute(&self.key);
        let own = source.slice(&self.key);
        let others = self.names.not_given(source).filter(|name| *name != own);
        Ok(is_alike && (self.names.known.is_none() || match_key(key, others).is_some()))
    }

    /// The end that a tag makes which is not the value's own.
    pub(super) fn before(&self, source: &Source<'_>, mark: &Mark<'_>) -> End {
        let end = self.closed_before(source, mark);
        end.unwrap_or_else(|| End::before(self.quoted.ends_before(source, mark)))
    }

    /// The end at the value's own closing tag, not in quotes, that stands before a tag
    /// which is none of a value, with a few words and no other tag between them. Where a parameter
    /// has no name, its name may stand between its tags, and the value behind them.
    fn closed_before(&self, source: &Source<'_>, mark: &Mark<'_>) -> Option<End> {
        if mark.closes_value() || self.key.is_empty() {
            return None;
        }
        let from = self.start.max(mark.at.saturating_sub(limits::AHEAD));
        let near = source.text.as_bytes().get(from..mark.at)?;
        let value = from + memchr::memrchr(b'<', near)?;
        let close = source.mark(value, self.prefixed).ok()??;
        let quote = source.byte(close.end);
        let is_quoted = matches!(quote, Some(b'`' | b'\'' | b'"'))
            && value > self.start
            && source.byte(value - 1) == quote;
        let is_end = self.is_own_close(source, &close) && !is_quoted;
        is_end.then(|| End::before(value).resuming(mark.at))
    }

    /// Whether an opening tag ends the value although nothing closed it.
    pub(super) fn breaks(&self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<bool> {
        let is_parameter = mark.kind == MarkKind::Parameter;
        match self.tag {
            _ if !self.may_be_next(source, mark)? => Ok(false),
            _ if is_parameter && mark.barred && self.barred => Ok(true),
            _ if source.begins_line(mark.at) => Ok(true),
            _ if is_parameter => Ok(source.is_glued(mark.at) || self.holds_json(source, mark.end)?),
            MarkKind::Value => source.is_whole_key(mark.end),
            _ => Ok(false),
        }
    }

    /// Whether a value of JSON that is no text stands behind the opening tag of a parameter, and what
    /// follows a value behind that: no text that speaks of a tag goes on like that.
    fn holds_json(&self, source: &Source<'_>, from: usize) -> Seen<bool> {
        let Some(close) = source.name_and_mark(from)? else {
            return Ok(false);
        };
        let value = serde_json::from_str::<Value>(source.slice(&(from..close.at)));
        let is_json = value.is_ok_and(|value| !value.is_string());
        let is_closed = self.is_own_close(source, &close);
        let end = if is_closed { close.end } else { close.at };
        Ok(is_json && self.follows(source, end, After::Inner)?)
    }

    /// False for the opening tag of a call that ends before `from` and is data: the value's own
    /// closing tag comes next, before anything of a call.
    fn is_no_data(&self, source: &Source<'_>, from: usize) -> Seen<bool> {
        let Some(at) = source.find_near(from, limits::AHEAD)? else {
            return Ok(true);
        };
        let mark = source.mark(at, false)?;
        Ok(!mark.is_some_and(|mark| self.is_own_close(source, &mark)))
    }

    /// Whether what may stand behind a closing tag stands at `from`.
    pub(super) fn follows(&self, source: &Source<'_>, from: usize, after: After) -> Seen<bool> {
        use MarkKind::{Call, Element, Key, Parameter, Value, Wrapper};
        let mut at = from;
        let mut wrong = after != After::Value;
        for _ in 0..limits::PARTS {
            let blanks = source.blanks(at)?;
            at = blanks.end;
            let is_value = after != After::Call;
            match source.byte(at) {
                _ if at - from > limits::AHEAD => return Ok(false),
                None => return source.ended().map(|()| true),
                Some(b'<') => {}
                Some(_) if is_value && self.tag == Value => return source.is_unopened_key(at),
                Some(_) => {
                    let next = source.unbracketed(at)?.filter(|_| after == After::Value);
                    return Ok(next.is_some());
                }
            }
            let Some(mark) = source.mark(at, blanks.prefixed)? else {
                return Ok(source.is_cut_tag(at));
            };
            if !blanks.prefixed {
                source.keep(&mark);
            }
            let is_own = self.is_own_close(source, &mark);
            match (mark.kind, mark.close) {
                (Call | Wrapper, false) if after == After::Inner => return Ok(false),
                (Call | Wrapper, false) if !is_value => return self.is_no_data(source, mark.end),
                _ if mark.is_of_calls() => return Ok(true),
                (Parameter | Key, false) if after == After::Inner => {
                    // Templates do not indent it, and data does.
                    let is_indented = source.byte(mark.at - 1) == Some(b' ');
                    return Ok(!is_indented && self.may_be_next(source, &mark)?);
                }
                (_, true) if after == After::Inner => return Ok(false),
                (Parameter | Key, false) if is_value => return Ok(true),
                (Element, false) if is_value && self.tag == Element => return Ok(true),
                // Behind another closing tag it is the own one, and the first was data; so was one
                // without a prefix, in a value that a prefixed one will end.
                _ if is_own && (wrong || (self.prefixed && blanks.prefixed)) => return Ok(false),
                (Element, true) if self.style == Style::Element => return Ok(true),
                (Parameter | Value | Element, true) if is_value => {
                    wrong |= mark.kind == Element && !is_own;
                    at = mark.end;
                }
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// A tag with a prefix, which no value holds as data.
    pub(super) fn at_prefixed(&mut self, source: &Source<'_>, tag: usize) -> Seen<Verdict> {
        if source.byte(tag) != Some(b'<') {
            let is_over = tag < source.len() || source.ended().is_ok();
            return is_over.then_some(Verdict::Pass(tag)).ok_or(More);
        }
        let Some(mark) = source.mark(tag, true)? else {
            return Ok(Verdict::Pass(tag + 1));
        };
        let outer = tag - PREFIX.len();
        let is_nested = self.kind == ValueKind::Elements;
        let is_own = self.is_own_close(source, &mark);
        let before = End::before(outer);
        Ok(match mark.kind {
            _ if is_own && self.depth == 0 => Verdict::End(End::closed(outer, &mark)),
            _ if is_own => {
                self.depth -= 1;
                Verdict::Pass(mark.end)
            }
            MarkKind::Element | MarkKind::Parameter if !mark.close => {
                if !is_nested && !source.is_blank(self.start..outer, limits::AHEAD) {
                    return Ok(Verdict::End(before));
                }
                self.kind = ValueKind::Elements;
                if self.is_same_tag(source, &mark) && !mark.is_empty_element() {
                    self.depth += 1;
                } else {
                    self.wrappers += usize::from(mark.wraps);
                }
                Verdict::Pass(mark.end)
            }
            MarkKind::Wrapper if mark.close && self.wrappers > 0 => {
                self.wrappers -= 1;
                Verdict::Pass(mark.end)
            }
            MarkKind::Element | MarkKind::Parameter if !is_nested => {
                Verdict::End(before.resuming(mark.end))
            }
            _ if mark.is_of_calls() => Verdict::End(before),
            _ => Verdict::Pass(mark.end),
        })
    }

    /// A tag inside a quoted call.
    pub(super) fn at_quoted(&mut self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        use MarkKind::{Call, Parameter, Value, Wrapper};
        // Nobody quotes it before the call is over.
        if mark.kind == MarkKind::Frame {
            return Ok(match self.follows(source, mark.end, After::Call)? {
                true => Verdict::End(End::before(self.quoted.run_before(source, mark.at))),
                false => Verdict::Reject(None),
            });
        }
        if mark.close && matches!(mark.kind, Parameter | Value | Call | Wrapper) {
            self.quoted.close(source, mark);
        }
        Ok(Verdict::Pass(mark.end))
    }

    /// The opening tag of a call: quoted, or only mentioned.
    pub(super) fn at_call(&mut self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        let next = source.name_and_mark(mark.end)?;
        let body = near(source.rest(mark.end), limits::KEY).trim_start();
        let begins = source.begins_line(mark.at) || mark.at == self.start;
        let is_object = begins && body.starts_with('{');
        // A call goes on behind the tag.
        if next.is_some_and(|next| next.opens_parameter() || next.kind == MarkKind::Call)
            || is_object
        {
            self.quoted.open(source, mark.at);
        } else if !self.is_foreign(mark) {
            return Ok(Verdict::Reject(None));
        }
        Ok(Verdict::Pass(mark.end))
    }

    /// The closing tag of a call or a wrapper, or a token of the frame of a reply.
    pub(super) fn at_end_of_call(&self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        let is_foreign = self.is_foreign(mark);
        let is_last = mark.kind == MarkKind::Frame || is_foreign;
        let only = self.only_end(mark.at).filter(|_| is_last);
        let before = self.before(source, mark);
        Ok(match self.follows(source, mark.end, After::Call)? {
            true => Verdict::End(only.unwrap_or(before)),
            false if is_foreign => Verdict::Pass(mark.end),
            // A special token is hardly data, whatever follows it.
            false => {
                let may_end = mark.barred || source.is_line_end(mark.end);
                Verdict::Reject(may_end.then_some(before))
            }
        })
    }
}
