use serde_json::json;

use super::*;

#[test]
fn objects_are_closed_at_every_depth() {
    let schema = json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
            "minimum": {"type": "string"},
        },
        "required": ["list"],
        "$defs": {"x": {"type": "object", "additionalProperties": true}},
    });
    let expected = json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": {
                "type": "object",
                "properties": {"n": {"type": "integer"}},
                "additionalProperties": false,
            }},
            "minimum": {"type": "string"},
        },
        "required": ["list"],
        "$defs": {"x": {"type": "object", "additionalProperties": false}},
        "additionalProperties": false,
    });
    assert_eq!(strict(&schema), expected);
    assert_eq!(strict(&expected), expected);
}

#[test]
fn refused_keywords_move_to_the_description() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A price.",
        "type": "number",
        "minimum": 0,
        "multipleOf": 0.5,
    });
    assert_eq!(
        strict(&schema),
        json!({"description": "A price. {\"minimum\":0,\"multipleOf\":0.5}", "type": "number"})
    );
    assert_eq!(
        strict(&json!({"type": "string", "format": "colour", "maxLength": 7})),
        json!({"type": "string", "description": "{\"format\":\"colour\",\"maxLength\":7}"})
    );
    let date = json!({"type": "string", "format": "date"});
    assert_eq!(strict(&date), date);
}

#[test]
fn alternatives_are_spelled_any_of() {
    assert_eq!(
        strict(&json!({"oneOf": [{"type": "string", "minLength": 1}, {"const": 1}]})),
        json!({"anyOf": [{"type": "string", "description": "{\"minLength\":1}"}, {"const": 1}]})
    );
    // A closed object around alternatives would allow none of them.
    let branch = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false});
    assert_eq!(
        strict(&json!({"type": "object", "anyOf": [{"type": "object", "properties": {"a": {}}}]})),
        json!({"anyOf": [branch]})
    );
}

#[test]
fn depth_is_bounded() {
    let mut schema = json!({"type": "string"});
    for _ in 0..500 {
        schema = json!({"items": schema});
    }
    let mut depth = 0;
    let strict = strict(&schema);
    let mut inner = &strict;
    while let Some(items) = inner.get("items") {
        (inner, depth) = (items, depth + 1);
    }
    assert_eq!(depth, MAX_DEPTH + 1);
}
