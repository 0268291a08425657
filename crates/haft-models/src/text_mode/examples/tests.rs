use haft_testing::SpyTool;

use super::*;

fn tool(name: &str, description: &str, schema: Value) -> Arc<dyn Tool> {
    let tool = SpyTool::new(name, |_| Ok("ok".into()));
    Arc::new(tool.with_description(description).with_schema(schema))
}

fn tools() -> Vec<Arc<dyn Tool>> {
    let action = json!({"enum": ["on", "off", "dim"]});
    vec![
        tool(
            "control_device",
            "Turn a lamp on or off.",
            json!({"type": "object", "properties": {
                "deviceName": {"type": "string"}, "action": action, "level": {"type": "integer"},
            }, "required": ["deviceName", "action"]}),
        ),
        tool("get_time", "The time in a city.", json!({"type": "object"})),
        tool(
            "get_weather",
            "Rain and temperature in a city.",
            json!({"type": "object", "properties": {
                "city": {"type": "string"}, "days": {"type": "integer"},
            }, "required": ["city", "days"]}),
        ),
    ]
}

#[test]
fn the_nearest_tool_comes_last() {
    for (question, nearest_tool) in [
        ("What is the temperature in Oslo?", "get_weather"),
        ("Turn the lamps off", "control_device"),
    ] {
        let tools = tools();
        let examples = nearest(&tools, question);
        assert_eq!(examples.len(), MOST);
        assert_eq!(examples[MOST - 1].tool.name(), nearest_tool, "{question}");
    }
}

#[test]
fn no_value_is_in_the_question() {
    let tools = tools();
    for question in [
        "Turn on the attic lamp",
        "Will it rain in Windhoek within 37 days?",
        "Turn the cellar fan off",
    ] {
        for example in nearest(&tools, question) {
            for value in example.arguments.values() {
                let said = spoken(value).to_lowercase();
                assert!(
                    !question.to_lowercase().contains(&said),
                    "{question}: {said}"
                );
            }
        }
    }
}

#[test]
fn values_of_examples_are_known_again() {
    let tools = tools();
    let examples = nearest(&tools, "Is it going to rain in the city?");
    let weather = &examples[1];
    assert_eq!(weather.question, "get weather: Windhoek, 37");
    assert!(weather.arguments.values().all(is_example_value));
    assert!(!is_example_value(&json!("Oslo")));
    assert!(!is_example_value(&json!(7)));
}
