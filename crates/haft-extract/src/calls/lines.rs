//! Arguments in lines such as `city: Oslo`, in an element that is named like the tool: the block
//! style of YAML, as far as models write it for a call. Every name must be that of a parameter, so
//! that words in such an element are not taken for arguments.

use haft_core::Arguments;
use haft_schema::{CompiledSchema, PropertyKinds, match_key};
use serde_json::Value;

use super::tags::{by_kinds, json};
use crate::{arguments::value, limits};

/// The arguments of `tool` that stand in the lines of `text`, up to its closing tag; nothing if it
/// holds anything else.
pub(super) fn lines(text: &str, tool: &str, schema: &CompiledSchema) -> Option<Arguments> {
    let (text, close) = text.rsplit_once("</")?;
    // The tag of another element ended what was read of this one.
    let close = close.trim_end().strip_suffix('>')?;
    if !matches!(close, "function" | "invoke" | "tool_call") && !close.eq_ignore_ascii_case(tool) {
        return None;
    }
    let lines = text.lines().map(Line::of).collect();
    let (at, depth) = (0, 0);
    let mut block = Block { lines, at, depth };
    let indent = block.next()?.indent;
    let mut arguments = Arguments::new();
    while let Some(line) = block.next() {
        let (key, rest) = line.member().filter(|_| line.indent == indent)?;
        let name = match_key(key, schema.properties())?;
        block.at += 1;
        let kinds = Some(schema.property_kinds(name));
        let value = block.read(rest, kinds, indent)?;
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
        let rest = self.text.strip_prefix('-')?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
    }
}

/// The lines that are left.
struct Block<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
    /// So many lists and objects are open around them.
    depth: usize,
}

impl<'t> Block<'t> {
    /// The next line that is not blank.
    fn next(&mut self) -> Option<Line<'t>> {
        let rest = self.lines.get(self.at..)?;
        self.at += rest.iter().take_while(|line| line.text.is_empty()).count();
        self.lines.get(self.at).copied()
    }

    /// The value that begins with `rest`, behind a name or a mark that is indented by `indent`. What
    /// has no quotes is read as one of `kinds`, if these are known.
    fn read(
        &mut self,
        rest: &'t str,
        kinds: Option<PropertyKinds>,
        indent: usize,
    ) -> Option<Value> {
        Some(match rest.as_bytes() {
            [] => return self.nested(indent),
            [b'|' | b'>'] | [b'|' | b'>', b'-' | b'+'] => self.text(rest, indent),
            [b'"' | b'\'' | b'[' | b'{', ..] => value::read_value(rest, false).ok()?.value,
            _ if kinds.is_some() => by_kinds(rest, kinds),
            _ => json(rest),
        })
    }

    /// The list or object in the lines below.
    fn nested(&mut self, indent: usize) -> Option<Value> {
        let first = self.next().filter(|line| line.indent >= indent);
        let is_list = first.is_some_and(|line| line.item().is_some());
        let Some(first) = first.filter(|line| is_list || line.indent > indent) else {
            return Some(Value::String(String::new()));
        };
        let indent = first.indent;
        self.depth = Some(self.depth + 1).filter(|depth| *depth < limits::DEPTH)?;
        let mut members = Vec::new();
        while let Some(line) = self.next().filter(|line| line.indent == indent) {
            let (key, rest) = match line.item().filter(|_| is_list) {
                Some(rest) => ("", rest),
                None if is_list => break,
                None => line.member()?,
            };
            // Objects in lists are left to other notations.
            if is_list && Line::of(rest).member().is_some() {
                return None;
            }
            self.at += 1;
            members.push((key, self.read(rest, None, indent)?));
        }
        self.depth -= 1;
        let members = members.into_iter();
        Some(match is_list {
            true => members.map(|(_, value)| value).collect(),
            false => members.collect(),
        })
    }

    /// The text in the lines below, behind `|` or `>`.
    fn text(&mut self, mark: &str, indent: usize) -> Value {
        let is_inside = |line: &&Line<'_>| line.indent > indent || line.text.is_empty();
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let lines = rest.iter().take_while(is_inside);
        let own = lines.clone().filter(|line| !line.text.is_empty());
        let own = own.map(|line| line.indent).min().unwrap_or_default();
        let parts = lines.map(|line| line.whole.get(own..).unwrap_or_default());
        let parts: Vec<_> = parts.collect();
        self.at += parts.len();
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
