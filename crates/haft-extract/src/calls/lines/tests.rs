use haft_schema::CompiledSchema;
use serde_json::{Value, json};

use super::lines;

fn read(text: &str) -> Option<Value> {
    let schema = json!({"properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "zip": {"type": "string"},
        "tags": {"type": "array"}, "place": {"type": "object"}, "note": {"type": "string"},
        "any": {},
    }});
    let schema = CompiledSchema::new(&schema).unwrap();
    lines(&format!("{text}</get_weather>\n"), "get_weather", &schema).map(Value::Object)
}

#[test]
fn lines_are_arguments() {
    let text = "\ncity: Oslo\ndays: 3\nzip: 0150\n\nany: \"a: b\"\n";
    let right = json!({"city": "Oslo", "days": 3, "zip": "0150", "any": "a: b"});
    assert_eq!(read(text), Some(right));
    assert_eq!(
        read("  city: New York, USA\n"),
        Some(json!({"city": "New York, USA"}))
    );
    assert_eq!(read("tags: [a, \"b\"]"), Some(json!({"tags": ["a", "b"]})));
}

#[test]
fn blocks_stand_in_lines() {
    let text = "tags:\n  - a\n  - 2\nplace:\n  lat: 59.9\n  names:\n  - x\n  - y\ncity: Oslo";
    let right = json!({"tags": ["a", 2], "place": {"lat": 59.9, "names": ["x", "y"]},
        "city": "Oslo"});
    assert_eq!(read(text), Some(right));
    assert_eq!(read("tags:\n- a\n- b\n"), Some(json!({"tags": ["a", "b"]})));
    let text = "note: |\n  one\n    two: 2\n\n  three\ncity: >-\n  a\n  b\n";
    let right = json!({"note": "one\n  two: 2\n\nthree\n", "city": "a b"});
    assert_eq!(read(text), Some(right));
    assert_eq!(read("city:\ndays: 2"), Some(json!({"city": "", "days": 2})));
}

#[test]
fn other_words_are_none() {
    for text in [
        "Oslo",
        "town: Oslo",
        "city: Oslo\nand more",
        "city:Oslo",
        "city: Oslo\n  days: 3",
        "tags:\n  - city: a\n    days: 1",
        "",
        "city: \"Oslo",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn another_tag_ends_nothing() {
    let schema = CompiledSchema::new(&json!({"properties": {"note": {}}})).unwrap();
    assert_eq!(lines("note: <b>x</b>", "f", &schema), None);
    assert_eq!(lines("note: x", "f", &schema), None);
    assert!(lines("note: x</function>", "f", &schema).is_some());
}

#[test]
fn depth_is_bounded() {
    let mut text = String::from("place:\n");
    for depth in 1..1000 {
        text.push_str(&" ".repeat(depth));
        text.push_str("a:\n");
    }
    assert_eq!(read(&text), None);
}
