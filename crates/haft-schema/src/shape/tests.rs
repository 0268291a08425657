//! Which arguments take the fast path, and which the slow one.

use serde_json::{Value, json};

use super::Shape;
use crate::CompiledSchema;

fn matches(schema: &Value, arguments: &Value) -> bool {
    let shape = Shape::of(schema);
    let is_matched = shape.matches(arguments.as_object().unwrap());
    if is_matched && shape.is_complete {
        let schema = CompiledSchema::new(schema).unwrap();
        assert!(schema.validate_value(arguments).is_ok(), "{arguments}");
    }
    is_matched
}

fn weather() -> Value {
    json!({"type": "object", "title": "Weather", "properties": {
        "city": {"type": "string", "minLength": 1, "maxLength": 20, "description": "A city"},
        "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 1},
        "units": {"enum": ["metric", "imperial"]},
        "position": {"type": "object", "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}, "required": ["lat"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "level": {"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]},
        "mode": {"oneOf": [{"const": "a", "description": "first"}, {"const": "b"}]},
        "extra": {"type": "object", "additionalProperties": {"type": "integer"}},
        "free": {"type": "object"},
    }, "required": ["city"], "additionalProperties": false, "$defs": {"Level": {"type": "integer", "exclusiveMaximum": 5}}})
}

#[test]
fn common_arguments_are_recognised() {
    let schema = weather();
    assert!(Shape::of(&schema).is_complete);
    for arguments in [
        json!({"city": "Oslo"}),
        json!({"units": "metric", "days": 3, "city": "Tromsø"}),
        json!({"city": "a", "position": {"lat": 1.5, "lon": 2}, "tags": ["a", "b"], "level": 4, "mode": "b"}),
        json!({"city": "a", "level": null, "extra": {"a": 1, "b": 2}, "free": {"a": [[{}]]}}),
    ] {
        assert!(matches(&schema, &arguments), "{arguments}");
    }
}

#[test]
fn anything_invalid_or_repairable_is_not_fast_path() {
    let schema = weather();
    for arguments in [
        json!({}),
        json!({"days": 3}),
        json!({"city": 5}),
        json!({"city": ""}),
        json!({"city": "x".repeat(21)}),
        json!({"city": "a", "days": 3.0}),
        json!({"city": "a", "days": 15}),
        json!({"city": "a", "days": "3"}),
        json!({"city": "a", "units": "Metric"}),
        json!({"city": "a", "other": 1}),
        json!({"city": "a", "Days": 1}),
        json!({"city": "a", "position": {"lon": 2}}),
        json!({"city": "a", "position": {"lat": 2, "LON": 2}}),
        json!({"city": "a", "tags": ["a", "b", "c"]}),
        json!({"city": "a", "tags": [1]}),
        json!({"city": "a", "tags": null}),
        json!({"city": "a", "level": 5}),
        json!({"city": "a", "level": 2.0}),
        json!({"city": "a", "mode": "c"}),
        json!({"city": "a", "extra": {"a": "1"}}),
    ] {
        assert!(!matches(&schema, &arguments), "{arguments}");
    }
}

#[test]
fn only_unusual_parts_take_the_slow_path() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "integer"},
        "b": {"allOf": [{"type": "integer"}]},
        "c": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        "d": {"type": "object", "patternProperties": {"^x": {}}},
        "e": {"enum": [1.0, 2.5]},
        "f": {"$ref": "#/properties/f"},
    }});
    assert!(matches(&schema, &json!({"a": 1})));
    for name in ["b", "c", "d", "e", "f"] {
        assert!(!matches(&schema, &json!({"a": 1, name: 1})), "{name}");
    }
}

#[test]
fn other_keywords_are_left_to_the_validator() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^x"}}});
    let shape = Shape::of(&schema);
    assert!(!shape.is_complete);
    assert!(shape.matches(json!({"a": "y"}).as_object().unwrap()));
    let schema = CompiledSchema::new(&schema).unwrap();
    assert!(
        schema
            .check(json!({"a": "x"}).as_object().unwrap().clone())
            .is_ok()
    );
    assert!(
        schema
            .check(json!({"a": "y"}).as_object().unwrap().clone())
            .is_err()
    );
}

#[test]
fn the_depth_is_limited() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({"a": inner}));
    let recursive = json!({"type": "object", "properties": {"a": {}}});
    let free = json!({"type": "object"});
    for schema in [recursive, free] {
        assert!(matches(
            &schema,
            &nested(crate::limits::MAX_VALUE_DEPTH - 1)
        ));
        assert!(!matches(&schema, &nested(crate::limits::MAX_VALUE_DEPTH)));
    }
}

#[test]
fn limits_are_exact() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "number", "maximum": 9_007_199_254_740_992_u64}}});
    let of = |text: &str| json!({"a": text.parse::<Value>().unwrap()});
    assert!(matches(&schema, &of("123")) && matches(&schema, &of("9e15")));
    assert!(!matches(&schema, &of("9007199254740993")) && !matches(&schema, &of("1e400")));
}

#[test]
fn a_recursive_schema_is_expanded_up_to_a_limit() {
    let wide: serde_json::Map<String, Value> = (0..60)
        .map(|index| (format!("p{index}"), json!({"$ref": "#"})))
        .collect();
    let schema = json!({"type": "object", "properties": wide});
    assert!(matches(&schema, &json!({"p0": {}})));
}
