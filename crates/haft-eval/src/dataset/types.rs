//! Converts the leaderboard's Python type names to JSON Schema.

use serde_json::Value;

/// `schema` with `dict`, `float`, `tuple` and `any` replaced, at every depth.
pub(super) fn json_schema(mut schema: Value) -> Value {
    replace(&mut schema, 0);
    if schema.is_null() {
        schema = serde_json::json!({"type": "object", "properties": {}});
    }
    schema
}

/// The maximum depth; tool definitions are not deeper, and recursion uses the stack.
const MAX_DEPTH: usize = 64;

fn replace(schema: &mut Value, depth: usize) {
    let Value::Object(fields) = schema else {
        return;
    };
    if depth > MAX_DEPTH {
        return;
    }
    match fields.get("type").and_then(Value::as_str) {
        Some("dict") => fields.insert("type".to_owned(), "object".into()),
        Some("float") => fields.insert("type".to_owned(), "number".into()),
        Some("tuple") => fields.insert("type".to_owned(), "array".into()),
        Some("any") => fields.shift_remove("type"),
        _ => None,
    };
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties
            .values_mut()
            .for_each(|property| replace(property, depth + 1));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key) {
            replace(inner, depth + 1);
        }
    }
}
