//! Arguments and values inside other structures.

use serde_json::{Value, json};

use super::{coerce, one, unchanged};
use crate::RepairKind;

#[test]
fn envelopes_are_unwrapped() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    for name in crate::coerce::envelope::ENVELOPES {
        let (coerced, kinds) = coerce(&schema, json!({name: {"City": "Oslo"}}));
        assert_eq!(coerced, json!({"city": "Oslo"}));
        assert_eq!(kinds, [RepairKind::Unwrapped, RepairKind::KeyRenamed]);
    }
    let (coerced, _) = coerce(&schema, json!({"args": {"input": {"city": "Oslo"}}}));
    assert_eq!(coerced, json!({"city": "Oslo"}));
    for given in [
        json!({"input": {}, "city": "a"}),
        json!({"input": "x"}),
        json!({"data": {}}),
    ] {
        assert_eq!(coerce(&schema, given.clone()).0, given);
    }
    let elsewhere = json!({"type": "object", "properties": {"city": {}}, "anyOf": [
        {"properties": {"input": {}}}, {"properties": {"city": {"type": "string"}}}]});
    let open = json!({"type": "object", "properties": {"city": {}}, "additionalProperties": true});
    for schema in [elsewhere, open] {
        let given = json!({"input": {"city": "Oslo"}});
        assert_eq!(coerce(&schema, given.clone()).0, given);
    }
    let own = json!({"type": "object", "properties": {"input": {"type": "object"}}});
    assert_eq!(
        coerce(&own, json!({"input": {"a": 1}})).0,
        json!({"input": {"a": 1}})
    );
    assert_eq!(
        coerce(&json!(null), json!({"input": {"a": 1}})).0,
        json!({"input": {"a": 1}})
    );
}

fn city() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]})
}

fn is_oslo(given: Value) {
    assert_eq!(
        coerce(&city(), given.clone()).0,
        json!({"city": "Oslo"}),
        "{given}"
    );
}

fn stays(given: Value) {
    assert_eq!(coerce(&city(), given.clone()).0, given);
}

#[test]
fn a_call_inside_the_arguments_is_unwrapped() {
    is_oslo(json!({"input": {"arguments": {"city": "Oslo"}}}));
    is_oslo(json!({"name": "get_weather", "arguments": {"city": "Oslo"}}));
    is_oslo(json!({"tool_name": "get_weather", "tool_input": {"city": "Oslo"}}));
    is_oslo(json!({"action": "get_weather", "action_input": "{\"city\": \"Oslo\"}"}));
    is_oslo(
        json!({"id": 7, "type": "function", "function": {"name": "f", "arguments": "{\"city\": \"Oslo\"}"}}),
    );
    // The value of `name` must be a string.
    stays(json!({"name": {"a": 1}, "arguments": {"city": "Oslo"}}));
    stays(json!({"arguments": {"city": "Oslo"}, "params": {"city": "Oslo"}}));
    stays(json!({"arguments": {"city": "Oslo"}, "other": 1}));
    stays(json!({"arguments": "Oslo"}));
    stays(json!({"arguments": ["Oslo"]}));
    let named = json!({"type": "object", "properties": {"name": {"type": "string"}, "city": {}}});
    let given = json!({"name": "a", "arguments": {"city": "Oslo"}});
    assert_eq!(coerce(&named, given.clone()).0, given);
}

#[test]
fn values_in_a_copy_of_the_schema_are_taken_out() {
    is_oslo(json!({"type": "object", "properties": {"city": "Oslo"}}));
    is_oslo(json!({"properties": {"city": "Oslo"}, "required": ["city"]}));
    is_oslo(json!({"properties": {"City": {"type": "string", "value": "Oslo"}}}));
    is_oslo(json!({"city": {"type": "string", "description": "a city", "value": "Oslo"}}));
    is_oslo(json!({"city": {"value": "Oslo"}}));
    is_oslo(json!({"city": {"type": "string", "const": "Oslo"}}));
    is_oslo(json!({"city": {"type": "string", "default": "Oslo"}}));
    let (coerced, kinds) = coerce(
        &city(),
        json!({"properties": {"city": "Oslo", "days": {"type": "integer", "value": "3"}}}),
    );
    assert_eq!(coerced, json!({"city": "Oslo", "days": 3}));
    assert_eq!(
        kinds,
        [
            RepairKind::Unwrapped,
            RepairKind::Unwrapped,
            RepairKind::TextToNumber
        ]
    );
    // Without filled-in values, or not a schema of these arguments.
    stays(json!({"type": "object", "properties": {"city": {"type": "string"}}}));
    stays(json!({"type": "object", "properties": {"street": "a"}}));
    stays(json!({"type": "array", "properties": {"city": "a"}}));
    stays(json!({"properties": {"city": "Oslo"}, "other": 1}));
    stays(json!({"city": {"type": "string"}}));
    stays(json!({"city": {"default": "Oslo"}}));
    stays(json!({"city": {"value": "Oslo", "unit": "a"}}));
    stays(json!({"city": {"value": {"a": 1}}}));
}

