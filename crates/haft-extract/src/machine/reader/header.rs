//! The name of a call that stands before its arguments: `N{...}`, `N(...)`,
//! `functions.N:3<|tool_call_argument_begin|>{...}`, `function<｜tool▁sep｜>N`, `call:N{...}`.

use super::cursor::beginning;
use super::inside::fence_mark;
use super::line::begins_arguments;
use super::open_call::Body;
use super::written_name::{
    begins_key, begins_with_parameter, glued_key, name_in, word_behind, written_length,
};
use super::{Attempt, Cursor, Reader, fields};
use crate::arguments::parameters::Style;
use crate::scan::{Seen, Tag, split_run};
use crate::{Format, formats::Role, limits};

/// What stands before the arguments in the words of Qwen-Agent.
const FLOWERED: &str = "✿ARGS✿:";

/// What stands after a name.
#[derive(Clone, Copy)]
pub(super) enum After {
    /// No call.
    No,
    /// What stands between a name and its arguments, up to here.
    Skip(usize),
    /// Arguments.
    Body(Body),
    /// The name was only a word: a call begins here, with its name in a tag or not.
    Call(usize),
    /// Nothing: a call without arguments.
    Nothing(usize),
    /// Words at this place, up to the end of the wrapper.
    Words(usize),
}

impl After {
    /// Tags of keys and values.
    pub(super) fn pairs(start: usize) -> Self {
        Self::Body(Body::Tags(start, Style::Pairs))
    }
}

/// A name as written, and what was read behind it so far.
#[derive(Default)]
struct Name<'n> {
    written: &'n str,
    /// It is that of a bound tool.
    is_bound: bool,
    end: usize,
    /// A token stood behind it that announces arguments.
    is_separated: bool,
    is_fenced: bool,
    /// It was the end of a tag, and the one argument of the tool is text.
    is_text: bool,
}

impl Reader {
    pub(super) fn read_header(&mut self, here: &mut Cursor<'_>, at: usize) -> Attempt {
        let text = here.tail(at);
        let quote = usize::from(text.starts_with(['"', '\'']));
        let len = written_length(here.tail(at + quote));
        let written = here.part(at + quote, at + quote + len);
        let end = at + len + 2 * quote;
        here.wait_if(text.len() == quote)?;
        if written.is_empty() || len > limits::HEADER {
            return Ok(None);
        }
        here.wait_if(end >= here.text.len())?;
        let next = here.byte(end);
        if !here.finished && next == Some(b'<') {
            // Until it is whole, the name need not be looked at.
            here.tag(end)?;
        }
        if written == "function" && next == Some(b'=') {
            return self.unopened_tag(here, end + 1);
        }
        if written == "print" && next == Some(b'(') && !here.tools.binds(written) {
            // No tool has a longer name.
            let near = beginning(here.tail(end + 1));
            let inner = near.get(..written_length(near)).unwrap_or_default();
            here.wait_if(end + 1 + inner.len() >= here.text.len())?;
            if here.tools.binds(inner) {
                return self.skip(end + 1);
            }
        }
        // The word of Gemma's calls before an object that has the name, and the language of a fence.
        let is_language = written == "json" && !self.inside.proven && !here.tools.binds(written);
        if (written == "call:" && next == Some(b'{'))
            || (is_language && here.body(end)?.0.starts_with(['{', '[']))
        {
            return self.skip(end);
        }
        let (name, is_bound) = name_in(here, written);
        if !is_bound
            && quote == 0
            && let Some(name) = glued_key(here, written, end)?
        {
            let pairs = Body::Tags(at + name.len(), Style::Pairs);
            self.format = with_body(self.format, written, pairs);
            return self.open_call(here, name, pairs).map(Some);
        }
        let name_read = Name {
            written,
            is_bound,
            end,
            ..Name::default()
        };
        match self.after_name(here, name_read)? {
            After::Body(Body::Call(_)) if !is_bound && next != Some(b'(') => Ok(None),
            // Words before an object in the same line are no name.
            After::Body(Body::Object(start)) if !is_bound && is_apart(here, end, start) => Ok(None),
            After::Body(body) => {
                self.format = with_body(self.format, written, body);
                self.open_call(here, name, body).map(Some)
            }
            // Between two calls it is text, unless it names the call once more.
            After::Call(_) if self.inside.proven && !is_bound && written != "function" => Ok(None),
            After::Call(start) => self.skip(start),
            // The marker stands there twice, with its word.
            After::Nothing(start) if is_doubled(written, here.tail(start)) => self.skip(start),
            After::Nothing(taken) if is_bound && (at > 0 || self.inside.proven) => {
                self.empty_call(here, name, taken).map(Some)
            }
            After::Words(start) => self.in_words(here, name, start),
            After::No | After::Skip(_) | After::Nothing(_) => Ok(None),
        }
    }

    /// `function=N>`: the tag of a call without its first bracket; its name begins at `start`.
    fn unopened_tag(&mut self, here: &mut Cursor<'_>, start: usize) -> Attempt {
        let rest = here.tail(start);
        let (name, behind) = rest.split_at(written_length(rest));
        here.wait_if(behind.is_empty() && name.len() < limits::HEADER)?;
        if !behind.starts_with('>') || !here.tools.binds(name) {
            return Ok(None);
        }
        self.format = Format::Qwen3Coder;
        let tags = Body::Tags(start + name.len() + 1, Style::Invoke);
        self.open_call(here, name, tags).map(Some)
    }

