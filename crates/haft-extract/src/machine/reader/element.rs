//! Calls that are named in an element: `<function=N>`, `<invoke name="N">`, `<get_weather>`,
//! `<name>N</name>`. What stands inside is read by [`arguments`](super::arguments).

use super::attributes::element_tool;
use super::cursor::behind_blanks;
use super::inside::{Coming, Inside, Kind, Next};
use super::prose::OTHER_WRAPPER;
use super::{Cursor, Reader, State, Step, mcp};
use crate::Format;
use crate::arguments::parameters::Style;
use crate::formats::Role;
use crate::machine::event::ParseEvent;
use crate::machine::judge::Placement;
use crate::scan::More;
use crate::scan::tag::{Tag, attribute};

impl Reader {
    /// A tag that is no marker: an element with the name of a tool, or text.
    pub(super) fn unknown_tag(&mut self, here: &mut Cursor<'_>, tag: &Tag) -> Step {
        let name = here.text.get(tag.name.clone()).unwrap_or_default();
        let is_free = self.fence.is_none() && !self.is_quoted() && !here.tools.is_any();
        if name == OTHER_WRAPPER && !tag.close && is_free {
            self.format = Format::Glm45;
            return self.take(0, State::Inside(Inside::opened_by(tag.len)));
        }
        let may_call = !tag.close && !here.tools.is_any() && here.text.starts_with('<');
        if let Some(tool) = element_tool(here.tools, name).filter(|_| may_call) {
            let is_call = match self.line_is_blank {
                false if is_free => holds_parameter(here, tag, tool),
                is_blank => Ok(is_blank),
            };
            match is_call {
                Err(More) => return self.wait(State::Prose),
                Ok(true) => {
                    here.tell(ParseEvent::Candidate(match self.in_quotation {
                        true => Placement::Quoted,
                        false => Placement::Bare,
                    }));
                    self.format = Format::AnthropicXml;
                    return self.take(0, State::Inside(Inside::opened_by(0)));
                }
                Ok(false) => {}
            }
        }
        let may_call = !tag.close && self.line_is_blank && self.fence.is_none() && !self.in_fence;
        if name == mcp::NAME && may_call {
            self.go(State::Mcp);
            return self.mcp(here);
        }
        self.mention(here)
    }

    /// `<get_weather>` with parameters or an object inside, or `<get_weather city="Oslo"/>`.
    pub(super) fn open_element(&mut self, here: &mut Cursor<'_>, tag: &Tag, at: usize) -> Coming {
        let text = here.tail(at);
        let element = text.get(tag.name.clone()).unwrap_or_default();
        let name = element_tool(here.tools, element).unwrap_or(element);
        let attributes = text.get(tag.attributes.clone()).unwrap_or_default();
        let end = at + tag.len;
        if attributes.trim_end().ends_with('/') {
            let step = self.call_with_attributes(here, (name, attributes), end);
            return Ok(Next::Done(step));
        }
        if let Some(step) = self.said_by_tag(here, (name, attributes), end)? {
            return Ok(Next::Done(step));
        }
        let (body, start) = here.body(end)?;
        match body.as_bytes().first() {
            Some(b'{') => return Ok(self.arguments_at(here, name, start)),
            Some(b'<')
                if let Some(inner) = here.tag(start)?
                    && is_foreign(here, name, (&inner, body)) =>
            {
                return Ok(Next::Text);
            }
            Some(b'<') => {}
            _ if here.tools.takes_one_text(name) => {
                return self.text_element(here, (element, name), end);
            }
            _ => {}
        }
        Ok(Next::Done(self.open_tags(
            here,
            (name, Style::Element),
            end,
        )))
    }

    /// The object with the arguments of a call begins at `start`.
    pub(super) fn arguments_at(&mut self, here: &mut Cursor<'_>, name: &str, start: usize) -> Next {
        Next::Done(self.open_arguments(here, (name, Kind::Object), start))
    }

    /// `<tool name="N">` and `<call=N>`, which some write for the tag of a call.
    pub(super) fn tool_element(
        &mut self,
        here: &mut Cursor<'_>,
        tag: &Tag,
        at: usize,
    ) -> Result<Option<Next>, More> {
        let text = here.tail(at);
        let part = |range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default();
        let is_tool = !tag.close && !tag.barred && matches!(part(&tag.name), "tool" | "call");
        let name = attribute(part(&tag.attributes), "name");
        let is_bound = |name: &&str| is_tool && !here.tools.is_any() && here.tools.binds(name);
        if name.filter(is_bound).is_none() {
            return Ok(None);
        }
        // A list of tools has such tags too, with words behind them.
        match here.body(at + tag.len)?.0.as_bytes() {
            [b'<'] if !here.finished => Err(More),
            [b'{', ..] => self.open_invoke(here, tag, at).map(Some),
            [b'<', next, ..] if *next != b'/' => self.open_invoke(here, tag, at).map(Some),
            _ => Ok(None),
        }
    }

