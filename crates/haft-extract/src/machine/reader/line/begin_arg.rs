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
use crate::Format;
use crate::machine::reader::{Reader, State, Step, Turn};
use crate::machine::reading::{Found as FoundCall, Reading, Written};

/// What stands before the name of a tool.
const NAME: &str = "TOOL_NAME:";

/// What stands before the name of an argument.
const BEGIN: &str = "BEGIN_ARG:";

/// The line behind its value.
const END: &str = "END_ARG";

/// How much of such a call is held back where no fence stands around it: it would be looked
/// through again with each piece.
const MAX_CALL: usize = 4 * 1024;

/// What begins at the beginning of a text.
enum Part<'t> {
    /// Too early to tell.
    More,
    /// An argument, with what follows it.
    Argument(&'t str, &'t str, &'t str),
    /// Anything else.
    Other,
}

/// Whether the name of a tool follows such a label, or has an argument below it.
pub(super) fn sight(turn: &Turn<'_, '_>, at: usize, rest: &str) -> Option<Sight> {
    if turn.tools.is_any() {
        return None;
    }
    let name = match behind_word(rest, NAME) {
        Some(name) => name.trim_start_matches(' '),
        None if may_become(rest, NAME, turn.finished) => return Some(Sight::More),
        None => return None,
    };
    if name.is_empty() || !is_name_whole(name, turn.finished) {
        return Some(if turn.finished {
            Sight::Text
        } else {
            Sight::More
        });
    }
    let is_bound = turn.tools.binds(name.get(..name_length(name))?);
    Some(match is_bound {
        true => Sight::Worded(at + (rest.len() - name.len())),
        false => Sight::Text,
    })
}

/// True where such a label begins, or may begin when more comes.
pub(in crate::machine::reader) fn may_be_label(text: &str) -> bool {
    behind_word(text, NAME).is_some() || may_become(text, NAME, false)
}

/// Whether an argument begins in the line below a name; nothing while that cannot be told.
pub(super) fn begins_argument(next: &str, finished: bool) -> Option<bool> {
    match behind_word(next, BEGIN) {
        Some(_) => Some(true),
        None if may_become(next, BEGIN, finished) => None,
        None => Some(false),
    }
}

impl Reader {
    /// The call whose name begins at `lead`, behind markup.
    pub(super) fn worded_call(&mut self, turn: &mut Turn<'_, '_>, lead: usize) -> Step {
        let text = turn.tail(lead);
        let longest = MAX_CALL.min(turn.options.hold_limit);
        let near = match turn.finished {
            true => text,
            false => text
                .get(..text.floor_char_boundary(longest))
                .unwrap_or(text),
        };
        let finished = turn.finished || near.len() < text.len();
        let (name, rest) = near.split_at(name_length(near));
        let mut arguments = Map::new();
        let mut rest = behind_line(rest);
        loop {
            match part(rest, finished) {
                Part::More => return self.wait(State::Line),
                Part::Argument(key, value, after) => {
                    arguments.insert(key.to_owned(), Value::String(value.to_owned()));
                    rest = after;
                }
                Part::Other => break,
            }
        }
        // An argument that did not end, a call that is too long, or no call at all.
        let is_open = behind_word(rest, BEGIN).is_some() || (rest.is_empty() && !turn.finished);
        let is_said = self.in_fence || !arguments.is_empty();
        if is_open || !is_said {
            // What was looked through is not looked through again.
            if is_open && finished {
                self.quiet = self.quiet.max(lead + near.len());
            }
            self.go(State::Prose);
            return Step::Take(0);
        }
        let end = lead + (near.len() - rest.len());
        let written = turn.text.get(lead + name.len()..end).unwrap_or_default();
        let found = FoundCall {
            name: name.to_owned().into(),
            tool: None,
            arguments: Written::Value(Value::Object(arguments), written.to_owned().into()),
            format: Format::React,
            cut: false,
            mended: false,
            repairs: Vec::new(),
        };
        turn.syntax(turn.head(end));
        Self::tell_readings(turn, vec![Reading::Call(found)]);
        self.call_ended();
        self.take(end, State::Line)
    }
}

/// What follows a name in the next line.
fn behind_line(rest: &str) -> &str {
    let line = rest.trim_start_matches([' ', '\r']);
    line.strip_prefix('\n').unwrap_or(line)
}

fn part(text: &str, finished: bool) -> Part<'_> {
    let Some(rest) = behind_word(text, BEGIN) else {
        return match may_become(text, BEGIN, finished) || (text.is_empty() && !finished) {
            true => Part::More,
            false => Part::Other,
        };
    };
    let Some((key, rest)) = rest.split_once('\n') else {
        return if finished { Part::Other } else { Part::More };
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let word = line.trim_end();
        let is_whole = line.ends_with('\n') || finished;
        if word.eq_ignore_ascii_case(END) && is_whole {
            let value = rest.get(..at).unwrap_or_default();
            let value = value.strip_suffix('\n').unwrap_or(value);
            let after = rest.get(at + line.len()..).unwrap_or_default();
            return Part::Argument(key.trim(), value, after);
        }
        at += line.len();
    }
    if finished { Part::Other } else { Part::More }
}

/// What stands behind `word`, however its letters are written.
fn behind_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word)
        .then(|| text.get(word.len()..))?
}

/// True for the beginning of `word`, where more may come.
fn may_become(text: &str, word: &str, finished: bool) -> bool {
    let head = word.get(..text.len());
    let begins = head.is_some_and(|head| head.eq_ignore_ascii_case(text));
    begins && text.len() < word.len() && !text.is_empty() && !finished
}
