//! Which values are coerced, which are not, and that coercion is idempotent.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of cases read better by value"
)]

mod names;
mod scalars;
mod wrapped;

use serde_json::{Value, json};

use crate::{CompiledSchema, RepairKind};

/// Coerces arguments and returns them with the kinds of the changes.
fn coerce(schema: &Value, arguments: Value) -> (Value, Vec<RepairKind>) {
    let schema = CompiledSchema::new(schema).unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let coerced = schema.coerce(arguments);
    let again = schema.coerce(coerced.arguments.clone());
    assert_eq!(again.repairs, []);
    assert_eq!(again.arguments, coerced.arguments);
    let kinds = coerced.repairs.iter().map(|change| change.kind).collect();
    (Value::Object(coerced.arguments), kinds)
}

/// Coerces one required parameter `x`.
fn one(schema: Value, value: Value) -> Value {
    let schema = json!({"type": "object", "properties": {"x": schema}, "required": ["x"]});
    let (mut coerced, _) = coerce(&schema, json!({"x": value}));
    coerced["x"].take()
}

fn unchanged(schema: Value, value: Value) {
    assert_eq!(one(schema, value.clone()), value);
}

#[test]
fn text_that_holds_json_is_read_and_coerced_inside() {
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    assert_eq!(one(numbers.clone(), json!("[1,2]")), json!([1, 2]));
    assert_eq!(one(numbers.clone(), json!("[\"1\", 2.0]")), json!([1, 2]));
    let object = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    assert_eq!(
        one(object.clone(), json!(" {\"A\": \"1\"} ")),
        json!({"a": 1})
    );
    // Nested values may still be wrong; then the message can name them.
    assert_eq!(
        one(object.clone(), json!("{\"a\": \"b\"}")),
        json!({"a": "b"})
    );
    unchanged(object, json!("{\"a\": "));
    unchanged(numbers.clone(), json!("[1, 2"));
    unchanged(numbers, json!("{\"a\": 1}"));
    unchanged(json!({"type": "string"}), json!("[1]"));
    // In a list of strings, an incomplete list must not become a single string.
    unchanged(
        json!({"type": "array", "items": {"type": "string"}}),
        json!("[\"a\", "),
    );
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    unchanged(json!({"type": "array"}), json!(deep));
}