    /// `<name>N</name>`, then the arguments in an element of their own.
    pub(super) fn named_element(&mut self, here: &mut Cursor<'_>, tag: &Tag, at: usize) -> Coming {
        const LONGEST: usize = 128;
        let element = here.tail(at).get(tag.name.clone()).unwrap_or_default();
        let start = at + tag.len;
        if matches!(element, "invoke" | "function") && !tag.close {
            match here.body(start)?.0.as_bytes().first() {
                Some(b'<' | b'{') => return Ok(Next::Skip(start)),
                _ if element == "invoke" => return Ok(Next::Text),
                _ => {}
            }
        }
        let is_name = matches!(
            element,
            "name" | "tool_name" | "function_name" | "tool" | "function"
        );
        // Quantized models write other words in the tag: `<plain>N</param> {...}`.
        let is_other = !is_name && at > 0 && !here.tools.is_any();
        if !(is_name || is_other) || tag.close {
            return Ok(Next::Text);
        }
        let inner = here.tail(start);
        let Some(close) = memchr::memchr(b'<', inner.as_bytes()) else {
            return match inner.len() < LONGEST && !inner.trim().contains('\n') {
                true => here.at_end(Next::Text),
                false => Ok(Next::Text),
            };
        };
        let name = inner.get(..close).unwrap_or_default().trim();
        if close >= LONGEST || name.contains('\n') || !here.tools.binds(name) {
            return Ok(Next::Text);
        }
        let Some(tag) = here.tag(start + close)?.filter(|tag| tag.close) else {
            return Ok(Next::Text);
        };
        let end = start + close + tag.len;
        if is_other && !here.body(end)?.0.starts_with('{') {
            return Ok(Next::Text);
        }
        if at == 0 && self.goes_on_as_sentence(here.tail(end)) {
            return Ok(Next::Done(self.mention(here)));
        }
        self.arguments_beside(here, name, end)
    }

    /// True when words follow an element that stands in no other, in a line with words or right
    /// behind it: the name of a tool is spoken of.
    fn goes_on_as_sentence(&self, rest: &str) -> bool {
        let body = behind_blanks(rest);
        let blanks = rest.get(..rest.len() - body.len()).unwrap_or_default();
        let is_apart = self.line_is_blank && blanks.contains('\n');
        !self.wrapped && !is_apart && !body.is_empty() && !body.starts_with(['<', '{'])
    }

    /// The arguments after `<name>N</name>`: an element with an object or with parameters.
    fn arguments_beside(&mut self, here: &mut Cursor<'_>, name: &str, end: usize) -> Coming {
        let (body, start) = here.body(end)?;
        if body.starts_with('{') {
            return Ok(self.arguments_at(here, name, start));
        }
        if let Some(tag) = here.tag(start)?
            && is_part(body.get(tag.name.clone()).unwrap_or_default())
        {
            let (object, start) = here.body(start + tag.len)?;
            if object.starts_with('{') {
                return Ok(self.arguments_at(here, name, start));
            }
        }
        Ok(Next::Done(self.open_tags(
            here,
            (name, Style::Invoke),
            start,
        )))
    }

    /// `<function=N>` and `<invoke name="N">`, followed by tags or by an object.
    pub(super) fn open_invoke(&mut self, here: &mut Cursor<'_>, tag: &Tag, at: usize) -> Coming {
        let text = here.tail(at);
        let attributes = text.get(tag.attributes.clone()).unwrap_or_default();
        let Some(name) = attribute(attributes, "name") else {
            return Ok(Next::Text);
        };
        let name = name.strip_suffix("<|message|>").unwrap_or(name);
        let end = at + tag.len;
        if let Some(step) = self.said_by_tag(here, (name, attributes), end)? {
            return Ok(Next::Done(step));
        }
        // Nothing closes the tag: `the tag <function=foo is documented here`.
        let is_whole = text.as_bytes().get(tag.len - 1) == Some(&b'>');
        if name.is_empty() || (!is_whole && !here.tools.binds(name)) {
            return Ok(Next::Text);
        }
        let body = behind_blanks(here.tail(end));
        let start = here.text.len() - body.len();
        if doubles(here, start, name)? {
            return Ok(Next::Skip(start));
        }
        let own = tag.marker.map_or(Format::Auto, |marker| marker.format);
        let format = match self.format {
            wrapper if wrapper.names_its_calls() => wrapper,
            Format::Olmo3 => Format::AnthropicXml,
            _ => own,
        };
        match body.as_bytes().first() {
            Some(b'{') => {
                self.format = match own {
                    Format::Qwen3Coder => Format::FunctionaryV31,
                    _ => format,
                };
                return Ok(self.arguments_at(here, name, start));
            }
            None if !here.finished => return Err(More),
            None | Some(b'<' | b']') => self.format = format,
            Some(_) if !here.tools.binds(name) => return Ok(Next::Text),
            Some(_) => {
                self.format = format;
                return self.open_with_words(here, (tag, name), at);
            }
        }
        Ok(Next::Done(self.open_tags(here, (name, Style::Invoke), end)))
    }

