//! New members in the style of the text that they become a part of.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style<'a> {
    /// What a level is indented by; none where all stands on one line.
    indent: Option<&'a str>,
    line_end: &'a str,
}

/// A level of a text that is written so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    style: Style<'a>,
    level: usize,
}

impl<'a> Style<'a> {
    /// The style of `text`, an object; of an empty one, that of most files.
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
    /// The beginning of a line of this level; nothing where there are no lines.
    pub(super) fn line(self) -> String {
        match self.style.indent {
            Some(indent) => format!("{}{}", self.style.line_end, indent.repeat(self.level)),
            None => String::new(),
        }
    }

    /// The line on which the object of this level is closed.
    pub(super) fn closing_line(self) -> String {
        let level = self.level.saturating_sub(1);
        Self { level, ..self }.line()
    }
}

/// `"name": value`, from where the name begins.
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
    // No text in JSON holds a line end, so each is one between values.
    format!("{name}: {}", text.replace('\n', &place.line()))
}
