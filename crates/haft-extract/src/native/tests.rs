use serde_json::json;

use super::*;
use crate::ToolDefinition;

fn read(text: &str) -> Result<Value, String> {
    read_arguments_text(text).map(|(arguments, _)| Value::Object(arguments))
}

#[test]
fn s000_07_arguments_are_an_object_whatever_the_server_sent() {
    for text in [
        r#"{"city": "Oslo"}"#,
        r#""{\"city\": \"Oslo\"}""#,
        r#""\"{\\\"city\\\": \\\"Oslo\\\"}\"""#,
    ] {
        assert_eq!(read(text), Ok(json!({"city": "Oslo"})), "{text}");
    }
    for text in ["", "  ", "null", "{}", "\"\"", "\"{}\""] {
        assert_eq!(read(text), Ok(json!({})), "{text}");
    }
}

#[test]
fn broken_json_is_mended_and_told() {
    for text in [
        r#"{'city': 'Oslo'}"#,
        r#"{"city": "Oslo",}"#,
        r#"{city: "Oslo"}"#,
        r#"{"city": "Oslo""#,
        r#"{"city": "Oslo"}]"#,
        r#"{"city": "Oslo"}}"#,
        r#""city": "Oslo""#,
    ] {
        assert_eq!(read(text), Ok(json!({"city": "Oslo"})), "{text}");
    }
    let (_, repairs) = read_arguments_text("{'city': True}").unwrap();
    assert!(!repairs.is_empty());
}

#[test]
fn numbers_are_settled_and_long_ones_kept() {
    let text = r#"{"price": 1.50, "big": 123456789012345678901234567890, "list": [2.0]}"#;
    let (arguments, _) = read_arguments_text(text).unwrap();
    assert_eq!(
        serde_json::to_string(&arguments).unwrap(),
        r#"{"price":1.5,"big":123456789012345678901234567890,"list":[2.0]}"#
    );
}

#[test]
fn nothing_is_invented() {
    let error = read(r#"{"city": "Os"#).unwrap_err();
    assert!(error.starts_with("The arguments are cut off"), "{error}");
    let error = read(r#"{"x": "#).unwrap_err();
    assert!(error.starts_with("The arguments are cut off"), "{error}");
    let error = read("[1]").unwrap_err();
    assert!(error.contains("must be a JSON object"), "{error}");
    let error = read("ls -R\n").unwrap_err();
    assert!(error.contains("ls -R"), "{error}");
}

fn tools() -> ToolSet {
    let wanting = |key: &str| {
        json!({"type": "object", "properties": {key: {"type": "string"}, "note": {"type": "string"}},
            "required": [key]})
    };
    ToolSet::from_definitions([
        ToolDefinition::new("get_weather", wanting("city")),
        ToolDefinition::new("read_file", wanting("path")),
        ToolDefinition::new("write_file", wanting("path")),
    ])
}

#[test]
fn arguments_without_a_name_are_those_of_the_only_tool_they_fit() {
    let tools = tools();
    let found = match_arguments_text(&tools, r#"{"City": "Oslo"}"#);
    assert_eq!(found.map(|(name, _)| name), Some("get_weather"));
    for text in [
        // Two tools take it, one takes a part of it, none does.
        r#"{"path": "a"}"#,
        r#"{"city": "Oslo", "zip": 1}"#,
        r#"{"note": "x"}"#,
        "{}",
    ] {
        assert_eq!(match_arguments_text(&tools, text), None, "{text}");
    }
}

#[test]
fn a_comma_at_the_end_of_a_call_that_ended_announces_nothing() {
    let text = "{city: 'Paris', \"days\": 3,";
    assert!(read_arguments_text(text).is_err());
    assert!(read_ended_arguments_text("{\"city\": \"Par").is_err());
    let (arguments, repairs) = read_ended_arguments_text(text).unwrap();
    assert_eq!(
        Value::Object(arguments),
        json!({"city": "Paris", "days": 3})
    );
    assert!(!repairs.is_empty());
}