    /// A call behind whose opening tag words stand: the only text that its tool wants, or a remark
    /// before its parameters.
    fn open_with_words(
        &mut self,
        here: &mut Cursor<'_>,
        (tag, name): (&Tag, &str),
        at: usize,
    ) -> Coming {
        let end = at + tag.len;
        let element = here.tail(at).get(tag.name.clone()).unwrap_or_default();
        if !here.tools.is_any() && here.tools.takes_one_text(name) {
            match self.text_element(here, (element, name), end)? {
                Next::Text => {}
                next => return Ok(next),
            }
        }
        Ok(match leads_to_tags(here, behind_blanks(here.tail(end)))? {
            false => Next::Text,
            true => Next::Done(self.open_tags(here, (name, Style::Invoke), end)),
        })
    }
}

/// Whether the opening tag of a call to `name` stands at `at`, right behind one.
fn doubles(here: &Cursor<'_>, at: usize, name: &str) -> Result<bool, More> {
    if here.byte(at) != Some(b'<') {
        return Ok(false);
    }
    Ok(here.tag(at)?.is_some_and(|tag| {
        let attributes = here
            .tail(at)
            .get(tag.attributes.clone())
            .unwrap_or_default();
        let is_invoke = tag.marker.is_some_and(|marker| marker.role == Role::Invoke);
        is_invoke && !tag.close && attribute(attributes, "name") == Some(name)
    }))
}

/// Whether an element that stands within a line is a call of `tool`, and no other markup: it begins
/// with an element that is named like one of its parameters, and is not only spoken of.
fn holds_parameter(here: &Cursor<'_>, tag: &Tag, tool: &str) -> Result<bool, More> {
    let (body, start) = here.body(tag.len)?;
    let Some(inner) = here.tag(start)?.filter(|inner| !inner.close) else {
        return Ok(false);
    };
    let name = body.get(inner.name.clone()).unwrap_or_default();
    match body.as_bytes().get(inner.len) {
        _ if !here.tools.has_parameter(tool, name) => Ok(false),
        None => here.at_end(false),
        // `Write <get_weather><city> and so on`.
        Some(byte) => Ok(*byte != b' '),
    }
}

/// True for an element that is no parameter of the tool `name`: other markup has an element of
/// that name too.
fn is_foreign(here: &Cursor<'_>, name: &str, (tag, text): (&Tag, &str)) -> bool {
    let element = text.get(tag.name.clone()).unwrap_or_default();
    let is_free = tag.close || tag.marker.is_some() || is_part(element);
    !is_free && here.tools.has_parameters(name) && !here.tools.has_parameter(name, element)
}

/// Whether the words after the opening tag of a call lead to a tag that may belong to one, as far
/// as anyone writes words there. Otherwise the tag is only spoken of: `<invoke name="search"> would
/// be wrong here`.
fn leads_to_tags(here: &Cursor<'_>, body: &str) -> Result<bool, More> {
    const MAX_WORDS: usize = 256;
    let near = body.as_bytes().get(..MAX_WORDS).unwrap_or(body.as_bytes());
    let Some(at) = memchr::memchr(b'<', near) else {
        return if near.len() == MAX_WORDS {
            Ok(false)
        } else {
            here.at_end(false)
        };
    };
    let tag = here.tag(here.text.len() - body.len() + at)?;
    Ok(tag.is_some_and(|tag| {
        tag.marker.is_none_or(|marker| match marker.role {
            Role::Channel => !tag.barred,
            Role::Thinking | Role::ThinkingEnd | Role::Noise => false,
            _ => true,
        })
    }))
}

/// The elements in which the arguments stand beside the name.
pub(super) fn is_part(element: &str) -> bool {
    matches!(
        element,
        "arguments"
            | "args"
            | "parameters"
            | "params"
            | "input"
            | "tool_input"
            | "name"
            | "tool_name"
            | "function_name"
    )
}
