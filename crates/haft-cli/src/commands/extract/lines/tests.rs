use haft::extract::ExtractOptions;
use serde_json::json;

use super::*;

fn defaults() -> Defaults {
    let options = ExtractOptions::default();
    let manner = Manner {
        options,
        guessed: false,
        split: None,
    };
    Defaults::new(ToolSet::any(), manner)
}

fn answer(line: &str) -> Value {
    let mut answers = Answers::default();
    defaults().answer(line.as_bytes(), &mut answers);
    assert_eq!(answers.json.pop(), Some(b'\n'));
    serde_json::from_slice(&answers.json).unwrap()
}

#[test]
fn a_bad_part_is_named_beside_the_id() {
    for (line, error) in [
        (r#"{"id": {"a": 1}}"#, "`reply` is missing"),
        (r#"{"id": {"a": 1}, "reply": null}"#, "`reply` is missing"),
        (
            r#"{"reply": ["x"], "id": {"a": 1}}"#,
            "`reply` is not a string",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "format": 1}"#,
            "`format` is not a string",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "text_mode": "yes"}"#,
            "`text_mode` is neither true nor false",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "bare_calls": "maybe"}"#,
            "`bare_calls` is neither always nor judged nor never",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "thought_calls": "yes"}"#,
            "`thought_calls` is neither true nor false",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "starts_thinking": 1}"#,
            "`starts_thinking` is neither true nor false",
        ),
        (
            r#"{"id": {"a": 1}, "reply": "", "tools": "f"}"#,
            "`tools` is not a list of definitions",
        ),
    ] {
        assert_eq!(
            answer(line),
            json!({"id": {"a": 1}, "error": error}),
            "{line}"
        );
    }
}

#[test]
fn a_line_that_is_not_an_object_is_reported_without_an_id() {
    for (line, error) in [
        ("", "The line is empty"),
        (" \t\r", "The line is empty"),
        (r#"[1, "f()"]"#, "The line is not a JSON object"),
        (
            r#"{"id": 1, "reply": "f()""#,
            "The line is not a JSON object: EOF while parsing an object at column 24",
        ),
        (
            r#"{"id": 1, "reply": "f()"} {}"#,
            "The line is not a JSON object: trailing characters at column 27",
        ),
    ] {
        assert_eq!(answer(line), json!({"id": null, "error": error}), "{line}");
    }
    let mut answers = Answers::default();
    defaults().answer(b"{\"reply\": \"\xff\"}", &mut answers);
    assert_eq!(
        answers.json,
        b"{\"id\":null,\"error\":\"The line is not UTF-8\"}\n"
    );
}

#[test]
fn ids_come_back_as_they_were() {
    for id in [
        r#""a""#,
        "12345678901234567890123",
        "1.50",
        "[1,{\"b\":null}]",
        "null",
        "true",
    ] {
        let mut answers = Answers::default();
        let line = format!(r#"{{"id": {id}, "reply": ""}}"#);
        defaults().answer(line.as_bytes(), &mut answers);
        let json = String::from_utf8(answers.json).unwrap();
        assert!(
            json.starts_with(&format!(r#"{{"id":{id},"calls":[]"#)),
            "{json}"
        );
    }
    assert_eq!(answer(r#"{"reply": "x"}"#)["id"], Value::Null);
}

#[test]
fn null_counts_as_missing() {
    let line = r#"{"reply": "x", "tools": null, "format": null, "text_mode": null, "more": [1]}"#;
    assert_eq!(answer(line)["content"], "x");
}

#[test]
fn an_unknown_format_is_reported_and_not_fatal() {
    let mut answers = Answers::default();
    let defaults = defaults();
    for format in ["morse", "hermes", "morse"] {
        let line = json!({"reply": "x", "format": format}).to_string();
        defaults.answer(line.as_bytes(), &mut answers);
    }
    assert_eq!(answers.warn_of, BTreeSet::from(["morse".to_owned()]));
    assert!(!String::from_utf8(answers.json).unwrap().contains("error"));
}

#[test]
fn the_same_tools_are_prepared_once() {
    let defaults = defaults();
    let json = r#"[{"name": "f"}]"#;
    for _ in 0..3 {
        defaults.tools(json).unwrap();
    }
    defaults.tools("[]").unwrap();
    let known = defaults.known.lock().unwrap();
    assert_eq!((known.sets.len(), known.text), (2, json.len() + 2));
}

#[test]
fn the_cache_is_bounded() {
    let mut known = Known::default();
    let tools = ToolSet::any();
    for index in 0..=SETS {
        known.keep(&index.to_string(), &tools);
    }
    assert_eq!(known.sets.len(), 1);
    let half = "x".repeat(SETS_TEXT / 2 + 1);
    known.keep(&half, &tools);
    known.keep(&format!("{}y", &half), &tools);
    assert_eq!((known.sets.len(), known.text), (1, half.len() + 1));
    known.keep(&"z".repeat(SETS_TEXT + 1), &tools);
    assert_eq!(known.sets.len(), 1);
}
