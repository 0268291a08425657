//! Calls that small models write in words: the name of a tool and its parameters without brackets,
//! in the line or in the lines below, `TurnOff name: Kitchen Light, domain: light`, `TurnOff with
//! name "Kitchen Light"`, or its first parameter alone, `TurnOff Kitchen Light`.
//!
//! A sentence may begin with the name of a tool, too, and settings with the name and a colon. So the
//! name must be one that no sentence has (`TurnOff`, `turn_off`), the words must fit the schema, and
//! the reply must hold nothing else: [`mention`](crate::mention) refuses the call otherwise.

mod behind;
mod members;
mod words;

use serde_json::{Map, Value};

use haft_schema::{Repair, RepairKind};

use super::line::name_length;
use super::{Cursor, Reader, Step};
use crate::calls;
use crate::machine::{ParseEvent, Placement, RawCall, Written};
use crate::scan::Seen;
use crate::scan::near;
use crate::{Format, ToolSet};
use behind::Behind;
pub(super) use behind::Found;
pub(crate) use members::in_line as members_in_line;

/// How much of the text is looked through for such a call, in bytes.
const LONGEST: usize = 2 * 1024;

/// The arguments of the call in words whose name `text` begins with, and where it ends.
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
    let end = tool.len() + end;
    let source = near.get(..end).unwrap_or_default();
    let fits = |arguments: &Value| calls::can_run(&found((tool, source), arguments), tools);
    if fits(&arguments) {
        return Ok(Some((arguments, end)));
    }
    let plain = without_percent(arguments);
    Ok(fits(&plain).then_some((plain, end)))
}

impl Reader {
    /// The step over the call in words whose name stands behind `lead` bytes of decoration.
    pub(super) fn take_call_in_words(
        &mut self,
        here: &mut Cursor<'_>,
        lead: usize,
        (arguments, len): Found,
    ) -> Step {
        let text = here.tail(lead);
        let source = text.get(..len).unwrap_or_default();
        let name = source.get(..name_length(source)).unwrap_or_default();
        let call = found((name, source), &arguments);
        here.tell(ParseEvent::Candidate(Placement::InWords));
        let step = self.take_calls(here, vec![call], (lead, lead + len));
        here.tell(ParseEvent::Decided);
        step
    }
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
    let mut before = ' ';
    let humped = name.chars().any(|c| {
        let is_hump = before.is_lowercase() && c.is_uppercase();
        before = c;
        is_hump
    });
    humped || name.trim_matches('_').contains('_')
}

fn found((name, source): (&str, &str), arguments: &Value) -> RawCall<'static> {
    let written = source.get(name.len()..).unwrap_or_default().trim();
    RawCall {
        repairs: vec![Repair::new("", RepairKind::BracesSupplied, "", "{}")],
        ..RawCall::new(
            name.to_owned(),
            Written::Value(arguments.clone(), written.to_owned().into()),
            Format::PlainCall,
        )
    }
}

#[cfg(test)]
mod tests;
