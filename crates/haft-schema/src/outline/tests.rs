//! The types of parameters as a parser of text sees them.

use serde_json::{Value, json};

use crate::{CompiledSchema, PropertyKinds};

fn schema(properties: &Value) -> CompiledSchema {
    let schema = json!({"type": "object", "properties": properties, "$defs": {
        "Level": {"type": "integer"},
        "Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}, "name": {"type": "string"}}},
    }});
    CompiledSchema::new(&schema).unwrap()
}

/// Letters for string, number, boolean, list, object, null.
fn taken(kinds: PropertyKinds) -> String {
    let all = [
        ('t', kinds.takes_text()),
        ('n', kinds.takes_number()),
        ('b', kinds.takes_boolean()),
        ('l', kinds.takes_list()),
        ('o', kinds.takes_object()),
        ('0', kinds.takes_null()),
    ];
    all.iter()
        .filter(|(_, taken)| *taken)
        .map(|(name, _)| *name)
        .collect()
}

#[test]
fn references_and_alternatives_are_resolved() {
    for (property, expected) in [
        (json!({"type": "string"}), "t"),
        (json!({"type": "number"}), "n"),
        (json!({"$ref": "#/$defs/Level"}), "n"),
        (json!({"$ref": "#/$defs/Tree"}), "o"),
        (json!({"type": ["boolean", "null"]}), "b0"),
        (json!({"enum": ["a", 1]}), "tn"),
        (
            json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]}),
            "n0",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "array"}]}),
            "tl",
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"anyOf": [{"type": "boolean"}, {"type": "object"}]}]}),
            "nbo",
        ),
        (
            json!({"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]}),
            "t",
        ),
        (json!({}), "tnblo0"),
    ] {
        let kinds = schema(&json!({"x": property})).property_kinds("x");
        assert_eq!(taken(kinds), expected, "{property}");
        assert_eq!(kinds.takes_other_than_text(), expected != "t", "{property}");
        assert!(kinds.is_known());
    }
}

#[test]
fn names_keep_their_order_and_are_found_in_any_spelling() {
    let schema = schema(
        &json!({"z": {}, "deviceName": {"type": "string"}, "a_b": {"type": "integer"}, "aB": {}}),
    );
    assert_eq!(
        schema.properties().collect::<Vec<_>>(),
        ["z", "deviceName", "a_b", "aB"]
    );
    assert!(schema.property_kinds("device_name").is_known());
    assert_eq!(taken(schema.property_kinds("a_b")), "n");
    // Two names match.
    assert!(!schema.property_kinds("ab").is_known());
    let unknown = schema.property_kinds("street");
    assert!(!unknown.is_known() && unknown.takes_text() && unknown.takes_other_than_text());
}

#[test]
fn additional_properties_take_the_schema_given_for_all() {
    let of = |schema: Value| CompiledSchema::new(&schema).unwrap().property_kinds("x");
    assert_eq!(
        taken(of(json!({"additionalProperties": {"type": "integer"}}))),
        "n"
    );
    assert!(!of(json!({"additionalProperties": true})).is_known());
    assert!(
        !of(json!({"additionalProperties": {"type": "integer"}, "patternProperties": {"^x": {}}}))
            .is_known()
    );
    assert!(!of(json!(null)).is_known());
}

#[test]
fn parts_are_reached_through_cycles_lists_and_alternatives() {
    let schema = schema(&json!({
        "tree": {"$ref": "#/$defs/Tree"},
        "list": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        "either": {"anyOf": [
            {"type": "object", "properties": {"x": {"type": "integer"}, "y": {}}},
            {"type": "object", "properties": {"x": {"type": "string"}}}]},
    }));
    let tree = schema.view().property("tree").unwrap();
    let name = tree
        .property("next")
        .unwrap()
        .property("next")
        .unwrap()
        .property("Name")
        .unwrap();
    assert_eq!(taken(name.kinds()), "t");
    assert!(tree.item().is_none() && tree.property("zzz").is_none());
    let item = schema.view().property("list").unwrap().item().unwrap();
    assert_eq!(item.properties().collect::<Vec<_>>(), ["next", "name"]);
    // A name that two alternatives describe accepts the types of both.
    let either = schema.view().property("either").unwrap();
    assert_eq!(taken(either.property("x").unwrap().kinds()), "tn");
}

#[test]
fn a_hostile_schema_terminates() {
    let branches = vec![json!({"$ref": "#"}); 500];
    let schema = json!({"properties": {"a": {"anyOf": branches}}, "anyOf": branches});
    let schema = CompiledSchema::new(&schema).unwrap();
    assert!(schema.property_kinds("a").takes_text());
    let many: serde_json::Map<String, Value> = (0..3_000)
        .map(|index| (format!("p{index}"), json!({"type": "integer"})))
        .collect();
    let schema = CompiledSchema::new(&json!({"properties": many})).unwrap();
    assert!(schema.property_kinds("p1").is_known() && !schema.property_kinds("p2999").is_known());
}
