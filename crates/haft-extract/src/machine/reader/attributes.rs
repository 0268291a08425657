//! Calls whose name or arguments are attributes, and elements that hold nothing but the one text
//! their tool wants: `<get_weather city="Oslo"/>`, `<tool name="get_weather" arguments="{...}"/>`,
//! `<tool_get_weather>`, `<bash>ls -la</bash>`.

use std::ops::Range;

use super::{Attempt, Cursor, Inside, Reader, State, cursor::behind_blanks, open_call::Body};
use crate::arguments::parameters::{Style, unescaped};
use crate::machine::{Calls, FoundCall, Written};
use crate::scan::{Attributes, Seen, Tag, is_arguments_key, is_one_of, near};
use crate::{ToolSet, limits};

/// Elements that HTML has with text inside, and that answers are written with.
const HTML: &str = "address article button caption code data details dialog form label mark option output script section style summary time title";

/// The tool that an element is named after, with `tool_` before its name or without.
pub(super) fn element_tool<'n>(tools: &ToolSet, element: &'n str) -> Option<&'n str> {
    if tools.is_any() {
        return None;
    }
    let bare = element.strip_prefix("tool_");
    let bare = bare.filter(|bare| tools.binds_exactly(bare));
    tools.binds(element).then_some(element).or(bare)
}

/// The tool that the tag of a wrapper names: `<tool_call name="N">`, `<tool_call tool="N">`,
/// `<tool:N>`.
pub(super) fn named_tool<'t>(tools: &ToolSet, tag: &Tag<'t>) -> Option<&'t str> {
    if tools.is_any() || tag.close || tag.is_square() {
        return None;
    }
    let suffix = || Some(tag.name().split_once(':')?.1);
    let name = tag.tool_name().or_else(suffix)?;
    tools.binds_exactly(name).then_some(name)
}

/// True for a tag that nothing closes, as it says itself: `<get_weather city="Oslo"/>`.
pub(super) fn closes_itself(tag: &Tag<'_>) -> bool {
    tag.attributes().trim_end().ends_with('/')
}

/// True where the attributes of a call of `tool`, beside its name, are its arguments.
fn hold_arguments(attributes: &str, tool: &str, tools: &ToolSet) -> bool {
    let members = Attributes::new(without_slash(attributes));
    let mut others = members.filter(|member| !is_name(tool, member)).peekable();
    match others.peek() {
        None => false,
        Some((first, _)) if is_arguments_key(first) => attributes.contains('{'),
        Some(_) => others.all(|(key, _)| tools.has_parameter(tool, key)),
    }
}

/// Attributes without the sign behind them that closes their element.
fn without_slash(attributes: &str) -> &str {
    attributes.trim_end().trim_end_matches('/')
}

/// True for an attribute that names the tool of the call.
fn is_name(tool: &str, (key, value): &(&str, Option<&str>)) -> bool {
    *key == "name" || *key == "tool" && *value == Some(tool)
}

impl Reader {
    /// A call of the tool `name` whose arguments are attributes.
    fn with_attributes(&self, name: &str, attributes: &str, tools: &ToolSet) -> Calls {
        let attributes = without_slash(attributes);
        let mut members = Attributes::new(attributes);
        let first = members.find(|member| !is_name(name, member));
        let is_object = first.is_some_and(|(key, _)| is_arguments_key(key));
        let object = is_object.then(|| object_in(attributes)).flatten();
        let arguments = match object {
            Some(object) => Written::Object(object.into()),
            None => {
                let is_argument = |member: &(&str, Option<&str>)| {
                    !is_name(name, member) || tools.has_parameter(name, member.0)
                };
                let values = Attributes::new(attributes).filter(is_argument);
                let values = values.map(|(key, value)| (key, value.unwrap_or_default()));
                Written::Value(values.collect(), attributes.to_owned().into())
            }
        };
        vec![FoundCall::whole(name.to_owned(), arguments, self.format)]
    }

    /// Tells of the call of `tool` whose arguments are the attributes of its tag.
    pub(super) fn tell_tag(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>, tool: &str) -> Attempt {
        let calls = self.with_attributes(tool, tag.attributes(), here.tools);
        self.calls_in_markup(here, calls, tag.end())
    }

    /// Tells of calls all of which, up to `end`, is markup.
    fn calls_in_markup(&mut self, here: &mut Cursor<'_>, calls: Calls, end: usize) -> Attempt {
        self.take_calls(here, calls, 0..end)?;
        self.advance(end, State::Inside(Inside::between_calls()))
            .map(Some)
    }

    /// `<tool_call name="N">`, followed by an object, by elements or by its closing tag.
    pub(super) fn open_named(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>) -> Attempt {
        let Some(name) = named_tool(here.tools, tag) else {
            return Ok(None);
        };
        if let Some(taken) = self.tag_call(here, tag, name)? {
            return Ok(Some(taken));
        }
        let (body, start) = here.body(tag.end())?;
        let body = match body.as_bytes().first() {
            Some(b'{') => Body::Object(start),
            Some(b'<') => Body::Tags(tag.end(), Style::Pairs),
            _ => return Ok(None),
        };
        self.open_call(here, name, body).map(Some)
    }

