//! Calls that are named in an element: `<function=N>`, `<invoke name="N">`, `<get_weather>`,
//! `<name>N</name>`. What stands inside is read by [`arguments`](super::arguments).

use super::attributes::element_tool;
use super::inside::{Inside, Kind, Next, behind_blanks};
use super::prose::OTHER_WRAPPER;
use super::{Reader, State, Step, Turn, mcp};
use crate::Format;
use crate::arguments::parameters::Style;
use crate::formats::Role;
use crate::machine::judge::Placement;
use crate::machine::reading::Reading;
use crate::scan::tag::{Found, Tag, attribute, read_tag};

impl Reader {
    /// A tag that is no marker: an element with the name of a tool, or text.
    pub(super) fn unknown_tag(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag) -> Step {
        let name = turn.text.get(tag.name.clone()).unwrap_or_default();
        let is_free = self.fence.is_none() && !self.is_quoted() && !turn.tools.is_any();
        if name == OTHER_WRAPPER && !tag.close && is_free {
            self.format = Format::Glm45;
            return self.take(0, State::Inside(Inside::opened_by(tag.len)));
        }
        let may_call = !tag.close && !turn.tools.is_any() && turn.text.starts_with('<');
        if let Some(tool) = element_tool(turn.tools, name).filter(|_| may_call) {
            let is_call = match self.line_is_blank {
                true => Found::Yes(()),
                false if !is_free => Found::No,
                false => holds_parameter(turn, tag, tool),
            };
            match is_call {
                Found::More => return self.wait(State::Prose),
                Found::Yes(()) => {
                    turn.tell(Reading::Candidate(Placement::Bare));
                    self.format = Format::AnthropicXml;
                    return self.take(0, State::Inside(Inside::opened_by(0)));
                }
                Found::No => {}
            }
        }
        let may_call = !tag.close && self.line_is_blank && self.fence.is_none() && !self.in_fence;
        if name == mcp::NAME && may_call {
            self.go(State::Mcp);
            return self.mcp(turn);
        }
        self.mention(turn)
    }

    /// `<get_weather>` with parameters or an object inside, or `<get_weather city="Oslo"/>`.
    pub(super) fn open_element(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag, at: usize) -> Next {
        let text = turn.tail(at);
        let element = text.get(tag.name.clone()).unwrap_or_default();
        let name = element_tool(turn.tools, element).unwrap_or(element);
        let attributes = text.get(tag.attributes.clone()).unwrap_or_default();
        let end = at + tag.len;
        if attributes.trim_end().ends_with('/') {
            return Next::Done(self.call_with_attributes(turn, (name, attributes), end));
        }
        if let Some(next) = self.said_by_tag(turn, (name, attributes), end) {
            return next;
        }
        let rest = turn.tail(end);
        let body = behind_blanks(rest);
        let start = end + (rest.len() - body.len());
        match body.as_bytes().first() {
            None if !turn.finished => Next::More,
            Some(b'{') => Next::Done(self.open_arguments(turn, (name, Kind::Object), start)),
            Some(b'<') => match read_tag(body, turn.finished) {
                Found::More => Next::More,
                Found::Yes(inner) if is_foreign(turn, name, (&inner, body)) => Next::Text,
                _ => Next::Done(self.open_tags(turn, (name, Style::Element), end)),
            },
            _ if turn.tools.takes_one_text(name) => self.text_element(turn, (element, name), end),
            _ => Next::Done(self.open_tags(turn, (name, Style::Element), end)),
        }
    }

    /// `<tool name="N">` and `<call=N>`, which some write for the tag of a call.
    pub(super) fn tool_element(
        &mut self,
        turn: &mut Turn<'_, '_>,
        tag: &Tag,
        at: usize,
    ) -> Option<Next> {
        let text = turn.tail(at);
        let is_tool = !tag.close && !tag.barred && !tag.attributes.is_empty();
        let is_tool = is_tool && matches!(text.get(tag.name.clone())?, "tool" | "call");
        let name = attribute(text.get(tag.attributes.clone())?, "name").filter(|_| is_tool)?;
        if turn.tools.is_any() || !turn.tools.binds(name) {
            return None;
        }
        // A list of tools has such tags too, with words behind them.
        let body = behind_blanks(turn.tail(at + tag.len));
        match body.as_bytes() {
            [] | [b'<'] if !turn.finished => Some(Next::More),
            [b'{', ..] => Some(self.open_invoke(turn, tag, at)),
            [b'<', next, ..] if *next != b'/' => Some(self.open_invoke(turn, tag, at)),
            _ => None,
        }
    }

