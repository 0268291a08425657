//! Calls at the end of closed thoughts.

use serde_json::json;

use crate::{ExtractOptions, Extraction, Extractor, ToolDefinition, ToolSet};

const READ: &str = "<think>\nThe time is wanted.\nget_clock(zone=\"Asia/Tokyo\")\n</think>\n";

fn tools() -> ToolSet {
    let schema = json!({"type": "object", "properties": {"zone": {"type": "string"}}});
    ToolSet::from_definitions([
        ToolDefinition::new("get_clock", schema.clone()).read_only(true),
        ToolDefinition::new("set_clock", schema),
    ])
}

fn read(reply: &str, chunk: usize, thought_calls: bool) -> Extraction {
    let options = ExtractOptions {
        thought_calls,
        ..ExtractOptions::default()
    };
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(&tools(), options);
    for chunk in reply.as_bytes().chunks(chunk) {
        extractor.push(chunk, &mut |piece| extraction.add(piece));
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    extraction
}

#[test]
fn a_thought_that_is_all_of_the_reply_makes_its_call_on_request() {
    let markers = "I look.\n<tool_call>{\"name\": \"get_clock\", \"arguments\": {}}</tool_call>";
    for reply in [
        READ.to_owned(),
        format!("<think>{markers}</think>"),
        "<think>get_clock()</think>".to_owned(),
    ] {
        for chunk in 1..=reply.len() {
            let found = read(&reply, chunk, true);
            assert_eq!(found.calls.len(), 1, "{reply}, by {chunk}");
            assert_eq!(found.calls[0].name, "get_clock");
            assert_eq!(found.calls[0].id, "get_clock_0");
            assert!(read(&reply, chunk, false).calls.is_empty());
        }
    }
    assert_eq!(read(READ, 7, true).calls[0].args["zone"], "Asia/Tokyo");
    assert!(read(READ, 7, true).reasoning.contains("get_clock(zone"));
}

#[test]
fn no_other_thought_does() {
    for reply in [
        // Something follows, or the call does not end the thought.
        format!("{READ}It is late."),
        "<think>\nget_clock()\nNo, that is not needed here.\n</think>".to_owned(),
        "<think>I could use get_clock() here.</think>".to_owned(),
        // The tool changes something, or one of them does.
        READ.replace("get_clock", "set_clock"),
        READ.replace("get_clock(", "set_clock()\nget_clock("),
        // There is no such tool.
        READ.replace("get_clock", "read_clock"),
    ] {
        assert!(read(&reply, 5, true).calls.is_empty(), "{reply}");
    }
    let spoken = format!("{READ}get_clock(zone=\"UTC\")");
    assert_eq!(read(&spoken, 5, true).calls.len(), 1);
}

#[test]
fn a_reply_that_was_cut_makes_none() {
    let options = ExtractOptions {
        thought_calls: true,
        ..ExtractOptions::default()
    };
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(&tools(), options);
    extractor.push(READ.as_bytes(), &mut |piece| extraction.add(piece));
    extractor.finish_cut(&mut |piece| extraction.add(piece));
    assert!(extraction.calls.is_empty());
}