    /// The call whose tag says all of it with its attributes.
    pub(super) fn tag_call(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>, tool: &str) -> Attempt {
        if !hold_arguments(tag.attributes(), tool, here.tools) {
            return Ok(None);
        }
        let body = behind_blanks(here.tail(tag.end()));
        let is_empty = closes_itself(tag) || body.starts_with("</");
        here.wait_if(matches!(body, "" | "<") && !is_empty)?;
        match is_empty || body.is_empty() {
            true => self.tell_tag(here, tag, tool),
            false => Ok(None),
        }
    }

    /// `<bash>ls -la</bash>`, from behind the opening tag: the text is the only argument.
    pub(super) fn as_text(&mut self, here: &mut Cursor<'_>, tag: &Tag<'_>, tool: &str) -> Attempt {
        if is_one_of(tag.name(), HTML) {
            return Ok(None);
        }
        let Some(range) = text_inside(here, tag.name(), tag.end())? else {
            return Ok(None);
        };
        // Lines such as `city: Oslo`.
        if begins_line(here, tool, range.start) {
            let tags = Body::Tags(tag.end(), Style::Element);
            return self.open_call(here, tool, tags).map(Some);
        }
        let taken = self.tell_text_call(here, tool, range)?;
        self.advance(taken, State::Inside(Inside::between_calls()))
            .map(Some)
    }

    /// A call whose arguments stand in words between its name and the end of `<tool_call>`: as
    /// attributes, `f city="Oslo"`, in lines, `city: Oslo`, or as the only text that it wants.
    pub(super) fn in_words(&mut self, here: &mut Cursor<'_>, name: &str, start: usize) -> Attempt {
        let Some(range) = text_inside(here, "tool_call", start)? else {
            // The reply ended before the wrapper did.
            let rest = here.tail(start);
            let is_short = rest.len() <= limits::SEARCHED.min(here.options.hold_limit);
            if here.finished && is_short && !rest.contains("<tool_call") {
                let rest = without_list(rest.to_owned());
                let call = FoundCall::whole(name.to_owned(), rest, self.format).cut(true);
                return self.calls_in_markup(here, vec![call], here.text.len());
            }
            return Ok(None);
        };
        let text = here.part(range.start, range.end);
        if hold_arguments(text, name, here.tools) {
            let calls = self.with_attributes(name, text, here.tools);
            return self.calls_in_markup(here, calls, range.end);
        }
        if !begins_line(here, name, range.start) {
            let taken = self.tell_text_call(here, name, range)?;
            return self
                .advance(taken, State::Inside(Inside::between_calls()))
                .map(Some);
        }
        let lines = without_list(format!("{text}\n</tool_call>"));
        let call = FoundCall::whole(name.to_owned(), lines, self.format);
        self.calls_in_markup(here, vec![call], range.end)
    }
}

/// Arguments in words, where tags with parameters would stand.
fn without_list(words: String) -> Written<'static> {
    Written::Tags(words.into(), Vec::new().into())
}

/// True where a line such as `city: Oslo` with a parameter of `tool` begins, or the tag of one
/// behind what makes the one before it bold.
fn begins_line(here: &Cursor<'_>, tool: &str, at: usize) -> bool {
    let line = here.tail(at).lines().next().unwrap_or_default();
    let tag = line.trim_start_matches('*').strip_prefix('<');
    let tag = tag.and_then(|tag| tag.split_once('>'));
    let parts = tag.or_else(|| line.split_once(':'));
    parts.is_some_and(|(name, _)| here.tools.has_parameter(tool, name.trim_end()))
}

/// The object between the quotes of an attribute, whose own quotes may be escaped or not.
fn object_in(attributes: &str) -> Option<String> {
    let start = attributes.find('{')?;
    let end = attributes.rfind('}')? + 1;
    Some(unescaped(attributes.get(start..end)?).into_owned())
}

/// The text up to the closing tag of an element, which does not hold another one of its kind. It is
/// looked for no further than it is held back, however the reply is cut.
fn text_inside(here: &Cursor<'_>, element: &str, end: usize) -> Seen<Option<Range<usize>>> {
    let longest = limits::SEARCHED.min(here.options.hold_limit);
    let near = near(here.tail(end), longest);
    // Up to another one of its kind.
    let longest = near.find(&format!("<{element}")).unwrap_or(longest);
    let Some(close) = here.find(end, &format!("</{element}>"), longest)? else {
        return Ok(None);
    };
    let inner = here.part(end, close);
    let written = inner.trim();
    // What closes a parameter that nothing opened.
    let written = written.strip_suffix("</parameter>").unwrap_or(written);
    let len = written.trim_end().len();
    let start = end + (inner.len() - inner.trim_start().len());
    let is_text = len > 0 && !inner.contains("<param");
    Ok(is_text.then_some(start..start + len))
}
