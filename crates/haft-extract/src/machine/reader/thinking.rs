//! Thinking. A closed thought holds no calls, whatever is written in it; one that never closes
//! and ends with a complete call of a bound tool has made it.

use std::ops::Range;

use memchr::{memchr2, memchr3, memmem, memrchr};

use super::line::{is_name_whole, name_length};
use super::{Reader, State, Step, Turn};
use crate::formats::Role;
use crate::machine::reading::{Reading, Written};
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, Tag, read_tag};

/// Words that calls begin with before the name of a tool comes.
const OPENINGS: [&str; 3] = ["functools", "print", "Action"];

/// A thought that is being read.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    /// It ends where its channel does.
    in_channel: bool,
    /// It ends with these signs, and with nothing else.
    closer: Option<&'static str>,
    /// Something other than blanks was told of already.
    begun: bool,
    /// Held back from here on: what may be the calls that it ends with.
    hold: Option<Hold>,
}

#[derive(Clone, Copy, Debug)]
struct Hold {
    from: usize,
    /// A marker stands there, not just the beginning of a line.
    by_marker: bool,
}

impl Reader {
    #[inline(never)]
    pub(super) fn thinking(&mut self, turn: &mut Turn<'_, '_>, mut thinking: Thinking) -> Step {
        let bytes = turn.text.as_bytes();
        let mut at = self.scan;
        if let Some(closer) = thinking.closer
            && let Some(found) =
                memmem::find(bytes.get(at..).unwrap_or_default(), closer.as_bytes())
        {
            self.thought_is_over(turn, &thinking, at + found);
            turn.syntax(closer);
            return self.take(at + found + closer.len(), State::Line);
        }
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr3(b'\n', b'<', b'[', rest) else {
                return self.thinking_pauses(turn, thinking, bytes.len());
            };
            at += found;
            // Here, not where the text pauses: that depends on how it is cut.
            let limit = turn.options.hold_limit;
            thinking.hold = thinking.hold.filter(|hold| at - hold.from <= limit);
            if bytes.get(at) == Some(&b'\n') {
                match may_be_call(turn, at + 1) {
                    None => return self.thinking_pauses(turn, thinking, at),
                    Some(may) => thinking.note_line(at, may, bytes.get(at + 1).copied()),
                }
                at += 1;
                continue;
            }
            match read_tag(turn.tail(at), turn.finished) {
                Found::More => return self.thinking_pauses(turn, thinking, at),
                Found::No => {}
                Found::Yes(tag) if self.is_in_ticks(turn, (at, &tag)) != Ends::No => {
                    if at + tag.len == bytes.len() {
                        return self.thinking_pauses(turn, thinking, at);
                    }
                    at += tag.len;
                    continue;
                }
                Found::Yes(tag) if may_end_turn(turn, (at, &tag)) => {
                    return self.thinking_pauses(turn, thinking, at);
                }
                Found::Yes(tag) if ends_thinking(turn, (at, &tag), &thinking) => {
                    match names_thought(turn, (at, &tag), &thinking) {
                        Ends::Yes => return self.thought_ends(turn, &thinking, (at, &tag)),
                        Ends::Unclear => return self.thinking_pauses(turn, thinking, at),
                        Ends::No => {}
                    }
                }
                // The prompt opened the thought, and the model did again.
                Found::Yes(tag)
                    if is_opening(&tag)
                        && thinking.closer.is_none()
                        && !thinking.begun
                        && turn.head(at).trim_ascii().is_empty() =>
                {
                    let end = at + tag.len;
                    turn.syntax(turn.head(end));
                    return self.take(end, State::Thinking(thinking));
                }
                Found::Yes(tag) => {
                    let role = tag.marker.map(|marker| marker.role);
                    // Kimi K3's, and the headers of messages, which name tools too.
                    let letters = tag.marker.map_or("", |marker| marker.letters);
                    let is_header =
                        matches!(letters, "open" | "start" | "channel" | "messagemodel");
                    let opens = matches!(role, Some(Role::Wrapper | Role::Invoke)) || is_header;
                    let opens = opens && !tag.close;
                    if opens && thinking.hold.is_none_or(|hold| !hold.by_marker) {
                        thinking.hold.get_or_insert(Hold {
                            from: at,
                            by_marker: true,
                        });
                    }
                }
            }
            at += 1;
        }
    }

    /// Ends a thought at a tag, or at the header of the next message whose token was left out.
    fn thought_ends(
        &mut self,
        turn: &mut Turn<'_, '_>,
        thinking: &Thinking,
        (at, tag): (usize, &Tag),
    ) -> Step {
        let header = header_len(turn.head(at));
        if header > 0 && thinking.in_channel && is_begin_of_message(tag) {
            self.thought_is_over(turn, thinking, at - header);
            return self.take(at - header, State::Header);
        }
        self.thinking_ends(turn, thinking, (at, tag))
    }

    /// Whether a token of a channel stands between ticks, and so is spoken of.
    fn is_in_ticks(&self, turn: &Turn<'_, '_>, (at, tag): (usize, &Tag)) -> Ends {
        let before = match at.checked_sub(1) {
            Some(before) => turn.byte(before),
            None => Some(self.last),
        };
        let role = tag.marker.map(|marker| marker.role);
        if before != Some(b'`') || role != Some(Role::Channel) {
            return Ends::No;
        }
        match turn.byte(at + tag.len) {
            Some(b'`') => Ends::Yes,
            None if !turn.finished => Ends::Unclear,
            _ => Ends::No,
        }
    }

    /// There is no more text for now, or at all.
    fn thinking_pauses(
        &mut self,
        turn: &mut Turn<'_, '_>,
        mut thinking: Thinking,
        at: usize,
    ) -> Step {
        if turn.finished {
            return self.thinking_never_ends(turn, &thinking);
        }
        let at = at - thinking.begun_end(turn.head(at));
        let mut end = thinking.hold.map_or(at, |hold| hold.from.min(at));
        if at - end > turn.options.hold_limit {
            thinking.hold = None;
            end = at;
        }
        thinking.begun |= !turn.head(end).trim_ascii().is_empty();
        self.note_last(turn.head(end));
        turn.reasoning(turn.head(end));
        if let Some(hold) = &mut thinking.hold {
            hold.from -= end;
        }
        self.state = State::Thinking(thinking);
        self.scan = at - end;
        if end == 0 {
            Step::More
        } else {
            Step::Take(end)
        }
    }

    fn thinking_ends(
        &mut self,
        turn: &mut Turn<'_, '_>,
        thinking: &Thinking,
        (at, tag): (usize, &Tag),
    ) -> Step {
        self.thought_is_over(turn, thinking, at);
        // The header of the next channel is read where it belongs.
        let is_channel = tag
            .marker
            .is_some_and(|marker| marker.role == Role::Channel);
        if is_channel && !turn.tail(at).starts_with("<channel|>") {
            return self.take(at, State::Prose);
        }
        let end = at + tag.len;
        turn.syntax(turn.text.get(at..end).unwrap_or_default());
        self.take(end, State::Line)
    }

    /// The thought ends at `at`.
    fn thought_is_over(&mut self, turn: &mut Turn<'_, '_>, thinking: &Thinking, at: usize) {
        turn.reasoning(turn.head(at));
        self.has_thought |= thinking.begun || !turn.head(at).trim_ascii().is_empty();
        self.line_is_blank = true;
        self.last = b'\n';
    }

    /// A tag that opens thoughts stands within a line, at the beginning of the text. It does only
    /// if it is closed; otherwise it is spoken of.
    pub(super) fn thought_in_line(&mut self, turn: &mut Turn<'_, '_>, looked: usize) -> Step {
        let Found::Yes(open) = read_tag(turn.text, turn.finished) else {
            return self.mention(turn);
        };
        let near = turn.near();
        let mut at = looked.max(open.len);
        loop {
            let rest = near.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = memchr2(b'<', b'[', rest) else {
                at = at.max(near.len());
                break;
            };
            at += found;
            match read_tag(turn.tail(at), turn.finished) {
                Found::More => return self.wait(State::ThoughtInLine(at)),
                Found::Yes(tag) if closes_thought(&tag) && at + tag.len <= near.len() => {
                    return self.thought_in_line_ends(turn, open.len..at, at + tag.len);
                }
                _ => at += 1,
            }
        }
        if turn.finished || turn.is_beyond_limit() {
            self.knows_no_thought = true;
            return self.mention(turn);
        }
        self.wait(State::ThoughtInLine(at))
    }

    fn thought_in_line_ends(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inner: Range<usize>,
        end: usize,
    ) -> Step {
        let thought = turn.text.get(inner.clone()).unwrap_or_default();
        if joins_tags(thought) {
            self.tell_text(turn, turn.head(end));
            return self.take(end, State::Prose);
        }
        turn.syntax(turn.head(inner.start));
        turn.reasoning(thought);
        turn.syntax(turn.text.get(inner.end..end).unwrap_or_default());
        self.has_thought |= !thought.trim_ascii().is_empty();
        self.line_is_blank = true;
        self.last = b'\n';
        self.take(end, State::Line)
    }

    fn thinking_never_ends(&mut self, turn: &mut Turn<'_, '_>, thinking: &Thinking) -> Step {
        let end = turn.text.len();
        let is_short = |hold: &Hold| end - hold.from <= turn.options.hold_limit;
        if let Some(hold) = thinking.hold.filter(is_short) {
            let readings = self.nested(turn, (turn.tail(hold.from), State::Prose), |_| false);
            if ends_with_calls(&readings, turn) {
                turn.reasoning(turn.head(hold.from));
                // What stands before the calls was held as one, and is none.
                let mut is_before = true;
                let readings = readings.into_iter().map(|reading| match reading {
                    Reading::Text(text) if is_before => Reading::Reasoning(text),
                    other => {
                        is_before &= !matches!(other, Reading::Call(_));
                        other
                    }
                });
                Self::tell_readings(turn, readings.collect());
                return self.take(end, State::Line);
            }
        }
        let thought = without_end_of_turn(turn.text);
        turn.reasoning(thought);
        turn.syntax(turn.tail(thought.len()));
        self.take(end, State::Line)
    }
}

