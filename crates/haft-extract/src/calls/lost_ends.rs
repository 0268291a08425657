//! Parameters whose closing tag was lost in the middle of a line:
//! `<parameter=query>oslo <parameter=limit>3</parameter>`. Tags alone do not tell that from a value
//! that speaks of a tag; the schema does, if the second one names a parameter that has no other
//! value and takes no text, and what stands behind it is no text either.

use std::ops::Range;

use memchr::memmem;

use super::tags::json;
use crate::arguments::parameters::{Parameter, ValueKind};
use crate::formats::Role;
use crate::scan::tag::{Found, attribute, read_tag};
use crate::tool_set::BoundTool;

/// What all the tags begin with that are looked for.
const TAG: &[u8] = b"<param";

/// The parameters with those apart that stand in the value of another one; nothing if none does.
pub(super) fn apart(
    text: &str,
    list: &[Parameter],
    tool: Option<&BoundTool>,
) -> Option<Vec<Parameter>> {
    let schema = tool.and_then(BoundTool::schema)?;
    let holds_tag = |parameter: &Parameter| {
        let value = text.get(parameter.value.clone()).unwrap_or_default();
        memmem::find(value.as_bytes(), TAG).is_some()
    };
    list.iter().any(holds_tag).then_some(())?;
    let mut all = list.to_vec();
    let mut at = 0;
    while let Some(parameter) = all.get(at) {
        let is_meant = |key: &str, value: &str| {
            let kinds = schema.property_kinds(key);
            schema.properties().any(|known| known == key)
                && !all
                    .iter()
                    .any(|other| text.get(other.key.clone()) == Some(key))
                && !(kinds.takes_text() || json(value).is_string())
        };
        if let Some((end, second)) = split(text, parameter, is_meant) {
            if let Some(first) = all.get_mut(at) {
                first.value.end = end;
            }
            all.insert(at + 1, second);
        }
        at += 1;
    }
    (all.len() > list.len()).then_some(all)
}

/// Where the value really ends, and the parameter that stands behind it.
fn split(
    text: &str,
    parameter: &Parameter,
    is_meant: impl Fn(&str, &str) -> bool,
) -> Option<(usize, Parameter)> {
    if parameter.kind != ValueKind::Schema {
        return None;
    }
    let Range { start, end } = parameter.value;
    let value = text.get(start..end)?;
    let at = memmem::find(value.as_bytes(), TAG)?;
    let rest = value.get(at..)?;
    let Found::Yes(tag) = read_tag(rest, true) else {
        return None;
    };
    let role = tag.marker.map(|marker| marker.role);
    let key = attribute(rest.get(tag.attributes.clone())?, "name")?;
    let is_opening = role == Some(Role::Parameter) && !tag.close && !tag.damaged;
    // Closed in the value, it is quoted there.
    let is_closed = memmem::find(rest.as_bytes(), b"</param").is_some();
    (is_opening && !is_closed && is_meant(key, rest.get(tag.len..)?)).then_some(())?;
    let key_start = start + at + (key.as_ptr().addr() - rest.as_ptr().addr());
    let second = Parameter {
        key: key_start..key_start + key.len(),
        value: start + at + tag.len..end,
        kind: ValueKind::Schema,
    };
    let first = value.get(..at)?.trim_end();
    Some((start + first.len(), second))
}
