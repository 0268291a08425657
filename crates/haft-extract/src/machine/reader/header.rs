//! The name of a call that stands before its arguments: `N{...}`, `N(...)`,
//! `functions.N:3<|tool_call_argument_begin|>{...}`, `function<｜tool▁sep｜>N`, `call:N{...}`.

use super::attributes::begins_with_parameter;
use super::behind_name::{begins_key, glued_key, id_length, word_behind};
use super::inside::{Inside, Kind, Next, behind_blanks, fence_mark, refined};
use super::line::{beginning, begins_arguments};
use super::{Reader, Turn, fields};
use crate::Format;
use crate::arguments::parameters::Style;
use crate::formats::Role;
use crate::scan::lexis::Ends;
use crate::scan::tag::{Found, Tag, read_tag};

/// The longest name with its prefix and counter.
pub(super) const MAX_HEADER: usize = 256;

/// More tags, fences and words than any model writes between a name and its arguments.
const MAX_PARTS: usize = 8;

/// What stands before the arguments in the words of Qwen-Agent.
const FLOWERED: &str = "✿ARGS✿:";

/// What stands after a name.
pub(super) enum After {
    More,
    /// No call.
    No,
    /// Arguments in brackets at this place.
    Brackets(usize, Kind),
    /// Tags at this place.
    Tags(usize),
    /// A call of its own with its name in a tag: the name before was only a word.
    Invoke(usize),
    /// The name was only a word, the real one begins here.
    Name(usize),
    /// Nothing: a call without arguments.
    Nothing(usize),
    /// Words at this place, up to the end of the wrapper.
    Words(usize),
}

impl Reader {
    pub(super) fn read_header(
        &mut self,
        turn: &mut Turn<'_, '_>,
        inside: &Inside,
        at: usize,
    ) -> Next {
        let text = turn.tail(at);
        let quote = usize::from(text.starts_with(['"', '\'']));
        let len = written_length(text.get(quote..).unwrap_or_default());
        let written = text.get(quote..quote + len).unwrap_or_default();
        let end = at + len + 2 * quote;
        if text.len() == quote && !turn.finished {
            return Next::More;
        }
        if written.is_empty() || len > MAX_HEADER {
            return Next::Text;
        }
        if self.is_continued(turn, end) {
            return Next::More;
        }
        if written == "function" && turn.byte(end) == Some(b'=') {
            return self.unopened_tag(turn, end + 1);
        }
        if written == "print" && turn.byte(end) == Some(b'(') && !turn.tools.binds(written) {
            match self.is_bound_name(turn, end + 1) {
                Found::More => return Next::More,
                Found::Yes(()) => return Next::Skip(end + 1),
                Found::No => {}
            }
        }
        // The word of Gemma's calls before an object that has the name.
        if written == "call:" && turn.byte(end) == Some(b'{') {
            return Next::Skip(end);
        }
        let (name, bound) = name_in(turn, written);
        if !bound && quote == 0 && turn.byte(end) == Some(b'<') {
            match glued_key(turn, written, end) {
                Found::More => return Next::More,
                Found::Yes(name) => {
                    self.format = refined(self.format, Format::Glm45);
                    let start = at + name.len();
                    return Next::Done(self.open_tags(turn, (name, Style::Pairs), start));
                }
                Found::No => {}
            }
        }
        match self.after_name(turn, written, (end, bound)) {
            After::More => Next::More,
            After::No if self.is_continued(turn, end) => Next::More,
            After::No => Next::Text,
            After::Brackets(_, Kind::Call) if !bound && turn.byte(end) != Some(b'(') => Next::Text,
            // Words before an object in the same line are no name.
            After::Brackets(start, _) if !bound && self.is_apart(turn, end, start) => Next::Text,
            After::Brackets(start, kind) => {
                self.format = with_brackets(self.format, written, kind);
                Next::Done(self.open_arguments(turn, (name, kind), start))
            }
            After::Tags(start) => {
                self.format = refined(self.format, Format::Glm45);
                Next::Done(self.open_tags(turn, (name, Style::Pairs), start))
            }
            // Between two calls it is text, unless it names the call once more.
            After::Invoke(_) if inside.proven && !bound && written != "function" => Next::Text,
            After::Invoke(start) | After::Name(start) => Next::Skip(start),
            // The marker stands there twice, with its word.
            After::Nothing(start) if is_doubled(written, turn.tail(start)) => Next::Skip(start),
            After::Nothing(taken) if bound && (inside.lead > 0 || inside.proven) => {
                Next::Done(self.empty_call(turn, name, taken))
            }
            After::Nothing(_) => Next::Text,
            After::Words(start) => self.arguments_in_words(turn, name, start),
        }
    }

