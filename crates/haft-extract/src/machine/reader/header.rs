//! The name of a call that stands before its arguments: `N{...}`, `N(...)`,
//! `functions.N:3<|tool_call_argument_begin|>{...}`, `function<｜tool▁sep｜>N`, `call:N{...}`.

use super::attributes::begins_with_parameter;
use super::behind_name::{begins_key, glued_key, id_length, word_behind};
use super::inside::{Coming, Inside, Kind, Next, fence_mark, refined};
use super::line::{beginning, begins_arguments};
use super::{Cursor, Reader, fields};
use crate::Format;
use crate::arguments::parameters::Style;
use crate::formats::Role;
use crate::scan::More;
use crate::scan::tag::Tag;

/// The longest name with its prefix and counter.
pub(super) const MAX_HEADER: usize = 256;

/// More tags, fences and words than any model writes between a name and its arguments.
const MAX_PARTS: usize = 8;

/// What stands before the arguments in the words of Qwen-Agent.
const FLOWERED: &str = "✿ARGS✿:";

/// What stands after a name.
pub(super) enum After {
    /// No call.
    No,
    /// What stands between a name and its arguments, up to here.
    Skip(usize),
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

/// How the parts between a name and its arguments were read so far.
#[derive(Default)]
struct Between {
    /// A token stood among them that announces arguments.
    is_separated: bool,
    is_fenced: bool,
    /// The name was the end of a tag, and the one argument of the tool is text.
    is_text: bool,
}

/// A name as written, without prefix and counter, and whether it is that of a bound tool.
struct Name<'n> {
    written: &'n str,
    is_bound: bool,
    end: usize,
}

impl Reader {
    pub(super) fn read_header(
        &mut self,
        here: &mut Cursor<'_>,
        inside: &Inside,
        at: usize,
    ) -> Coming {
        let text = here.tail(at);
        let quote = usize::from(text.starts_with(['"', '\'']));
        let len = written_length(text.get(quote..).unwrap_or_default());
        let written = text.get(quote..quote + len).unwrap_or_default();
        let end = at + len + 2 * quote;
        if text.len() == quote && !here.finished {
            return Err(More);
        }
        if written.is_empty() || len > MAX_HEADER {
            return Ok(Next::Text);
        }
        if end >= here.text.len() && !here.finished {
            return Err(More);
        }
        let next = here.byte(end);
        if written == "function" && next == Some(b'=') {
            return self.unopened_tag(here, end + 1);
        }
        if written == "print" && next == Some(b'(') && !here.tools.binds(written) {
            // No tool has a longer name.
            let near = beginning(here.tail(end + 1));
            let inner = near.get(..written_length(near)).unwrap_or_default();
            if end + 1 + inner.len() >= here.text.len() && !here.finished {
                return Err(More);
            }
            if here.tools.binds(inner) {
                return Ok(Next::Skip(end + 1));
            }
        }
        // The word of Gemma's calls before an object that has the name.
        if written == "call:" && next == Some(b'{') {
            return Ok(Next::Skip(end));
        }
        let (name, is_bound) = name_in(here, written);
        if !is_bound
            && quote == 0
            && next == Some(b'<')
            && let Some(name) = glued_key(here, written, end)?
        {
            self.format = refined(self.format, Format::Glm45);
            let start = at + name.len();
            return Ok(Next::Done(self.open_tags(
                here,
                (name, Style::Pairs),
                start,
            )));
        }
        let after = self.after_name(
            here,
            &Name {
                written,
                is_bound,
                end,
            },
        )?;
        Ok(match after {
            After::No | After::Skip(_) => Next::Text,
            After::Brackets(_, Kind::Call) if !is_bound && next != Some(b'(') => Next::Text,
            // Words before an object in the same line are no name.
            After::Brackets(start, _) if !is_bound && is_apart(here, end, start) => Next::Text,
            After::Brackets(start, kind) => {
                self.format = with_brackets(self.format, written, kind);
                Next::Done(self.open_arguments(here, (name, kind), start))
            }
            After::Tags(start) => {
                self.format = refined(self.format, Format::Glm45);
                Next::Done(self.open_tags(here, (name, Style::Pairs), start))
            }
            // Between two calls it is text, unless it names the call once more.
            After::Invoke(_) if inside.proven && !is_bound && written != "function" => Next::Text,
            After::Invoke(start) | After::Name(start) => Next::Skip(start),
            // The marker stands there twice, with its word.
            After::Nothing(start) if is_doubled(written, here.tail(start)) => Next::Skip(start),
            After::Nothing(taken) if is_bound && (inside.lead > 0 || inside.proven) => {
                Next::Done(self.empty_call(here, name, taken))
            }
            After::Nothing(_) => Next::Text,
            After::Words(start) => return self.arguments_in_words(here, name, start),
        })
    }

