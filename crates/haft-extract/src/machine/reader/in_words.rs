//! Calls that small models write in words: the name of a tool and its parameters without brackets,
//! in the line or in the lines below, `TurnOff name: Kitchen Light, domain: light`, `TurnOff with
//! name "Kitchen Light"`, or its first parameter alone, `TurnOff Kitchen Light`.
//!
//! A sentence may begin with the name of a tool, too, and settings with the name and a colon. So the
//! name must be one that no sentence has (`TurnOff`, `turn_off`), the words must fit the schema, and
//! the reply must hold nothing else: [`mention`](crate::mention) refuses the call otherwise.

mod members;

use serde_json::{Map, Value};

use haft_schema::{Repair, RepairKind};

use super::{block::is_type, line::name_length};
use crate::machine::{FoundCall, Written};
use crate::scan::{Balance, More, Seen, Stop, is_one_of, is_word_of, near};
use crate::{Format, ToolSet, arguments::value, calls, limits, tool_set::BoundTool};
pub(crate) use members::in_line as members_in_line;

/// A call, and where it ends.
pub(super) type Found = (FoundCall<'static>, usize);

/// The call in words whose name `text` begins with, and where it ends.
pub(super) fn call_in_words(text: &str, finished: bool, tools: &ToolSet) -> Seen<Option<Found>> {
    let near = near(text, limits::REREAD);
    let is_cut = near.len() < text.len();
    let (tool, rest) = near.split_at(name_length(near));
    let behind = Behind {
        text: rest,
        tool,
        tools,
        finished: finished || is_cut,
    };
    let Some((arguments, end)) = behind.arguments()? else {
        return Ok(None);
    };
    let written = rest.get(..end).unwrap_or_default().trim();
    let readings = [arguments.clone(), without_percent(arguments)];
    let mut found = readings.into_iter().map(|arguments| {
        let written = Written::Value(arguments, written.to_owned().into());
        let repairs = vec![Repair::new("", RepairKind::BracesSupplied, "", "{}")];
        let call = FoundCall::whole(tool.to_owned(), written, Format::PlainCall);
        FoundCall { repairs, ..call }
    });
    let call = found.find(|call| calls::can_run(call, tools));
    Ok(call.map(|call| (call, tool.len() + end)))
}

/// The arguments, with numbers for the shares in percent that people write in words.
fn without_percent(mut arguments: Value) -> Value {
    let members = arguments.as_object_mut().into_iter();
    for value in members.flat_map(Map::values_mut) {
        let number = value.as_str().and_then(|text| text.strip_suffix('%'));
        let number = number.and_then(|number| number.trim().parse::<u32>().ok());
        if let Some(number) = number {
            *value = number.into();
        }
    }
    arguments
}

/// True for a name that is no word of a sentence: `TurnOff`, `turn_off`.
fn is_distinctive(name: &str) -> bool {
    let mut pairs = name.chars().zip(name.chars().skip(1));
    let humped = pairs.any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    humped || name.trim_matches('_').contains('_')
}

/// What may stand around a name as decoration.
const TICKS: [char; 2] = ['`', '*'];

/// The words that may stand before the parameters: `with the following arguments:`.
const INTRODUCTION: &str = "with using for the following parameters arguments params args";

/// The signs that may: `TurnOff - name: Kitchen Light`, `TurnOff => {"name": "Kitchen Light"}`.
const SIGNS: [char; 10] = [' ', ':', ',', '-', '–', '—', '|', '=', '>', '→'];

/// The text behind a name, and the tool that it names.
#[derive(Clone, Copy)]
struct Behind<'t> {
    text: &'t str,
    tool: &'t str,
    tools: &'t ToolSet,
    finished: bool,
}

/// Arguments, and where they end.
type Arguments = (Value, usize);

