use haft_testing::{SpyTool, named_tool};

use super::*;

fn converted(tool: SpyTool) -> Value {
    let tools: [Arc<dyn Tool>; 1] = [Arc::new(tool)];
    serde_json::to_value(to_anthropic_tools(&tools).unwrap()).unwrap()[0].take()
}

fn schema(schema: Value) -> Value {
    let tool = SpyTool::new("t", |_| Ok("ok".into())).with_schema(schema);
    converted(tool)["input_schema"].take()
}

#[test]
fn s001_01_tools_take_anthropics_own_shape() {
    let parameters = json!({
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 2}},
        "required": ["city"],
        "additionalProperties": false,
    });
    let tool = SpyTool::new("weather", |_| Ok("ok".into()))
        .with_lc_name("get_weather")
        .with_schema(parameters.clone());
    let expected = json!({
        "name": "get_weather",
        "description": "A tool for tests",
        "input_schema": parameters,
    });
    assert_eq!(converted(tool).to_string(), expected.to_string());
}

#[test]
fn s001_08_other_providers_conversions_change_nothing_here() {
    let spy = SpyTool::new("get time", |_| Ok("ok".into()))
        .with_schema(json!({"type": "object", "oneOf": [{"required": ["a"]}]}));
    let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(spy), named_tool("b", Some("lc_b"))];
    let neutral = |tools: &[Arc<dyn Tool>]| -> Vec<_> {
        let neutral = |tool: &Arc<dyn Tool>| (tool.name().to_owned(), tool.schema().clone());
        tools.iter().map(neutral).collect()
    };
    let (before, stored) = (to_anthropic_tools(&tools).unwrap(), neutral(&tools));
    let qwen = crate::ollama::to_qwen_tools(Some(&tools));
    assert_eq!(qwen.len(), 2);
    assert_eq!(to_anthropic_tools(&tools).unwrap(), before);
    assert_eq!(neutral(&tools), stored);
}

#[test]
fn names_fit_the_api_and_order_is_kept() {
    let tools = [named_tool("home.light", None), named_tool("b", None)];
    let names: Vec<_> = to_anthropic_tools(&tools)
        .unwrap()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    assert_eq!(names, ["home_light", "b"]);
    let twins = [named_tool("a", None), named_tool("a", None)];
    assert!(to_anthropic_tools(&twins).is_err());
}

#[test]
fn the_top_of_a_schema_is_an_object() {
    let empty = json!({"type": "object", "properties": {}});
    assert_eq!(schema(Value::Null), empty);
    assert_eq!(schema(json!(true)), empty);
    assert_eq!(
        schema(json!({"properties": {"a": {}}})),
        json!({"type": "object", "properties": {"a": {}}})
    );
    assert_eq!(
        schema(json!({"type": ["object", "null"]})),
        json!({"type": "object"})
    );
}

#[test]
fn alternatives_at_the_top_become_one_object() {
    let merged = schema(json!({
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [
            {"properties": {"a": {"type": "null"}, "b": {}}, "required": ["b"]},
            {"properties": {"c": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
        ],
        "allOf": [{"required": ["a"]}, {"required": ["a", "d"], "properties": {"d": {}}}],
    }));
    let expected = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "d": {},
            "b": {},
            "c": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["a", "d"],
    });
    assert_eq!(merged, expected);
}
