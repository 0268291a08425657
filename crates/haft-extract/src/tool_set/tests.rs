use serde_json::json;

use super::*;

fn name(tools: &ToolSet, written: &str) -> Option<String> {
    match tools.find(written) {
        Named::Bound(tool) => Some(tool.definition.name.clone()),
        _ => None,
    }
}

#[test]
fn a_name_is_found_whatever_its_case_separators_and_prefix() {
    let tools = ToolSet::from_definitions([
        ToolDefinition::new("get_weather", json!({})),
        ToolDefinition::new("math.gcd", json!({})),
    ]);
    for written in [
        "get_weather",
        "getWeather",
        "GET-WEATHER",
        "functions.get_weather",
        "get\\_weather",
    ] {
        assert_eq!(
            name(&tools, written).as_deref(),
            Some("get_weather"),
            "{written}"
        );
    }
    assert_eq!(name(&tools, "math_gcd").as_deref(), Some("math.gcd"));
    assert_eq!(name(&tools, "get_wether"), None);
    assert_eq!(tools.nearest("get_wether"), ["get_weather"]);
}

#[test]
fn a_name_that_two_tools_share_by_letters_is_found_exactly_only() {
    let tools = ToolSet::from_definitions([
        ToolDefinition::new("a_b", json!({})),
        ToolDefinition::new("aB", json!({})),
    ]);
    assert_eq!(name(&tools, "aB").as_deref(), Some("aB"));
    assert_eq!(name(&tools, "A-B"), None);
}
