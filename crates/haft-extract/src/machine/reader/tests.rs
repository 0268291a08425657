//! The steps of a reply as the header of `machine` lists them.

use serde_json::json;

use super::*;
use crate::{ToolDefinition, ToolSet};

/// The rows of the table in the header of `machine`: the state, the text that is taken, and the events.
fn listed() -> Vec<[String; 3]> {
    let header = include_str!("../../machine.rs").lines();
    let rows = header.filter(|line| line.contains(".rs` | "));
    let cells = |row: &str| {
        let row = row.replace('`', "");
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        [cells[1], cells[3], cells[4]].map(str::to_owned)
    };
    rows.map(cells).collect()
}

/// The name of a variant.
fn variant(value: &impl std::fmt::Debug) -> String {
    let shown = format!("{value:?}");
    shown.split(['(', ' ']).next().unwrap().to_owned()
}

#[test]
fn the_header_of_machine_lists_the_steps_of_a_reply() {
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let tools = ToolSet::from_definitions([ToolDefinition::new("get_weather", city)]);
    let options = &ExtractOptions::default();
    let tools = &tools;
    let mut reply = "Let me look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>";
    let mut reader = Reader::new(options);
    let mut steps = Vec::new();
    while !reply.is_empty() {
        let state = variant(&reader.state);
        let mut events = Vec::new();
        let mut sink = |event: ParseEvent<'_>| events.push(variant(&event));
        let mut here = Cursor::new(Text::whole(reply), About { tools, options }, &mut sink);
        let taken = reader.step(&mut here).unwrap();
        let (text, rest) = reply.split_at(taken);
        steps.push([
            state,
            text.trim_end_matches(' ').replace('\n', "⏎"),
            events.join(", "),
        ]);
        reply = rest;
    }
    assert_eq!(listed(), steps);
}
