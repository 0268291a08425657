use serde_json::json;

use super::is_call_id;
use crate::{ToolDefinition, ToolSet};

#[test]
fn ids_of_calls_are_no_names_of_tools() {
    for id in [
        "0",
        "17",
        "call_3",
        "call_9d1f03c2",
        "call_00_Xy3Rt",
        "functions",
        "toolu_01XyZ9",
        "tooltoolu_01XyZ9",
        "chatcmpl-tool-8a41",
        "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    ] {
        assert!(is_call_id(id), "{id}");
    }
    for name in [
        "",
        "call_",
        "call_me_back",
        "func1",
        "callback_3",
        "f-8b86",
        "x3",
    ] {
        assert!(!is_call_id(name), "{name}");
    }
}

#[test]
fn only_one_tool_may_take_the_arguments() {
    let tool = |name: &str, required: &[&str], optional: &[&str]| {
        let names = required.iter().chain(optional);
        let properties: serde_json::Map<_, _> = names
            .map(|name| ((*name).to_owned(), json!({"type": "string"})))
            .collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        ToolDefinition::new(name, schema)
    };
    let tools = ToolSet::from_definitions([
        tool("open", &["path"], &["mode"]),
        tool("save", &["path", "text"], &[]),
        tool("grep", &["word"], &["folder"]),
        tool("glob", &["word"], &["folder", "depth"]),
        tool("ping", &[], &[]),
    ]);
    let meant = |arguments: serde_json::Value| {
        let arguments = arguments.as_object().unwrap().clone();
        let tool = tools.only_fit(&arguments);
        tool.map(|tool| tool.definition.name.clone())
    };
    assert_eq!(meant(json!({"path": "a"})).as_deref(), Some("open"));
    assert_eq!(
        meant(json!({"path": "a", "text": "b"})).as_deref(),
        Some("save")
    );
    assert_eq!(
        meant(json!({"word": "a", "depth": "2"})).as_deref(),
        Some("glob")
    );
    assert_eq!(meant(json!({})).as_deref(), Some("ping"));
    assert_eq!(meant(json!({"word": "a"})), None);
    assert_eq!(meant(json!({"path": 5})), None);
    assert_eq!(meant(json!({"path": "a", "size": "2"})), None);
    assert_eq!(meant(json!({"text": "b"})), None);
}
