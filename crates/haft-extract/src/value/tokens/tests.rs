use proptest::prelude::*;
use serde_json::Value;

use super::super::reader::Reader;
use super::written;
use crate::lexis::tests::{gemma, json};

/// What the reader next door makes of `text`.
fn careful(text: &str) -> Value {
    let mut reader = Reader::new(text, false);
    let value = reader.alone().unwrap();
    reader.leftovers().unwrap();
    reader.finish(value).value
}

#[test]
fn an_object_of_the_template_is_json() {
    let text = r#"{city:<|"|>Os"lo\n<|"|>,days:[1,-2.5],wet:true,more:{a:null,b:{}}}"#;
    let found = written(text).unwrap();
    let expected = r#"{"city":"Os\"lo\\n","days":[1,-2.5],"wet":true,"more":{"a":null,"b":{}}}"#;
    assert_eq!(found.json, expected);
    assert_eq!(found.names, ["city", "days", "wet", "more"]);
    let value: Value = serde_json::from_str(&found.json).unwrap();
    assert_eq!(careful(text), value);
}

#[test]
fn what_is_written_otherwise_is_left_to_the_reader() {
    for text in [
        r#"{"a":1}"#,
        "{a: 1}",
        "{a:1,a:2}",
        "{a:01}",
        "{a:1.0}",
        "{a:x}",
        "{a:1",
        "{a:1}}",
        "{}",
        r#"{a:<|"|>x}"#,
        r#"{a:"x"}"#,
        "{a:1,}",
        "{a:[1,]}",
        "{1a:1}",
    ] {
        let is_all = written(text).is_some_and(|found| found.len == text.len());
        assert!(!is_all, "{text}");
    }
}

proptest! {
    #[test]
    fn the_reader_agrees(value in json()) {
        let text = gemma(&value);
        if let Some(found) = written(&text) {
            prop_assert_eq!(found.json, careful(&text).to_string());
        }
    }
}
