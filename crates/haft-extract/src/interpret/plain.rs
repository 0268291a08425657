//! A call in well-formed JSON, as most are: its arguments stay as they were written.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::machine::reading::{Found, Written};
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::{Format, ToolSet};

/// The call that `text` is, of a bound tool, with nothing beside its name and its arguments.
pub(super) fn call(text: &str, tools: &ToolSet) -> Option<Found<'static>> {
    let members: BTreeMap<&str, &RawValue> = serde_json::from_str(text).ok()?;
    let under = |is_key: fn(&str) -> bool| {
        let mut members = members.iter();
        members.find_map(|(key, value)| is_key(key).then_some(value.get()))
    };
    let name: &str = serde_json::from_str(under(is_name_key)?).ok()?;
    let arguments = under(is_arguments_key)?;
    // The definition of a tool looks like a call.
    let is_call = members.len() == 2
        && arguments.starts_with('{')
        && !arguments.contains("\"properties\"")
        && tools.binds(name);
    is_call.then(|| Found {
        name: Cow::Owned(name.to_owned()),
        tool: None,
        arguments: Written::Object(Cow::Owned(arguments.to_owned())),
        format: Format::BareJson,
        cut: false,
        mended: false,
        repairs: Vec::new(),
    })
}
