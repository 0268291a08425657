//! Calls in square brackets that are neither Python nor JSON as a whole: a list that begins with a
//! tool that is not bound, `[find_town(q="Oslo"), get_weather(city="Oslo")]`, a tool that is named by
//! an attribute, `[Calling tool="get_weather" city="Oslo"]`, or in words, `[Calling tool: get_weather
//! with arguments: {"city": "Oslo"}]`, and LM Studio's form without its first
//! token, `[get_weather]⏎{"city": "Oslo"}⏎[END_TOOL_REQUEST]`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::super::line::{WITH_ARGUMENTS, label};
use super::python::plain_calls;
use crate::machine::raw_call::{Calls, RawCall, Written};
use crate::scan::tag::{Attributes, attribute};
use crate::scan::within;
use crate::{Format, ToolSet};

/// The calls in `text`, if it holds nothing else.
pub(super) fn calls(text: &str, tools: &ToolSet) -> Option<Calls> {
    let inner = within(text.trim(), '[', ']')?;
    if tools.is_any() {
        return None;
    }
    let label = label(inner, true).unwrap_or_default();
    if let Some((name, object)) = inner.get(label..)?.split_once(WITH_ARGUMENTS)
        && tools.binds(name)
    {
        let object = object.trim();
        within(object, '{', '}')?;
        return Some(vec![call(name, Written::Object(object.to_owned().into()))]);
    }
    match inner.strip_prefix("Calling ") {
        Some(attributes) => with_attributes(attributes, tools).map(|found| vec![found]),
        None => plain_calls(inner, false, tools, Format::Pythonic),
    }
}

/// The call of `tool="N" a="b"`, where each attribute is a parameter of it.
fn with_attributes(attributes: &str, tools: &ToolSet) -> Option<RawCall<'static>> {
    const TOOL: &str = "tool";
    let name = attribute(attributes, TOOL).filter(|name| tools.binds_exactly(name))?;
    let mut arguments = Map::new();
    for (key, value) in Attributes::new(attributes).filter(|(key, _)| *key != TOOL) {
        let value = value.filter(|_| tools.has_parameter(name, key))?;
        arguments.insert(key.to_owned(), Value::String(value.to_owned()));
    }
    // Without any, it rather is a note that a tool is called.
    let has_arguments = !arguments.is_empty();
    let written = Written::Value(Value::Object(arguments), attributes.to_owned().into());
    has_arguments.then(|| call(name, written))
}

fn call(name: &str, arguments: Written<'static>) -> RawCall<'static> {
    RawCall::new(name.to_owned(), arguments, Format::Pythonic)
}

/// `[N]⏎{...}` as `N⏎{...}`.
pub(super) fn without_brackets(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('[');
    match inner.and_then(|inner| inner.split_once(']')) {
        Some((name, object)) => format!("{name} {}", object.trim_start()).into(),
        None => text.into(),
    }
}
