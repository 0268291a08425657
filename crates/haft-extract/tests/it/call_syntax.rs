//! Calls written as `name(arguments)`: which names count, equal calls, and the results of plain
//! examples.

use haft_core::ToolCall;
use haft_extract::{ExtractOptions, Extraction, Format, ToolDefinition, ToolSet, extract};
use serde_json::{Value, json};

/// Tools by these names that take any arguments.
fn tools(names: &[&str]) -> ToolSet {
    let schema = json!({"type": "object"});
    ToolSet::from_definitions(
        names
            .iter()
            .map(|name| ToolDefinition::new(*name, schema.clone())),
    )
}

/// Reads `reply` without a hint, and as from a model that was taught to write `name(arguments)`.
fn readings(names: &[&str], reply: &str) -> [Extraction; 2] {
    let taught = ExtractOptions::for_format(Format::PlainCall);
    [ExtractOptions::default(), taught].map(|options| extract(&tools(names), options, reply))
}

/// Name and arguments of the calls.
fn calls(reading: &Extraction) -> Vec<(&str, Value)> {
    let calls = reading.calls.iter();
    calls
        .map(|call| (call.name.as_str(), Value::Object(call.args.clone())))
        .collect()
}

#[test]
fn s004_06_a_name_starts_with_a_letter_or_underscore_and_keeps_its_case() {
    for name in ["get_weather", "_private_tool", "API_Call", "SearchDatabase"] {
        for reading in readings(&[name], &format!("{name}(x=1)")) {
            assert_eq!(calls(&reading), [(name, json!({"x": 1}))]);
        }
    }
    for reply in ["123abc(x=1)", "(x=1)", "-abc(x=1)", "1(x=1)"] {
        for reading in readings(&["abc", "get_weather"], reply) {
            assert_eq!(reading.calls, [], "{reply}");
            assert_eq!(reading.content, reply);
        }
    }
}

#[test]
fn s004_05_several_calls_are_found_in_their_order_between_text() {
    let reply = "First I look.\nlook(q=\"a) b\") search(q=\"c\")\nThen:\nlook(q=\"d\")\nsearch(q=\"e\" is not closed.";
    let taught = ExtractOptions::for_format(Format::PlainCall);
    let reading = extract(&tools(&["search", "look"]), taught, reply);
    let expected = [
        ("look", json!({"q": "a) b"})),
        ("search", json!({"q": "c"})),
        ("look", json!({"q": "d"})),
    ];
    assert_eq!(calls(&reading), expected);
    assert!(reading.content.starts_with("First I look."), "{reading:?}");
    assert!(reading.content.contains("Then:"), "{reading:?}");
}

#[test]
fn s004_07_equal_calls_count_once_and_ids_have_no_gaps() {
    let reply = "search(q=\"a\")\nsearch(q=\"a\")\nsearch(q=\"b\")\nlook(q=\"a\")";
    for reading in readings(&["search", "look"], reply) {
        let expected = [("search", "a", 0), ("search", "b", 1), ("look", "a", 2)];
        let expected = expected.map(|(name, q, index)| {
            ToolCall::new(name, json!({"q": q}), format!("{name}_{index}"))
        });
        assert_eq!(reading.calls, expected);
    }
}

#[test]
fn s004_08_the_worked_examples_have_exactly_these_arguments() {
    let names = ["SearchDatabase", "get_weather"];
    for (reply, name, args) in [
        (
            "SearchDatabase(query=\"python\", limit=10)",
            "SearchDatabase",
            json!({"query": "python", "limit": 10}),
        ),
        (
            "get_weather(city=\"New York\")",
            "get_weather",
            json!({"city": "New York"}),
        ),
    ] {
        for reading in readings(&names, reply) {
            let call = ToolCall::new(name, args.clone(), format!("{name}_0"));
            assert_eq!(reading.calls, [call]);
            assert_eq!(reading.content, "");
        }
    }
}