impl Thinking {
    /// A thought that ends with its channel.
    pub(super) fn in_channel() -> Self {
        Self {
            in_channel: true,
            ..Self::default()
        }
    }

    /// A thought that these signs close.
    pub(super) fn closed_by(closer: &'static str) -> Self {
        Self {
            closer: Some(closer),
            ..Self::default()
        }
    }

    /// How many bytes at the end of the text may be the beginning of the closing signs, or of the
    /// header of the next message.
    fn begun_end(&self, text: &str) -> usize {
        if self.in_channel {
            let mut begun = [" to", " t", " "].into_iter();
            let begun = begun.find(|part| text.ends_with(part)).map_or(0, str::len);
            return begun.max(header_len(text));
        }
        let closer = self.closer.unwrap_or_default();
        let mut lengths = (1..closer.len()).rev().filter_map(|len| closer.get(..len));
        lengths
            .find(|part| text.ends_with(part))
            .map_or(0, str::len)
    }

    /// A line begins: it may be a call, or shows that the one before was none.
    fn note_line(&mut self, at: usize, may_be_call: bool, first: Option<u8>) {
        let is_prose = first.is_some_and(|byte| byte.is_ascii_alphabetic());
        match self.hold {
            None if may_be_call => {
                self.hold = Some(Hold {
                    from: at,
                    by_marker: false,
                });
            }
            Some(hold) if !hold.by_marker && !may_be_call && is_prose => self.hold = None,
            _ => {}
        }
    }
}

