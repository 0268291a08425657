//! Replies in channels: a header says for whom a message is, a token ends it. Harmony (gpt-oss),
//! Beam, Muse, Inkling, Kimi K3 and Gemma 4.
//!
//! A message to a tool is a call, one to the model itself is thinking, all else is text. Headers
//! that say nothing are dropped; nothing in them is an error.

use std::ops::Range;

use memchr::{memchr2, memmem};

use super::cursor::behind_blanks;
use super::open_call::Body;
use super::thinking::Thinking;
use super::{Cursor, Inside, Reader, State, Step};
use crate::machine::{FoundCall, Written};
use crate::scan::{Seen, Tag, key_ahead, near, split_run};
use crate::{Format, arguments::parameters::Style, formats::Role, limits};

/// What stands in headers besides tokens and recipients.
const WORDS: [&str; 4] = ["assistant", "analysis", "commentary", "final"];

/// Names of channels of Gemma whose messages are for the user.
const ANSWERS: [&str; 4] = ["response", "final", "answer", "content"];

impl Reader {
    /// A token of a channel stands at the beginning of the text.
    pub(super) fn channel(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let letters = tag.letters();
        if matches!(letters, "messagemodel" | "contentinvoketooljson") {
            self.format = Format::Inkling;
        }
        match letters {
            "channel" if here.text.starts_with("<|channel>") => self.gemma_channel(here, tag),
            "start" | "channel" if !tag.close => self.advance(0, State::ChannelHeader),
            "messagemodel" => self.advance(0, State::ChannelHeader),
            "contentinvoketooljson" => self.advance(0, State::Inside(Inside::opened_by(tag.len))),
            "contentinvoketooltext" if here.tools.binds(&self.addressee) => {
                self.format = Format::Inkling;
                self.name = std::mem::take(&mut self.addressee);
                self.advance(0, State::TextToTool(tag.len))
            }
            "from" => self.sender(here, tag),
            "recipient" => self.message_to(here, tag),
            "contentthinking" => self.thinks(here, tag.len),
            word @ ("open" | "close") => self.kimi_tag(here, word == "open"),
            _ => {
                if here.text.starts_with("<channel|>") {
                    self.thinking_ended(here);
                }
                // gpt-oss leaves a header between two messages that lost its first token:
                // `<|call|>commentary<|channel|>`.
                let words = behind_words(here, tag.len)?;
                let is_header = words > tag.len && here.begins(here.tail(words), "<|")?;
                self.line_after(here, if is_header { words } else { tag.len })
            }
        }
    }

    /// The model speaks to itself behind markup that ends at `end`.
    pub(super) fn thinks(&mut self, here: &mut Cursor<'_>, end: usize) -> Step {
        let mut thinking = Thinking::default();
        thinking.in_channel = true;
        self.take_markup(here, end, State::Thinking(thinking))
    }

    /// `<|channel>thought⏎...<channel|>`, and what lacks the name.
    fn gemma_channel(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let rest = here.tail(tag.len);
        let (word, behind) = split_run(rest, limits::WORD, u8::is_ascii_alphabetic);
        here.wait_if(behind.is_empty() && word.len() < limits::WORD)?;
        let is_name = word.len() < limits::WORD && behind.starts_with(['\n', '<']);
        let end = tag.len + word.len();
        if is_name && ANSWERS.contains(&word) {
            return self.line_after(here, end);
        }
        match is_name || word == "thought" {
            true => self.thinks(here, end + usize::from(behind.starts_with('\n'))),
            false => self.thinks(here, tag.len),
        }
    }

    /// In a header: up to the token that begins the message.
    #[inline(never)]
    pub(super) fn header_of_channel(&mut self, here: &mut Cursor<'_>) -> Step {
        let header = near(here.text, limits::HEADER).as_bytes();
        let (mut at, mut opened) = (0, 0);
        loop {
            let Some(found) = memchr2(b'<', b'{', header.get(at..).unwrap_or_default()) else {
                here.wait_if(header.len() < limits::HEADER)?;
                return self.no_message(here, opened);
            };
            at += found;
            if here.byte(at) == Some(b'{') {
                return self.message(here, here.head(at), at);
            }
            let Some(tag) = here.tag(at)? else {
                at += 1;
                continue;
            };
            let end = at + tag.len;
            let name = here.part(opened, at);
            match tag.letters() {
                "message" => return self.message(here, here.head(at), end),
                "start" | "channel" | "constrain" | "messagemodel" => opened = end,
                // The content of a message.
                letters if letters.starts_with("content") && letters != "content" => {
                    name.trim().clone_into(&mut self.addressee);
                    return self.take_markup(here, at, State::Prose);
                }
                _ if is_sentence(name) => return self.no_message(here, opened),
                _ => return self.take_markup(here, end, State::Line),
            }
            at = end;
        }
    }

