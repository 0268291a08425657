//! Calls that small models write in words: the name of a tool and its parameters without brackets,
//! in the line or in the lines below, `TurnOff name: Kitchen Light, domain: light`, `TurnOff with
//! name "Kitchen Light"`, or its first parameter alone, `TurnOff Kitchen Light`.
//!
//! A sentence may begin with the name of a tool, too, and settings with the name and a colon. So the
//! name must be one that no sentence has (`TurnOff`, `turn_off`), the words must fit the schema, and
//! the reply must hold nothing else: [`mention`](crate::mention) refuses the call otherwise.

mod behind;
mod members;

use serde_json::{Map, Value};

use haft_schema::{Repair, RepairKind};

use super::line::name_length;
use crate::machine::{RawCall, Written};
use crate::scan::{Seen, near};
use crate::{Format, ToolSet, calls};
use behind::Behind;
pub(crate) use members::in_line as members_in_line;

/// A call, and where it ends.
pub(super) type Found = (RawCall<'static>, usize);

/// How much of the text is looked through for such a call, in bytes.
const LONGEST: usize = 2 * 1024;

/// The call in words whose name `text` begins with, and where it ends.
pub(super) fn call_in_words(text: &str, finished: bool, tools: &ToolSet) -> Seen<Option<Found>> {
    let near = near(text, LONGEST);
    let is_cut = near.len() < text.len();
    let (tool, rest) = near.split_at(name_length(near));
    if !tools.binds_exactly(tool) || !is_distinctive(tool) {
        return Ok(None);
    }
    let behind = Behind {
        text: rest,
        tool,
        tools,
        finished: finished || is_cut,
    };
    let Some((arguments, end)) = behind.arguments()? else {
        return Ok(None);
    };
    let written = rest.get(..end).unwrap_or_default();
    let readings = [arguments.clone(), without_percent(arguments)];
    let mut found = readings.into_iter().map(|arguments| RawCall {
        repairs: vec![Repair::new("", RepairKind::BracesSupplied, "", "{}")],
        ..RawCall::new(
            tool.to_owned(),
            Written::Value(arguments, written.trim().to_owned().into()),
            Format::PlainCall,
        )
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

#[cfg(test)]
mod tests;
