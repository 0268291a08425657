//! What consists of several tokens with words between them: Kimi K3's tags,
//! `<|open|>call tool="N"<|sep|>` and `<|close|>call<|sep|>`, and the headers of Functionary 2's
//! messages, as llama-cpp-python and its own server have them:
//! `<|from|>assistant⏎<|recipient|>N⏎<|content|>{...}`. The tokens before the first recipient are
//! part of the prompt.

use super::{Cursor, Reader, State, Step, cursor::behind_blanks, open_call::Body};
use crate::arguments::parameters::{Style, unescaped};
use crate::scan::{Seen, Tag, attribute, is_one_of, near};
use crate::{Format, limits};

/// Ends the header of a message.
const CONTENT: &str = "<|content|>";

/// What ends a tag.
const SEP: &str = "<|sep|>";

/// The words in the tags.
const TAGS: &str = "think response tools call argument message json";

impl Reader {
    /// A tag stands at the beginning of the text: an opening one, or a closing one.
    pub(super) fn kimi_tag(&mut self, here: &mut Cursor<'_>, opens: bool) -> Step {
        let Some((word, attributes, end)) = tag(here)? else {
            // A tag that nothing ends is text, unless the end of the reply cut it.
            let is_expected = !opens && self.after_call;
            return match here.finished && (is_expected || is_cut(here.text)) {
                true => self.take_markup(here, here.text.len(), State::Prose),
                false => self.take_text(here, 1),
            };
        };
        match word {
            // A token may be lost between the two: `<|open|>tools<|sep|><|open|>call`.
            "call" | "toolscall" if opens => {
                let name = attribute(attributes, "tool").unwrap_or_default();
                let object = object(here, end)?;
                let body = object.map_or(Body::Tags(end, Style::Invoke), Body::Object);
                self.format = Format::KimiK3;
                return self.open_call(here, &unescaped(name), body);
            }
            "think" | "thinking" | "reasoning" if opens => return self.thinks(here, end),
            "think" | "thinking" | "reasoning" => self.thinking_ended(here),
            _ => {}
        }
        self.line_after(here, end)
    }

    /// `<|from|>assistant⏎`: markup.
    pub(super) fn sender(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        const ROLE: &str = "assistant\n";
        let rest = here.tail(tag.len);
        let word = rest.strip_prefix(' ').unwrap_or(rest);
        here.begins(word, ROLE)?;
        let end = match word.starts_with(ROLE.trim_end()) {
            true => (tag.len + rest.len() - word.len() + ROLE.len()).min(here.text.len()),
            false => tag.len,
        };
        self.line_after(here, end)
    }

    /// `<|recipient|>N⏎<|content|>`: a call, or the text for the user.
    pub(super) fn message_to(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let text = here.tail(tag.len);
        let near = near(text, limits::HEADER);
        let (header, rest) = near.split_at(near.find('<').unwrap_or(near.len()));
        let name = header.trim();
        if text.len() < limits::HEADER {
            here.begins(rest, CONTENT)?;
        }
        if !rest.starts_with(CONTENT) || name.contains(char::is_whitespace) {
            return self.bracket_is_text(here);
        }
        let start = tag.len + header.len() + CONTENT.len();
        if name != "all"
            && let (body, at) = here.body(start)?
            && body.starts_with('{')
        {
            self.format = Format::FunctionaryV32;
            return self.open_call(here, name, Body::Object(at));
        }
        self.line_after(here, start)
    }
}

/// The word and the attributes of the tag at the beginning of the text, and where it ends.
fn tag<'t>(here: &Cursor<'t>) -> Seen<Option<(&'t str, &'t str, usize)>> {
    let sep = here.find(0, SEP, limits::HEADER)?;
    Ok(sep.map(|sep| {
        let mut parts = here.head(sep).rsplit("|>");
        let content = parts.next().unwrap_or_default().trim();
        let (word, attributes) = content.split_once(' ').unwrap_or((content, ""));
        (word, attributes, sep + SEP.len())
    }))
}

/// True for a tag that the end of the reply cut: `<|open|>too`, `<|close|>response`.
fn is_cut(text: &str) -> bool {
    let content = text.split_once("|>").map_or("", |(_, content)| content);
    match content.split_once(' ').unwrap_or((content, "")) {
        (word, "") => TAGS.split(' ').any(|tag| tag.starts_with(word)),
        (word, attributes) => {
            is_one_of(word, TAGS) && attributes.contains("=\"") && !attributes.contains('\n')
        }
    }
}

/// Where the object begins of a call whose arguments are one: `<|open|>json type="object"<|sep|>{`.
fn object(here: &Cursor<'_>, from: usize) -> Seen<Option<usize>> {
    let body = behind_blanks(here.tail(from));
    if !here.begins(body, "<|open|>json")? {
        return Ok(None);
    }
    let sep = here.find(here.text.len() - body.len(), SEP, limits::HEADER)?;
    Ok(sep.map(|sep| sep + SEP.len()))
}
