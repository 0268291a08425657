use haft_testing::{SpyTool, named_tool};

use super::*;

fn as_json(tools: &[Arc<dyn Tool>]) -> Value {
    serde_json::to_value(to_qwen_tools(Some(tools))).unwrap()
}

#[test]
fn s001_04_a_tool_has_exactly_the_fields_of_the_qwen_format() {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string", "description": "City name"}},
        "required": ["city"],
    });
    let tool = SpyTool::new("get_weather", |_| Ok("ok".into())).with_schema(schema.clone());
    assert_eq!(
        as_json(&[Arc::new(tool)]),
        json!([{
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "A tool for tests",
                "parameters": schema,
            },
        }])
    );
}

#[test]
fn s001_04_lc_name_goes_before_name() {
    let tools = [named_tool("a", Some("lc_a")), named_tool("b", None)];
    let converted = to_qwen_tools(Some(&tools));
    assert_eq!(converted[0].function.name, "lc_a");
    assert_eq!(converted[1].function.name, "b");
}

#[test]
fn s001_04_a_missing_schema_is_one_without_arguments() {
    let tool = SpyTool::new("ping", |_| Ok("ok".into())).with_schema(Value::Null);
    let converted = to_qwen_tools(Some(&[Arc::new(tool)]));
    assert_eq!(
        converted[0].function.parameters,
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn s001_05_order_and_length_stay_and_the_input_is_untouched() {
    let tools: Vec<_> = ["zebra", "ant", "mouse"]
        .map(|name| named_tool(name, None))
        .into();
    let before: Vec<_> = tools.iter().map(|tool| tool.schema().clone()).collect();
    let converted = to_qwen_tools(Some(&tools));
    let names: Vec<_> = converted.iter().map(|tool| &tool.function.name).collect();
    assert_eq!(names, ["zebra", "ant", "mouse"]);
    for (tool, schema) in tools.iter().zip(before) {
        assert_eq!(*tool.schema(), schema);
        assert_eq!(Arc::strong_count(tool), 1);
    }
}

#[test]
fn s001_06_nothing_gives_nothing() {
    assert_eq!(to_qwen_tools(None), []);
    assert_eq!(to_qwen_tools(Some(&[])), []);
}

#[test]
fn s001_09_converted_tools_are_valid() {
    for tool in as_json(&[named_tool("a", None), named_tool("b", Some("c"))])
        .as_array()
        .unwrap()
    {
        validate_qwen_tool(tool).unwrap();
    }
}

#[test]
fn s001_09_the_error_for_an_invalid_tool_names_the_problem() {
    let good = || {
        json!({"type": "function", "function": {
            "name": "f",
            "description": "d",
            "parameters": {"type": "object", "properties": {"a": {}}, "required": ["a"]},
        }})
    };
    validate_qwen_tool(&good()).unwrap();
    let cases = [
        ("", json!([]), "a tool must be an object"),
        ("/type", json!("tool"), "`type` must be \"function\""),
        ("/type", Value::Null, "`type` must be \"function\""),
        ("/function", json!("f"), "`function` must be an object"),
        ("/function/name", json!(" "), "`name` must be a text"),
        ("/function/name", json!(7), "`name` must be a text"),
        (
            "/function/description",
            json!(null),
            "`description` must be a text",
        ),
        (
            "/function/parameters",
            json!(null),
            "`parameters` must be an object",
        ),
        (
            "/function/parameters/type",
            json!("array"),
            "must be \"object\"",
        ),
        (
            "/function/parameters/type",
            json!(["object"]),
            "must be \"object\"",
        ),
        (
            "/function/parameters/properties",
            json!([]),
            "`properties` must be",
        ),
        (
            "/function/parameters/properties/a",
            json!(true),
            "the property `a`",
        ),
        (
            "/function/parameters/required",
            json!("a"),
            "`required` must be a list",
        ),
        (
            "/function/parameters/required",
            json!([1]),
            "a list of names",
        ),
    ];
    for (pointer, value, expected) in cases {
        let mut tool = good();
        *tool.pointer_mut(pointer).unwrap() = value;
        let error = validate_qwen_tool(&tool).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(expected), "{pointer}: {error}");
    }
}

#[test]
fn s001_09_there_are_no_other_fields() {
    for (pointer, key) in [
        ("", "name"),
        ("/function", "strict"),
        ("/function", "invoke"),
    ] {
        let mut tool = as_json(&[named_tool("a", None)])[0].clone();
        tool.pointer_mut(pointer).unwrap()[key] = json!("x");
        let error = validate_qwen_tool(&tool).unwrap_err();
        assert!(error.to_string().contains(key), "{error}");
    }
}

#[test]
fn s001_09_properties_and_required_are_optional() {
    let tool = json!({"type": "function", "function": {
        "name": "f", "description": "", "parameters": {"type": "object"},
    }});
    validate_qwen_tool(&tool).unwrap();
}