#[test]
fn a_single_value_becomes_a_list_of_one() {
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    assert_eq!(one(numbers.clone(), json!(5)), json!([5]));
    assert_eq!(one(numbers.clone(), json!("5")), json!([5]));
    unchanged(numbers.clone(), json!("five"));
    unchanged(numbers, json!(null));
    unchanged(
        json!({"type": "array", "items": {"type": "string"}}),
        json!(""),
    );
    let texts = json!({"type": "array", "items": {"type": "string"}, "minItems": 2});
    unchanged(texts, json!("a"));
    let pair = json!({"type": "object", "properties": {
        "few": {"type": "array", "items": {"type": "string"}, "minItems": 2}, "level": {"type": "integer"}}});
    let (coerced, kinds) = coerce(&pair, json!({"few": "a", "level": "5"}));
    assert_eq!(coerced, json!({"few": "a", "level": 5}));
    assert_eq!(kinds, [RepairKind::TextToNumber]);
    let objects = json!({"type": "array", "items": {
        "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}});
    assert_eq!(one(objects, json!({"A": "1"})), json!([{"a": 1}]));
}

#[test]
fn blanks_for_optional_parameters_are_left_out() {
    let schema = json!({"type": "object", "properties": {
        "level": {"type": "number"},
        "name": {"type": "string"},
        "maybe": {"type": ["number", "null"]},
        "ref": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]},
        "either": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
        "any": {},
        "three": {"anyOf": [{"type": "number"}, {"type": "boolean"}, {"type": "null"}]},
        "must": {"type": "number"},
    }, "required": ["must"], "additionalProperties": {"type": "integer"},
        "$defs": {"N": {"type": "integer"}}});
    let nulls = json!({"level": null, "name": null, "maybe": null, "ref": null, "either": null,
        "any": null, "three": null, "must": null, "unknown": null});
    let left = json!({"maybe": null, "ref": null, "any": null, "three": null, "must": null, "unknown": null});
    let (coerced, kinds) = coerce(&schema, nulls);
    assert_eq!((coerced, kinds), (left, vec![RepairKind::NullDropped; 3]));
    let empties = json!({"level": "", "name": "", "maybe": "", "ref": "", "either": "", "any": "", "must": ""});
    let (coerced, kinds) = coerce(&schema, empties);
    assert_eq!(coerced, json!({"name": "", "any": "", "must": ""}));
    assert_eq!(kinds, [RepairKind::EmptyDropped; 4]);
}

#[test]
fn choices_get_their_spelling() {
    let action = json!({"type": "string", "enum": ["on", "off", "dim"]});
    assert_eq!(one(action.clone(), json!(" ON ")), json!("on"));
    unchanged(action, json!("onn"));
    unchanged(json!({"enum": ["On", "ON"]}), json!("on"));
    assert_eq!(one(json!({"const": "Yes"}), json!("yes")), json!("Yes"));
    let documented = json!({"oneOf": [{"const": "on", "description": "x"}, {"const": "off"}]});
    assert_eq!(one(documented, json!("OFF")), json!("off"));
}

#[test]
fn coercion_reaches_through_references_and_compositions() {
    let schema = json!({
        "type": "object",
        "properties": {
            "ref": {"$ref": "#/$defs/Level"},
            "old": {"$ref": "#/definitions/Level"},
            "maybe": {"anyOf": [{"$ref": "#/$defs/Room"}, {"type": "null"}]},
            "all": {"allOf": [{"$ref": "#/$defs/Room"}, {"properties": {"floor": {"type": "integer"}}}]},
            "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        },
        "$defs": {
            "Level": {"type": "integer"},
            "Room": {"type": "object", "properties": {
                "roomName": {"type": "string"}, "inside": {"$ref": "#/$defs/Room"}}},
        },
        "definitions": {"Level": {"type": "integer"}},
    });
    let given = json!({
        "ref": "1", "old": "2",
        "maybe": {"room_name": 3, "inside": {"room_name": 4}},
        "all": {"room_name": "a", "floor": "5"},
        "either": "TRUE", "map": {"a": "1", "b": 2}, "pair": ["6", 7],
    });
    let (coerced, _) = coerce(&schema, given);
    assert_eq!(
        coerced,
        json!({
            "ref": 1, "old": 2,
            "maybe": {"roomName": "3", "inside": {"roomName": "4"}},
            "all": {"roomName": "a", "floor": 5},
            "either": true, "map": {"a": 1, "b": 2}, "pair": [6, "7"],
        })
    );
}

#[test]
fn the_alternative_with_the_fewest_changes_wins_unless_two_differ() {
    let command = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "dim"}, "level": {"type": "integer"}},
         "required": ["kind", "level"]},
        {"type": "object", "properties": {"kind": {"const": "say"}, "text": {"type": "string"}},
         "required": ["kind", "text"]}]});
    assert_eq!(
        one(command.clone(), json!({"kind": "dim", "level": "5"})),
        json!({"kind": "dim", "level": 5})
    );
    assert_eq!(
        one(command.clone(), json!({"Kind": "Say", "Text": 5})),
        json!({"kind": "say", "text": "5"})
    );
    unchanged(command, json!({"kind": "sing", "text": "la"}));
    // As a list of numbers it needs two changes, as a list of strings one.
    let lists = json!({"anyOf": [
        {"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}]});
    assert_eq!(one(lists, json!("5")), json!(["5"]));
    // As an integer it would be a number too, and exactly one alternative must match.
    unchanged(
        json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
        json!("5"),
    );
    let unclear = json!({"anyOf": [{"const": "On"}, {"const": "ON"}]});
    unchanged(unclear, json!("on"));
}

#[test]
fn a_valid_document_keeps_its_values() {
    let schema = json!({"type": "object", "properties": {
        "text": {"type": "string"}, "either": {"type": ["string", "integer"]}, "any": {}}});
    let given = json!({"text": "40", "either": "40", "any": "[1]", "extra": null});
    let (coerced, kinds) = coerce(&schema, given.clone());
    assert_eq!((coerced, kinds), (given, vec![]));
    // Until draft 7, keywords beside a reference are ignored.
    let sibling = json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {
        "x": {"$ref": "#/definitions/any", "type": "string"}}, "definitions": {"any": {}}});
    assert_eq!(coerce(&sibling, json!({"x": 5})).0, json!({"x": 5}));
    // Renaming would turn an ignored extra key into an invalid value.
    let level = json!({"type": "object", "properties": {"level": {"type": "integer"}}});
    assert_eq!(
        coerce(&level, json!({"Level": "abc"})).0,
        json!({"Level": "abc"})
    );
}

#[test]
fn a_dropped_blank_may_uncover_an_envelope() {
    let schema = json!({"type": "object", "properties": {"level": {"type": "integer"}}});
    let (coerced, _) = coerce(&schema, json!({"input": {"level": "1"}, "level": null}));
    assert_eq!(coerced, json!({"level": 1}));
}

#[test]
fn arguments_beyond_the_limits_are_unchanged() {
    let schema = json!({"type": "object", "properties": {"x": {
        "type": "array", "items": {"type": "integer"}}}});
    let many = json!({"x": vec!["1"; super::MAX_STEPS + 10]});
    assert_eq!(coerce(&schema, many.clone()).0, many);

    let mut deep = json!("1");
    for _ in 0..crate::limits::MAX_VALUE_DEPTH {
        deep = json!({"A": deep});
    }
    let recursive = json!({"type": "object", "properties": {"a": {"$ref": "#"}}});
    assert_eq!(coerce(&recursive, deep.clone()).0, deep);
}

#[test]
fn combinations_of_alternatives_are_bounded() {
    let twice = json!({"type": "object", "anyOf": [
        {"properties": {"a": {"$ref": "#"}}, "required": ["b"]},
        {"properties": {"a": {"$ref": "#"}}, "required": ["c"]}]});
    let mut deep = json!({});
    for _ in 0..40 {
        deep = json!({"a": deep});
    }
    assert_eq!(coerce(&twice, deep.clone()).0, deep);
    let schema = CompiledSchema::new(&twice).unwrap();
    let violations = schema.validate(deep.as_object().unwrap()).unwrap_err();
    assert!(violations.iter().count() > 0);
}
