//! `haft classify`: output for users and programs, and many queries.

use crate::support::Machine;
use serde_json::{Value, json};

fn classify(arguments: &[&str]) -> Value {
    Machine::new()
        .haft(&[&["classify", "--json"], arguments].concat())
        .json()
}

#[test]
fn people_see_the_label_first_and_the_tool_groups() {
    let said = Machine::new().haft(&["classify", "turn", "on", "the", "kitchen", "light"]);
    let lines: Vec<_> = said.answer().lines().collect();
    assert!(
        lines[0].starts_with("device ") && lines[0].ends_with(" %"),
        "{lines:?}"
    );
    assert_eq!(
        lines[6..],
        ["", "tool_groups  device", "rule         command"]
    );
    let foreign = Machine::new().haft(&["classify", "schalte das Licht in der Küche ein"]);
    assert!(
        foreign
            .answer()
            .contains("nothing is withheld: this does not look like English")
    );
    let general = Machine::new().haft(&["classify", "what is the capital of France"]);
    assert!(
        general.answer().ends_with("tool_groups  none"),
        "{general:?}"
    );
}

#[test]
fn programs_get_everything() {
    let found = classify(&["what time is it and show me devices"]);
    assert_eq!(found["tool_groups"], json!(["device", "datetime"]));
    assert_eq!(found["is_device_query"], true);
    assert_eq!(found["is_datetime_query"], true);
    assert_eq!(found["is_device_control_query"], false);
    assert_eq!(found["open"], Value::Null);
    assert_eq!(found["scores"].as_object().unwrap().len(), 6);
    let blank = classify(&[""]);
    assert_eq!(
        (&blank["label"], &blank["tool_groups"]),
        (&json!("general"), &Value::Null)
    );
    assert_eq!(blank["open"], "there are no words");
}

#[test]
fn a_query_may_come_from_stdin() {
    let said = Machine::new().haft_with_stdin(&["classify", "--json"], b"lights off\n");
    assert_eq!(said.json()["label"], "device");
}

#[test]
fn each_line_is_answered_in_order_and_a_bad_line_stops_nothing() {
    let lines = [
        r#"{"id": 1, "text": "turn on the kitchen light"}"#,
        r#"{"id": {"a": [2]}, "text": "what is the capital of France"}"#,
        "no json",
        r#"{"id": "x"}"#,
        r#"{"id": "y", "text": 7}"#,
        r#"{"text": "電気をつけて"}"#,
        "",
        r#"{"id": null, "text": "what time is it"}"#,
    ];
    let machine = Machine::new();
    machine.write("queries.jsonl", lines.join("\n"));
    let said = machine.haft(&["classify", "--jsonl", "queries.jsonl"]);
    let answers: Vec<Value> = said
        .answer()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len());
    assert_eq!(
        (&answers[0]["label"], &answers[0]["tool_groups"]),
        (&json!("device"), &json!(["device"]))
    );
    let names: Vec<_> = answers[0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "label", "scores", "tool_groups"]);
    assert_eq!(
        (&answers[1]["id"], &answers[1]["tool_groups"]),
        (&json!({"a": [2]}), &json!([]))
    );
    assert_eq!(answers[2]["id"], Value::Null);
    assert!(
        answers[2]["error"]
            .as_str()
            .unwrap()
            .starts_with("The line is not a JSON object")
    );
    assert_eq!(answers[3], json!({"id": "x", "error": "`text` is missing"}));
    assert_eq!(
        answers[4],
        json!({"id": "y", "error": "`text` is not a string"})
    );
    assert_eq!(answers[5]["tool_groups"], Value::Null);
    assert_eq!(answers[6]["error"], "The line is empty");
    assert_eq!(answers[7]["tool_groups"], json!(["datetime"]));
    let piped = machine.haft_with_stdin(&["classify", "--jsonl"], lines.join("\n").as_bytes());
    assert_eq!(piped.stdout, said.stdout);
}

#[test]
fn wrong_usage_is_reported() {
    let machine = Machine::new();
    machine
        .haft(&["classify", "--jsonl", "nowhere.jsonl"])
        .fails(1, &["nowhere.jsonl cannot be read"]);
    machine
        .haft(&["classify", "--jsonl", "a", "b"])
        .fails(2, &["--jsonl takes one file"]);
}
