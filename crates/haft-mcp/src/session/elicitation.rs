//! The answer to a server that requests a form (elicitation).
//!
//! No user is available, so forms are declined. If enabled, a form is accepted with the server's
//! defaults if every required field has one (SEP-1034 of the protocol).

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};

pub(crate) fn answer(request: &ElicitRequestParams, accepts_defaults: bool) -> ElicitResult {
    let filled = match request {
        ElicitRequestParams::FormElicitationParams {
            requested_schema, ..
        } if accepts_defaults => serde_json::to_value(requested_schema)
            .ok()
            .and_then(|schema| defaults(&schema)),
        _ => None,
    };
    match filled {
        Some(form) => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(form))
        }
        None => ElicitResult::new(ElicitationAction::Decline),
    }
}

/// All defaults; `None` if a required field has none.
fn defaults(schema: &Value) -> Option<Map<String, Value>> {
    let properties = schema.get("properties")?.as_object()?;
    let form: Map<String, Value> = properties
        .iter()
        .filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())))
        .collect();
    let required = schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    required.all(|name| form.contains_key(name)).then_some(form)
}

#[cfg(test)]
mod tests;
