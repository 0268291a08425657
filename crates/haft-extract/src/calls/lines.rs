//! Arguments in lines such as `city: Oslo`, in an element that is named like the tool: the block
//! style of YAML, as far as models write it for a call. Every name must be that of a parameter, so
//! that words in such an element are not taken for arguments.

use haft_core::Arguments;
use haft_schema::{CompiledSchema, match_key};
use serde_json::{Map, Value};

use super::tags::{by_kinds, json};
use crate::arguments::value;

/// How deep lists and objects may stand in each other.
const MAX_DEPTH: usize = 16;

/// The arguments of `tool` that stand in the lines of `text`, up to its closing tag; nothing if it
/// holds anything else.
pub(super) fn lines(text: &str, tool: &str, schema: &CompiledSchema) -> Option<Arguments> {
    let (text, close) = text.rsplit_once("</")?;
    // The tag of another element ended what was read of this one.
    let close = close.trim_end().strip_suffix('>')?;
    if !matches!(close, "function" | "invoke" | "tool_call") && !close.eq_ignore_ascii_case(tool) {
        return None;
    }
    let mut block = Block {
        lines: text.lines().map(Line::of).collect(),
        at: 0,
    };
    let indent = block.next()?.indent;
    let mut arguments = Arguments::new();
    while let Some(line) = block.next() {
        let (key, rest) = line.member().filter(|_| line.indent == indent)?;
        let name = match_key(key, schema.properties())?;
        block.at += 1;
        let value = match block.value(rest, (indent, 0))? {
            Written::Plain(text) => by_kinds(text, Some(schema.property_kinds(name))),
            Written::Value(value) => value,
        };
        arguments.insert(key.to_owned(), value);
    }
    Some(arguments)
}

/// One line, and how far it is indented.
#[derive(Clone, Copy)]
struct Line<'t> {
    indent: usize,
    text: &'t str,
    whole: &'t str,
}

impl<'t> Line<'t> {
    fn of(whole: &'t str) -> Self {
        let text = whole.trim_start_matches(' ');
        Self {
            indent: whole.len() - text.len(),
            text: text.trim_end(),
            whole,
        }
    }

    /// The name and the rest of `city: Oslo`.
    fn member(&self) -> Option<(&'t str, &'t str)> {
        let (key, rest) = self.text.split_once(':')?;
        let is_separated = rest.is_empty() || rest.starts_with(' ');
        let key = key.trim_end().trim_matches(['"', '\'']);
        let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let is_name = !key.is_empty() && key.chars().all(is_key);
        (is_name && is_separated).then_some((key, rest.trim()))
    }

    /// What stands behind the mark of an item.
    fn item(&self) -> Option<&'t str> {
        match self.text {
            "-" => Some(""),
            text => text.strip_prefix("- ").map(str::trim),
        }
    }
}

/// What was written as a value.
enum Written<'t> {
    /// A word or more, without quotes.
    Plain(&'t str),
    Value(Value),
}

impl Written<'_> {
    fn into_value(self) -> Value {
        match self {
            Self::Plain(text) => json(text),
            Self::Value(value) => value,
        }
    }
}

/// The lines that are left.
struct Block<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl<'t> Block<'t> {
    /// The next line that is not blank.
    fn next(&mut self) -> Option<Line<'t>> {
        loop {
            let line = *self.lines.get(self.at)?;
            if !line.text.is_empty() {
                return Some(line);
            }
            self.at += 1;
        }
    }

    /// The value that begins with `rest`, behind a name or a mark that is indented by `indent`.
    fn value(&mut self, rest: &'t str, (indent, depth): (usize, usize)) -> Option<Written<'t>> {
        match rest.as_bytes() {
            [] => self.nested((indent, depth + 1)).map(Written::Value),
            [b'|' | b'>'] | [b'|' | b'>', b'-' | b'+'] => {
                Some(Written::Value(self.text(rest, indent)))
            }
            [b'"' | b'\'' | b'[' | b'{', ..] => {
                let read = value::read_value(rest, false).ok()?;
                Some(Written::Value(read.value))
            }
            _ => Some(Written::Plain(rest)),
        }
    }

    /// The list or object in the lines below.
    fn nested(&mut self, (indent, depth): (usize, usize)) -> Option<Value> {
        let first = self.next().filter(|line| line.indent >= indent);
        let Some(first) = first.filter(|_| depth < MAX_DEPTH) else {
            return (depth < MAX_DEPTH).then(|| Value::String(String::new()));
        };
        if first.item().is_some() {
            return self.list(first.indent, depth);
        }
        if first.indent == indent {
            return Some(Value::String(String::new()));
        }
        let mut map = Map::new();
        while let Some(line) = self.next().filter(|line| line.indent == first.indent) {
            let (key, rest) = line.member()?;
            self.at += 1;
            let value = self.value(rest, (line.indent, depth))?.into_value();
            map.insert(key.to_owned(), value);
        }
        Some(Value::Object(map))
    }

    fn list(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while let Some(line) = self.next().filter(|line| line.indent == indent) {
            let Some(rest) = line.item() else {
                break;
            };
            self.at += 1;
            // Objects in lists are left to other notations.
            if Line::of(rest).member().is_some() {
                return None;
            }
            items.push(self.value(rest, (indent, depth))?.into_value());
        }
        Some(Value::Array(items))
    }

    /// The text in the lines below, behind `|` or `>`.
    fn text(&mut self, mark: &str, indent: usize) -> Value {
        let start = self.at;
        let is_inside = |line: &&Line<'_>| line.indent > indent || line.text.is_empty();
        let rest = self.lines.get(start..).unwrap_or_default();
        let lines: Vec<_> = rest.iter().take_while(is_inside).copied().collect();
        self.at += lines.len();
        let is_text = |line: &&Line<'_>| !line.text.is_empty();
        let own = lines.iter().filter(is_text).map(|line| line.indent).min();
        let own = own.unwrap_or_default();
        let parts = lines
            .iter()
            .map(|line| line.whole.get(own..).unwrap_or_default());
        let parts: Vec<_> = parts.collect();
        let mut text = parts.join(if mark.starts_with('|') { "\n" } else { " " });
        text.truncate(text.trim_end().len());
        if !mark.ends_with('-') {
            text.push('\n');
        }
        Value::String(text)
    }
}

#[cfg(test)]
mod tests;
