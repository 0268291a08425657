//! The value without what belongs to its tags: line breaks of the template, CDATA, the first letters
//! of a closing tag, or one whose name lost or changed a letter, or that lost its first sign:
//! `</arameter>`, `/parameter>`, `<rg_value>`.

use std::ops::Range;

use super::{CDATA, CDATA_END, End, Mark, MarkKind, OpenValue};
use crate::arguments::parameters::text::{PREFIX, Source};
use crate::{formats::folded, limits};

impl OpenValue {
    /// The one tag that may have ended the value of a reply that ends at `len`.
    pub(in crate::arguments::parameters) fn only_end(&self, len: usize) -> Option<End> {
        let end = self.candidate.filter(|_| self.rejected == 1)?;
        (len.saturating_sub(end.resume) <= limits::FAR).then_some(end)
    }

    /// True for a special token of another form behind a tag that may have ended the value: it
    /// says no more about that.
    pub(in crate::arguments::parameters) fn is_foreign(&self, mark: &Mark<'_>) -> bool {
        mark.barred && !self.barred && self.candidate.is_some()
    }

    /// The value without what the template puts around it.
    pub(super) fn trimmed(&self, source: &Source<'_>, end: End) -> Range<usize> {
        let mut value = source.slice(&(self.start..end.value));
        let inner = value.trim().strip_prefix(CDATA);
        let inner = inner.and_then(|inner| inner.strip_suffix(CDATA_END));
        // Where another one follows, they belong to the value.
        let inner = inner.filter(|inner| self.cdata == Some(true) && !inner.contains(CDATA_END));
        if let Some(inner) = inner {
            return source.range_of(inner);
        }
        let broken = end.value == end.resume;
        if broken && self.tag != MarkKind::Element {
            value = without_close(value, self.tag_name(source));
        }
        let has_first = |value: &str| behind_break(value).len() < value.len();
        let both = has_first(value) && before_break(value).len() < value.len();
        let is_attribute = source.is_attribute(&self.key);
        let (first, last) = match self.tag {
            // Behind a name in quotes no template puts line breaks: the last one is of the value,
            // unless a first one shows that the model did.
            MarkKind::Parameter if !broken && !self.exact && is_attribute => (true, both),
            MarkKind::Parameter => (!self.exact, !self.exact || broken),
            MarkKind::Value => (self.unopened, broken),
            _ => (both && !self.prefixed, both && !self.prefixed),
        };
        if broken && self.tag == MarkKind::Parameter && !self.exact {
            // A lost closing tag leaves the line that it stood in.
            if has_first(value) {
                value = before_break(value);
            }
            // `<parameter=city> Oslo <parameter=days>`
            if (value.starts_with(' ') || value.ends_with(' ')) && !value.trim().contains('\n') {
                value = value.trim();
            }
        }
        if first {
            value = behind_break(value);
        }
        if last {
            value = before_break(value);
        }
        source.range_of(value)
    }

    /// The name of the tag that closes it.
    fn tag_name<'t>(&self, source: &Source<'t>) -> &'t str {
        match self.tag {
            MarkKind::Value => "arg_value",
            _ => source.slice(&self.name),
        }
    }

    /// Where the first letters of the closing tag stand at the end of the text.
    pub(super) fn cut_closing_tag(&self, source: &Source<'_>) -> Option<usize> {
        let is_cut = |at: &usize| *at >= self.start && source.is_cut_tag(*at);
        let at = memchr::memrchr(b'<', source.text.as_bytes()).filter(is_cut)?;
        let letters = source.rest(at).strip_prefix("</")?;
        let letters = letters.trim_start_matches(['|', '\u{FF5C}']);
        // The prefix of the tag is no part of the value either.
        let value = source.slice(&(self.start..at));
        let end = match value.strip_suffix(PREFIX) {
            Some(value) if self.prefixed => self.start + value.len(),
            _ => at,
        };
        (!letters.is_empty() && self.tag_name(source).starts_with(letters)).then_some(end)
    }
}

/// The text behind its first line break, if it begins with one.
fn behind_break(text: &str) -> &str {
    let behind = text.strip_prefix('\n');
    text.strip_prefix("\r\n").or(behind).unwrap_or(text)
}

/// The text before its last line break, if it ends with one.
fn before_break(text: &str) -> &str {
    let before = text.strip_suffix('\n');
    text.strip_suffix("\r\n").or(before).unwrap_or(text)
}

/// `value` without the damaged closing tag of an element `name` at its end.
fn without_close<'t>(value: &'t str, name: &str) -> &'t str {
    // What is left of Kimi K3's where its first token was lost.
    if name == "argument"
        && let Some(before) = value.strip_suffix("argument<|sep|>")
    {
        return before;
    }
    if let Some(close) = value.trim_end().strip_suffix('>')
        && let Some((before, written)) = close.rsplit_once('/')
        && resembles(written, name)
    {
        return before.strip_suffix('<').unwrap_or(before);
    }
    value
}

/// True for the same letters and digits but for one.
pub(in crate::arguments::parameters) fn resembles(written: &str, name: &str) -> bool {
    let is_name = written.len() <= limits::WORD && !written.contains([' ', '\n']);
    is_name && (5..=limits::WORD).contains(&name.len()) && {
        let name = folded(name);
        name.len() > 4 && strsim::levenshtein(&folded(written), &name) <= 1
    }
}