    fn after_name(&self, here: &Cursor<'_>, mut name: Name<'_>) -> Seen<After> {
        let mut at = name.end;
        for _ in 0..limits::PARTS {
            match self.part_after_name(here, &mut name, at)? {
                After::Skip(next) => at = next,
                after => return Ok(after),
            }
        }
        Ok(After::No)
    }

    /// What stands at `at` behind a name.
    fn part_after_name(&self, here: &Cursor<'_>, name: &mut Name<'_>, at: usize) -> Seen<After> {
        let (body, start) = here.body(at)?;
        let is_below = here.tail(at).starts_with('\n');
        let may_be_quoted = name.is_separated || name.is_fenced || is_below;
        let is_plain = name.is_bound && !name.is_separated;
        let is_alone =
            is_plain && self.format == Format::Hermes && here.tail(name.end).starts_with('\n');
        Ok(match body.as_bytes() {
            [] if here.tools.is_any() => After::No,
            [] => After::Nothing(here.text.len()),
            [b'{', ..] => After::Body(Body::Object(start)),
            [b'(', ..] => After::Body(Body::Call(start)),
            [b'"', ..] if may_be_quoted && here.begins(body, "\"{")? => After::Skip(start + 1),
            // Of `<function=N>` the first part may be lost.
            [byte @ (b':' | b'>'), ..] if is_plain => {
                name.is_text |= *byte == b'>' && here.tools.takes_one_text(name.written);
                After::Skip(start + 1)
            }
            [0xE2, ..] if here.begins(body, FLOWERED)? => {
                name.is_separated = true;
                After::Skip(start + FLOWERED.len())
            }
            [b'`', ..] => {
                name.is_fenced = true;
                After::Skip(start + fence_mark(body, here.finished)?)
            }
            [b'<' | b'[', ..] => {
                let after = match here.tag(start)? {
                    Some(tag) => self.tag_after_name(here, name, &tag)?,
                    None if here.begins(body, fields::ARGUMENTS)? => {
                        After::Skip(start + fields::ARGUMENTS.len())
                    }
                    None => After::No,
                };
                name.is_separated |= matches!(after, After::Skip(_));
                after
            }
            [b'j', ..] if name.is_separated && here.begins(body, "json")? => After::Skip(start + 4),
            _ if is_plain && let Some(after) = word_behind(here, start)? => after,
            _ if name.is_separated && name.written == "function" => After::Call(start),
            _ if name.is_separated
                && matches!(self.format, Format::Mistral | Format::MistralArgs) =>
            {
                // The id behind `[CALL_ID]`.
                let (id, rest) = split_run(body, body.len(), u8::is_ascii_alphanumeric);
                here.wait_if(rest.is_empty() && !id.is_empty())?;
                match id {
                    "" => After::No,
                    id => After::Skip(start + id.len()),
                }
            }
            // The one argument, or parameters in words.
            _ if self.format == Format::Hermes
                && (name.is_text
                    || (is_plain && begins_with_parameter(here, name.written, start)?)) =>
            {
                After::Words(start)
            }
            // Where every name is bound, any last word of a line would be a call.
            _ if (is_below || is_alone) && name.is_bound && !here.tools.is_any() => {
                After::Nothing(name.end)
            }
            // Behind a token that announces arguments there are some, if not in JSON.
            _ if name.is_separated && name.is_bound => After::Body(Body::Object(start)),
            _ => After::No,
        })
    }

    /// What a tag after the name means.
    fn tag_after_name(&self, here: &Cursor<'_>, name: &Name<'_>, tag: &Tag<'_>) -> Seen<After> {
        let (start, end) = (tag.start, tag.end());
        let opens_wrapper = tag.opens(Role::Wrapper);
        let is_mistral = self.format == Format::MistralArgs;
        Ok(match tag.role() {
            None if here.tools.binds(name.written) => After::pairs(start),
            Some(Role::Separator | Role::Noise | Role::Channel) => After::Skip(end),
            Some(Role::Parameter | Role::Key | Role::Value) if !tag.close => After::pairs(start),
            Some(Role::Key | Role::Type) => After::pairs(start),
            Some(Role::Invoke) if !tag.close => After::Call(start),
            // `N[TOOL_CALLS]{...}`: the name slipped before the marker.
            _ if is_mistral && opens_wrapper && begins_arguments(here, end)? => After::Skip(end),
            _ if is_mistral && opens_wrapper => After::Nothing(start),
            // Where every name is bound, the word behind a marker that is spoken of would be a call.
            _ if opens_wrapper && here.tools.is_any() => After::No,
            // The tag of a wrapper, where that of the first name belongs: `N<tool_call>city</arg_key>`.
            _ if opens_wrapper && begins_key(here, end)? => After::pairs(end),
            Some(Role::Wrapper | Role::Close | Role::Invoke) => After::Nothing(start),
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

/// The format's name once the body is known too.
fn with_body(format: Format, written: &str, body: Body) -> Format {
    let is_gemma = written.starts_with("call:") || written.starts_with(':');
    match (format, body) {
        (Format::Hermes, Body::Tags(..)) => Format::Glm45,
        (Format::Hermes, Body::Object(_)) if is_gemma => Format::Gemma4,
        (Format::Hermes | Format::Auto, Body::Call(_)) => Format::Pythonic,
        (Format::HunyuanA13b, Body::Tags(..)) => Format::HyV3,
        (Format::Mistral, Body::Object(_) | Body::Call(_)) => Format::MistralArgs,
        _ => format,
    }
}
