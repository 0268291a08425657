use proptest::prelude::*;

use super::*;

/// The rewritten form of `property`, with these `definitions`.
#[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
fn property_with(property: Value, definitions: Value) -> Value {
    let schema = json!({
        "type": "object",
        "properties": {"p": property},
        "$defs": definitions,
    });
    let rewritten = for_ollama(&schema);
    assert_eq!(for_ollama(&rewritten), rewritten, "once is enough");
    rewritten["properties"]["p"].clone()
}

fn property(property: Value) -> Value {
    property_with(property, json!({}))
}

#[test]
fn supported_schemas_stay_unchanged_byte_for_byte() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City name"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "days": {"type": ["integer", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "deep": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        },
        "required": ["city"],
        "additionalProperties": false,
    });
    assert_eq!(for_ollama(&schema).to_string(), schema.to_string());
}

#[test]
fn references_are_put_in_place() {
    let rewritten = for_ollama(&json!({
        "type": "object",
        "properties": {
            "from": {"$ref": "#/$defs/Place"},
            "to": {"$ref": "#/$defs/Place", "description": "Where to"},
            "unknown": {"$ref": "https://example.org/schema", "description": "Anything"},
        },
        "$defs": {
            "Place": {"type": "object", "description": "A place", "properties": {"zip": {"$ref": "#/$defs/Zip"}}},
            "Zip": {"type": "string"},
        },
    }));
    let zip = json!({"zip": {"type": "string"}});
    assert_eq!(
        rewritten,
        json!({
            "type": "object",
            "properties": {
                "from": {"type": "object", "description": "A place", "properties": zip},
                "to": {"type": "object", "description": "Where to", "properties": zip},
                "unknown": {"description": "Anything"},
            },
        })
    );
}

#[test]
fn recursion_ends_with_a_name() {
    let node = json!({"Node": {
        "type": "object",
        "properties": {"value": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}},
    }});
    assert_eq!(
        property_with(json!({"$ref": "#/$defs/Node"}), node),
        json!({"type": "object", "properties": {
            "value": {"type": "string"},
            "next": {"type": "object", "description": "Another Node"},
        }})
    );
    let root = json!({"type": "object", "properties": {"child": {"$ref": "#"}}});
    assert_eq!(
        for_ollama(&root)["properties"]["child"],
        json!({"type": "object"})
    );
    let circle = json!({"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}});
    property_with(json!({"$ref": "#/$defs/A"}), circle);
}

#[test]
fn references_that_double_at_every_step_stay_small() {
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        definitions.insert(
            format!("L{level}"),
            json!({"type": "object", "properties": {"a": next, "b": next}}),
        );
    }
    let schema = json!({"type": "object", "$defs": definitions, "properties": {"p": {"$ref": "#/$defs/L0"}}});
    assert!(for_ollama(&schema).to_string().len() < 200_000);
}

#[test]
fn const_and_one_of_become_enum_and_any_of() {
    assert_eq!(property(json!({"const": "on"})), json!({"enum": ["on"]}));
    assert_eq!(
        property(json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {"const": 1}}]})),
        json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"enum": [1]}}]})
    );
}

#[test]
fn choices_between_constants_become_one_enum() {
    assert_eq!(
        property(json!({"description": "What to do", "oneOf": [
            {"const": "on", "type": "string", "description": "Switches it on"},
            {"const": "off", "type": "string"},
        ]})),
        json!({
            "description": "What to do (\"on\": Switches it on)",
            "enum": ["on", "off"],
            "type": "string",
        })
    );
}

#[test]
fn all_of_is_merged() {
    assert_eq!(
        property(json!({"allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}, "a": {"description": "First"}}, "required": ["b", "a"]},
        ], "description": "Both"})),
        json!({
            "type": "object",
            "properties": {"a": {"type": "string", "description": "First"}, "b": {"type": "string"}},
            "required": ["a", "b"],
            "description": "Both",
        })
    );
    assert_eq!(
        property(json!({"allOf": [{"enum": ["a", "b", "c"]}, {"enum": ["c", "b"]}]})),
        json!({"enum": ["c", "b"]})
    );
}

