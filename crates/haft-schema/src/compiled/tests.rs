//! Which schemas are accepted, and what validation accepts and refuses.

use serde_json::{Map, Value, json};

use crate::limits::{MAX_SCHEMA_DEPTH, MAX_VALUE_DEPTH};
use crate::{CompiledSchema, SchemaErrorKind};

/// A schema with two JSON levels per object, built without the recursion of `json!`.
fn nested(objects: usize) -> Value {
    (0..objects).fold(json!({"type": "object"}), |inner, _| {
        let properties = Map::from_iter([("a".to_owned(), inner)]);
        let schema = Map::from_iter([("properties".to_owned(), Value::Object(properties))]);
        Value::Object(schema)
    })
}

fn refusal(schema: &Value) -> SchemaErrorKind {
    let error = CompiledSchema::new(schema).unwrap_err();
    assert!(
        !error.to_string().is_empty() && !error.hint().is_empty() && !error.detail().is_empty()
    );
    error.kind()
}

#[test]
fn nothing_and_an_empty_schema_accept_every_object() {
    for schema in [json!(null), json!({}), json!(true)] {
        let schema = CompiledSchema::new(&schema).unwrap();
        let arguments = json!({"a": "1", "B": null}).as_object().unwrap().clone();
        let coerced = schema.check(arguments.clone()).unwrap();
        assert_eq!(coerced.arguments, arguments);
        assert_eq!(coerced.repairs, []);
    }
}

#[test]
fn a_schema_of_a_thousand_levels_is_refused_before_recursion() {
    assert_eq!(refusal(&nested(1_000)), SchemaErrorKind::TooDeep);
}

#[test]
fn the_deepest_schema_works_with_the_deepest_arguments() {
    let mut schema = nested(MAX_SCHEMA_DEPTH / 2 - 1);
    schema["properties"]["b"] = json!({"$ref": "#"});
    schema["properties"]["c"] = json!({"type": "boolean"});
    let schema = CompiledSchema::new(&schema).unwrap();
    let mut value = json!({"c": 5});
    for _ in 0..MAX_VALUE_DEPTH - 2 {
        value = json!({"b": value});
    }
    let violations = schema
        .check(value.as_object().unwrap().clone())
        .unwrap_err();
    assert!(
        violations.to_string().contains("but 5 arrived"),
        "{violations}"
    );
}

#[test]
fn the_size_of_a_schema_is_limited() {
    let many = json!({"enum": (0..20_000).collect::<Vec<u32>>()});
    assert_eq!(refusal(&many), SchemaErrorKind::TooLarge);
    let long = json!({"description": "x".repeat(300_000)});
    assert_eq!(refusal(&long), SchemaErrorKind::TooLarge);
}

#[test]
fn references_outside_the_schema_are_refused() {
    for reference in [
        "https://example.com/a.json",
        "file:///etc/passwd",
        "other.json",
        "#/$defs/missing",
    ] {
        let schema = json!({"properties": {"a": {"$ref": reference}}});
        assert_eq!(refusal(&schema), SchemaErrorKind::Reference, "{reference}");
    }
}

#[test]
fn an_invalid_schema_is_refused() {
    for schema in [
        json!({"type": "any"}),
        json!({"required": true}),
        json!({"pattern": "("}),
        json!("string"),
    ] {
        assert_eq!(refusal(&schema), SchemaErrorKind::Invalid, "{schema}");
    }
}

#[test]
fn every_dialect_is_supported() {
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "https://example.com/our-own-dialect",
    ] {
        let schema = json!({"$schema": dialect, "type": "object",
            "properties": {"a": {"type": "integer"}}, "required": ["a"]});
        let schema = CompiledSchema::new(&schema).unwrap();
        let coerced = schema
            .check(json!({"a": "5"}).as_object().unwrap().clone())
            .unwrap();
        assert_eq!(coerced.arguments["a"], 5, "{dialect}");
        assert!(schema.validate_value(&json!({"a": "x"})).is_err());
        assert!(schema.validate_value(&json!({})).is_err());
    }
}

#[test]
fn a_schema_with_an_id_is_supported() {
    let schema = json!({"$id": "https://example.com/tool", "type": "object", "properties": {
        "list": {"type": "array", "items": {"$ref": "#/$defs/a b/~1%"}}},
        "$defs": {"a b": {"/%": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}}}});
    // Coercion cannot follow a name with a percent sign, so the validator decides.
    assert!(CompiledSchema::new(&schema).is_err());
    let schema = json!({"$id": "https://example.com/tool", "type": "object", "properties": {
        "list of": {"type": "array", "items": {"$ref": "#/$defs/a"}}},
        "$defs": {"a": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}}});
    let schema = CompiledSchema::new(&schema).unwrap();
    let given = json!({"listOf": "true"}).as_object().unwrap().clone();
    assert_eq!(
        json!(schema.check(given).unwrap().arguments),
        json!({"list of": [true]})
    );
}

#[test]
fn formats_are_annotations() {
    for dialect in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema =
            json!({"$schema": dialect, "properties": {"a": {"type": "string", "format": "uri"}}});
        assert!(
            CompiledSchema::new(&schema)
                .unwrap()
                .validate_value(&json!({"a": "?"}))
                .is_ok()
        );
    }
}

#[test]
fn a_document_that_is_too_deep_is_refused_without_recursion() {
    let schema = CompiledSchema::new(&json!({"type": "object"})).unwrap();
    let mut value = json!(1);
    for _ in 0..200 {
        value = json!({"a": value});
    }
    let violations = schema.validate_value(&value).unwrap_err();
    assert!(
        violations
            .to_string()
            .contains("nested deeper than 64 levels")
    );
}

#[test]
fn cyclic_references_and_long_chains_terminate() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "string"}, {"type": "integer"}]}),
    ] {
        let schema = CompiledSchema::new(&schema).unwrap();
        let _ = schema.check(json!({"a": 1}).as_object().unwrap().clone());
    }
    let mut definitions = Map::new();
    for index in 0..1_000 {
        definitions.insert(
            format!("d{index}"),
            json!({"properties": {"a": {"allOf": [{"$ref": format!("#/$defs/d{}", index + 1)}]}}}),
        );
    }
    definitions.insert("d1000".to_owned(), json!({"type": "integer"}));
    let schema = CompiledSchema::new(&json!({"$ref": "#/$defs/d0", "$defs": definitions})).unwrap();
    assert!(
        schema
            .check(json!({"a": {"a": "x"}}).as_object().unwrap().clone())
            .is_ok()
    );
}

#[test]
fn a_pattern_with_endless_backtracking_is_cut_off() {
    let schema =
        json!({"properties": {"a": {"type": "string", "pattern": "^(?=(a+)+$)(a|aa)+b\\1$"}}});
    let schema = CompiledSchema::new(&schema).unwrap();
    assert!(
        schema
            .validate_value(&json!({"a": "a".repeat(5_000)}))
            .is_err()
    );
}

#[test]
fn it_can_be_shared_between_threads() {
    fn assert_shared<T: Send + Sync + std::fmt::Debug>() {}
    assert_shared::<CompiledSchema>();
}
