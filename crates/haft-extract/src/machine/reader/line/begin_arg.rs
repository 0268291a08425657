//! Calls as Continue teaches them to models without tools, in a fence or without one:
//!
//! ```text
//! TOOL_NAME: get_weather
//! BEGIN_ARG: city
//! Oslo
//! END_ARG
//! ```

use serde_json::{Map, Value};

use super::{Sight, is_name_whole, name_length};
use crate::machine::reader::{Cursor, Reader, State, Step};
use crate::machine::{FoundCall, Written};
use crate::scan::{More, Seen, may_be_word_of, near};
use crate::{Format, limits};

/// What stands before the name of a tool.
const NAME: &str = "TOOL_NAME:";

/// What stands before the name of an argument.
pub(super) const BEGIN: &str = "BEGIN_ARG:";

/// The line behind its value.
const END: &str = "END_ARG";

/// Whether the name of a tool follows such a label, or has an argument below it.
pub(super) fn sight(here: &Cursor<'_>, at: usize) -> Seen<Option<Sight>> {
    let rest = here.tail(at);
    if here.tools.is_any() {
        return Ok(None);
    }
    let Some(name) = behind_word(rest, NAME, here.finished)? else {
        return Ok(None);
    };
    let name = name.trim_start_matches(' ');
    let (tool, _) = name.split_at(name_length(name));
    match is_name_whole(name, here.finished) && !name.is_empty() {
        true if here.tools.binds(tool) => Ok(Some(Sight::Worded(here.text.len() - name.len()))),
        true => Ok(Some(Sight::Text)),
        false => here.at_end(Some(Sight::Text)),
    }
}

/// True where such a label begins, or may begin when more comes.
pub(crate) fn may_be_label(text: &str) -> bool {
    !matches!(behind_word(text, NAME, false), Ok(None))
}

impl Reader {
    /// The call whose name begins at `lead`, behind markup.
    pub(super) fn worded_call(&mut self, here: &mut Cursor<'_>, lead: usize) -> Step {
        let text = here.tail(lead);
        let near = match here.finished {
            true => text,
            false => near(text, limits::REREAD.min(here.options.hold_limit)),
        };
        let finished = here.finished || near.len() < text.len();
        let (name, rest) = near.split_at(name_length(near));
        let mut arguments = Map::new();
        let line = rest.trim_start_matches([' ', '\r']);
        let mut rest = line.strip_prefix('\n').unwrap_or(line);
        while let Some((key, value, after)) = argument(rest, finished)? {
            arguments.insert(key.to_owned(), Value::String(value.to_owned()));
            rest = after;
        }
        // An argument that did not end, a call that is too long, or no call at all.
        let is_open = matches!(behind_word(rest, BEGIN, true), Ok(Some(_)));
        let is_open = is_open || (rest.is_empty() && !here.finished);
        let is_said = self.in_fence || !arguments.is_empty();
        if is_open || !is_said {
            // What was looked through is not looked through again.
            if is_open && finished {
                self.quiet = self.quiet.max(lead + near.len());
            }
            return self.advance(0, State::Prose);
        }
        let end = lead + (near.len() - rest.len());
        let written = here.part(lead + name.len(), end).to_owned().into();
        let arguments = Written::Value(Value::Object(arguments), written);
        let call = FoundCall::whole(name.to_owned(), arguments, Format::React);
        self.take_calls(here, vec![call], lead..end)
    }
}

/// The name of an argument, its value, and what follows it.
fn argument(text: &str, finished: bool) -> Seen<Option<(&str, &str, &str)>> {
    let unless_more = if finished { Ok(None) } else { Err(More) };
    if text.is_empty() {
        return unless_more;
    }
    let Some(rest) = behind_word(text, BEGIN, finished)? else {
        return Ok(None);
    };
    let Some((key, rest)) = rest.split_once('\n') else {
        return unless_more;
    };
    let goes_on = |line: &&str| {
        let is_whole = line.ends_with('\n') || finished;
        !is_whole || !line.trim_end().eq_ignore_ascii_case(END)
    };
    let lines = rest.split_inclusive('\n').take_while(goes_on);
    let (value, end) = rest.split_at(lines.map(str::len).sum());
    if end.is_empty() {
        return unless_more;
    }
    let value = value.strip_suffix('\n').unwrap_or(value);
    let after = end.split_once('\n').map_or("", |(_, after)| after);
    Ok(Some((key.trim(), value, after)))
}

/// What stands behind `word`, however its letters are written.
pub(super) fn behind_word<'t>(text: &'t str, word: &str, finished: bool) -> Seen<Option<&'t str>> {
    let len = text.len().min(word.len());
    let head = text.get(..len).filter(|head| !head.is_empty());
    match head.is_some_and(|head| may_be_word_of(word, head)) {
        true if len == word.len() => Ok(text.get(len..)),
        true if !finished => Err(More),
        _ => Ok(None),
    }
}
