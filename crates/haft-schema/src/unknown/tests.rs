//! Unknown arguments are renamed, left out or refused, never dropped silently.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of cases read better by value"
)]

use serde_json::{Value, json};

use crate::{CompiledSchema, Guessing, RepairKind};

/// The arguments after the check with the changes, or the violations.
fn check(schema: &Value, arguments: Value) -> Result<(Value, Vec<RepairKind>), String> {
    let schema = CompiledSchema::new(schema).unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let coerced = schema.check_with(arguments, Guessing::Allowed);
    let coerced = coerced.map_err(|violations| violations.to_string())?;
    let again = schema.check(coerced.arguments.clone()).unwrap();
    assert_eq!(again.arguments, coerced.arguments);
    assert_eq!(again.repairs, []);
    let kinds = coerced.repairs.iter().map(|repair| repair.kind).collect();
    Ok((Value::Object(coerced.arguments), kinds))
}

fn clock() -> Value {
    json!({"type": "object", "properties": {"timezone": {"type": "string"}}})
}

fn refused(schema: &Value, arguments: Value, parts: &[&str]) {
    let message = check(schema, arguments.clone()).unwrap_err();
    for part in parts {
        assert!(
            message.contains(part),
            "no {part:?} in {message:?} for {arguments}"
        );
    }
}

#[test]
fn issue_3_every_word_for_a_place_gets_to_the_clock() {
    for word in [
        "city",
        "location",
        "place",
        "zone",
        "tz",
        "country",
        "timezone",
        "time_zone",
        "timeZone",
        "Time Zone",
        "TZ",
        "region",
    ] {
        let (arguments, kinds) = check(&clock(), json!({word: "Lima"})).unwrap();
        assert_eq!(arguments, json!({"timezone": "Lima"}), "{word}");
        assert_eq!(kinds.is_empty(), word == "timezone");
    }
    let (arguments, _) = check(&clock(), json!({"input": {"city": "Lima"}})).unwrap();
    assert_eq!(arguments, json!({"timezone": "Lima"}));
}

#[test]
fn issue_3_an_ambiguous_argument_is_an_error_that_names_the_parameters() {
    let schema = json!({"type": "object", "properties": {
        "title": {"type": "string"}, "due": {"type": "string"}}, "required": ["title"]});
    let message = check(&schema, json!({"title": "a", "colour": "red"})).unwrap_err();
    assert_eq!(
        message,
        "unknown argument \"colour\". Expected: title (text), due (text, optional)"
    );
    // Also beside other violations, and each only once.
    refused(
        &schema,
        json!({"colour": "red"}),
        &["unknown argument \"colour\"; title is missing"],
    );
    let mut closed = schema.clone();
    closed["additionalProperties"] = json!(false);
    let message = check(&closed, json!({"title": "a", "colour": "red"})).unwrap_err();
    assert_eq!(
        message,
        "unknown argument \"colour\". Expected: title (text), due (text, optional)"
    );
    refused(
        &clock(),
        json!({"timezone": "a", "timezoone": 1, "x": 1}),
        &["did you mean timezone?", "\"x\""],
    );
}

#[test]
fn a_meaning_is_certain_only_for_one_free_parameter_and_one_word() {
    let two = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "country": {"type": "string"}}});
    // Two parameters are free.
    refused(
        &two,
        json!({"location": "Lima"}),
        &["\"location\"", "city", "country"],
    );
    // The free parameter has the same subject, but is not meant.
    refused(
        &two,
        json!({"city": "Lima", "location": "Peru"}),
        &["\"location\""],
    );
    // No parameter is free.
    refused(
        &clock(),
        json!({"timezone": "Tokyo", "city": "Lima"}),
        &["\"city\""],
    );
    // Two words for one parameter.
    refused(
        &clock(),
        json!({"city": "Lima", "country": "Peru"}),
        &["\"city\"", "\"country\""],
    );
    let country = json!({"type": "object", "properties": {"country": {"type": "string"}}});
    refused(&country, json!({"city": "Lima"}), &["\"city\""]);
}