    /// `<name>N</name>`, then the arguments in an element of their own.
    pub(super) fn named_element(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag, at: usize) -> Next {
        const LONGEST: usize = 128;
        let text = turn.tail(at);
        let element = text.get(tag.name.clone()).unwrap_or_default();
        if matches!(element, "invoke" | "function") && !tag.close {
            let rest = behind_blanks(turn.tail(at + tag.len));
            match rest.as_bytes().first() {
                None if !turn.finished => return Next::More,
                Some(b'<' | b'{') => return Next::Skip(at + tag.len),
                _ if element == "invoke" => return Next::Text,
                _ => {}
            }
        }
        let is_name = matches!(
            element,
            "name" | "tool_name" | "function_name" | "tool" | "function"
        );
        // Quantized models write other words in the tag: `<plain>N</param> {...}`.
        let is_other = !is_name && at > 0 && !turn.tools.is_any();
        if !(is_name || is_other) || tag.close {
            return Next::Text;
        }
        let inner = turn.tail(at + tag.len);
        let Some(close) = memchr::memchr(b'<', inner.as_bytes()) else {
            let is_short = inner.len() < LONGEST && !inner.trim().contains('\n');
            return if is_short && !turn.finished {
                Next::More
            } else {
                Next::Text
            };
        };
        let name = inner.get(..close).unwrap_or_default().trim();
        if close >= LONGEST || name.contains('\n') || !turn.tools.binds(name) {
            return Next::Text;
        }
        let end = at + tag.len + close;
        match read_tag(turn.tail(end), turn.finished) {
            Found::More => Next::More,
            Found::Yes(tag) if tag.close => {
                let end = end + tag.len;
                match behind_blanks(turn.tail(end)).as_bytes().first() {
                    None if is_other && !turn.finished => return Next::More,
                    Some(b'{') => {}
                    _ if is_other => return Next::Text,
                    _ => {}
                }
                match at == 0 && self.goes_on_as_sentence(turn.tail(end)) {
                    true => Next::Done(self.mention(turn)),
                    false => self.arguments_beside(turn, name, end),
                }
            }
            _ => Next::Text,
        }
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
    fn arguments_beside(&mut self, turn: &mut Turn<'_, '_>, name: &str, end: usize) -> Next {
        let rest = turn.tail(end);
        let body = behind_blanks(rest);
        let start = end + (rest.len() - body.len());
        if body.starts_with('{') {
            return Next::Done(self.open_arguments(turn, (name, Kind::Object), start));
        }
        if body.is_empty() && !turn.finished {
            return Next::More;
        }
        match read_tag(body, turn.finished) {
            Found::More => Next::More,
            Found::Yes(tag) if is_part(body.get(tag.name.clone()).unwrap_or_default()) => {
                let after = body.get(tag.len..).unwrap_or_default();
                let object = behind_blanks(after);
                match object.as_bytes().first() {
                    None if !turn.finished => Next::More,
                    Some(b'{') => {
                        let start = start + tag.len + (after.len() - object.len());
                        Next::Done(self.open_arguments(turn, (name, Kind::Object), start))
                    }
                    _ => Next::Done(self.open_tags(turn, (name, Style::Invoke), start)),
                }
            }
            _ => Next::Done(self.open_tags(turn, (name, Style::Invoke), start)),
        }
    }

    /// `<function=N>` and `<invoke name="N">`, followed by tags or by an object.
    pub(super) fn open_invoke(&mut self, turn: &mut Turn<'_, '_>, tag: &Tag, at: usize) -> Next {
        let text = turn.tail(at);
        let attributes = text.get(tag.attributes.clone()).unwrap_or_default();
        let Some(name) = attribute(attributes, "name") else {
            return Next::Text;
        };
        let name = name.strip_suffix("<|message|>").unwrap_or(name);
        let end = at + tag.len;
        if let Some(next) = self.said_by_tag(turn, (name, attributes), end) {
            return next;
        }
        let rest = turn.tail(end);
        let body = behind_blanks(rest);
        // Nothing closes the tag: `the tag <function=foo is documented here`.
        let is_whole = text.as_bytes().get(tag.len - 1) == Some(&b'>');
        if name.is_empty() || (!is_whole && !turn.tools.binds(name)) {
            return Next::Text;
        }
        match doubles(body, name, turn.finished) {
            Found::More => return Next::More,
            Found::Yes(()) => return Next::Skip(end + (rest.len() - body.len())),
            Found::No => {}
        }
        let own = tag.marker.map_or(Format::Auto, |marker| marker.format);
        let format = match self.format {
            wrapper if wrapper.names_its_calls() => wrapper,
            Format::Olmo3 => Format::AnthropicXml,
            _ => own,
        };
        let first = body.as_bytes().first();
        if !turn.tools.binds(name) && !matches!(first, None | Some(b'{' | b'<' | b']')) {
            return Next::Text;
        }
        match first {
            None if !turn.finished => Next::More,
            Some(byte) if !matches!(byte, b'{' | b'<' | b']') => {
                self.format = format;
                self.open_with_words(turn, (tag, name), at)
            }
            Some(b'{') => {
                self.format = match own {
                    Format::Qwen3Coder => Format::FunctionaryV31,
                    _ => format,
                };
                let start = end + (rest.len() - body.len());
                Next::Done(self.open_arguments(turn, (name, Kind::Object), start))
            }
            _ => {
                self.format = format;
                let style = Style::Invoke;
                Next::Done(self.open_tags(turn, (name, style), end))
            }
        }
    }
}

impl Reader {
    /// A call behind whose opening tag words stand: the only text that its tool wants, or a remark
    /// before its parameters.
    fn open_with_words(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (tag, name): (&Tag, &str),
        at: usize,
    ) -> Next {
        let end = at + tag.len;
        let element = turn.tail(at).get(tag.name.clone()).unwrap_or_default();
        if !turn.tools.is_any() && turn.tools.takes_one_text(name) {
            match self.text_element(turn, (element, name), end) {
                Next::Text => {}
                next => return next,
            }
        }
        match leads_to_tags(turn, behind_blanks(turn.tail(end))) {
            None => Next::More,
            Some(false) => Next::Text,
            Some(true) => Next::Done(self.open_tags(turn, (name, Style::Invoke), end)),
        }
    }
}

/// Whether `body` begins with the opening tag of a call to `name`, right behind one.
fn doubles(body: &str, name: &str, finished: bool) -> Found<()> {
    if !body.starts_with('<') {
        return Found::No;
    }
    match read_tag(body, finished) {
        Found::More => Found::More,
        Found::Yes(tag) if tag.marker.is_some_and(|marker| marker.role == Role::Invoke) => {
            let attributes = body.get(tag.attributes.clone()).unwrap_or_default();
            match attribute(attributes, "name") == Some(name) && !tag.close {
                true => Found::Yes(()),
                false => Found::No,
            }
        }
        _ => Found::No,
    }
}

/// Whether an element that stands within a line is a call of `tool`, and no other markup: it begins
/// with an element that is named like one of its parameters, and is not only spoken of.
fn holds_parameter(turn: &Turn<'_, '_>, tag: &Tag, tool: &str) -> Found<()> {
    let body = behind_blanks(turn.tail(tag.len));
    let inner = match read_tag(body, turn.finished) {
        _ if body.is_empty() && !turn.finished => return Found::More,
        Found::More => return Found::More,
        Found::Yes(inner) if !inner.close => inner,
        _ => return Found::No,
    };
    let name = body.get(inner.name.clone()).unwrap_or_default();
    match body.as_bytes().get(inner.len) {
        _ if !turn.tools.has_parameter(tool, name) => Found::No,
        None if !turn.finished => Found::More,
        // `Write <get_weather><city> and so on`.
        None | Some(b' ') => Found::No,
        Some(_) => Found::Yes(()),
    }
}

/// True for an element that is no parameter of the tool `name`: other markup has an element of
/// that name too.
fn is_foreign(turn: &Turn<'_, '_>, name: &str, (tag, text): (&Tag, &str)) -> bool {
    let element = text.get(tag.name.clone()).unwrap_or_default();
    let is_free = tag.close || tag.marker.is_some() || is_part(element);
    !is_free && turn.tools.has_parameters(name) && !turn.tools.has_parameter(name, element)
}

/// Whether the words after the opening tag of a call lead to a tag that may belong to one, as far
/// as anyone writes words there; nothing while that cannot be told. Otherwise the tag is only
/// spoken of: `<invoke name="search"> would be wrong here`.
fn leads_to_tags(turn: &Turn<'_, '_>, body: &str) -> Option<bool> {
    const MAX_WORDS: usize = 256;
    let near = body.as_bytes().get(..MAX_WORDS).unwrap_or(body.as_bytes());
    let Some(at) = memchr::memchr(b'<', near) else {
        return (turn.finished || near.len() == MAX_WORDS).then_some(false);
    };
    let rest = body.get(at..).unwrap_or_default();
    match read_tag(rest, turn.finished) {
        Found::More => None,
        Found::No => Some(false),
        Found::Yes(tag) => Some(tag.marker.is_none_or(|marker| {
            let is_token = marker.role == Role::Channel && tag.barred;
            let is_other = matches!(
                marker.role,
                Role::Thinking | Role::ThinkingEnd | Role::Noise
            );
            !is_token && !is_other
        })),
    }
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
