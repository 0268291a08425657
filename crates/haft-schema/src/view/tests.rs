//! What a view collects for one value.

use serde_json::{Value, json};

use super::{Kinds, Place, View};

fn view(schema: &Value) -> View<'_> {
    View::of(schema, &[Place::root(schema)])
}

#[test]
fn types_are_those_that_all_members_allow() {
    let number = Kinds::INTEGER.or(Kinds::FRACTION);
    for (schema, kinds) in [
        (json!({"type": "number"}), number),
        (
            json!({"type": ["integer", "null"]}),
            Kinds::INTEGER.or_null(),
        ),
        (json!({"enum": ["a", 1]}), Kinds::TEXT.or(Kinds::INTEGER)),
        (
            json!({"allOf": [{"type": "number"}, {"type": "integer"}]}),
            Kinds::INTEGER,
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            Kinds::TEXT.or_null(),
        ),
        (
            json!({"oneOf": [{"const": null}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "array"}}}),
            Kinds::LIST.or_null(),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            Kinds::ANY,
        ),
        (json!({"type": "any"}), Kinds::ANY),
        (json!(true), Kinds::ANY),
    ] {
        assert_eq!(view(&schema).kinds, kinds, "{schema}");
    }
}

#[test]
fn properties_of_all_members_count() {
    let schema = json!({"properties": {"a": {}}, "allOf": [{"$ref": "#/$defs/more"}],
        "$defs": {"more": {"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["b"],
            "additionalProperties": false}},
        "if": {"properties": {"c": {}}}, "anyOf": [{"properties": {"d": {}}}, {"required": ["a"]}]});
    let view = view(&schema);
    assert_eq!(view.properties(), ["a", "b"]);
    assert_eq!(view.property("a").len(), 2);
    assert!(view.requires("b") && !view.requires("a"));
    assert!(view.refuses("z") && !view.refuses("b") && !view.is_open());
    assert!(view.mentions(&schema, "c") && view.mentions(&schema, "d"));
    assert!(!view.mentions(&schema, "z"));
}

#[test]
fn items_are_found_in_both_spellings() {
    let pointer = |schema: &Value, index: usize| -> Vec<String> {
        view(schema)
            .item(index)
            .into_iter()
            .map(|place| place.pointer)
            .collect()
    };
    let old = json!({"items": [{}, {}], "additionalItems": {}});
    assert_eq!(pointer(&old, 1), ["/items/1"]);
    assert_eq!(pointer(&old, 2), ["/additionalItems"]);
    let new = json!({"prefixItems": [{}], "items": {}});
    assert_eq!(pointer(&new, 0), ["/prefixItems/0"]);
    assert_eq!(pointer(&new, 1), ["/items"]);
}

#[test]
fn names_are_escaped_on_the_way_down() {
    let schema = json!({"properties": {"a/b~c": {"type": "null"}}});
    let place = view(&schema).property("a/b~c").remove(0);
    assert_eq!(place.pointer, "/properties/a~1b~0c");
    assert_eq!(schema.pointer(&place.pointer), Some(place.schema));
}

#[test]
fn cycles_and_large_schemas_terminate() {
    let circle = json!({"allOf": [{"$ref": "#"}, {"anyOf": [{"$ref": "#"}]}]});
    assert!(view(&circle).members.len() <= 4);
    let crowd = json!({"allOf": vec![json!({"type": "integer"}); 1_000]});
    assert_eq!(view(&crowd).members.len(), super::MAX_MEMBERS);
}