#[test]
fn limits_and_defaults_move_to_the_description() {
    let description = |schema: Value| property(schema)["description"].clone();
    for (schema, expected) in [
        (
            json!({"minimum": 0, "maximum": 100}),
            "at least 0, at most 100",
        ),
        (
            json!({"description": "Level.", "minimum": 0, "default": 10}),
            "Level. (at least 0, default 10)",
        ),
        (
            json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1.5}),
            "more than 0, less than 1.5",
        ),
        (json!({"multipleOf": 5}), "a multiple of 5"),
        (
            json!({"minLength": 1, "maxLength": 8}),
            "at least 1 character, at most 8 characters",
        ),
        (
            json!({"minItems": 1, "maxItems": 2, "uniqueItems": true}),
            "at least 1 item, at most 2 items, no item twice",
        ),
        (
            json!({"format": "date-time", "pattern": "^2"}),
            "format date-time, matching ^2",
        ),
        (
            json!({"default": "kitchen", "examples": ["hall"]}),
            "default \"kitchen\", for example \"hall\"",
        ),
        (
            json!({"additionalProperties": {"type": "number"}}),
            "any keys, each with a value of type number",
        ),
        (
            json!({"prefixItems": [{"type": "string"}, {}]}),
            "in this order: string, any value",
        ),
    ] {
        assert_eq!(description(schema.clone()), expected, "{schema}");
    }
    for silent in [
        json!({"format": "int64"}),
        json!({"format": "uint32"}),
        json!({"default": null}),
        json!({"uniqueItems": false}),
        json!({"pattern": "x".repeat(121)}),
    ] {
        assert_eq!(property(silent), json!({}));
    }
}

#[test]
fn limits_behind_a_reference_move_to_the_new_description() {
    assert_eq!(
        property_with(
            json!({"$ref": "#/$defs/Percent", "description": "Level"}),
            json!({"Percent": {"type": "integer", "minimum": 0, "maximum": 100, "description": "A percentage"}}),
        ),
        json!({"type": "integer", "description": "Level (at least 0, at most 100)"})
    );
}

#[test]
fn null_stays_allowed() {
    assert_eq!(
        property(json!({"type": "string", "nullable": true})),
        json!({"type": ["string", "null"]})
    );
    assert_eq!(
        property(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]})
    );
}

#[test]
fn properties_may_have_the_names_of_keywords() {
    let schema = json!({"type": "object", "properties": {
        "$ref": {"type": "string"}, "default": {"type": "string"},
        "const": {"type": "string"}, "anyOf": {"type": "string"}, "allOf": {"type": "string"},
    }});
    assert_eq!(for_ollama(&schema), schema);
}

#[test]
fn the_top_is_always_an_object() {
    for odd in [json!(null), json!(true), json!([]), json!("x")] {
        assert_eq!(
            for_ollama(&odd),
            json!({"type": "object", "properties": {}})
        );
    }
    assert_eq!(for_ollama(&json!({}))["type"], "object");
    assert_eq!(
        for_ollama(&json!({"type": ["object", "null"]}))["type"],
        "object"
    );
}

#[test]
fn alternatives_at_the_top_are_merged() {
    let rewritten = for_ollama(&json!({"anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}, "x": {}}, "required": ["id", "x"]},
        {"type": "object", "properties": {"name": {"type": "string"}, "x": {}}, "required": ["name", "x"]},
    ]}));
    assert_eq!(
        rewritten,
        json!({
            "properties": {"id": {"type": "integer"}, "x": {}, "name": {"type": "string"}},
            "required": ["x"],
            "type": "object",
        })
    );
}

#[test]
fn a_boolean_schema_becomes_one_that_ollama_can_read() {
    assert_eq!(property(json!(true)), json!({}));
    assert_eq!(
        property(json!({"type": "array", "items": true})),
        json!({"type": "array", "items": {}})
    );
}

fn schemas() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "const",
        "enum",
        "required",
        "description",
        "minimum",
        "default",
        "nullable",
        "format",
        "$defs",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop::sample::select(vec![
            "object",
            "string",
            "a",
            "#/$defs/a",
            "#",
            "#/properties/a"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 4, move |inner| {
        let name = prop_oneof![keyword.clone(), Just("a")];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..5).prop_map(|fields| {
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_rewritten_once_and_for_all(schema in schemas()) {
        let once = for_ollama(&schema);
        prop_assert_eq!(for_ollama(&once), once);
    }
}
