//! Which formats can be structural tags, and what stands around their calls.

use std::fmt::Write;

use serde_json::json;

use crate::{ExtractOptions, Format, ToolDefinition, ToolSet, extract};

fn tools() -> ToolSet {
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    ToolSet::from_definitions([
        ToolDefinition::new("get_weather", city),
        ToolDefinition::new("get_time", json!(null)),
    ])
}

#[test]
fn what_stands_around_a_call_is_that_of_the_example() {
    let mut shown = String::new();
    for format in Format::all() {
        let Some(tag) = format.structural_tag(&tools()) else {
            continue;
        };
        let (trigger, call) = (&tag["format"]["triggers"][0], &tag["format"]["tags"][0]);
        let (begin, end) = (&call["begin"], &call["end"]);
        writeln!(shown, "{format}: {trigger}\n    {begin} {end}").unwrap();
    }
    assert_eq!(shown, include_str!("begins_and_ends.txt"));
}

#[test]
fn what_the_grammar_allows_is_read_as_that_call() {
    for format in Format::all() {
        let Some(tag) = format.structural_tag(&tools()) else {
            continue;
        };
        for (call, arguments) in [(0, json!({"city": "Oslo"})), (1, json!({}))] {
            let call = &tag["format"]["tags"][call];
            let (begin, end) = (call["begin"].as_str(), call["end"].as_str());
            let reply = format!("{}{arguments}{}", begin.unwrap(), end.unwrap());
            let extraction = extract(&tools(), ExtractOptions::for_format(format), &reply);
            let [call] = extraction.calls.as_slice() else {
                panic!("{format}: {reply}: {extraction:?}");
            };
            assert_eq!(json!(call.args), arguments, "{format}");
            assert_eq!(extraction.content, "", "{format}");
        }
    }
}

#[test]
fn a_tool_without_a_schema_takes_any_object() {
    let tag = Format::Hermes.structural_tag(&tools()).unwrap();
    let content = &tag["format"]["tags"][1]["content"];
    assert_eq!(
        *content,
        json!({"type": "json_schema", "json_schema": {"type": "object"}})
    );
}

#[test]
fn formats_without_json_have_none() {
    for format in [
        Format::Auto,
        Format::Qwen3Coder,
        Format::PlainCall,
        Format::Gemma4,
    ] {
        assert_eq!(format.structural_tag(&tools()), None, "{format}");
    }
}