/// Whether a call without markers may begin at `at`, the beginning of a line; nothing while that
/// cannot be told.
fn may_be_call(turn: &Turn<'_, '_>, at: usize) -> Option<bool> {
    let rest = turn.tail(at);
    match rest.as_bytes().first() {
        None if !turn.finished => None,
        None => Some(false),
        Some(b'{' | b'`') => Some(true),
        Some(b'[') => Some(!rest.starts_with("[/")),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            let len = name_length(rest);
            let name = rest.get(..len).unwrap_or_default();
            let may_open = OPENINGS.iter().any(|word| word.starts_with(rest));
            if !is_name_whole(rest, turn.finished) && (may_open || turn.tools.may_bind(rest)) {
                return None;
            }
            let opens = OPENINGS.contains(&name) || turn.tools.binds(name);
            Some(opens && !turn.tools.is_any())
        }
        Some(_) => Some(false),
    }
}

fn is_opening(tag: &Tag) -> bool {
    !tag.close
        && tag
            .marker
            .is_some_and(|marker| marker.role == Role::Thinking)
}

fn closes_thought(tag: &Tag) -> bool {
    tag.marker.is_some_and(|marker| match marker.role {
        Role::Thinking => tag.close,
        Role::ThinkingEnd => true,
        _ => false,
    })
}

/// What stands between two tags that a sentence speaks of: `<think> and </think>`.
fn joins_tags(text: &str) -> bool {
    matches!(
        text.trim(),
        "and" | "or" | "to" | "/" | "," | "&" | "..." | "…"
    )
}

