use serde_json::json;

use super::{is_comment, is_signature};
use crate::{ToolDefinition, ToolSet};

#[test]
fn names_with_types_are_a_signature_and_texts_with_such_words_are_none() {
    let text = || json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {"city": text(), "note": text()}});
    let tools = ToolSet::from_definitions([ToolDefinition::new("f", schema)]);
    for signature in [
        "city, note",
        "city: string, note?: string",
        "city: str = \"Oslo\", note: str = \"\"",
        "city=\"Oslo\", note: str",
        "city: City, note: Note",
        "city: Optional String",
    ] {
        assert!(is_signature("f", signature, &tools), "{signature}");
    }
    for call in [
        "city=\"Oslo: strong wind\"",
        "city=\"Oslo, note: string\"",
        "city='buy: string beans', note=\"it: strings\"",
        "\"Oslo: strong wind\"",
        "city: New York, note: windy",
        "",
    ] {
        assert!(!is_signature("f", call, &tools), "{call}");
    }
}

#[test]
fn blanks_and_comments_are_comments() {
    for text in [
        "",
        " \t",
        "\n\n",
        "# one",
        "`, # one\n ;]// two\r\n",
        "// get_weather()",
    ] {
        assert!(is_comment(text), "{text:?}");
    }
}

#[test]
fn anything_else_is_none() {
    for text in ["a", "/ a", "# one\ntwo", "\n, f() # one", "(# one"] {
        assert!(!is_comment(text), "{text:?}");
    }
}