    /// `function=N>`: the tag of a call without its first bracket; its name begins at `start`.
    fn unopened_tag(&mut self, here: &mut Cursor<'_>, start: usize) -> Coming {
        let rest = here.tail(start);
        let (name, behind) = rest.split_at(written_length(rest));
        if behind.is_empty() && name.len() < MAX_HEADER {
            return here.at_end(Next::Text);
        }
        if !behind.starts_with('>') || !here.tools.binds(name) {
            return Ok(Next::Text);
        }
        self.format = Format::Qwen3Coder;
        let start = start + name.len() + 1;
        Ok(Next::Done(self.open_tags(
            here,
            (name, Style::Invoke),
            start,
        )))
    }

    fn after_name(&self, here: &Cursor<'_>, name: &Name<'_>) -> Result<After, More> {
        let mut at = name.end;
        let mut between = Between::default();
        for _ in 0..MAX_PARTS {
            match self.part_after_name(here, (name, &mut between), at)? {
                After::Skip(next) => at = next,
                after => return Ok(after),
            }
        }
        Ok(After::No)
    }

    /// What stands at `at` behind a name.
    fn part_after_name(
        &self,
        here: &Cursor<'_>,
        (name, between): (&Name<'_>, &mut Between),
        at: usize,
    ) -> Result<After, More> {
        let rest = here.tail(at);
        let (body, start) = here.body(at)?;
        let is_separated = between.is_separated;
        let may_be_quoted = is_separated || between.is_fenced || rest.starts_with('\n');
        // Where every name is bound, any last word of a line would be a call.
        let is_bound_tool = name.is_bound && !here.tools.is_any();
        Ok(match body.as_bytes() {
            [] if here.tools.is_any() => After::No,
            [] => After::Nothing(here.text.len()),
            [b'{', ..] => After::Brackets(start, Kind::Object),
            [b'(', ..] => After::Brackets(start, Kind::Call),
            [b'"', ..] if may_be_quoted && here.begins(body, "\"{")? => After::Skip(start + 1),
            // Of `<function=N>` the first part may be lost.
            [byte @ (b':' | b'>'), ..] if !is_separated && name.is_bound => {
                between.is_text |= *byte == b'>' && here.tools.takes_one_text(name.written);
                After::Skip(start + 1)
            }
            [0xE2, ..] if here.begins(body, FLOWERED)? => {
                between.is_separated = true;
                After::Skip(start + FLOWERED.len())
            }
            [b'`', ..] => match fence_mark(body, here.finished)? {
                0 => After::No,
                len => {
                    between.is_fenced = true;
                    After::Skip(start + len)
                }
            },
            [b'<' | b'[', ..] => {
                let after = self.bracket_after_name(here, (body, start), name.written)?;
                between.is_separated |= matches!(after, After::Skip(_));
                after
            }
            [b'j', ..] if is_separated && here.begins(body, "json")? => After::Skip(start + 4),
            _ if name.is_bound
                && !is_separated
                && let Some(after) = word_behind(here, start)? =>
            {
                after
            }
            _ if is_separated && name.written == "function" => After::Name(start),
            _ if is_separated && matches!(self.format, Format::Mistral | Format::MistralArgs) => {
                match id_length(body, here.finished)? {
                    0 => After::No,
                    len => After::Skip(start + len),
                }
            }
            _ if self.format == Format::Hermes
                && (between.is_text || (name.is_bound && !is_separated)) =>
            {
                // The one argument, or parameters in words.
                match begins_with_parameter(here, name.written, start) {
                    _ if between.is_text => After::Words(start),
                    begins if begins? => After::Words(start),
                    _ if here.tail(name.end).starts_with('\n') && !here.tools.is_any() => {
                        After::Nothing(name.end)
                    }
                    _ => After::No,
                }
            }
            _ if rest.starts_with('\n') && is_bound_tool => After::Nothing(name.end),
            // Behind a token that announces arguments there are some, if not in JSON.
            _ if is_separated && name.is_bound => After::Brackets(start, Kind::Object),
            _ => After::No,
        })
    }

    /// What a bracket after the name begins: a tag, or the heading of DSPy's arguments.
    fn bracket_after_name(
        &self,
        here: &Cursor<'_>,
        (body, start): (&str, usize),
        written: &str,
    ) -> Result<After, More> {
        match here.tag(start)? {
            Some(tag) => self.tag_after_name(here, (&tag, start), written),
            None if here.begins(body, fields::ARGUMENTS)? => {
                Ok(After::Skip(start + fields::ARGUMENTS.len()))
            }
            None => Ok(After::No),
        }
    }

    /// What a tag after the name means.
    fn tag_after_name(
        &self,
        here: &Cursor<'_>,
        (tag, start): (&Tag, usize),
        written: &str,
    ) -> Result<After, More> {
        let end = start + tag.len;
        let Some(marker) = tag.marker else {
            let is_bound = here.tools.binds(written);
            return Ok(if is_bound {
                After::Tags(start)
            } else {
                After::No
            });
        };
        Ok(match marker.role {
            Role::Separator | Role::Noise | Role::Channel => After::Skip(end),
            Role::Parameter | Role::Key | Role::Value if !tag.close => After::Tags(start),
            Role::Key | Role::Type if tag.close => After::Tags(start),
            Role::Invoke if !tag.close => After::Invoke(start),
            // `N[TOOL_CALLS]{...}`: the name slipped before the marker.
            Role::Wrapper if self.format == Format::MistralArgs && !tag.close => {
                match begins_arguments(here, end)? {
                    true => After::Skip(end),
                    false => After::Nothing(start),
                }
            }
            // The tag of a wrapper, where that of the first name belongs: `N<tool_call>city</arg_key>`.
            Role::Wrapper if !tag.close && !here.tools.is_any() => match begins_key(here, end)? {
                true => After::Tags(end),
                false => After::Nothing(start),
            },
            // Where every name is bound, the word behind a marker that is spoken of would be a call.
            Role::Wrapper if !tag.close => After::No,
            Role::Wrapper | Role::Close | Role::Invoke => After::Nothing(start),
            _ => After::No,
        })
    }
}

/// True when only blanks, and at least one, stand between a name and its arguments.
fn is_apart(here: &Cursor<'_>, end: usize, start: usize) -> bool {
    let between = here.part(end, start);
    !between.is_empty() && between.bytes().all(|byte| byte == b' ')
}

/// True for the word between Gemma's marker and a name, where the marker follows once more.
fn is_doubled(written: &str, rest: &str) -> bool {
    matches!(written, "call" | "call:") && rest.starts_with("<|tool_call>")
}

/// The tool's name in what is written, without prefix and counter if that names a tool, and
/// whether it does.
pub(super) fn name_in<'n>(here: &Cursor<'_>, written: &'n str) -> (&'n str, bool) {
    if here.tools.binds_exactly(written) {
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
    if let Some(name) = names.clone().find(|name| here.tools.binds_exactly(name)) {
        return (name, true);
    }
    let is_bound = |name: &&str| !here.tools.is_any() && here.tools.binds(name);
    if let Some(name) = names.into_iter().find(is_bound) {
        return (name, true);
    }
    let name = counted.filter(|_| bare.contains(':')).unwrap_or(bare);
    (name, here.tools.binds(name))
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
    let is_sign = |c: char| matches!(c, '_' | '-' | '.' | '\\' | '/' | ':' | '*');
    text.find(|c: char| !c.is_alphanumeric() && !is_sign(c))
        .unwrap_or(text.len())
}
