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
    assert_eq!(tools.nearest("xyz").len(), 2);
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

#[test]
fn lines_and_values_without_a_name_are_passed_over() {
    let tools = ToolSet::from_definitions([
        ToolDefinition::new("get_weather", json!({})),
        ToolDefinition::new("math.find_gcd", json!({})),
    ]);
    for line in [
        "get_weather(",
        "Get",
        "G.et",
        "- get",
        "  1. `get`",
        "- ```",
        "`find",
        "[get_weather(",
        "- [[\"find_gcd(",
        "[{\"name\": ",
        "[(",
        "find",
        "{",
        "> get",
        "> 1. Find it",
        ">",
        ">>",
        ">>>x",
        "Action: x",
        "Tool call: x",
        "",
        "-",
    ] {
        assert!(tools.may_begin_line(line.as_bytes()), "{line}");
    }
    for line in [
        "Good",
        "\n",
        "| a |",
        "- item",
        "Then",
        "**Bold**",
        "=",
        "“x”",
        "> x",
        "> - Then",
        "Getting",
        "- Calmly",
        "> Actual",
        "  1. `x`",
        "`item`",
        "[docs]: https",
        "- [ ] Do it now",
        "[\"x\", \"y\"]",
        "[![CI](badge)",
    ] {
        assert!(!tools.may_begin_line(line.as_bytes()), "{line}");
    }
}

#[test]
fn a_line_fits_a_name_of_any_letters() {
    let fits = |name: &str, line: &str| {
        let tools = ToolSet::from_definitions([ToolDefinition::new(name, json!({}))]);
        tools.may_begin_line(line.as_bytes())
    };
    for (name, line) in [
        ("ls", "ls(x=1)"),
        ("x2y_z", "X2Y-Z {}"),
        // Its small letter is an ASCII one.
        ("to\u{212A}en", "token()"),
        ("größe", "GRÖSSE"),
        ("a.b_cdef", "bCdef()"),
        ("zip__open_file", "open\\_file("),
    ] {
        assert!(fits(name, line), "{name}: {line}");
    }
    assert!(!fits("ls", "lsof()"));
    assert!(!fits("x2y_z", "Xylo"));
}
