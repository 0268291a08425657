//! A call in well-formed JSON, as most are: its arguments stay as they were written.

use std::collections::BTreeMap;

use memchr::memchr_iter;
use serde_json::value::RawValue;

use crate::machine::raw_call::{RawCall, Written};
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::{Format, ToolSet};

/// The call that `text` is, of a bound tool, with nothing beside its name and its arguments.
pub(super) fn call(text: &str, tools: &ToolSet) -> Option<RawCall<'static>> {
    let members: BTreeMap<&str, &RawValue> = serde_json::from_str(text).ok()?;
    let under = |is_key: fn(&str) -> bool| {
        let mut members = members.iter();
        members.find_map(|(key, value)| is_key(key).then_some(value.get()))
    };
    let name = under(is_name_key)?.strip_prefix('"')?.strip_suffix('"')?;
    let arguments = under(is_arguments_key)?;
    // The definition of a tool looks like a call.
    let defines = |letter: usize| {
        let quoted = arguments.get(letter.saturating_sub(1)..);
        quoted.is_some_and(|rest| rest.starts_with("\"properties\""))
    };
    let is_call = members.len() == 2
        && arguments.starts_with('{')
        && !name.contains('\\')
        && !memchr_iter(b'p', arguments.as_bytes()).any(defines)
        && tools.binds(name);
    let arguments = Written::Object(arguments.to_owned().into());
    is_call.then(|| RawCall::new(name.to_owned(), arguments, Format::BareJson))
}
