use haft::extract::{ExtractOptions, extract};
use serde_json::json;

use super::*;

fn names(json: &Value) -> Vec<String> {
    let Value::Array(list) = json else {
        panic!("no list")
    };
    let definitions = list.iter().cloned().map(|one_of| one(one_of).unwrap());
    definitions.map(|definition| definition.name).collect()
}

#[test]
fn every_form_has_name_and_schema() {
    let schema = json!({"type": "object", "properties": {"zone": {"type": "string"}}});
    for form in [
        json!({"name": "f", "description": "d", "parameters": schema}),
        json!({"type": "function", "function": {"name": "f", "parameters": schema, "strict": true}}),
        json!({"type": "function", "name": "f", "parameters": schema}),
        json!({"name": "f", "input_schema": schema}),
        json!({"name": "f", "inputSchema": schema, "annotations": {"title": "F"}}),
        json!({"name": "f", "origin": "demo home", "read_only": false, "schema": schema}),
    ] {
        let definition = one(form.clone()).unwrap();
        assert_eq!(
            (definition.name.as_str(), &definition.parameters),
            ("f", &schema),
            "{form}"
        );
    }
}

#[test]
fn a_tool_may_have_no_schema() {
    assert_eq!(one(json!({"name": "f"})).unwrap().parameters, Value::Null);
}

#[test]
fn read_only_tools_are_detected() {
    for form in [
        json!({"name": "f", "annotations": {"readOnlyHint": true}}),
        json!({"name": "f", "read_only": true}),
    ] {
        assert!(one(form).unwrap().read_only);
    }
    assert!(
        !one(json!({"name": "f", "annotations": {"readOnlyHint": "yes"}}))
            .unwrap()
            .read_only
    );
}

#[test]
fn a_list_may_be_inside_an_object() {
    let list = json!([{"name": "f"}, {"name": "g"}]);
    assert_eq!(names(&list), ["f", "g"]);
    for json in [list.clone(), json!({"tools": list})] {
        let tools = tool_set(&json.to_string()).unwrap();
        assert_eq!(format!("{tools:?}"), r#"["f", "g"]"#);
    }
}

#[test]
fn a_single_definition_and_a_servers_answer_are_accepted() {
    for json in [
        json!({"name": "f", "parameters": {}}),
        json!({"type": "function", "function": {"name": "f"}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "inputSchema": {}}]}}),
    ] {
        let tools = tool_set(&json.to_string()).unwrap();
        assert_eq!(format!("{tools:?}"), r#"["f"]"#, "{json}");
    }
}

#[test]
fn a_file_without_tools_is_an_error() {
    let tools = tool_set("[]").unwrap();
    let found = extract(&tools, ExtractOptions::default(), "f()");
    assert_eq!(found.calls, []);
}

#[test]
fn errors_are_reported() {
    for (json, message) in [
        ("{", "`tools` is not JSON: EOF"),
        ("5", "`tools` is not a list"),
        ("{}", "`tools` is not a list"),
        (
            r#"[{"name": "f"}, {"title": "g"}]"#,
            "`tools[1]` has no name",
        ),
        (r#"["f"]"#, "`tools[0]` has no name"),
        (r#"[{"name": ""}]"#, "`tools[0]` has no name"),
    ] {
        let error = read(json).unwrap_err();
        assert!(error.starts_with(message), "{json}: {error}");
    }
}

#[test]
fn a_description_and_examples_are_kept() {
    let form = json!({"function": {"name": "f", "description": "d", "examples": ["do f", 5]}});
    let definition = one(form).unwrap();
    assert_eq!(definition.description, "d");
    assert_eq!(definition.examples, ["do f"]);
}
