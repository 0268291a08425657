//! The spellings of names: the tool that a name stands for that is not written as it is bound, and the
//! words that names are made of, however a model separates them.

use haft_schema::normalize_key;

use super::{Shared, Spellings, ToolSet};
use crate::{limits, scan::is_one_of};

/// What models put before the name of a tool.
const PREFIXES: &str = "functions function tools tool api default_api default call";

/// What may stick to a name: `functionget_weather`.
const GLUED: &str = "function";

/// How alike two names must be to be named, from 0 to 1 (Jaro-Winkler).
const ALIKE: f64 = 0.75;

impl ToolSet {
    /// True when `written` may become the name of a bound tool if more follows.
    pub(crate) fn may_bind(&self, written: &str) -> bool {
        if self.shared.any {
            return written.is_empty() || is_identifier(written);
        }
        let bare = written
            .split_once(['.', '/', ':'])
            .filter(|(prefix, name)| is_one_of(prefix, PREFIXES) || prefix.starts_with(name))
            .map(|(_, name)| name);
        let bare = bare.or_else(|| written.strip_prefix(GLUED));
        let begins = |part: &str, name: &str| {
            let mut name = folded(name);
            folded(part).all(|c| name.next() == Some(c))
        };
        PREFIXES.split(' ').any(|it| it.starts_with(written))
            || self.shared.tools.iter().any(|tool| {
                let name = tool.definition.name.as_str();
                begins(written, name)
                    || bare.is_some_and(|bare| begins(bare, name))
                    || tool.tail.iter().any(|tail| begins(written, tail))
            })
    }

    /// The place of the tool that `written` stands for in another spelling.
    pub(super) fn find_loosely(&self, written: &str) -> Option<usize> {
        // A function of the library `_`.
        if written.starts_with("_.") {
            return None;
        }
        let Shared { spelled, tails, .. } = self.shared.as_ref();
        let words = words(written);
        let without_prefix = || {
            let (prefix, name) = written.split_once(['.', '/', ':'])?;
            let prefix = prefix.trim();
            // Muse names a tool without a namespace twice: `get_time.get_time`.
            let is_prefix = is_one_of(prefix, PREFIXES) || prefix == name;
            is_prefix.then(|| known(spelled, &self::words(name)))?
        };
        // What a server leaves of DeepSeek's tokens that drops the one between the two.
        let glued = || self.index_of(written.strip_prefix(GLUED)?);
        let found = known(spelled, &words).or_else(without_prefix);
        found.or_else(glued).or_else(|| known(tails, &words))
    }

    /// The names of the tools that are most like `written`, nearest first: those that are alike,
    /// or where none is the nearest all the same, so that a model learns what there is.
    pub(crate) fn nearest(&self, written: &str) -> Vec<String> {
        let wanted = normalize_key(written);
        let scored = self.shared.tools.iter().map(|tool| {
            let name = tool.definition.name.as_str();
            (strsim::jaro_winkler(&wanted, &normalize_key(name)), name)
        });
        let mut scored: Vec<(f64, &str)> = scored.collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0));
        let are_alike = scored.first().is_some_and(|(score, _)| *score >= ALIKE);
        scored.retain(|(score, _)| !are_alike || *score >= ALIKE);
        scored.truncate(limits::NEAREST);
        scored.into_iter().map(|(_, it)| it.to_owned()).collect()
    }
}

fn known(names: &Spellings, words: &str) -> Option<usize> {
    *names.get(words)?
}

/// The letters and digits of a name, in small letters.
fn folded(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

/// The words of a name in small letters, whatever separates them: `getWeather`, `get-weather` and
/// Markdown's `get\_weather` alike.
pub(super) fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let is_letter = c.is_alphanumeric();
        let begins = c.is_uppercase()
            && (before.is_lowercase()
                || (before.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase())));
        if (begins || !is_letter) && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        if is_letter {
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.truncate(words.trim_end().len());
    words
}

/// The name of a tool without its namespace, `prime_factors` of `numbers.prime_factors`: models
/// leave that out. Only names of two words or more are enough to know a tool by; `get` is not.
pub(super) fn tail(name: &str) -> Option<&str> {
    let parts = name.rsplit_once(['.', '/', ':']);
    let (_, tail) = parts.or_else(|| name.rsplit_once("__"))?;
    words(tail).contains(' ').then_some(tail)
}

/// A letter or underscore, then letters, digits, underscores, points and hyphens.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_inner)
}
