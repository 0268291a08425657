//! The quick way through the parameters of one call that are whole and written to the letter of
//! their template. The careful way in the parent, [`parameters`](super), finds the same in them;
//! what holds a tag, or anything else that is not plain, is left to it.

use std::ops::Range;

use memchr::memchr;

use super::pair::MAX_KEY;
use super::{Parameter, Style, ValueKind};
use crate::same::{behind, stands};

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
pub(crate) fn read(text: &str, style: Style, list: &mut Vec<Parameter>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = behind_blanks(bytes, 0)?;
    let is_form = |form: &&Form| form.style == style && stands(bytes, at, form.open);
    let form = FORMS.iter().find(is_form)?;
    while let Some(start) = behind(bytes, at, form.open) {
        let (parameter, end) = form.parameter(bytes, start)?;
        list.push(parameter);
        at = behind_blanks(bytes, end)?;
    }
    let end = behind(bytes, at, form.end)?;
    Some(if form.is_end_taken { end } else { at })
}

impl Form {
    /// The parameter whose name begins at `start`, and where it ends.
    fn parameter(&self, bytes: &[u8], start: usize) -> Option<(Parameter, usize)> {
        let key = start..key_end(bytes, start)?;
        let mut middles = self.middles.iter().filter(|_| !key.is_empty());
        let (start, kind) =
            middles.find_map(|(middle, kind)| Some((behind(bytes, key.end, middle)?, *kind)))?;
        let end = self.value_end(bytes, start)?;
        let value = match self.has_breaks {
            true => without_breaks(bytes, start..end)?,
            false => start..end,
        };
        Some((Parameter { key, value, kind }, end + self.close.len()))
    }

    /// Where the value ends that begins at `start` and holds nothing like a tag.
    fn value_end(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            at += memchr(b'<', bytes.get(at..)?)?;
            if stands(bytes, at, self.close) {
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

/// Where the name ends that begins at `start`.
fn key_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let near = rest.get(..=MAX_KEY).unwrap_or(rest);
    let len = near.iter().position(|byte| !is_of_key(*byte))?;
    Some(start + len)
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The range without the line breaks of the template.
fn without_breaks(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let value = bytes.get(range.clone())?;
    let inner = value.strip_prefix(b"\n")?.strip_suffix(b"\n")?;
    let is_plain = !value.starts_with(b"\n\n") && !inner.ends_with(b"\r");
    is_plain.then_some(range.start + 1..range.end - 1)
}

/// Behind the blanks at `at`.
fn behind_blanks(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let near = rest.get(..MAX_BLANKS).unwrap_or(rest);
    let blanks = near.iter().position(is_text)?;
    Some(at + blanks)
}

#[cfg(test)]
mod tests;