    /// `function=N>`: the tag of a call without its first bracket; its name begins at `start`.
    fn unopened_tag(&mut self, turn: &mut Turn<'_, '_>, start: usize) -> Next {
        let rest = turn.tail(start);
        let len = written_length(rest);
        let name = rest.get(..len).unwrap_or_default();
        match rest.as_bytes().get(len) {
            None if !turn.finished && len < MAX_HEADER => Next::More,
            Some(b'>') if turn.tools.binds(name) => {
                self.format = Format::Qwen3Coder;
                let start = start + len + 1;
                Next::Done(self.open_tags(turn, (name, Style::Invoke), start))
            }
            _ => Next::Text,
        }
    }

    /// True when only blanks, and at least one, stand between a name and its arguments.
    fn is_apart(&self, turn: &Turn<'_, '_>, end: usize, start: usize) -> bool {
        let between = turn.text.get(end..start).unwrap_or_default();
        !between.is_empty() && between.bytes().all(|byte| byte == b' ')
    }

    /// Whether the name of a bound tool stands at `at`.
    fn is_bound_name(&self, turn: &Turn<'_, '_>, at: usize) -> Found<()> {
        // No tool has a longer name.
        let near = beginning(turn.tail(at));
        let name = near.get(..written_length(near)).unwrap_or_default();
        match self.is_continued(turn, at + name.len()) {
            true => Found::More,
            false if turn.tools.binds(name) => Found::Yes(()),
            false => Found::No,
        }
    }

    /// True when the text ends right after a name that may go on.
    fn is_continued(&self, turn: &Turn<'_, '_>, end: usize) -> bool {
        end >= turn.text.len() && !turn.finished
    }

    fn is_mistral(&self) -> bool {
        matches!(self.format, Format::Mistral | Format::MistralArgs)
    }

    fn after_name(&self, turn: &Turn<'_, '_>, written: &str, (end, bound): (usize, bool)) -> After {
        let mut at = end;
        let mut separated = false;
        let mut is_fenced = false;
        let mut is_text = false;
        for _ in 0..MAX_PARTS {
            let rest = turn.tail(at);
            let body = behind_blanks(rest);
            let blanks = rest.len() - body.len();
            let start = at + blanks;
            let may_be_quoted = separated || is_fenced || rest.starts_with('\n');
            match body.as_bytes().first() {
                None if !turn.finished => return After::More,
                None if turn.tools.is_any() => return After::No,
                None => return After::Nothing(turn.text.len()),
                Some(b'{') => return After::Brackets(start, Kind::Object),
                Some(b'(') => return After::Brackets(start, Kind::Call),
                Some(b'"') if may_be_quoted && body.len() == 1 && !turn.finished => {
                    return After::More;
                }
                Some(b'"') if may_be_quoted && body.starts_with("\"{") => at = start + 1,
                // Of `<function=N>` the first part may be lost.
                Some(byte @ (b':' | b'>')) if !separated && bound => {
                    is_text |= *byte == b'>' && turn.tools.takes_one_text(written);
                    at = start + 1;
                }
                Some(0xE2) if body.starts_with(FLOWERED) => {
                    separated = true;
                    at = start + FLOWERED.len();
                }
                Some(0xE2) if FLOWERED.starts_with(body) && !turn.finished => return After::More,
                Some(b'`') => match fence_mark(body, turn.finished) {
                    None => return After::More,
                    Some(0) => return After::No,
                    Some(len) => {
                        is_fenced = true;
                        at = start + len;
                    }
                },
                Some(b'<' | b'[') => match self.bracket_after_name(turn, (body, start), written) {
                    Ok(after) => return after,
                    Err(next) => {
                        separated = true;
                        at = next;
                    }
                },
                Some(b'j') if separated && body.starts_with("json") => at = start + 4,
                Some(b'j') if separated && "json".starts_with(body) && !turn.finished => {
                    return After::More;
                }
                Some(_)
                    if bound
                        && !separated
                        && let Some(next) = word_behind(turn, start) =>
                {
                    match next {
                        Ok(after) => return after,
                        Err(next) => at = next,
                    }
                }
                Some(_) if separated && written == "function" => return After::Name(start),
                Some(_) if separated && self.is_mistral() => match id_length(body, turn.finished) {
                    Found::Yes(len) => at = start + len,
                    Found::More => return After::More,
                    Found::No => return After::No,
                },
                Some(_) if self.format == Format::Hermes && (is_text || (bound && !separated)) => {
                    return words_after_name(turn, (written, is_text), (end, start));
                }
                // Where every name is bound, any last word of a line would be a call.
                Some(_) if rest.starts_with('\n') && bound && !turn.tools.is_any() => {
                    return After::Nothing(end);
                }
                // Behind a token that announces arguments there are some, if not in JSON.
                Some(_) if separated && bound => {
                    return After::Brackets(start, Kind::Object);
                }
                Some(_) => return After::No,
            }
        }
        After::No
    }