#[test]
fn an_object_that_may_be_meant_is_no_copy_of_the_schema() {
    unchanged(
        json!({"type": "object"}),
        json!({"type": "string", "value": "a"}),
    );
    unchanged(
        json!({"type": ["string", "object"], "maxProperties": 1}),
        json!({"type": "string", "value": "a"}),
    );
    let items = json!({"type": "array", "items": {"type": "object", "properties": {"value": {"type": "string"}}}});
    assert_eq!(one(items, json!({"value": "a"})), json!([{"value": "a"}]));
    let texts = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(
        one(texts, json!({"type": "array", "value": ["a"]})),
        json!(["a"])
    );
    // The default comes from the schema, so the model did not write it.
    unchanged(
        json!({"type": "string", "default": "a"}),
        json!({"type": "string", "default": "a"}),
    );
    let union = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(one(union, json!({"value": "a"})), json!("a"));
}

#[test]
fn a_list_of_one_is_the_value_where_no_list_is_wanted() {
    assert_eq!(
        one(json!({"type": "string"}), json!(["Oslo"])),
        json!("Oslo")
    );
    assert_eq!(one(json!({"type": "integer"}), json!(["5"])), json!(5));
    assert_eq!(
        one(json!({"type": "object"}), json!([{"a": 1}])),
        json!({"a": 1})
    );
    assert_eq!(
        one(
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!(["a"])
        ),
        json!("a")
    );
    assert_eq!(
        one(json!({"enum": ["on", "off"]}), json!(["ON"])),
        json!("on")
    );
    for (schema, value) in [
        (json!({"type": "string"}), json!(["a", "b"])),
        (json!({"type": "string"}), json!([])),
        (json!({"type": "integer"}), json!(["a"])),
        (json!({"type": "string"}), json!([null])),
        (json!({"type": "string"}), json!([["a"]])),
        (
            json!({"type": ["string", "array"], "minItems": 2}),
            json!(["a"]),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}),
            json!(["a"]),
        ),
    ] {
        unchanged(schema, value);
    }
}

#[test]
fn a_text_is_one_item_unless_it_is_json() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(one(texts.clone(), json!("a, b, c")), json!(["a, b, c"]));
    assert_eq!(one(texts, json!("[\"a\", \"b\"]")), json!(["a", "b"]));
}

#[test]
fn an_object_in_a_text_is_the_one_item_of_a_list_of_objects() {
    let object =
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    let rows = json!({"type": "array", "items": object});
    assert_eq!(
        one(rows.clone(), json!("{\"id\": \"1\"}")),
        json!([{"id": 1}])
    );
    unchanged(rows, json!("{\"name\": 1}"));
    unchanged(
        json!({"type": "array", "items": {"type": "string"}}),
        json!("{\"id\": 1}"),
    );
}

#[test]
fn a_blank_that_a_limit_refuses_is_left_out() {
    let schema = json!({"type": "object", "properties": {
        "mode": {"enum": ["on", "off"]}, "name": {"type": "string", "minLength": 1}, "note": {"type": "string"}}});
    let (coerced, kinds) = coerce(&schema, json!({"mode": "", "name": "", "note": ""}));
    assert_eq!(coerced, json!({"note": ""}));
    assert_eq!(kinds, [RepairKind::EmptyDropped; 2]);
}