impl Behind<'_> {
    /// The arguments that follow the name.
    fn arguments(self) -> Seen<Option<Arguments>> {
        let body = self.text.trim_start_matches(TICKS);
        let start = self.text.len() - body.len();
        let (line, is_whole) = self.first_line(body);
        let words = line.trim().trim_end_matches(TICKS);
        let is_tool = self.tools.binds_exactly(self.tool) && is_distinctive(self.tool);
        let is_apart = words.is_empty() || line.starts_with([' ', '\t', ',']);
        if !is_tool || !is_apart || !self.may_begin(words, is_whole) {
            return Ok(None);
        }
        let object = introduced(words).0;
        if object.starts_with('{') {
            let blanks = line.len() - line.trim_start().len();
            return self.object(start + blanks + (words.len() - object.len()));
        }
        if !is_whole {
            return Err(More);
        }
        let end = start + line.trim_end().len();
        let members = match self.in_line(words) {
            _ if words.is_empty() => Map::new(),
            Some(Value::Object(members)) => members,
            value => return Ok(value.map(|value| (value, end))),
        };
        self.in_lines_below(members, start + line.len(), end)
    }

    /// The first line of a text, and whether it is whole.
    fn first_line(self, text: &str) -> (&str, bool) {
        match text.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (text, self.finished),
        }
    }

    /// False where the first word shows that this is no call.
    fn may_begin(self, words: &str, is_whole: bool) -> bool {
        let words = words.trim_start_matches(SIGNS);
        let mut parts = words.split([' ', '\t', ':', '=']);
        let word = parts.next().unwrap_or_default();
        let is_word_whole = is_whole || word.len() < words.len();
        words.is_empty()
            || words.starts_with(members::may_begin_value)
            || words.starts_with('{')
            || self.is_parameter(word)
            || is_word_of(INTRODUCTION, word)
            || (!is_word_whole && word.chars().all(members::is_key))
    }

    /// The object at `at`, if it is one of parameters, and nothing follows it in its line.
    fn object(self, at: usize) -> Seen<Option<Arguments>> {
        let text = self.text.get(at..).unwrap_or_default();
        let Stop::Closed(len) = Balance::default().run(text, self.finished) else {
            return self.finished.then_some(None).ok_or(More);
        };
        let (object, behind) = text.split_at(len);
        let (line, is_whole) = self.first_line(behind);
        let is_alone = line.trim_matches([' ', '\r', '.', '`', '*']).is_empty();
        let has_only_parameters = |value: &Value| {
            let mut keys = value.as_object().into_iter().flat_map(Map::keys);
            value.is_object() && keys.all(|key| self.is_parameter(key))
        };
        let read = value::read_value(object, false).ok().map(|read| read.value);
        let read = read.filter(|value| is_alone && has_only_parameters(value));
        match read {
            Some(_) if !is_whole => Err(More),
            read => Ok(read.map(|value| (value, at + len + line.trim_end().len()))),
        }
    }

    /// The arguments in the line of the name: an object, or a list of one without a name.
    fn in_line(self, words: &str) -> Option<Value> {
        let (members, is_introduced) = introduced(words);
        // A sentence may end behind the last parameter.
        let stopped = members.strip_suffix('.');
        let stopped = stopped.filter(|members| !members.ends_with('.'));
        let members = stopped.unwrap_or(members);
        if let Some(found) = members::in_line(members, &|key| self.is_parameter(key)) {
            return are_values(&found).then(|| found.into_iter().collect());
        }
        let value = members::one_value(words).filter(|_| !is_introduced)?;
        let takes_text = self
            .tools
            .find(self.tool)
            .tool()
            .is_some_and(BoundTool::begins_with_text);
        takes_text.then(|| Value::Array(vec![value]))
    }

    /// More arguments, one in each of the lines below the one that ends at `at`, and without its
    /// last blanks at `end`.
    fn in_lines_below(
        self,
        mut arguments: Map<String, Value>,
        mut at: usize,
        mut end: usize,
    ) -> Seen<Option<Arguments>> {
        let mut below = Vec::new();
        let behind_break = |at: usize| self.text.get(at..)?.strip_prefix('\n');
        while let Some(next) = behind_break(at) {
            let (line, is_whole) = self.first_line(next);
            let is_first = below.is_empty() && arguments.is_empty();
            if is_first && is_whole && line.trim().is_empty() && at == end {
                at += 1 + line.len();
                continue;
            }
            if !members::take(&mut below, line, is_whole, &|key| self.is_parameter(key))? {
                break;
            }
            at += 1 + line.len();
            end = at - (line.len() - line.trim_end().len());
        }
        if at == self.text.len() && !self.finished {
            return Err(More);
        }
        // A parameter without a value is none.
        below.retain(|(_, value)| value.as_array().is_none_or(|list| !list.is_empty()));
        if !are_values(&below) {
            return Ok(None);
        }
        let count = arguments.len() + below.len();
        arguments.extend(below);
        // A parameter that stands there twice is text about the tool.
        let is_call = arguments.len() == count && count > 0;
        Ok(is_call.then(|| (Value::Object(arguments), end)))
    }

    fn is_parameter(self, key: &str) -> bool {
        !key.is_empty() && self.tools.has_parameter(self.tool, key)
    }
}

/// The words behind those that introduce parameters, and whether there were any.
fn introduced(words: &str) -> (&str, bool) {
    let all = words.trim_start_matches(SIGNS);
    let mut rest = all;
    while let Some((word, _)) = rest.split_once([' ', ':', '{'])
        && is_one_of(word, INTRODUCTION)
    {
        rest = rest.get(word.len()..).unwrap_or_default();
        rest = rest.trim_start_matches(SIGNS);
    }
    (rest, rest.len() < all.len())
}

/// True where there are values, and not only the types of values.
fn are_values(members: &[(String, Value)]) -> bool {
    let is_type = |value: &Value| value.as_str().is_some_and(is_type);
    members.is_empty() || !members.iter().all(|(_, value)| is_type(value))
}

#[cfg(test)]
mod tests;