    /// What a bracket after the name begins: a tag, or the heading of DSPy's arguments; `Err` to go
    /// on behind it.
    fn bracket_after_name(
        &self,
        turn: &Turn<'_, '_>,
        (body, start): (&str, usize),
        written: &str,
    ) -> Result<After, usize> {
        match read_tag(body, turn.finished) {
            Found::More => Ok(After::More),
            Found::Yes(tag) => self.tag_after_name(turn, (&tag, start), written),
            Found::No => match fields::heading(body, fields::ARGUMENTS, turn.finished) {
                Found::More => Ok(After::More),
                Found::Yes(len) => Err(start + len),
                Found::No => Ok(After::No),
            },
        }
    }

    /// What a tag after the name means; `Err` to go on behind it.
    fn tag_after_name(
        &self,
        turn: &Turn<'_, '_>,
        (tag, start): (&Tag, usize),
        written: &str,
    ) -> Result<After, usize> {
        let Some(marker) = tag.marker else {
            return Ok(if turn.tools.binds(written) {
                After::Tags(start)
            } else {
                After::No
            });
        };
        match marker.role {
            Role::Separator | Role::Noise | Role::Channel => Err(start + tag.len),
            Role::Parameter | Role::Key | Role::Value if !tag.close => Ok(After::Tags(start)),
            Role::Key | Role::Type if tag.close => Ok(After::Tags(start)),
            Role::Invoke if !tag.close => Ok(After::Invoke(start)),
            // `N[TOOL_CALLS]{...}`: the name slipped before the marker.
            Role::Wrapper if self.format == Format::MistralArgs && !tag.close => {
                let end = start + tag.len;
                match begins_arguments(turn.tail(end), turn.finished) {
                    Ends::Yes => Err(end),
                    Ends::Unclear => Ok(After::More),
                    Ends::No => Ok(After::Nothing(start)),
                }
            }
            // The tag of a wrapper, where that of the first name belongs: `N<tool_call>city</arg_key>`.
            Role::Wrapper if !tag.close && !turn.tools.is_any() => {
                let end = start + tag.len;
                match begins_key(turn.tail(end), turn.finished) {
                    Ends::Yes => Ok(After::Tags(end)),
                    Ends::Unclear => Ok(After::More),
                    Ends::No => Ok(After::Nothing(start)),
                }
            }
            // Where every name is bound, the word behind a marker that is spoken of would be a call.
            Role::Wrapper if !tag.close => Ok(After::No),
            Role::Wrapper | Role::Close | Role::Invoke => Ok(After::Nothing(start)),
            _ => Ok(After::No),
        }
    }
}

