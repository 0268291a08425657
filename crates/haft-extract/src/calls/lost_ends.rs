//! Parameters whose closing tag was lost in the middle of a line:
//! `<parameter=query>oslo <parameter=limit>3</parameter>`. Tags alone do not tell that from a value
//! that speaks of a tag; the schema does, if the second one names a parameter that has no other
//! value and takes no text, and what stands behind it is no text either.

use std::ops::Range;

use memchr::memmem;

use super::tags::json;
use crate::arguments::parameters::{Parameter, ValueKind};
use crate::formats::Role;
use crate::scan::tag::{attribute, whole_tag};
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
    let mut all = list.to_vec();
    let mut at = 0;
    while let Some(parameter) = all.get(at) {
        let is_meant = |key: &str, value: &str| {
            let is_given = |other: &Parameter| text.get(other.key.clone()) == Some(key);
            let is_known = schema.properties().any(|known| known == key);
            let takes_text = schema.property_kinds(key).takes_text();
            is_known && !all.iter().any(is_given) && !takes_text && !json(value).is_string()
        };
        if let Some([first, second]) = split(text, parameter, is_meant) {
            all.splice(at..=at, [first, second]);
        }
        at += 1;
    }
    (all.len() > list.len()).then_some(all)
}

/// The parameter with its value as far as it really goes, and the one that stands behind it.
fn split(
    text: &str,
    parameter: &Parameter,
    is_meant: impl Fn(&str, &str) -> bool,
) -> Option<[Parameter; 2]> {
    let Range { start, end } = parameter.value;
    let value = text.get(start..end)?;
    let at = memmem::find(value.as_bytes(), TAG)?;
    let rest = value.get(at..)?;
    let tag = whole_tag(rest)?;
    let key = attribute(rest.get(tag.attributes.clone())?, "name")?;
    let is_opening = tag.role() == Some(Role::Parameter) && !tag.close && !tag.damaged;
    // Closed in the value, it is quoted there.
    let is_closed = memmem::find(rest.as_bytes(), b"</param").is_some();
    let is_raw = parameter.kind == ValueKind::Schema;
    (is_raw && is_opening && !is_closed && is_meant(key, rest.get(tag.len..)?)).then_some(())?;
    let (kind, from) = (ValueKind::Schema, start + at);
    let key_start = from + (key.as_ptr().addr() - rest.as_ptr().addr());
    let mut first = parameter.clone();
    first.value.end = start + value.get(..at)?.trim_end().len();
    let (key, value) = (key_start..key_start + key.len(), from + tag.len..end);
    Some([first, Parameter { key, value, kind }])
}
