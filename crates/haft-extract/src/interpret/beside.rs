//! Members that stand beside the arguments of a call, where a brace was closed too early:
//! `{"name": "f", "arguments": {"a": 1}, "b": 2}`. Those that are parameters of the tool belong to
//! its arguments.

use haft_schema::{Repair, RepairKind};
use serde_json::{Map, Value};

use crate::ToolSet;
use crate::arguments::value;
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::is_one_of;

/// What calls have beside their name and arguments in the formats that are known.
const FRAME: &str = "id type index call_id tool_call_id status thought reasoning description";

/// True for the key of a member that may belong to the arguments of the tool `name`.
pub(crate) fn is_argument(key: &str, name: &str, tools: &ToolSet) -> bool {
    let is_own = is_one_of(key, FRAME) || is_name_key(key) || is_arguments_key(key);
    !is_own && !tools.is_any() && tools.has_parameter(name, key)
}

/// Adds what belongs to the arguments of the tool `name` among the members beside them; false if
/// nothing does.
pub(super) fn add(
    arguments: &mut Map<String, Value>,
    members: &Map<String, Value>,
    name: &str,
    tools: &ToolSet,
) -> bool {
    let before = arguments.len();
    for (key, value) in members {
        let is_new = !arguments.contains_key(key) && !value.is_null();
        if is_new && is_argument(key, name, tools) {
            arguments.insert(key.clone(), value.clone());
        }
    }
    arguments.len() > before
}

/// The arguments in `object` with those that are written behind it, as far as both can be read.
pub(crate) fn arguments_with(
    object: &str,
    members: &str,
    name: &str,
    tools: &ToolSet,
) -> Option<(Value, Vec<Repair>)> {
    let read = value::read_value(object, false).ok()?;
    let Value::Object(mut arguments) = read.value else {
        return None;
    };
    let members = members.trim_start_matches([',', ' ', '\n', '\r', '\t']);
    let beside = value::read_value(&format!("{{{members}"), false).ok()?;
    let Value::Object(members) = beside.value else {
        return None;
    };
    let mut repairs = read.repairs;
    repairs.extend(beside.repairs);
    add(&mut arguments, &members, name, tools).then(|| {
        // The brace was closed too early.
        repairs.push(Repair::new("", RepairKind::BracketRepaired, "}", ","));
        (Value::Object(arguments), repairs)
    })
}
