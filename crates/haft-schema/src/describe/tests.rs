//! Descriptions of schemas.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of cases read better by value"
)]

use serde_json::{Value, json};

use crate::view::Place;

fn words(schema: Value) -> String {
    super::describe(&schema, &[Place::root(&schema)])
}

#[test]
fn scalars_with_their_limits() {
    assert_eq!(
        words(json!({"type": "integer", "minimum": 1})),
        "a whole number of at least 1"
    );
    assert_eq!(
        words(json!({"type": "number", "maximum": 9.5})),
        "a number of at most 9.5"
    );
    assert_eq!(
        words(json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})),
        "a number above 0 below 1"
    );
    // Draft 4 writes exclusive limits as booleans.
    assert_eq!(
        words(json!({"type": "number", "minimum": 0, "exclusiveMinimum": true})),
        "a number of at least 0"
    );
    assert_eq!(
        words(json!({"type": "integer", "multipleOf": 5})),
        "a whole number that is a multiple of 5"
    );
    assert_eq!(words(json!({"type": "boolean"})), "true or false");
    assert_eq!(words(json!({"type": ["string", "null"]})), "text or null");
    assert_eq!(
        words(json!({"type": "string", "minLength": 1, "maxLength": 5, "format": "date"})),
        "text of 1 to 5 characters in the form of a date"
    );
    assert_eq!(
        words(json!({"type": "string", "pattern": "^a"})),
        "text matching ^a"
    );
    assert_eq!(words(json!({})), "any value");
    assert_eq!(words(json!({"const": 5})), "5");
}

#[test]
fn lists_and_objects_with_what_is_in_them() {
    assert_eq!(
        words(json!({"type": "array", "items": {"type": "integer"}, "minItems": 1})),
        "a list of at least 1 item, each item a whole number"
    );
    assert_eq!(
        words(json!({"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"enum": [1, 2]}}, "required": ["b"]})),
        "an object with a (text, optional), b (one of 1, 2)"
    );
}

#[test]
fn a_recursive_schema_is_described_to_a_depth() {
    let words = words(json!({"type": "object", "properties": {"next": {"$ref": "#"}}}));
    assert_eq!(
        words,
        "an object with next (an object with next (an object with next, optional), optional)"
    );
}

#[test]
fn long_lists_are_cut() {
    let many: Vec<u32> = (0..50).collect();
    assert!(words(json!({"enum": many})).ends_with("11, or 38 more"));
    let long = json!({"enum": ["x".repeat(500), "y".repeat(500), "z".repeat(500)]});
    assert!(words(long).chars().count() <= super::MAX_DESCRIPTION);
}
