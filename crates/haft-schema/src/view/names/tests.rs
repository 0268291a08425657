use serde_json::json;

use super::*;

fn unknown(schema: &Value, key: &str) -> bool {
    let view = View::of(schema, &[Place::root(schema)]);
    let key = key.to_owned();
    !view.unknown(schema, std::iter::once(&key)).is_empty()
}

#[test]
fn an_unresolved_reference_may_name_anything() {
    let schema = json!({"properties": {"a": {}}, "allOf": [{"$ref": "#named"}]});
    assert!(!unknown(&schema, "z"));
    let dynamic = json!({"properties": {"a": {}}, "allOf": [{"$dynamicRef": "#/$defs/x"}]});
    assert!(!unknown(&dynamic, "z"));
}

#[test]
fn a_recursive_schema_is_searched_once() {
    let schema = json!({"properties": {"a": {}}, "anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
    assert!(unknown(&schema, "z") && !unknown(&schema, "a"));
}

#[test]
fn a_schema_that_is_too_large_to_search_accepts_every_name() {
    let branches: Vec<_> = (0..300)
        .map(|at| json!({"required": [at.to_string()]}))
        .collect();
    let schema = json!({"properties": {"a": {}}, "anyOf": branches});
    assert!(!unknown(&schema, "z"));
}
