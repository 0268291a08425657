//! How a thought ends: with the tags and tokens that close it, its message or the turn, or with the
//! calls that it makes, where it never closes.

use super::super::line::{is_name_whole, name_length};
use super::super::stray::{before_token, is_short_blank, is_token};
use super::super::{Cursor, Reader, State, Step};
use super::{Hold, Part, Thinking};
use crate::machine::{About, EventSink, ParseEvent, Written};
use crate::scan::{Seen, Tag, Text};
use crate::{formats::Role, limits};

/// Words that calls begin with before the name of a tool comes.
const OPENINGS: [&str; 3] = ["functools", "print", "Action"];

impl Reader {
    /// The reply ended in a thought.
    pub(super) fn never_ends(&mut self, here: &mut Cursor<'_>, thinking: &Thinking) -> Step {
        let end = here.text.len();
        let is_short = |hold: &Hold| end - hold.from <= here.options.hold_limit;
        if let Some(hold) = thinking.hold.filter(is_short)
            && self.ends_with_calls(here, hold.from)
        {
            here.reasoning(here.head(hold.from));
            self.tell_made(here, hold.from);
            return self.advance(end, State::Line);
        }
        // Without the token that ends the turn.
        let thought = before_token(here.text).unwrap_or(here.text);
        here.reasoning(thought);
        here.markup(here.tail(thought.len()));
        self.advance(end, State::Line)
    }

    /// True when the thought, from `from` on, ends with a complete call of a bound tool, with no
    /// other text after it.
    fn ends_with_calls(&self, here: &Cursor<'_>, from: usize) -> bool {
        let mut ends = false;
        self.read_on_its_own(here.tail(from), here.about(), &mut |event| match event {
            ParseEvent::Call(call, _) => {
                let is_whole = !call.cut && !matches!(call.arguments, Written::Unreadable(..));
                ends = is_whole && here.tools.binds(&call.name);
            }
            ParseEvent::Text(text) if !text.trim_ascii().is_empty() => ends = false,
            _ => {}
        });
        ends
    }

    /// Tells of the calls that end a thought from `from` on. What stands before them was held as
    /// one, and is none.
    fn tell_made(&self, here: &mut Cursor<'_>, from: usize) {
        let mut is_before = true;
        self.read_on_its_own(here.tail(from), here.about(), &mut |event| {
            is_before &= !matches!(event, ParseEvent::Call(..) | ParseEvent::CallBegins(_));
            here.tell(match event {
                // What is read on its own is judged as one.
                ParseEvent::NextCall(_) => return,
                ParseEvent::Text(text) if is_before => ParseEvent::Reasoning(text),
                ParseEvent::Text(text) if text.trim_ascii().is_empty() => ParseEvent::Markup(text),
                event => event,
            });
        });
    }

    /// Reads what a thought ends with as if it were the reply.
    fn read_on_its_own(&self, text: &str, about: About<'_>, sink: EventSink<'_>) {
        if let Some(mut reader) = self.nested(State::Prose) {
            reader.read(Text::whole(text), about, sink);
        }
    }
}

/// What begins at `at`, the beginning of a line: maybe a call without markers.
pub(super) fn part_at_line<'t>(here: &Cursor<'t>, at: usize) -> Seen<Part<'t>> {
    let rest = here.tail(at);
    match rest.as_bytes().first() {
        None => here.at_end(Part::Words),
        Some(b'{' | b'`') => Ok(Part::Call),
        Some(b'[') if !rest.starts_with("[/") => Ok(Part::Call),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            let name = rest.get(..name_length(rest)).unwrap_or_default();
            let may_open = OPENINGS.iter().any(|word| word.starts_with(rest));
            let is_whole = is_name_whole(rest, here.finished);
            here.wait_if(!is_whole && (may_open || here.tools.may_bind(rest)))?;
            let opens = OPENINGS.contains(&name) || here.tools.binds(name);
            Ok(match opens && !here.tools.is_any() {
                true => Part::Call,
                false if *byte == b'_' => Part::Words,
                false => Part::Letters,
            })
        }
        Some(_) => Ok(Part::Words),
    }
}

pub(super) fn closes_thought(tag: &Tag<'_>) -> bool {
    match tag.role() {
        Some(Role::Thinking) => tag.close,
        role => role == Some(Role::ThinkingEnd),
    }
}

/// What Harmony begins the next message with.
pub(super) const NEXT_MESSAGE: &str = "<|start|>";

/// The length of a recipient that the text ends with: ` to=functions.N`.
pub(super) fn header_len(text: &str) -> usize {
    let near = text.floor_char_boundary(text.len().saturating_sub(limits::NAME));
    let near = text.get(near..).unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let before = near.trim_end_matches(is_name).strip_suffix(" to=");
    before.map_or(0, |before| near.len() - before.len())
}

/// True for a token that ends a message or a turn, as long as it may be the end of one here: what
/// follows it has yet to come.
pub(super) fn may_end_turn(here: &Cursor<'_>, tag: &Tag<'_>) -> bool {
    let rest = here.tail(tag.end());
    let may_be = is_end_of_message(tag) && NEXT_MESSAGE.starts_with(rest);
    may_be || (is_token(tag) && is_short_blank(rest))
}

pub(super) fn is_end_of_message(tag: &Tag<'_>) -> bool {
    tag.barred && tag.letters() == "end"
}