#[test]
fn the_value_must_fit_the_free_parameter_and_is_coerced_to_it() {
    let schema = json!({"type": "object", "properties": {
        "limit": {"type": "integer", "maximum": 10}, "language": {"enum": ["en", "de"]}}});
    let (arguments, kinds) = check(&schema, json!({"count": "5", "lang": "EN"})).unwrap();
    assert_eq!(arguments, json!({"limit": 5, "language": "en"}));
    assert_eq!(kinds[..2], [RepairKind::Synonym; 2]);
    refused(
        &schema,
        json!({"count": 50}),
        &["unknown argument \"count\""],
    );
    refused(
        &schema,
        json!({"lang": "fr"}),
        &["unknown argument \"lang\""],
    );
    for value in [
        json!({"city": "Lima"}),
        json!(["Lima"]),
        json!(5),
        json!(true),
    ] {
        refused(&clock(), json!({"location": value}), &["\"location\""]);
    }
}

#[test]
fn blank_arguments_are_left_out_and_recorded() {
    let none = json!({"type": "object", "properties": {}});
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    for schema in [none, closed, clock()] {
        for nothing in [
            json!({"dummy": ""}),
            json!({"dummy": null}),
            json!({"input": {}}),
            json!({"args": []}),
            json!({"a": " ", "b": {"c": [null, ""]}}),
            json!({"dummy": "None"}),
            json!({"city": ""}),
        ] {
            let (arguments, kinds) = check(&schema, nothing.clone()).unwrap();
            assert_eq!(arguments, json!({}), "{nothing}");
            assert!(!kinds.is_empty(), "{nothing} in silence");
        }
    }
}

#[test]
fn a_tool_without_parameters_takes_no_value() {
    let schema = json!({"type": "object", "properties": {}});
    for given in [
        json!({"room": "kitchen"}),
        json!({"x": false}),
        json!({"x": 0}),
    ] {
        refused(
            &schema,
            given,
            &["unknown argument", "there are no parameters"],
        );
    }
}

#[test]
fn a_schema_that_takes_other_names_gets_them_unchanged() {
    let named = json!({"city": {"type": "string"}});
    for schema in [
        json!({}),
        json!(null),
        json!({"type": "object"}),
        json!({"type": "object", "properties": named, "additionalProperties": true}),
        json!({"type": "object", "properties": named, "additionalProperties": {}}),
        json!({"type": "object", "properties": named, "unevaluatedProperties": true}),
        json!({"type": "object", "properties": named, "patternProperties": {"^x": {}}}),
        json!({"type": "object", "properties": named, "propertyNames": {"minLength": 1}}),
        json!({"type": "object", "properties": named, "required": ["extra"]}),
        json!({"type": "object", "properties": named, "$ref": "#/$defs/open",
            "$defs": {"open": {"additionalProperties": {"type": "string"}}}}),
        json!({"anyOf": [{"type": "object", "properties": named}, {"type": "object"}]}),
        json!({"type": "object", "properties": named,
            "dependentSchemas": {"city": {"properties": {"extra": {}}}}}),
        json!({"type": "object", "properties": named,
            "if": {"required": ["city"]}, "then": {"properties": {"extra": {}}}}),
    ] {
        let given = json!({"extra": "a"});
        let (arguments, kinds) = check(&schema, given.clone()).unwrap();
        assert_eq!((arguments, kinds), (given, vec![]), "{schema}");
    }
}

#[test]
fn names_in_parts_of_a_schema_are_known_and_others_are_not() {
    let schema = json!({"type": "object",
        "allOf": [{"properties": {"a": {}}}, {"$ref": "#/$defs/b"}],
        "anyOf": [{"properties": {"c": {}}}, {"properties": {"d": {}}}],
        "$defs": {"b": {"type": "object", "properties": {"b": {}}}}});
    for known in ["a", "b", "c", "d"] {
        assert!(check(&schema, json!({known: 1})).is_ok(), "{known}");
    }
    refused(&schema, json!({"e": 1}), &["unknown argument \"e\""]);
    let required_one = json!({"type": "object", "properties": {"a": {}, "b": {}},
        "anyOf": [{"type": "object", "required": ["a"]}, {"required": ["b"]}]});
    refused(
        &required_one,
        json!({"a": 1, "e": 1}),
        &["unknown argument \"e\""],
    );
}

#[test]
fn nested_values_are_validated_by_the_schema_only() {
    let schema = json!({"type": "object", "properties": {
        "filter": {"type": "object", "properties": {"city": {"type": "string"}}}}});
    let given = json!({"filter": {"city": "Lima", "colour": "red"}});
    assert_eq!(check(&schema, given.clone()).unwrap(), (given, vec![]));
}
