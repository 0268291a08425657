use serde_json::Map;

use super::*;

fn tool(name: &str, description: &str) -> Tool {
    Tool::new(
        name.to_owned(),
        description.to_owned(),
        Arc::new(Map::new()),
    )
}

fn tools(count: usize, description: &str) -> Vec<Tool> {
    let tool = |number| tool(&format!("tool{number}"), description);
    (0..count).map(tool).collect()
}

/// The reports about a list as text.
fn reports(listed: &Listed) -> Vec<String> {
    listed.left_out.iter().map(ToString::to_string).collect()
}

#[test]
fn tools_too_large_too_deep_or_listed_twice_are_left_out_and_reported() {
    let mut deep = json!({});
    for _ in 0..70 {
        deep = json!({"a": deep});
    }
    let Value::Object(deep) = deep else { panic!() };
    let listed = bounded(
        vec![
            tool("fine", "First"),
            tool("large", &"x".repeat(MAX_TOOL)),
            Tool::new("deep", "Deep", Arc::new(deep)),
            tool("fine", "Second"),
            tool("last", "Last"),
        ],
        0,
        "s",
    );
    let names: Vec<_> = listed.tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["fine", "last"]);
    assert_eq!(listed.tools[0].description.as_deref(), Some("First"));
    let reports = reports(&listed);
    assert!(reports[0].starts_with("the tool large is left out: its definition has 262"));
    assert_eq!(
        reports[1..],
        [
            "the tool deep is left out: its schema is nested deeper than 64 levels",
            "the tool fine is left out: the server has a tool of this name before it",
        ]
    );
}

#[test]
fn every_tool_beyond_the_limit_is_reported() {
    for cut in [0, 5] {
        let listed = bounded(tools(MAX_TOOLS + 1, "Same"), cut, "s");
        assert_eq!(listed.tools.len(), MAX_TOOLS);
        let counts = listed.left_out.iter().map(|one| one.count.unwrap());
        assert_eq!(counts.sum::<usize>(), 1 + cut);
        assert_eq!(
            reports(&listed)[0],
            "the tool tool1000 is left out: a server may have 1000 tools"
        );
    }
    let listed = bounded(tools(MAX_TOOLS, "Same"), 7, "s");
    assert_eq!(
        reports(&listed),
        ["7 more tools are left out: a server may have 1000 tools"]
    );
}

#[test]
fn the_rest_of_a_list_that_is_too_large_is_named_up_to_a_limit() {
    let listed = bounded(tools(300, &"x".repeat(20_000)), 0, "s");
    let kept = listed.tools.len();
    let reports = reports(&listed);
    assert!(
        kept < 105 && reports.len() == 101,
        "{kept} and {}",
        reports.len()
    );
    let counts = listed.left_out.iter().map(|one| one.count.unwrap());
    assert_eq!(kept + counts.sum::<usize>(), 300);
    assert!(reports[0].contains("may have 2097152 bytes together"));
}

#[test]
fn definitions_that_are_no_tools_are_reported_by_name() {
    let page = json!({"tools": [
        {"name": "fine"}, {"name": "odd", "inputSchema": 7}, {"description": "nameless"}, 3
    ]});
    let page = understood(page, "s").unwrap();
    assert_eq!(page.tools.len(), 1);
    let named: Vec<_> = page
        .left_out
        .iter()
        .map(|one| one.tool.as_deref())
        .collect();
    assert_eq!(named, [Some("odd"), None, None]);
    let is_not_understood =
        |one: &McpLeftOut| matches!(one.reason, LeftOutReason::NotUnderstood { .. });
    assert!(page.left_out.iter().all(is_not_understood));
    let json = json!(page.left_out[0]);
    assert_eq!(json["reason"]["kind"], "not_understood");
}
