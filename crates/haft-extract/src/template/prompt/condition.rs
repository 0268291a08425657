//! Conditions of a template, as far as what servers set by default decides them.
//!
//! Whether a model is to think is a variable such as `enable_thinking`. Some servers leave it out,
//! others set it to true: a condition counts as known where both come to the same.

use super::ASKED;
use super::parts::outside;

/// How many parentheses and parts of a condition are followed.
const MAX_DEPTH: usize = 32;

/// The variables by which templates let a model think.
const SWITCHES: [&str; 2] = ["enable_thinking", "thinking"];

/// What decides the conditions of one template.
pub(super) struct Settings {
    /// The switches to which the template itself gives no value.
    switches: Vec<&'static str>,
}

impl Settings {
    pub(super) fn of(template: &str) -> Self {
        let is_free = |name: &&str| !template.contains(&format!("set {name} "));
        Self {
            switches: SWITCHES.into_iter().filter(is_free).collect(),
        }
    }

    /// Whether `condition` holds; nothing where that is not clear.
    pub(super) fn truth(&self, condition: &str) -> Option<bool> {
        // A server may switch thinking on, or leave it alone.
        either(
            self.holds(condition, false, 0),
            self.holds(condition, true, 0),
        )
    }

    fn holds(&self, condition: &str, is_on: bool, depth: usize) -> Option<bool> {
        let mut condition = condition.trim();
        if depth > MAX_DEPTH {
            return None;
        }
        let depth = depth + 1;
        for (word, decisive) in [(" or ", true), (" and ", false)] {
            let Some((first, rest)) = outside_quotes(condition, word) else {
                continue;
            };
            let parts = [first, rest].map(|part| self.holds(part, is_on, depth));
            return match parts {
                parts if parts.contains(&Some(decisive)) => Some(decisive),
                [Some(_), Some(_)] => Some(!decisive),
                _ => None,
            };
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
        let name = name.trim();
        let is_set = match name {
            ASKED => true,
            name if self.switches.contains(&name) => is_on,
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

/// What both come to, if it is the same.
pub(super) fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    one.filter(|_| one == other)
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