    /// A header without a message: its tokens are markup, what follows them is text.
    fn no_message(&mut self, here: &mut Cursor<'_>, opened: usize) -> Step {
        let word = match here.head(opened).ends_with("<|constrain|>") {
            // How the message would have been written, which the end cut off.
            true => {
                let longest = limits::HEADER.saturating_sub(opened);
                split_run(here.tail(opened), longest, u8::is_ascii_alphabetic).0
            }
            false => word_at(here, opened)?,
        };
        match opened + word.len() {
            0 => self.take_text(here, 1),
            end => self.take_markup(here, end, State::Prose),
        }
    }

    /// The message after `header` begins at `start`.
    fn message(&mut self, here: &mut Cursor<'_>, header: &str, start: usize) -> Step {
        self.line_is_blank = true;
        let is_harmony = header.contains("<|channel|>");
        self.format = match self.format {
            _ if is_harmony => Format::Harmony,
            Format::Auto | Format::Pythonic => Format::MuseAtem,
            format => format,
        };
        match recipient(header) {
            Some("self") => self.thinks(here, start),
            Some("assistant") | None if header.contains("analysis") => self.thinks(here, start),
            Some("user" | "assistant" | "all" | "commentary") | None => {
                self.take_markup(here, start, State::Line)
            }
            Some(name) => {
                // The token may come twice.
                let rest = behind_blanks(here.tail(start)).strip_prefix("<|message|>");
                let start = rest.map_or(start, |rest| here.text.len() - rest.len());
                let name = name.strip_prefix("functions.").unwrap_or(name);
                self.content(here, name, start)
            }
        }
    }

    /// The content of a message to a tool, which begins at `start`.
    fn content(&mut self, here: &mut Cursor<'_>, name: &str, start: usize) -> Step {
        let (body, at) = here.body(start)?;
        let is_code = name.ends_with("python") || here.head(start).contains("code");
        let arguments = match body.as_bytes().first() {
            None => return self.empty_call(here, name, here.text.len()),
            Some(b'<') => match here.tag(at)?.map(|tag| tag.role()) {
                None => Body::Object(at),
                Some(Some(Role::Wrapper | Role::Invoke)) => {
                    return self.take_markup(here, at, State::Prose);
                }
                Some(Some(Role::Parameter)) => {
                    self.format = Format::Beam;
                    Body::Tags(at, Style::Message)
                }
                Some(_) => return self.empty_call(here, name, at),
            },
            Some(b'{' | b'[' | b'(' | b'"' | b'\'' | b'`') => Body::Object(at),
            Some(_) if key_ahead(body.as_bytes(), here.finished)? && !is_code => Body::Object(at),
            // No object, such as code for an interpreter.
            Some(_) => {
                name.clone_into(&mut self.name);
                return self.advance(0, State::TextToTool(at));
            }
        };
        self.open_call(here, name, arguments)
    }

    /// A message to the tool of `self.name`, from `start` on: its text is the argument.
    #[inline(never)]
    pub(super) fn text_to_tool(&mut self, here: &mut Cursor<'_>, start: usize) -> Step {
        let mut at = self.scan.max(start);
        loop {
            let rest = here.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = memmem::find(rest, b"<|") else {
                // The last byte may begin a token.
                self.scan = here.text.len().saturating_sub(1).max(start);
                at = here.text.len();
                here.wait_if(at - start <= here.options.hold_limit)?;
                break;
            };
            at += found;
            self.scan = at;
            let role = here.tag(at)?.and_then(|tag| tag.role());
            if matches!(role, Some(Role::Channel | Role::Noise)) {
                break;
            }
            at += 1;
        }
        let name = std::mem::take(&mut self.name);
        self.tell_text_call(here, &name, start..at)
    }

    /// A call whose one argument is the text in `range`.
    pub(super) fn tell_text_call(
        &mut self,
        here: &mut Cursor<'_>,
        name: &str,
        range: Range<usize>,
    ) -> Step {
        if range.len() > here.options.hold_limit {
            return self.open_call(here, name, Body::Object(range.start));
        }
        let text = here.part(range.start, range.end);
        let written = Written::Value(text.into(), text.to_owned().into());
        let call = FoundCall::whole(name.to_owned(), written, self.format);
        self.take_calls(here, vec![call], range)
    }
}

/// Where the words of a header end that begin at `from`.
pub(super) fn behind_words(here: &Cursor<'_>, from: usize) -> Seen<usize> {
    let mut at = from;
    while at - from <= limits::WORD {
        match word_at(here, at)? {
            "" => return Ok(at),
            word => at += word.len(),
        }
    }
    Ok(from)
}

/// The word of a header at `at`; empty if none stands there.
fn word_at(here: &Cursor<'_>, at: usize) -> Seen<&'static str> {
    let word = here.begun_by(here.tail(at), &WORDS)?;
    Ok(word.unwrap_or_default())
}

/// True for more words than a header has, which names nobody either: text between two tokens.
fn is_sentence(text: &str) -> bool {
    text.split_whitespace().count() > 3 && !text.contains("to=")
}

/// The word after `to=` in a header.
fn recipient(header: &str) -> Option<&str> {
    let (_, rest) = header.split_once("to=")?;
    let end = |c: char| c.is_whitespace() || matches!(c, '<' | '{');
    rest.split(end).next().filter(|word| !word.is_empty())
}
