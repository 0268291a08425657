//! Where a call as ReAct has it ends: before what the tool or the model says next, behind the
//! object that its input is, or with the fence around it.

use memchr::memmem;
use serde_json::{Map, Value};

use super::ends::{CLOSING, End, Ended, parenthesised};
use super::{super::Cursor, super::stray::is_token, Block};
use crate::{limits, scan::split_run, scan::whole_tag};

/// What stands before the input of an action.
pub(crate) const INPUT: &str = "Action Input";

/// What ends an action in the line behind it.
const AFTER_ACTION: [&str; 4] = ["Observation", "Thought:", "Final Answer", "Action:"];

/// What stands around the words before a value.
const AROUND: [char; 6] = [':', ' ', '*', '\n', '\r', '\t'];

/// Where an action ends.
#[inline(never)]
pub(super) fn action_end(here: &Cursor<'_>, block: &mut Block) -> Ended {
    // How far the action is indented, as the lines behind it are then.
    let lead = here.head(block.lead);
    let is_blank = lead.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    let indent = if is_blank { lead.len() } else { 0 };
    while let Some(end) = block.line_end(here.text, block.at) {
        let line = here.text.get(block.at..end).unwrap_or_default();
        let fences = block.fences + memmem::find_iter(line.as_bytes(), b"```").count();
        if block.fences.is_multiple_of(2) && !fences.is_multiple_of(2) {
            block.input.is_fenced = is_behind_label(here, block, line);
        }
        let after = here.tail(end);
        let is_closed = block.input.is_fenced && fences % 2 == 1 && after.starts_with(CLOSING);
        let next = unindented(after, indent);
        if is_closed || AFTER_ACTION.iter().any(|word| next.starts_with(word)) {
            return end_of_action(here, block, indent, end);
        }
        // Command R closes its list and the fence in one line.
        let closes = block.fences % 2 == 1 && fences == block.fences + 1;
        if closes && line.trim_end().ends_with("]```") {
            return Ok(Some(End::at(end, end)));
        }
        here.wait_if(CLOSING.starts_with(after))?;
        // It is none, but may become one.
        here.begun_by(next, &AFTER_ACTION)?;
        // Behind empty lines too.
        let (breaks, _) = split_run(after, limits::BLANKS, |byte| *byte == b'\n');
        let next = here.tail(end + breaks.len().saturating_sub(1));
        let next = here.begun_by(unindented(next, indent), &AFTER_ACTION)?;
        let may_end = fences.is_multiple_of(2) && line.trim_end().ends_with('}') && next.is_none();
        if may_end && is_whole_input(here, block, end) {
            return match after.starts_with(CLOSING) {
                true => Ok(Some(End::at(end, end))),
                false => end_of_action(here, block, indent, end),
            };
        }
        block.fences = fences;
        block.at = end + 1;
    }
    here.at_end(())?;
    let words = words_behind_object(here, block, here.text.len());
    Ok(Some(words.map_or(End::cut(here), |end| End::at(end, end))))
}

/// The line behind a line break, without blanks up to `indent`.
fn unindented(text: &str, indent: usize) -> &str {
    let line = text.strip_prefix('\n').unwrap_or(text);
    split_run(line, indent, |byte| matches!(byte, b' ' | b'\t')).1
}

/// Whether the fence that `line` opens stands where the action or its input belongs. One behind
/// words is part of a text.
fn is_behind_label(here: &Cursor<'_>, block: &Block, line: &str) -> bool {
    let fence = line.rfind("```").unwrap_or_default();
    let before = here
        .part(block.lead, block.at + fence)
        .trim_end_matches(AROUND);
    before.ends_with("Action") || before.ends_with(INPUT) || before.ends_with("\nInput")
}

/// What stands behind the label of the input in an action.
pub(super) fn behind_label(text: &str) -> Option<&str> {
    let parts = text.split_once(INPUT);
    let (_, input) = parts.or_else(|| text.split_once("\nInput:"))?;
    Some(input.trim_start_matches([':', ' ', '*']))
}

/// Whether the input of an action is an object that ends at `end`. Only the first lines that may
/// end it are tried.
fn is_whole_input(here: &Cursor<'_>, block: &mut Block, end: usize) -> bool {
    if block.input.tried < end && block.input.tries < limits::PARTS {
        block.input.tries += 1;
        block.input.tried = end;
        let input = behind_label(here.part(block.lead, end)).unwrap_or_default();
        block.input.is_whole =
            input.starts_with('{') && serde_json::from_str::<Map<String, Value>>(input).is_ok();
    }
    block.input.is_whole && block.input.tried == end
}

/// Where the object ends that the input is, if nothing but words of its last line follow: `{...},
/// along those lines.`, or a token that ends the turn.
fn words_behind_object(here: &Cursor<'_>, block: &Block, end: usize) -> Option<usize> {
    let input = behind_label(here.text.get(block.lead..end)?)?;
    let (_, behind, is_whole) = parenthesised(input.starts_with('{').then_some(input)?);
    let words = behind.trim();
    let is_sentence = words.contains(char::is_alphabetic)
        && !words.contains(['{', '}', '"', '\'', '\n', '<', '`']);
    let is_end = || whole_tag(words).is_some_and(|tag| is_token(&tag));
    (is_whole && (is_sentence || is_end())).then_some(end - behind.len())
}

/// An action ends at `end`; how much of what follows belongs to it.
fn end_of_action(here: &Cursor<'_>, block: &Block, indent: usize, end: usize) -> Ended {
    const OBSERVATION: &str = "Observation:";
    let after = here.tail(end);
    // The closing fence, and the empty line at which a model should have stopped.
    if after.starts_with(CLOSING) {
        return Ok(Some(End::at(end, end + CLOSING.len())));
    }
    let next = unindented(after, indent);
    let is_near = next.len() <= limits::NEAR;
    let word = if is_near { next.trim_end() } else { next };
    here.wait_if(OBSERVATION.starts_with(word))?;
    let words = words_behind_object(here, block, end);
    let content = words.unwrap_or(end);
    let is_last = word == OBSERVATION && words.is_none();
    let whole = if is_last { here.text.len() } else { content };
    Ok(Some(End::at(content, whole)))
}
