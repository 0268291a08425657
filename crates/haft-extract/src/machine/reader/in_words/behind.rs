//! What stands behind the name of a tool: its parameters in words, in the line or below it.

use serde_json::{Map, Value};

use super::InWords;
use super::members::{self, Below, Member};
use super::words;
use crate::ToolSet;
use crate::arguments::value;
use crate::scan::balance::{Balance, Stop};

/// What may stand around a name as decoration.
const TICKS: [char; 2] = ['`', '*'];

/// The words that may stand before the parameters: `with the following arguments:`.
const INTRODUCTION: &str = "with using for the following parameters arguments params args";

/// The signs that may: `TurnOff - name: Kitchen Light`, `TurnOff => {"name": "Kitchen Light"}`.
const SIGNS: [char; 10] = [' ', ':', ',', '-', '–', '—', '|', '=', '>', '→'];

/// The text behind a name, and the tool that it names.
#[derive(Clone, Copy)]
pub(super) struct Behind<'t> {
    pub(super) text: &'t str,
    pub(super) tool: &'t str,
    pub(super) tools: &'t ToolSet,
    pub(super) finished: bool,
}

impl<'t> Behind<'t> {
    /// The arguments that follow the name.
    pub(super) fn arguments(self) -> InWords {
        let body = self.text.trim_start_matches(TICKS);
        let start = self.text.len() - body.len();
        let (line, is_whole) = match body.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (body, self.finished),
        };
        let words = line.trim().trim_end_matches(TICKS);
        let is_apart = words.is_empty() || line.starts_with([' ', '\t', ',']);
        if !is_apart || !self.may_begin(words, is_whole) {
            return InWords::No;
        }
        if let Some(found) =
            self.object_behind(words, start + (line.len() - line.trim_start().len()))
        {
            return found;
        }
        if !is_whole {
            return InWords::More;
        }
        let end = start + line.trim_end().len();
        if words.is_empty() {
            return self.in_lines_below(Map::new(), (start + line.len(), end));
        }
        match self.in_line(words) {
            Some(Value::Object(found)) => self.in_lines_below(found, (start + line.len(), end)),
            Some(value) => InWords::Call(value, end),
            None => InWords::No,
        }
    }

    /// False where the first word shows that this is no call.
    fn may_begin(self, words: &str, is_whole: bool) -> bool {
        let words = words.trim_start_matches(SIGNS);
        let Some(first) = words.chars().next() else {
            return true;
        };
        let word = words
            .split([' ', '\t', ':', '='])
            .next()
            .unwrap_or_default();
        let is_word_whole = is_whole || word.len() < words.len();
        words::may_begin(first)
            || first == '{'
            || self.is_parameter(word)
            || INTRODUCTION.split(' ').any(|known| known == word)
            || (!is_word_whole && word.chars().all(members::is_key))
    }

    /// The object that `words`, which begin at `start`, introduce, where they do.
    fn object_behind(self, words: &str, start: usize) -> Option<InWords> {
        let object = introduced(words).0;
        let at = start + (words.len() - object.len());
        let text = self.text.get(at..).filter(|_| object.starts_with('{'))?;
        let Stop::Closed(len) = Balance::new().run(text, self.finished) else {
            return Some(match self.finished {
                true => InWords::No,
                false => InWords::More,
            });
        };
        let (object, behind) = text.split_at_checked(len)?;
        let (line, is_whole) = match behind.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (behind, self.finished),
        };
        let is_alone = line.trim_matches([' ', '\r', '.', '`', '*']).is_empty();
        let read = value::read_value(object, false).ok();
        let has_only_parameters = |value: &Value| {
            let mut keys = value.as_object().into_iter().flat_map(Map::keys);
            value.is_object() && keys.all(|key| self.is_parameter(key))
        };
        let read = read.filter(|read| is_alone && has_only_parameters(&read.value));
        Some(match read {
            Some(_) if !is_whole => InWords::More,
            Some(read) => InWords::Call(read.value, at + len + line.trim_end().len()),
            None => InWords::No,
        })
    }

    /// The arguments in the line of the name: an object, or a list of one without a name.
    fn in_line(self, words: &str) -> Option<Value> {
        let (members, is_introduced) = introduced(words);
        let members = without_stop(members);
        if let Some(found) = members::in_line(members, |key| self.is_parameter(key)) {
            return are_values(&found).then(|| Value::Object(as_map(found)));
        }
        let value = words::value(words).filter(|_| !is_introduced)?;
        self.takes_one_text().then(|| Value::Array(vec![value]))
    }

    /// More arguments, one in each of the lines below the one that ends at `at`.
    fn in_lines_below(
        self,
        mut arguments: Map<String, Value>,
        (mut at, mut end): (usize, usize),
    ) -> InWords {
        let mut below = Below::default();
        while let Some(rest) = self.text.get(at..) {
            let Some(next) = rest.strip_prefix('\n') else {
                if rest.is_empty() && !self.finished {
                    return InWords::More;
                }
                break;
            };
            let line = next.split('\n').next().unwrap_or_default();
            let is_whole = line.len() < next.len();
            let is_first = below.is_empty() && arguments.is_empty();
            if is_first && is_whole && line.trim().is_empty() && at == end {
                at += 1 + line.len();
                continue;
            }
            let is_whole = is_whole || self.finished;
            match below.take(line, is_whole, |key| self.is_parameter(key)) {
                Member::More => return InWords::More,
                Member::None => break,
                Member::Taken => {}
            }
            at += 1 + line.len();
            end = at - (line.len() - line.trim_end().len());
        }
        let below = below.into_members();
        if !are_values(&below) {
            return InWords::No;
        }
        let count = arguments.len() + below.len();
        arguments.extend(as_map(below));
        // A parameter that stands there twice is text about the tool.
        match arguments.len() == count && count > 0 {
            true => InWords::Call(Value::Object(arguments), end),
            false => InWords::No,
        }
    }

    fn is_parameter(self, key: &str) -> bool {
        !key.is_empty() && self.tools.has_parameter(self.tool, key)
    }

    /// True for a tool whose first parameter is text.
    fn takes_one_text(self) -> bool {
        self.tools.first_parameter_is_text(self.tool)
    }
}

/// The words behind those that introduce parameters, and whether there were any.
fn introduced(words: &str) -> (&str, bool) {
    let mut rest = words.trim_start_matches(SIGNS);
    let mut is_introduced = false;
    loop {
        let mut known = INTRODUCTION.split(' ');
        let behind = known.find_map(|word| {
            let behind = rest.strip_prefix(word)?;
            behind.starts_with([' ', ':', '{']).then_some(behind)
        });
        let Some(behind) = behind else {
            return (rest, is_introduced);
        };
        rest = behind.trim_start_matches(SIGNS);
        is_introduced = true;
    }
}

/// A sentence may end behind the last parameter.
fn without_stop(members: &str) -> &str {
    let stopped = members.strip_suffix('.');
    stopped
        .filter(|members| !members.ends_with('.'))
        .unwrap_or(members)
}

/// True where there are values, and not only the types of values.
fn are_values(members: &[(String, Value)]) -> bool {
    let is_type = |value: &Value| value.as_str().is_some_and(members::is_type);
    members.is_empty() || !members.iter().all(|(_, value)| is_type(value))
}

fn as_map(members: Vec<(String, Value)>) -> Map<String, Value> {
    members.into_iter().collect()
}
