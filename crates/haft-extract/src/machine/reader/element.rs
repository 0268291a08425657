//! Calls that are named in an element: `<function=N>`, `<invoke name="N">`, `<get_weather>`,
//! `<name>N</name>`. What stands inside is read by [`open_call`](super::open_call).

use super::attributes::{closes_itself, element_tool};
use super::cursor::behind_blanks;
use super::open_call::Body;
use super::prose::OTHER_WRAPPER;
use super::{Attempt, Cursor, Inside, Reader, State, Step, mcp};
use crate::formats::{Property, Role};
use crate::machine::{ParseEvent, Placement};
use crate::scan::{More, Seen, Tag, is_one_of};
use crate::{Format, arguments::parameters::Style, limits};

impl Reader {
    /// A tag that is no marker: an element with the name of a tool, or text.
    pub(super) fn unknown_tag(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Step {
        let name = tag.name();
        let is_free = self.fence.is_none() && !self.is_quoted() && !here.tools.is_any();
        if name == OTHER_WRAPPER && !tag.close && is_free {
            self.format = Format::Glm45;
            return self.advance(0, State::Inside(Inside::opened_by(tag.len)));
        }
        let may_call = !tag.close && here.text.starts_with('<');
        if let Some(tool) = element_tool(here.tools, name).filter(|_| may_call)
            && (self.line_is_blank || (is_free && holds_parameter(here, tag, tool)?))
        {
            here.tell(ParseEvent::NextCall(match self.in_quotation {
                true => Placement::Quoted,
                false => Placement::Bare,
            }));
            self.format = Format::AnthropicXml;
            return self.advance(0, State::Inside(Inside::opened_by(0)));
        }
        let may_call = !tag.close && self.line_is_blank && self.fence.is_none() && !self.in_fence;
        match name == mcp::NAME && may_call {
            true => self.advance(0, State::Mcp),
            false => self.take_text(here, 1),
        }
    }

    /// `<get_weather>` with parameters or an object inside, or `<get_weather city="Oslo"/>`.
    pub(super) fn open_element(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Attempt {
        let element = tag.name();
        let name = element_tool(here.tools, element).unwrap_or(element);
        let end = tag.end();
        if closes_itself(tag) {
            return self.tell_tag(here, tag, name);
        }
        if let Some(taken) = self.tag_call(here, tag, name)? {
            return Ok(Some(taken));
        }
        let (body, start) = here.body(end)?;
        let body = match body.as_bytes().first() {
            Some(b'{') => Body::Object(start),
            Some(b'<') => match here.tag(start)? {
                Some(inner) if is_foreign(here, name, &inner) => return Ok(None),
                _ => Body::Tags(end, Style::Element),
            },
            _ if here.tools.takes_one_text(name) => return self.as_text(here, tag, name),
            _ => Body::Tags(end, Style::Element),
        };
        self.open_call(here, name, body).map(Some)
    }

    /// `<tool name="N">` and `<call=N>`, which some write for the tag of a call.
    pub(super) fn tool_tag(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Attempt {
        let is_tool = !tag.close && !tag.barred && matches!(tag.name(), "tool" | "call");
        let is_bound = |name| is_tool && !here.tools.is_any() && here.tools.binds(name);
        if !tag.attribute("name").is_some_and(is_bound) {
            return Ok(None);
        }
        // A list of tools has such tags too, with words behind them.
        match here.body(tag.end())?.0.as_bytes() {
            [b'<'] if !here.finished => Err(More),
            [b'{', ..] => self.open_invoke(here, tag),
            [b'<', next, ..] if *next != b'/' => self.open_invoke(here, tag),
            _ => Ok(None),
        }
    }

    /// `<name>N</name>`, then the arguments in an element of their own.
    pub(super) fn named_element(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Attempt {
        let at = tag.start;
        let element = tag.name();
        let start = tag.end();
        if matches!(element, "invoke" | "function") && !tag.close {
            match here.body(start)?.0.as_bytes().first() {
                Some(b'<' | b'{') => return self.skip(start),
                _ if element == "invoke" => return Ok(None),
                _ => {}
            }
        }
        let is_name = is_one_of(element, NAMES) || matches!(element, "tool" | "function");
        // Quantized models write other words in the tag: `<plain>N</param> {...}`.
        let is_other = !is_name && at > 0 && !here.tools.is_any();
        if !(is_name || is_other) || tag.close {
            return Ok(None);
        }
        let inner = here.tail(start);
        let Some(close) = memchr::memchr(b'<', inner.as_bytes()) else {
            here.wait_if(inner.len() < limits::NAME && !inner.trim().contains('\n'))?;
            return Ok(None);
        };
        let name = here.part(start, start + close).trim();
        if close >= limits::NAME || name.contains('\n') || !here.tools.binds(name) {
            return Ok(None);
        }
        let Some(tag) = here.tag(start + close)?.filter(|tag| tag.close) else {
            return Ok(None);
        };
        let end = tag.end();
        let (body, start) = here.body(end)?;
        if is_other && !body.starts_with('{') {
            return Ok(None);
        }
        // Words follow an element that stands in no other, in a line with words or right behind it:
        // the name of a tool is spoken of.
        let is_apart = self.line_is_blank && here.part(end, start).contains('\n');
        let goes_on = !is_apart && !body.is_empty() && !body.starts_with(['<', '{']);
        if at == 0 && !self.wrapped && goes_on {
            return self.bracket_is_text(here).map(Some);
        }
        // An element with an object or with parameters.
        let part = here.tag(start)?.filter(|tag| is_part(tag.name()));
        let (inner, at) = part.map_or(Ok((body, start)), |tag| here.body(tag.end()))?;
        let body = match inner.starts_with('{') {
            true => Body::Object(at),
            false => Body::Tags(start, Style::Invoke),
        };
        self.open_call(here, name, body).map(Some)
    }

    /// `<function=N>` and `<invoke name="N">`, followed by tags or by an object.
    pub(super) fn open_invoke(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Attempt {
        let Some(name) = tag.tool_name() else {
            return Ok(None);
        };
        let name = name.strip_suffix("<|message|>").unwrap_or(name);
        let end = tag.end();
        if let Some(taken) = self.tag_call(here, tag, name)? {
            return Ok(Some(taken));
        }
        // Nothing closes the tag: `the tag <function=foo is documented here`.
        let is_whole = here.byte(end - 1) == Some(b'>');
        if name.is_empty() || (!is_whole && !here.tools.binds(name)) {
            return Ok(None);
        }
        let body = behind_blanks(here.tail(end));
        let start = here.text.len() - body.len();
        if let Some(next) = here.tag(start)?
            && next.opens(Role::Invoke)
            && next.tool_name() == Some(name)
        {
            // The tag stands there twice.
            return self.skip(start);
        }
        let own = tag.marker.map_or(Format::Auto, |marker| marker.format);
        let format = match self.format {
            wrapper if wrapper.has(Property::NamesItsCalls) => wrapper,
            Format::Olmo3 => Format::AnthropicXml,
            _ => own,
        };
        let tags = Body::Tags(end, Style::Invoke);
        let body = match body.as_bytes().first() {
            Some(b'{') => Body::Object(start),
            None if !here.finished => return Err(More),
            None | Some(b'<' | b']') => tags,
            // The tag of a parameter lost its bracket.
            Some(_) if here.begins(body, "parameter=")? => tags,
            Some(_) if here.begins(body, "parameter name=")? => tags,
            Some(_) if !here.tools.binds(name) => return Ok(None),
            // Words: the only text that the tool wants, or a remark before its parameters.
            Some(_) => {
                self.format = format;
                if here.tools.takes_one_text(name)
                    && let Some(taken) = self.as_text(here, tag, name)?
                {
                    return Ok(Some(taken));
                }
                match leads_to_tags(here, body)? {
                    true => tags,
                    false => return Ok(None),
                }
            }
        };
        self.format = match (own, body) {
            (Format::Qwen3Coder, Body::Object(_)) => Format::FunctionaryV31,
            _ => format,
        };
        self.open_call(here, name, body).map(Some)
    }
}

/// Whether an element that stands within a line is a call of `tool`, and no other markup: it begins
/// with an element that is named like one of its parameters, and is not only spoken of.
fn holds_parameter(here: &Cursor<'_>, tag: &Tag<'_>, tool: &str) -> Seen<bool> {
    let (_, start) = here.body(tag.end())?;
    let is_parameter = |tag: &Tag<'_>| !tag.close && here.tools.has_parameter(tool, tag.name());
    match here.tag(start)?.filter(is_parameter) {
        None => Ok(false),
        // `Write <get_weather><city> and so on`.
        Some(inner) => match here.byte(inner.end()) {
            None => here.at_end(false),
            Some(byte) => Ok(byte != b' '),
        },
    }
}

/// True for an element that is no parameter of the tool `name`: other markup has an element of
/// that name too.
fn is_foreign(here: &Cursor<'_>, name: &str, tag: &Tag<'_>) -> bool {
    let is_free = tag.close || tag.marker.is_some() || is_part(tag.name());
    let is_known = !here.tools.parameters(name).is_empty();
    !is_free && is_known && !here.tools.has_parameter(name, tag.name())
}

/// Whether the words after the opening tag of a call lead to a tag that may belong to one, as far
/// as anyone writes words there. Otherwise the tag is only spoken of: `<invoke name="search"> would
/// be wrong here`.
fn leads_to_tags(here: &Cursor<'_>, body: &str) -> Seen<bool> {
    let near = body.as_bytes().get(..limits::AHEAD);
    let Some(at) = memchr::memchr(b'<', near.unwrap_or(body.as_bytes())) else {
        here.wait_if(near.is_none())?;
        return Ok(false);
    };
    let tag = here.tag(here.text.len() - body.len() + at)?;
    Ok(tag.is_some_and(|tag| match tag.role() {
        Some(Role::Channel) => !tag.barred,
        Some(Role::Thinking | Role::ThinkingEnd | Role::Noise) => false,
        _ => true,
    }))
}

/// The elements in which the name of a call stands.
const NAMES: &str = "name tool_name function_name";

/// The elements in which the arguments stand beside the name.
const ARGUMENTS: &str = "arguments args parameters params input tool_input";

/// True for an element that holds the name or the arguments of a call.
pub(super) fn is_part(element: &str) -> bool {
    is_one_of(element, NAMES) || is_one_of(element, ARGUMENTS)
}
