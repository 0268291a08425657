//! The quick way through the parameters of one call that are whole and written to the letter of
//! their template. The careful way in the parent, [`parameters`](super), finds the same in them;
//! what holds a tag, or anything else that is not plain, is left to it.

use std::ops::Range;

use memchr::memchr;

use super::pair::MAX_KEY;
use super::{Parameter, Style, ValueKind};
use crate::same::{begins_with, behind};

/// The most blanks between two tags.
const MAX_BLANKS: usize = 64;

/// How a template writes parameters.
struct Form {
    style: Style,
    open: &'static str,
    /// What stands between a name and its value, and what it says of the value.
    middles: &'static [(&'static str, ValueKind)],
    close: &'static str,
    /// What ends the call.
    end: &'static str,
    /// That belongs to the call.
    is_end_taken: bool,
    /// A line break stands before and behind each value.
    has_breaks: bool,
}

static FORMS: [Form; 4] = [
    Form {
        style: Style::Invoke,
        open: "<parameter=",
        middles: &[(">", ValueKind::Schema)],
        close: "</parameter>",
        end: "</function>",
        is_end_taken: true,
        has_breaks: true,
    },
    Form {
        style: Style::Pairs,
        open: "<arg_key>",
        middles: &[
            ("</arg_key><arg_value>", ValueKind::Schema),
            ("</arg_key>\n<arg_value>", ValueKind::Schema),
        ],
        close: "</arg_value>",
        end: "</tool_call>",
        is_end_taken: false,
        has_breaks: false,
    },
    Form {
        style: Style::Invoke,
        open: "<｜DSML｜parameter name=\"",
        middles: &[
            ("\" string=\"true\">", ValueKind::Text),
            ("\" string=\"false\">", ValueKind::Json),
        ],
        close: "</｜DSML｜parameter>",
        end: "</｜DSML｜invoke>",
        is_end_taken: true,
        has_breaks: false,
    },
    Form {
        style: Style::Invoke,
        open: "<parameter name=\"",
        middles: &[("\">", ValueKind::Schema)],
        close: "</parameter>",
        end: "</invoke>",
        is_end_taken: true,
        has_breaks: true,
    },
];

/// Adds the parameters at the beginning of `text` to `list`; where their call ends. If that cannot
/// be told, what was added means nothing.
pub(super) fn read(text: &str, style: Style, list: &mut Vec<Parameter>) -> Option<usize> {
    let mut parts = Parts::begin(text, style)?;
    loop {
        match parts.next()? {
            Part::Parameter(parameter) => list.push(parameter),
            Part::End(end) => return Some(end),
        }
    }
}

/// The parts of a call, one after the other.
pub(crate) struct Parts<'t> {
    text: &'t str,
    form: &'static Form,
    at: usize,
}

/// What is next.
pub(crate) enum Part {
    /// A parameter.
    Parameter(Parameter),
    /// The end of the call, at this offset.
    End(usize),
}

impl<'t> Parts<'t> {
    /// Those at the beginning of `text`, if a template writes them like that.
    pub(crate) fn begin(text: &'t str, style: Style) -> Option<Self> {
        let at = behind_blanks(text, 0)?;
        let rest = text.get(at..)?;
        let is_form = |form: &&Form| form.style == style && begins_with(rest, form.open);
        let form = FORMS.iter().find(is_form)?;
        Some(Self { text, form, at })
    }

    /// The next part; nothing if it is not plain.
    pub(crate) fn next(&mut self) -> Option<Part> {
        let Self { text, form, at } = *self;
        let rest = text.get(at..)?;
        if let Some(rest) = behind(rest, form.open) {
            let (parameter, end) = form.parameter(text, text.len() - rest.len())?;
            self.at = behind_blanks(text, end)?;
            return Some(Part::Parameter(parameter));
        }
        let taken = if form.is_end_taken { form.end.len() } else { 0 };
        begins_with(rest, form.end).then_some(Part::End(at + taken))
    }
}

impl Form {
    /// The parameter whose name begins at `start`, and where it ends.
    fn parameter(&self, text: &str, start: usize) -> Option<(Parameter, usize)> {
        let rest = text.get(start..)?;
        let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let len = rest.bytes().position(|byte| !is_of_key(byte))?;
        let key = start..start + len;
        let rest = rest.get(len..).filter(|_| (1..=MAX_KEY).contains(&len))?;
        let is_middle = |middle: &&(&str, ValueKind)| begins_with(rest, middle.0);
        let (middle, kind) = self.middles.iter().find(is_middle)?;
        let start = key.end + middle.len();
        let end = self.value_end(text, start)?;
        let value = match self.has_breaks {
            true => without_breaks(text, start..end)?,
            false => start..end,
        };
        let kind = *kind;
        Some((Parameter { key, value, kind }, end + self.close.len()))
    }

    /// Where the value ends that begins at `start` and holds nothing like a tag.
    fn value_end(&self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut at = start;
        loop {
            at += memchr(b'<', bytes.get(at..)?)?;
            if begins_with(text.get(at..)?, self.close) {
                return Some(at);
            }
            at += 1;
            // A comparison, mostly, or a type: only `<S>` may be a marker.
            let is_text = matches!(
                bytes.get(at..)?,
                [b' ' | b'=' | b'0'..=b'9', ..] | [b'A'..=b'R' | b'T'..=b'Z', b'>', ..]
            );
            is_text.then_some(())?;
        }
    }
}

/// The range without the line breaks of the template.
fn without_breaks(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let value = text.get(range.clone())?;
    let inner = value.strip_prefix('\n')?.strip_suffix('\n')?;
    let is_plain = !value.starts_with("\n\n") && !inner.ends_with('\r');
    is_plain.then_some(range.start + 1..range.end - 1)
}

/// Behind the blanks at `at`.
fn behind_blanks(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?;
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let blanks = rest.iter().take(MAX_BLANKS).position(is_text)?;
    Some(at + blanks)
}

#[cfg(test)]
mod tests;
