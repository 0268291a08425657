//! The messages for the model.

use serde_json::{Value, json};

use crate::CompiledSchema;

fn messages(schema: &Value, value: &Value) -> Vec<String> {
    let violations = CompiledSchema::new(schema)
        .unwrap()
        .validate_value(value)
        .unwrap_err();
    violations
        .iter()
        .map(|violation| violation.message.clone())
        .collect()
}

fn light() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["on", "off", "dim"]},
            "level": {"type": "number", "minimum": 0, "maximum": 100},
        },
        "required": ["action"],
        "additionalProperties": false,
    })
}

#[test]
fn each_bad_parameter_is_named_with_what_arrived_and_what_is_wanted() {
    assert_eq!(
        messages(&light(), &json!({"level": "abc"})),
        [
            r#"level must be a number from 0 to 100, but "abc" arrived"#,
            r#"action is missing (one of "on", "off", "dim")"#,
        ]
    );
    assert_eq!(
        messages(&light(), &json!({"level": 140, "action": "onn"})),
        [
            "level must be a number from 0 to 100, but 140 arrived",
            r#"action must be one of "on", "off", "dim", but "onn" arrived"#,
        ]
    );
}

#[test]
fn a_missing_parameter_is_reported_once() {
    let schema = json!({"required": ["a"], "allOf": [{"required": ["a", "b"]}]});
    assert_eq!(
        messages(&schema, &json!({})),
        ["a is missing (any value)", "b is missing (any value)"]
    );
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert_eq!(
        messages(&light(), &json!({"action": "on", "levle": 1})),
        ["levle is not known (did you mean level?)"]
    );
    assert_eq!(
        messages(&light(), &json!({"action": "on", "zzz": 1})),
        ["zzz is not known (known are action, level)"]
    );
    let none = json!({"type": "object", "additionalProperties": false});
    assert_eq!(
        messages(&none, &json!({"a": 1})),
        ["a is not known, none are taken here"]
    );
}

#[test]
fn nested_positions_have_readable_paths() {
    let schema = json!({"type": "object", "properties": {"rooms": {"type": "array", "items": {
        "type": "object", "properties": {"level": {"$ref": "#/$defs/Level"}},
        "required": ["name"]}}}, "$defs": {"Level": {"type": "integer", "minimum": 1}}});
    let value = json!({"rooms": [{"name": 1}, {"level": 0}]});
    assert_eq!(
        messages(&schema, &value),
        [
            "rooms[1].level must be a whole number of at least 1, but 0 arrived",
            "rooms[1].name is missing (any value)",
        ]
    );
    let violations = CompiledSchema::new(&schema)
        .unwrap()
        .validate_value(&value)
        .unwrap_err();
    let paths: Vec<_> = violations
        .iter()
        .map(|violation| violation.path.as_str())
        .collect();
    assert_eq!(paths, ["/rooms/1/level", "/rooms/1/name"]);
}

#[test]
fn only_a_clearly_meant_alternative_is_explained() {
    let schema = json!({"type": "object", "properties": {"x": {"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "dim"}, "level": {"type": "integer"}},
         "required": ["kind", "level"]},
        {"type": "object", "properties": {"kind": {"const": "say"}}, "required": ["kind", "text"]},
        {"type": "integer"}]}}});
    assert_eq!(
        messages(&schema, &json!({"x": {"kind": "dim", "level": "high"}})),
        [r#"x.level must be a whole number, but "high" arrived"#]
    );
    assert_eq!(
        messages(&schema, &json!({"x": {"kind": "say"}})),
        ["x.text is missing (any value)"]
    );
    assert_eq!(
        messages(&schema, &json!({"x": "high"})),
        [
            r#"x must be an object with kind ("dim"), level (a whole number) or an object with kind ("say") or a whole number, but "high" arrived"#
        ]
    );
}

#[test]
fn the_whole_has_a_name_too() {
    let schema = json!({"type": "object", "minProperties": 1});
    assert_eq!(
        messages(&schema, &json!([1])),
        ["the value must be an object of at least 1 entry, but [1] arrived"]
    );
    let arguments = json!({}).as_object().unwrap().clone();
    let violations = CompiledSchema::new(&schema)
        .unwrap()
        .validate(&arguments)
        .unwrap_err();
    assert_eq!(
        violations.to_string(),
        "the arguments must fit together as described: an object of at least 1 entry, but {} arrived"
    );
}

#[test]
fn conditions_between_parameters_are_explained() {
    let schema = json!({"type": "object", "properties": {"level": {"type": "integer"}, "on": {}},
        "dependentRequired": {"level": ["on"]}});
    let messages = messages(&schema, &json!({"level": 1}));
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].starts_with("the value must fit together as described"),
        "{messages:?}"
    );
}

#[test]
fn a_forbidden_property_is_reported() {
    let schema = json!({"type": "object", "properties": {"old": false}});
    assert_eq!(
        messages(&schema, &json!({"old": 1})),
        ["old must be left out, but 1 arrived"]
    );
}

#[test]
fn the_expected_parameters_are_at_the_end() {
    let violations = CompiledSchema::new(&light())
        .unwrap()
        .validate_value(&json!({}))
        .unwrap_err();
    assert_eq!(
        violations.to_string(),
        r#"action is missing (one of "on", "off", "dim"). Expected: action (one of "on", "off", "dim"), level (a number from 0 to 100, optional)"#
    );
}

#[test]
fn the_length_of_the_text_is_limited() {
    let properties: serde_json::Map<String, Value> = (0..200)
        .map(|index| {
            (
                format!("{}{index}", "p".repeat(200)),
                json!({"type": "integer"}),
            )
        })
        .collect();
    let value: serde_json::Map<String, Value> = properties
        .keys()
        .map(|key| (key.clone(), json!("é".repeat(10_000))))
        .collect();
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let violations = CompiledSchema::new(&schema)
        .unwrap()
        .validate_value(&Value::Object(value))
        .unwrap_err();
    assert!(violations.to_string().chars().count() <= 1_000);
    assert_eq!(violations.iter().count(), super::MAX_VIOLATIONS);
    let unknown = json!({"q": 1});
    let violations = CompiledSchema::new(&schema)
        .unwrap()
        .validate_value(&unknown)
        .unwrap_err();
    assert!(
        violations
            .iter()
            .all(|violation| violation.message.chars().count() <= 1_000)
    );
}

#[test]
fn the_words_are_free_of_jargon() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true},
        "b": {"not": {"const": 1}}, "c": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        "d": {"type": "string", "minLength": 2, "pattern": "^x"}}});
    let value = json!({"a": [1, 1], "b": 1, "c": 1, "d": "y"});
    let text = messages(&schema, &value).join("\n");
    for word in [
        "oneOf",
        "anyOf",
        "schema",
        "#/",
        "Some(",
        "String(",
        "uniqueItems",
        "valid under",
    ] {
        assert!(!text.contains(word), "{text}");
    }
    assert_eq!(text.lines().count(), 4, "{text}");
}
