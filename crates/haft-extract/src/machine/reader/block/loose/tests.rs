//! What is read, and what is left alone.

use serde_json::json;

use super::calls;
use crate::machine::Written;
use crate::{ToolDefinition, ToolSet};

fn tools() -> ToolSet {
    let parameters = json!({"type": "object", "properties": {
        "unit": {"type": "string"}, "size": {"type": "integer"}, "names": {"type": "array"},
    }});
    ToolSet::from_definitions([
        ToolDefinition::new("area", parameters.clone()),
        ToolDefinition::new("shape.circle", parameters),
    ])
}

/// The calls as `name(arguments)`, and how many repairs they took.
fn read(text: &str) -> Option<(Vec<String>, usize)> {
    let readings = calls(text, &tools())?;
    let mut repairs = 0;
    let calls = readings.iter().map(|call| {
        repairs += call.repairs.len();
        let text = match &call.arguments {
            Written::Call(text) | Written::Object(text) | Written::Value(_, text) => text,
            _ => "?",
        };
        format!("{}({text})", call.name)
    });
    Some((calls.collect(), repairs))
}

#[test]
fn a_lost_quote_is_found_before_the_next_call_or_parameter() {
    for (text, expected, repairs) in [
        (
            "area(unit=\"m), area(unit=\"km\")",
            vec!["area(unit=\"m\")", "area(unit=\"km\")"],
            1,
        ),
        (
            "[area(unit='m), shape.circle(unit='km), area(unit='mm')]",
            vec![
                "area(unit='m')",
                "shape.circle(unit='km')",
                "area(unit='mm')",
            ],
            2,
        ),
        (
            "area(names=[\"a\", \"b]) area(names=[\"c\"])",
            vec!["area(names=[\"a\", \"b\"])", "area(names=[\"c\"])"],
            1,
        ),
        (
            "area(unit=\"m), area(unit=\"km)",
            vec!["area(unit=\"m\")", "area(unit=\"km\")"],
            2,
        ),
        (
            "area(unit=\"m), area(unit=\"km)\"",
            vec!["area(unit=\"m\")", "area(unit=\"km\")"],
            2,
        ),
        (
            "[{'area(unit=\"m)\"}, {'area(size=5)'}]",
            vec!["area(unit=\"m\")", "area(size=5)"],
            1,
        ),
        (
            "area(unit=\"Red, size=15), area(unit=\"km\")",
            vec!["area(unit=\"Red\", size=15)", "area(unit=\"km\")"],
            1,
        ),
    ] {
        let expected = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(read(text), Some((expected, repairs)), "{text}");
    }
}

#[test]
fn names_in_quotes_and_beside_their_arguments_are_calls() {
    for (text, expected) in [
        ("['area'(size=5)]", vec!["area(size=5)"]),
        ("['area', size=5, unit='m']", vec!["area(size=5, unit='m')"]),
        ("[area, size=5]", vec!["area(size=5)"]),
        (
            "[('area', {'size': 5}), 'shape.circle', {'size': 6}]",
            vec!["area({'size': 5})", "shape.circle({'size': 6})"],
        ),
        (
            "[{\"name\": \"area\", \"arguments\": {\"size\": 5}}, 'area'(size=6)]",
            vec!["area({\"size\": 5})", "area(size=6)"],
        ),
        ("['area'('size=5', 'unit=m')]", vec!["area(size=5, unit=m)"]),
        (
            "['area(size=5)', area(size=6), 'no more is known']",
            vec!["area(size=5)", "area(size=6)"],
        ),
    ] {
        let expected = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(read(text), Some((expected, 0)), "{text}");
    }
}

#[test]
fn what_is_not_all_calls_is_left_alone() {
    for text in [
        // Cut off in the middle of a value.
        "area(unit=\"m), area(unit=\"km",
        "area(unit=\"m)",
        "area(size=1), area(unit=\"m)",
        "area(unit=\"m)\"",
        // A quote inside a string, with no call or parameter behind it.
        "area(unit=\"the \"big\" one\")",
        // A call that is spoken of in a string with quotes of its own.
        "area(unit=\"as in area(unit=\"km\")\")",
        "area(size=5], unit='m')",
        "[area, 'unit', 'm']",
        "['area', 'shape.circle']",
        "[area, shape.circle]",
        "['other'(size=5)]",
        "area(size=5) is the call",
        "[area(size=5), so be it]",
        "",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
