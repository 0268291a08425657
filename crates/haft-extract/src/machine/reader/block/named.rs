//! Whether an object behind a name is meant as the arguments of a call:
//! `get_weather {"city": "Oslo"}`, `get_weather: {"city": "Oslo"}`.

use haft_core::Arguments;

use super::super::line::name_length;
use super::super::{Cursor, fields};
use super::{Block, LOOK_AHEAD};
use crate::arguments::value;
use crate::machine::{RawCall, Written};
use crate::scan::lexis::key_follows;
use crate::scan::near;
use crate::{ToolSet, calls};

/// True when the calls in a candidate, which ends at `content`, are meant.
pub(super) fn is_named_call(
    here: &Cursor<'_>,
    block: &Block,
    content: usize,
    readings: &[RawCall<'_>],
) -> bool {
    let text = here.part(block.lead, content);
    // No further than the end of the candidate was looked for.
    let rest = near(here.tail(content), LOOK_AHEAD);
    if is_labelled(text) {
        return ends_line(rest)
            && have_only_parameters(readings, here.tools)
            && readings.iter().all(|call| calls::can_run(call, here.tools));
    }
    let is_glued = block.in_sentence || words_follow(rest);
    begins_as_object(text) && (!is_glued || have_only_parameters(readings, here.tools))
}

/// False where the braces behind a name are those of a program, `import { f }`, and of no object,
/// `f {"a": 1}`; without braces there is nothing to say.
fn begins_as_object(text: &str) -> bool {
    let Some((_, inner)) = text.split_once('{') else {
        return true;
    };
    let inner = inner.trim_start();
    inner.is_empty() || inner.starts_with(['}', '/', '#']) || key_follows(inner.as_bytes())
}

/// True where a colon stands between a name and its object, as in notes and settings too, or a
/// label with one below the name, as in transcripts.
fn is_labelled(text: &str) -> bool {
    let behind = text.get(name_length(text)..).unwrap_or_default();
    let behind = behind.trim_start_matches([' ', '\t', '\r', '\n', '*', '`']);
    let label = fields::label_before_object(behind, true);
    behind.starts_with(':') || label != Ok(None)
}

/// True when nothing follows in the line but what may stand around a call.
fn ends_line(rest: &str) -> bool {
    let behind = rest.trim_start_matches([' ', '\t', '\r', '`', '*']);
    let (decoration, _) = rest.split_at(rest.len() - behind.len());
    // A fence is no part of the line.
    behind.is_empty() || behind.starts_with('\n') || decoration.contains("```")
}

/// True when the line goes on with a word or a text.
fn words_follow(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '$'))
}

/// True when all calls have arguments, and none but parameters of their tools.
fn have_only_parameters(readings: &[RawCall<'_>], tools: &ToolSet) -> bool {
    readings.iter().all(|found| {
        let are_known = |members: &Arguments| {
            let is_known = |key: &String| tools.has_parameter(&found.name, key);
            !members.is_empty() && members.keys().all(is_known)
        };
        match &found.arguments {
            Written::Object(text) => value::read_value(text, false)
                .is_ok_and(|read| read.value.as_object().is_some_and(are_known)),
            _ => false,
        }
    })
}
