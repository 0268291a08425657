//! Formats new members in the style of the text around them.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style<'a> {
    /// The indentation of one level; `None` if everything is on one line.
    indent: Option<&'a str>,
    line_end: &'a str,
}

/// A nesting level in a text of this style.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    style: Style<'a>,
    level: usize,
}

impl<'a> Style<'a> {
    /// The style of `text`, an object; the most common style for an empty one.
    pub(super) fn of(text: &'a str) -> Self {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let inside = text.trim_start_matches('\u{feff}').trim_start();
        let inside = inside.strip_prefix('{').unwrap_or_default();
        let first = inside.trim_start();
        let blanks = inside.strip_suffix(first).unwrap_or_default();
        let indent = match blanks.rsplit_once('\n') {
            Some((_, indent)) if !indent.is_empty() && !first.starts_with('}') => Some(indent),
            Some(_) => Some("  "),
            None if first.starts_with('}') => Some("  "),
            None => None,
        };
        Self { indent, line_end }
    }

    pub(super) fn at(self, level: usize) -> Place<'a> {
        Place { style: self, level }
    }
}

impl Place<'_> {
    /// The start of a line on this level; empty without line breaks.
    pub(super) fn line(self) -> String {
        match self.style.indent {
            Some(indent) => format!("{}{}", self.style.line_end, indent.repeat(self.level)),
            None => String::new(),
        }
    }

    /// The start of the line with the closing brace of this level.
    pub(super) fn closing_line(self) -> String {
        let level = self.level.saturating_sub(1);
        Self { level, ..self }.line()
    }
}

/// `"name": value`, without indentation before it.
pub(super) fn printed(name: &str, value: &Value, place: Place<'_>) -> String {
    let name = Value::from(name);
    let Some(indent) = place.style.indent else {
        return format!("{name}: {value}");
    };
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(indent.as_bytes());
    let printed = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    let text = match (printed, String::from_utf8(bytes)) {
        (Ok(()), Ok(text)) => text,
        _ => value.to_string(),
    };
    // JSON strings contain no line ends, so each one is between values.
    format!("{name}: {}", text.replace('\n', &place.line()))
}
