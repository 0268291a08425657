//! Values that end too early: nothing is ever made up.

use serde_json::{Value, json};

use crate::arguments::value::{ReadError, read_parenthesized, read_value};

const VALUES: [&str; 14] = [
    r#"{"city": "New York", "days": 12}"#,
    r#"{"a": {"b": [1, 2, {"c": true}]}, "d": null}"#,
    r#"[{"name": "f", "arguments": {"x": 1.5e3}}, {"name": "g", "arguments": {}}]"#,
    "{'city': 'New York', 'ok': True, 'x': None}",
    r#"{city: "New York", days: 12, tags: ["a", "b"]}"#,
    r#"{"a": "x \" y \\ z, \"b\": 1}", "c": [[], {}]}"#,
    r#"{"text": "line\nline\u00e9\ud83d\ude00", "n": -12.5}"#,
    "{\"a\": (1, 2), \"b\": (\"x\", \"y\")}",
    "{\"a\": 'it\\'s', \"b\": \"\"\"x \"y\" z\"\"\"}",
    "{\"a\": \"x\", // why\n \"b\": [1, 2] /* so */ }",
    "{{\"a\": 1, \"b\": \"x\"}}",
    "{“a”: “x”, ‘b’: ‘y’}",
    "{city:<|\"|>New York<|\"|>,n:12}",
    "[0x1F, +5, 1_000, .5, 007, red, dark green, date(2024, 1, 2), \"x\"]",
];

const ARGUMENTS: [&str; 7] = [
    "city=\"New York\", days=12",
    "query='x', ok=True, tags=['a', 'b'], n=None",
    "city=New York, days=12",
    "\"x\", 12, [1, 2]",
    "{\"city\": \"New York\", \"days\": 12}",
    "\"city\": \"New York\", \"days\": 12",
    "when=date(2024, 1, 2), m=dict(a=1), t=(1, 2)",
];

/// True when `part` is what is left of `whole` when the end is missing: every scalar in it is
/// complete.
fn is_beginning(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .all(|(part, whole)| is_beginning(part, whole))
        }
        (Value::Object(part), Value::Object(whole)) => {
            part.len() <= whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .all(|(part, whole)| part.0 == whole.0 && is_beginning(part.1, whole.1))
        }
        (part, whole) => part == whole,
    }
}

#[test]
fn a_value_is_whole_or_cut_off() {
    for text in VALUES {
        let whole = read_value(text, false).unwrap().value;
        let mut closed = 0;
        for part in (0..text.len()).filter_map(|end| text.get(..end)) {
            if let Ok(read) = read_value(part, true) {
                assert!(is_beginning(&read.value, &whole), "{part}\n{}", read.value);
                closed += 1;
            }
        }
        assert!(closed > 0, "{text}");
    }
}

#[test]
fn arguments_are_whole_or_cut_off() {
    for text in ARGUMENTS {
        let whole = read_parenthesized(text, true).or_else(|_| read_parenthesized(text, false));
        let whole = Value::Object(whole.unwrap().value.into_texts());
        for part in (0..text.len()).filter_map(|end| text.get(..end)) {
            if let Ok(read) = read_parenthesized(part, true) {
                let read = Value::Object(read.value.into_texts());
                assert!(is_beginning(&read, &whole), "{part}\n{read}");
            }
        }
    }
}

#[test]
fn closers_are_supplied_after_complete_values_only() {
    for (text, expected) in [
        (r#"{"a": "x""#, json!({"a": "x"})),
        (r#"{"a": {"b": [1, 2]"#, json!({"a": {"b": [1, 2]}})),
        (r#"{"a": 12 "#, json!({"a": 12})),
        (r#"{"a": true"#, json!({"a": true})),
        ("{'a': None", json!({"a": null})),
        ("12", json!(12)),
    ] {
        let read = read_value(text, true);
        assert_eq!(read.map(|read| read.value), Ok(expected), "{text}");
    }
    for text in [
        r#"{"a": "x"#,
        r#"{"a": 12"#,
        r#"{"a": -"#,
        r#"{"a": tru"#,
        r#"{"a": Non"#,
        r#"{"a""#,
        r#"{"a":"#,
        r#"{"a": 1,"#,
        r#"{"a": 1, "b"#,
        r#"{"a": {"#,
        r#"{"a": [1, "#,
        "{a: New York",
        "{a: date(2024",
        "{a: date(2024)",
        "{",
        "[",
        "",
    ] {
        assert_eq!(read_value(text, true), Err(ReadError::CutOff), "{text}");
    }
}

#[test]
fn the_same_end_counts_as_meant_when_a_marker_followed() {
    for (text, expected) in [
        (r#"{"a": 12"#, json!({"a": 12})),
        (r#"{"a": 12,"#, json!({"a": 12})),
        ("{a: New York", json!({"a": "New York"})),
    ] {
        let read = read_value(text, false);
        assert_eq!(read.map(|read| read.value), Ok(expected), "{text}");
    }
    assert_eq!(read_value(r#"{"a": "x"#, false), Err(ReadError::CutOff));
    assert_eq!(read_parenthesized("", true), Err(ReadError::CutOff));
    assert_eq!(read_parenthesized("a=12", true), Err(ReadError::CutOff));
    assert_eq!(read_parenthesized("a=1, ", true), Err(ReadError::CutOff));
}
