//! A template in parts: text, and code between brackets, which Jinja and Go share; and the conditions
//! in it, as far as what servers set by default decides them.
//!
//! Whether a model is to think is a variable such as `enable_thinking`. Some servers leave it out,
//! others set it to true: a condition counts as known where both come to the same.

use super::ASKED;
use crate::limits;

/// A part of a template, without its brackets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'t> {
    Text(&'t str),
    /// `{{ ... }}`
    Output(&'t str),
    /// `{% ... %}`
    Tag(&'t str),
}

/// The length of the text in quotes at the beginning of `text`, quotes included.
pub(super) fn quoted_length(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate();
    let quote = bytes.next().map(|(_, byte)| byte);
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' {
            bytes.next();
        } else if Some(byte) == quote {
            return at + 1;
        }
    }
    text.len()
}

/// The parts of a template; comments are left out.
pub(super) fn parts_of(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let bytes = rest.as_bytes();
        let opens = |at: &usize| matches!(bytes.get(at + 1), Some(b'{' | b'%' | b'#'));
        let open = memchr::memchr_iter(b'{', bytes).find(opens);
        let (text, code) = rest.split_at(open.unwrap_or(rest.len()));
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        let kind = code.as_bytes().get(1);
        let inner = code.get(2..).unwrap_or_default();
        // The bracket that ends it may also stand in quotes, but not in a comment.
        let end = match kind {
            Some(b'#') => inner.find("#}"),
            Some(b'%') => outside(inner, |rest, _| rest.starts_with("%}")),
            _ => outside(inner, |rest, _| rest.starts_with("}}")),
        };
        let (code, behind) = inner.split_at(end.unwrap_or(inner.len()));
        rest = behind.get(2..).unwrap_or_default();
        let code = code.trim_matches(['-', '+']).trim();
        match kind {
            Some(b'{') => parts.push(Part::Output(code)),
            Some(b'%') => parts.push(Part::Tag(code)),
            _ => {}
        }
    }
    parts
}

/// The first place outside of quotes that is looked for; the second argument tells how many
/// parentheses are open there.
fn outside(text: &str, is_it: impl Fn(&str, usize) -> bool) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match rest.as_bytes().first() {
            _ if is_it(rest, depth) => return Some(at),
            Some(b'"' | b'\'') => at += quoted_length(rest),
            Some(b'(') => (at, depth) = (at + 1, depth + 1),
            Some(b')') => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    None
}

/// The variables by which templates let a model think.
const SWITCHES: [&str; 2] = ["enable_thinking", "thinking"];

/// What decides the conditions of one template.
///
/// These are the switches to which the template itself gives no value.
pub(super) struct Settings(Vec<&'static str>);

impl Settings {
    pub(super) fn of(template: &str) -> Self {
        let is_free = |name: &&str| !template.contains(&format!("set {name} "));
        Self(SWITCHES.into_iter().filter(is_free).collect())
    }

    /// Whether `condition` holds; nothing where that is not clear.
    pub(super) fn truth(&self, condition: &str) -> Option<bool> {
        // A server may switch thinking on, or leave it alone.
        let [off, on] = [false, true].map(|is_on| self.holds(condition, is_on, 0));
        off.filter(|_| off == on)
    }

    fn holds(&self, condition: &str, is_on: bool, depth: usize) -> Option<bool> {
        let mut condition = condition.trim();
        let depth = (depth <= limits::DEPTH).then_some(depth + 1)?;
        for (word, decisive) in [(" or ", true), (" and ", false)] {
            if let Some((first, rest)) = outside_quotes(condition, word) {
                return match [first, rest].map(|part| self.holds(part, is_on, depth)) {
                    parts if parts.contains(&Some(decisive)) => Some(decisive),
                    [Some(_), Some(_)] => Some(!decisive),
                    _ => None,
                };
            }
        }
        let mut negated = false;
        while let Some(inner) = condition.strip_prefix("not ") {
            negated = !negated;
            condition = inner.trim_start();
        }
        let holds = match in_parentheses(condition) {
            Some(inner) => self.holds(inner, is_on, depth),
            None => self.test(condition, is_on),
        };
        holds.map(|holds| holds != negated)
    }

    /// A variable, or a test of one.
    fn test(&self, condition: &str, is_on: bool) -> Option<bool> {
        let (name, test) = condition.split_once(" is ").unwrap_or((condition, "true"));
        let is_set = match name.trim() {
            ASKED => true,
            name if self.0.contains(&name) => is_on,
            _ => return None,
        };
        match test.trim() {
            "defined" | "true" | "True" => Some(is_set),
            "not defined" | "undefined" | "not true" => Some(!is_set),
            // It is true or missing.
            "false" | "False" => Some(false),
            "not false" => Some(true),
            _ => None,
        }
    }
}

/// What stands in the parentheses around all of `text`.
pub(super) fn in_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let len = outside(inner, |rest, depth| depth == 0 && rest.starts_with(')'))?;
    (len + 1 == inner.len()).then(|| inner.get(..len))?
}

/// The parts of `text` before and after `word`, where that stands neither in quotes nor in
/// parentheses.
pub(super) fn outside_quotes<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let at = outside(text, |rest, depth| depth == 0 && rest.starts_with(word))?;
    Some((text.get(..at)?, text.get(at + word.len()..)?))
}
