//! The arguments of a call as text, for those who read them by themselves.

use std::borrow::Cow;

use haft_schema::settle_numbers;

use super::read_arguments;
use crate::machine::raw_call::{RawCall, Written};
use crate::tool_set::Named;

/// The arguments as text: the model's own where that is an object, else made of what was read.
pub(crate) fn raw_arguments<'t>(found: &'t RawCall<'_>, named: Named<'_>) -> Cow<'t, str> {
    match &found.arguments {
        Written::Object(text) if is_json_like(text) => Cow::Borrowed(text),
        Written::Nothing => Cow::Borrowed("{}"),
        _ => match read_arguments(&mut found.clone(), named.tool()) {
            Ok(mut read) => {
                read.value.values_mut().for_each(settle_numbers);
                let text = serde_json::to_string(&read.value);
                Cow::Owned(text.unwrap_or_default())
            }
            Err(_) => Cow::Borrowed(found.arguments.text()),
        },
    }
}

/// An object whose first name is quoted: JSON as far as anyone passes it on unread.
fn is_json_like(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{').map(str::trim_start);
    inner.is_some_and(|inner| inner.starts_with(['"', '}']))
}
