//! Names of parameters: other spellings, missing names, misspellings.

use serde_json::{Value, json};

use super::coerce;
use crate::{CompiledSchema, Guessing, RepairKind};

#[test]
fn s002_12_keys_meet_across_cases_and_underscores() {
    let schema = json!({"type": "object", "properties": {
        "deviceName": {"type": "string"}, "node_id": {"type": "integer"}}});
    let (coerced, kinds) = coerce(&schema, json!({"device_name": "lamp", "nodeId": "5"}));
    assert_eq!(coerced, json!({"deviceName": "lamp", "node_id": 5}));
    assert_eq!(
        kinds,
        [
            RepairKind::KeyRenamed,
            RepairKind::KeyRenamed,
            RepairKind::TextToNumber
        ]
    );
    let (coerced, _) = coerce(&schema, json!({"Device-Name": "lamp", "extra": 1}));
    assert_eq!(coerced, json!({"deviceName": "lamp", "extra": 1}));
}

#[test]
fn s002_12_a_key_is_renamed_only_when_it_is_unknown_and_the_match_unique() {
    let schema = json!({"type": "object", "properties": {
        "deviceName": {}, "a_b": {}, "aB": {}, "-": {}}});
    // The target is given, two keys match one property, one key matches two properties.
    for given in [
        json!({"deviceName": "a", "device_name": "b"}),
        json!({"device-name": "a", "device_name": "b"}),
        json!({"ab": 1}),
        json!({"brightness": 1}),
        json!({"_": 1}),
    ] {
        let (coerced, _) = coerce(&schema, given.clone());
        assert_eq!(coerced, given);
    }
    // Both names are properties in some alternative.
    let alternatives = json!({"type": "object", "properties": {"deviceName": {}}, "anyOf": [
        {"required": ["deviceName"]}, {"properties": {"device_name": {}}, "required": ["device_name"]}]});
    let (coerced, _) = coerce(&alternatives, json!({"device_name": "a"}));
    assert_eq!(coerced, json!({"device_name": "a"}));
}

#[test]
fn with_additional_names_only_missing_properties_are_matched() {
    let schema = json!({"type": "object", "additionalProperties": true, "required": ["must"],
        "properties": {"must": {"type": "integer"}, "may": {"type": "integer"}}});
    let (coerced, _) = coerce(&schema, json!({"Must": 1, "May": 2}));
    assert_eq!(coerced, json!({"must": 1, "May": 2}));
}

#[test]
fn arguments_without_names_get_those_of_the_parameters_in_order() {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["C", "F"]}},
        "required": ["city", "unit"]});
    for (given, expected) in [
        (
            json!({"arg0": "Oslo", "arg1": "3", "arg2": "c"}),
            json!({"city": "Oslo", "days": 3, "unit": "C"}),
        ),
        (
            json!({"arg1": 3, "arg0": "Oslo", "unit": "C"}),
            json!({"days": 3, "city": "Oslo", "unit": "C"}),
        ),
        (
            json!({"City": "Oslo", "arg0": 3, "unit": "C"}),
            json!({"city": "Oslo", "days": 3, "unit": "C"}),
        ),
        (
            json!({"arg1": "Oslo", "arg2": 3, "unit": "C"}),
            json!({"city": "Oslo", "days": 3, "unit": "C"}),
        ),
    ] {
        assert_eq!(coerce(&schema, given).0, expected);
    }
    let (_, kinds) = coerce(&schema, json!({"arg0": "Oslo", "unit": "C"}));
    assert_eq!(kinds, [RepairKind::PositionNamed]);
    for given in [
        // Too many, a gap, out of range, not a position.
        json!({"arg0": 1, "arg1": 2, "arg2": 3, "arg3": 4}),
        json!({"arg0": "a", "arg2": "b"}),
        json!({"arg2": "a"}),
        json!({"argument0": "a", "arg": "b", "arg1x": "c"}),
        json!({"city": "a", "days": 1, "unit": "C", "arg0": "b"}),
    ] {
        assert_eq!(coerce(&schema, given.clone()).0, given);
    }
}

#[test]
fn positional_names_that_the_schema_accepts_are_unchanged() {
    let own = json!({"type": "object", "properties": {"city": {"type": "string"}, "arg0": {}}});
    let given = json!({"arg0": "Oslo"});
    assert_eq!(coerce(&own, given.clone()).0, given);
    let open = json!({"type": "object", "properties": {"city": {}}, "additionalProperties": true});
    assert_eq!(coerce(&open, given.clone()).0, given);
    let nested = json!({"type": "object", "properties": {"x": {"type": "object", "properties": {"city": {}}}}});
    let inside = json!({"x": given});
    assert_eq!(coerce(&nested, inside.clone()).0, inside);
}

fn guess(schema: &Value, given: Value) -> (Value, Vec<String>) {
    let schema = CompiledSchema::new(schema).unwrap();
    let given = given.as_object().unwrap().clone();
    let coerced = schema.coerce_with(given, Guessing::Allowed);
    let again = schema.coerce_with(coerced.arguments.clone(), Guessing::Allowed);
    assert_eq!(again.repairs, []);
    let sentences = coerced.repairs.iter().map(ToString::to_string).collect();
    (Value::Object(coerced.arguments), sentences)
}

#[test]
fn misspelt_names_and_choices_are_guessed_only_where_allowed() {
    let schema = json!({"type": "object", "properties": {
        "location": {"type": "string"}, "mode": {"enum": ["heating", "cooling", "off"]}}, "required": ["location"]});
    let given = json!({"locaton": "Oslo", "mode": "heatin"});
    let (guessed, sentences) = guess(&schema, given.clone());
    assert_eq!(guessed, json!({"location": "Oslo", "mode": "heating"}));
    assert_eq!(
        sentences,
        [
            "location: locaton was taken as location",
            "mode: \"heatin\" was taken as \"heating\"",
        ]
    );
    assert_eq!(coerce(&schema, given.clone()).0, given);
}

#[test]
fn a_guess_needs_one_free_name_and_one_claim() {
    let schema = json!({"type": "object", "properties": {"location": {}, "locations": {}, "colour": {}, "days": {}}});
    for given in [
        json!({"locatoin": 1}),
        json!({"colour": 1, "color": 2}),
        json!({"colourr": 1, "colur": 2}),
        json!({"day": 1}),
    ] {
        assert_eq!(guess(&schema, given.clone()).0, given);
    }
    assert_eq!(guess(&schema, json!({"color": 1})).0, json!({"colour": 1}));
    // The name of another alternative is not a misspelling.
    let elsewhere = json!({"type": "object", "properties": {"colour": {}}, "anyOf": [
        {"properties": {"color": {}}}, {}]});
    assert_eq!(
        guess(&elsewhere, json!({"color": 1})).0,
        json!({"color": 1})
    );
}
