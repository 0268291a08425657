//! The sentences about repairs.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of cases read better by value"
)]

use serde_json::{Value, json};

use crate::{CompiledSchema, Repair, RepairKind};

fn sentences(arguments: Value) -> Vec<String> {
    let schema = json!({"type": "object", "properties": {
        "level": {"type": "number"}, "count": {"type": "integer"}, "on": {"type": "boolean"},
        "name": {"type": "string"}, "rooms": {"type": "array", "items": {
            "type": "object", "properties": {"a/b": {"type": "integer"}}}},
        "action": {"enum": ["on", "off"]}, "deviceName": {"type": "string"}}});
    let schema = CompiledSchema::new(&schema).unwrap();
    let coerced = schema.coerce(arguments.as_object().unwrap().clone());
    coerced.repairs.iter().map(ToString::to_string).collect()
}

#[test]
fn each_kind_has_its_sentence() {
    for (arguments, sentence) in [
        (
            json!({"level": "40"}),
            r#"level: text "40" became the number 40"#,
        ),
        (json!({"on": "True"}), r#"on: text "True" became true"#),
        (
            json!({"count": 3.0}),
            "count: 3.0 became the whole number 3",
        ),
        (json!({"name": 5}), r#"name: 5 became text "5""#),
        (
            json!({"rooms": "[]"}),
            r#"rooms: text "[]" was read as JSON"#,
        ),
        (json!({"rooms": {}}), "rooms: {} became a list of one"),
        (json!({"level": null}), "level: null was left out"),
        (json!({"level": ""}), "level: empty text was left out"),
        (json!({"action": "ON"}), r#"action: "ON" became "on""#),
        (
            json!({"device_name": "a"}),
            "device_name was renamed to deviceName",
        ),
        (
            json!({"rooms": [{"a/b": "1"}]}),
            r#"rooms[0].a/b: text "1" became the number 1"#,
        ),
        (
            json!({"input": {"name": "a"}}),
            "the arguments: taken out of input",
        ),
    ] {
        assert_eq!(sentences(arguments), [sentence]);
    }
}

#[test]
fn a_sentence_stays_short() {
    let sentences = sentences(json!({"rooms": format!("[{}]", "{},".repeat(999) + "{}")}));
    assert!(sentences[0].len() < 200, "{}", sentences[0]);
}

#[test]
fn a_tool_with_another_spelling_is_reported_with_both_names() {
    let repair = Repair::new("", RepairKind::ToolSpelling, "getWeather", "get_weather");
    assert_eq!(
        repair.to_string(),
        "the tool getWeather was taken as get_weather"
    );
}