/// True for the word between Gemma's marker and a name, where the marker follows once more.
fn is_doubled(written: &str, rest: &str) -> bool {
    matches!(written, "call" | "call:") && rest.starts_with("<|tool_call>")
}

/// What stands behind the name of a tool in a wrapper where no brackets follow: `end` is that of
/// the name, `start` where the next word begins, `is_text` says that it begins the one argument.
fn words_after_name(
    turn: &Turn<'_, '_>,
    (name, is_text): (&str, bool),
    (end, start): (usize, usize),
) -> After {
    match begins_with_parameter(turn, name, start) {
        _ if is_text => After::Words(start),
        Ends::Yes => After::Words(start),
        Ends::Unclear => After::More,
        Ends::No if turn.tail(end).starts_with('\n') && !turn.tools.is_any() => After::Nothing(end),
        Ends::No => After::No,
    }
}

/// The tool's name in what is written, without prefix and counter if that names a tool, and
/// whether it does.
pub(super) fn name_in<'n>(turn: &Turn<'_, '_>, written: &'n str) -> (&'n str, bool) {
    if turn.tools.binds_exactly(written) {
        return (written, true);
    }
    let written = without_escape(written);
    let mut plain = written.trim_start_matches(':');
    while let Some(rest) = plain.strip_prefix("call:") {
        plain = rest;
    }
    let plain = plain.trim_end_matches(':');
    let bare = plain
        .strip_prefix("functions.")
        .or_else(|| plain.strip_prefix("functions_"));
    let bare = bare.unwrap_or(plain);
    let counted = without_counter(bare);
    // Exactly first: what a name resembles takes a while to find out.
    // Llama writes `<|python_tag|>f.call(...)`.
    let called = bare.strip_suffix(".call");
    let names = [Some(plain), Some(bare), counted, called];
    let names = names.into_iter().flatten();
    if let Some(name) = names.clone().find(|name| turn.tools.binds_exactly(name)) {
        return (name, true);
    }
    let is_bound = |name: &&str| !turn.tools.is_any() && turn.tools.binds(name);
    if let Some(name) = names.into_iter().find(is_bound) {
        return (name, true);
    }
    let name = counted.filter(|_| bare.contains(':')).unwrap_or(bare);
    (name, turn.tools.binds(name))
}

/// A name without the line break after it, where a model wrote that as an escape.
fn without_escape(written: &str) -> &str {
    let mut name = written;
    while let Some(rest) = name.strip_suffix("\\n").filter(|rest| !rest.is_empty()) {
        name = rest;
    }
    name
}

/// `f` of `f:0` and `f_0`.
fn without_counter(name: &str) -> Option<&str> {
    let at = name.rfind([':', '_'])?;
    let digits = name.get(at + 1..)?;
    let is_counter = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_counter.then(|| name.get(..at)).flatten()
}

/// The format of a name with brackets.
pub(super) fn with_brackets(format: Format, written: &str, kind: Kind) -> Format {
    match (format, kind) {
        (Format::Hermes, Kind::Object)
            if written.starts_with("call:") || written.starts_with(':') =>
        {
            Format::Gemma4
        }
        (Format::Hermes | Format::Auto, Kind::Call) => Format::Pythonic,
        (Format::Mistral, _) => Format::MistralArgs,
        _ => format,
    }
}

/// The length of a name with prefix and counter.
pub(super) fn written_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while let Some(&byte) = bytes.get(len) {
        if is_written(byte) {
            len += 1;
            continue;
        }
        let letter = text.get(len..).and_then(|rest| rest.chars().next());
        match letter.filter(|c| !c.is_ascii() && c.is_alphanumeric()) {
            Some(letter) => len += letter.len_utf8(),
            None => break,
        }
    }
    len
}

/// True for the bytes of names with prefixes and counters, as far as they are ASCII.
fn is_written(byte: u8) -> bool {
    WRITTEN.get(usize::from(byte)) == Some(&true)
}

static WRITTEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let is_sign = matches!(byte, b'_' | b'-' | b'.' | b'\\' | b'/' | b':' | b'*');
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = is_sign || byte.is_ascii_alphanumeric();
        }
        byte += 1;
    }
    table
};