#[test]
fn parameters_are_lifted_out_of_an_unknown_object() {
    let room = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "kind": {"type": "string"}, "nights": {"type": "integer"},
        "extras": {"type": "object"},
    }, "required": ["city", "kind"]});
    let lifted = |given: Value, expected: Value| {
        let (coerced, kinds) = coerce(&room, given);
        assert_eq!(coerced, expected);
        assert_eq!(kinds.first(), Some(&RepairKind::Unwrapped));
    };
    lifted(
        json!({"type": {"kind": "king"}, "city": "Oslo", "nights": 2}),
        json!({"city": "Oslo", "nights": 2, "kind": "king"}),
    );
    lifted(
        json!({"room": {"Kind": "king", "city": "Oslo"}}),
        json!({"kind": "king", "city": "Oslo"}),
    );
    let stays = |given: Value| assert_eq!(coerce(&room, given.clone()).0, given);
    // Not a parameter, given twice, or none was missing.
    stays(json!({"type": {"kind": "king", "view": "sea"}, "city": "Oslo"}));
    stays(json!({"type": {"kind": "king", "city": "Rome"}, "city": "Oslo"}));
    stays(json!({"type": {"kind": "king"}, "city": "Oslo", "other": 1}));
    stays(json!({"a": {"kind": "king"}, "b": {"city": "Oslo"}}));
    stays(json!({"type": {"nights": 2}, "city": "Oslo"}));
    stays(json!({"type": {"kind": {"type": "string"}}, "city": "Oslo"}));
    stays(json!({"extras": {"kind": "king"}, "city": "Oslo"}));
    stays(json!({"type": {}, "city": "Oslo"}));
}

#[test]
fn text_with_commas_is_split_where_the_schema_wants_a_list() {
    let with = |item: Value| json!({"type": "object", "properties": {"a": {"type": "array", "items": item}}});
    let split = |item: Value, text: &str, expected: Value| {
        let (coerced, kinds) = coerce(&with(item), json!({"a": text}));
        assert_eq!(coerced, json!({"a": expected}));
        assert_eq!(kinds.first(), Some(&RepairKind::SplitIntoList));
    };
    let words = || json!({"enum": ["tolls", "ferries", "steep hills"]});
    split(words(), "tolls,ferries", json!(["tolls", "ferries"]));
    split(
        words(),
        "Tolls, steep_hills",
        json!(["tolls", "steep hills"]),
    );
    split(json!({"type": "integer"}), "1, 2, 3", json!([1, 2, 3]));
    // A string with a comma is one item if any string is allowed.
    let (coerced, _) = coerce(
        &with(json!({"type": "string"})),
        json!({"a": "Paris, France"}),
    );
    assert_eq!(coerced, json!({"a": ["Paris, France"]}));
    let stays = |item: Value, text: &str| {
        let given = json!({"a": text});
        assert_eq!(coerce(&with(item), given.clone()).0, given);
    };
    stays(words(), "tolls, bridges");
    stays(words(), "tolls,,ferries");
    stays(json!({"type": "integer"}), "1,000");
    stays(json!({"type": "integer"}), "1, two");
}

#[test]
fn expressions_are_evaluated_where_only_a_number_is_accepted() {
    let of = |kind: Value, given: Value| {
        let schema = json!({"type": "object", "properties": {"a": {"type": kind}}});
        coerce(&schema, json!({"a": given})).0
    };
    assert_eq!(of(json!("number"), json!("3/100")), json!({"a": 0.03}));
    assert_eq!(of(json!("integer"), json!("2 * 12")), json!({"a": 24}));
    assert_eq!(of(json!("string"), json!("3/100")), json!({"a": "3/100"}));
    assert_eq!(
        of(json!(["string", "number"]), json!("3/100")),
        json!({"a": "3/100"})
    );
    assert_eq!(of(json!("integer"), json!("3/100")), json!({"a": "3/100"}));
    assert_eq!(
        of(json!("number"), json!("2023-01-05")),
        json!({"a": "2023-01-05"})
    );
}

#[test]
fn an_object_is_put_into_the_only_parameter_that_wants_one() {
    let grades = |kind: Value| json!({"type": "object", "properties": {"grades": kind}, "required": ["grades"]});
    let object = || json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let (coerced, kinds) = coerce(&grades(object()), json!({"art": 3, "maths": "5"}));
    assert_eq!(coerced, json!({"grades": {"art": 3, "maths": 5}}));
    assert_eq!(kinds.first(), Some(&RepairKind::PositionNamed));
    let stays = |schema: Value, given: Value| assert_eq!(coerce(&schema, given.clone()).0, given);
    stays(grades(json!({"type": "string"})), json!({"art": 3}));
    stays(grades(json!({})), json!({"art": 3}));
    stays(
        grades(json!({"type": "object", "properties": {"maths": {"type": "integer"}}})),
        json!({"art": 3}),
    );
    stays(
        json!({"type": "object", "properties": {"grades": object(), "year": {}}, "required": ["grades"]}),
        json!({"art": 3}),
    );
    stays(
        json!({"type": "object", "properties": {"grades": object()}}),
        json!({"art": 3}),
    );
}