/// What Harmony begins the next message with.
const NEXT_MESSAGE: &str = "<|start|>";

/// The longest name of a recipient.
const MAX_RECIPIENT: usize = 128;

/// The length of a recipient that the text ends with: ` to=functions.N`.
fn header_len(text: &str) -> usize {
    const TO: &str = " to=";
    let near = text.floor_char_boundary(text.len().saturating_sub(MAX_RECIPIENT));
    let near = text.get(near..).unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let before = near.trim_end_matches(is_name);
    match before.ends_with(TO) {
        true => near.len() - before.len() + TO.len(),
        false => 0,
    }
}

fn is_begin_of_message(tag: &Tag) -> bool {
    tag.marker.is_some_and(|marker| marker.letters == "message")
}

/// More blanks than any server leaves behind the token that ends a turn.
const MAX_BLANKS: usize = 64;

/// True for a token that ends a message or a turn, as long as it may be the end of one here: what
/// follows it has yet to come.
fn may_end_turn(turn: &Turn<'_, '_>, (at, tag): (usize, &Tag)) -> bool {
    let rest = turn.tail(at + tag.len);
    let may_be = is_end_of_message(tag) && NEXT_MESSAGE.starts_with(rest);
    !turn.finished && (may_be || (is_end_of_turn(tag) && is_short_blank(rest)))
}

/// A thought without the token that ends the turn.
fn without_end_of_turn(thought: &str) -> &str {
    let Some(at) = memrchr(b'<', thought.as_bytes()) else {
        return thought;
    };
    match read_tag(thought.get(at..).unwrap_or_default(), true) {
        Found::Yes(tag)
            if (is_end_of_turn(&tag) || is_end_of_message(&tag))
                && is_short_blank(thought.get(at + tag.len..).unwrap_or_default()) =>
        {
            thought.get(..at).unwrap_or(thought)
        }
        _ => thought,
    }
}

fn is_short_blank(text: &str) -> bool {
    text.len() <= MAX_BLANKS && text.trim_ascii().is_empty()
}

fn is_end_of_turn(tag: &Tag) -> bool {
    let role = tag.marker.map(|marker| marker.role);
    role == Some(Role::Noise) && (tag.barred || tag.close)
}

fn is_end_of_message(tag: &Tag) -> bool {
    tag.barred && tag.marker.is_some_and(|marker| marker.letters == "end")
}

fn ends_thinking(turn: &Turn<'_, '_>, (at, tag): (usize, &Tag), thinking: &Thinking) -> bool {
    let Some(marker) = tag.marker.filter(|_| thinking.closer.is_none()) else {
        return false;
    };
    if is_end_of_message(tag) && turn.tail(at + tag.len).starts_with(NEXT_MESSAGE) {
        return true;
    }
    match marker.role {
        Role::Thinking => tag.close,
        Role::ThinkingEnd => true,
        // Kimi K3 writes `<|close|>think<|sep|>`.
        Role::Channel if !tag.barred => false,
        Role::Channel => thinking.in_channel || tag.close || marker.letters == "close",
        _ => false,
    }
}

/// Whether Kimi K3's closing token stands before the word for a thought, where the thought is in no
/// channel: a call has such tokens too, which may be spoken of.
fn names_thought(turn: &Turn<'_, '_>, (at, tag): (usize, &Tag), thinking: &Thinking) -> Ends {
    let is_kimi = tag.marker.is_some_and(|marker| marker.letters == "close");
    if !is_kimi || thinking.in_channel {
        return Ends::Yes;
    }
    let rest = turn.tail(at + tag.len);
    let words = ["think", "reasoning"];
    if words.iter().any(|word| rest.starts_with(word)) {
        return Ends::Yes;
    }
    match !turn.finished && words.iter().any(|word| word.starts_with(rest)) {
        true => Ends::Unclear,
        false => Ends::No,
    }
}

/// True when the readings end with a complete call of a bound tool and hold no other text after
/// it.
fn ends_with_calls(readings: &[Reading<'_>], turn: &Turn<'_, '_>) -> bool {
    let mut ends = false;
    for reading in readings {
        match reading {
            Reading::Call(found) => {
                ends = !found.cut
                    && !matches!(found.arguments, Written::Unreadable(..))
                    && turn.tools.binds(&found.name);
            }
            Reading::Text(text) if !text.trim_ascii().is_empty() => ends = false,
            _ => {}
        }
    }
    ends
}
