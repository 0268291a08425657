//! Calls that are announced before they are whole, though nothing is decided yet.

use serde_json::json;

use crate::{ExtractOptions, Extractor, Piece, ToolDefinition, ToolSet};

fn tools() -> ToolSet {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}});
    let tool = |name: &str| ToolDefinition::new(name, schema.clone());
    ToolSet::from_definitions([tool("get_weather"), tool("get_news")])
}

/// The names of the calls that begin before `end` stands in the reply, and those of the calls.
fn begun(reply: &str, end: &str) -> (Vec<String>, Vec<String>) {
    let (early, late) = reply.split_at(reply.find(end).unwrap());
    let (mut begun, mut made) = (Vec::new(), Vec::new());
    let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
    for byte in early.as_bytes().chunks(1) {
        extractor.push(byte, &mut |piece| {
            if let Piece::CallStart { name, .. } = piece {
                begun.push(name.to_owned());
            }
        });
    }
    extractor.finish_with(late, &mut |piece| match piece {
        Piece::CallStart { index, .. } => assert!(index >= begun.len(), "it begins twice"),
        Piece::CallEnd { call, .. } => made.push(call.name),
        _ => {}
    });
    (begun, made)
}

#[test]
fn a_call_without_a_marker_begins_with_its_arguments() {
    let weather = r#"{"name": "get_weather", "arguments": {"city": "Oslo"}}"#;
    let news = r#"{"name": "get_news", "arguments": {"city": "Rome"}}"#;
    for reply in [
        weather.to_owned(),
        format!("Sure.\n{weather}"),
        r#"{"get_weather": {"city": "Oslo"}}"#.to_owned(),
        r#"get_weather {"city": "Oslo"}"#.to_owned(),
        r#"get_weather(city="Oslo")"#.to_owned(),
        r#"<tool_call>{"get_weather": {"city": "Oslo"}}</tool_call>"#.to_owned(),
    ] {
        let one = vec!["get_weather".to_owned()];
        assert_eq!(begun(&reply, "Oslo"), (one.clone(), one), "{reply}");
    }
    let python = r#"[get_weather(city="Oslo"), get_news(city="Rome")]"#;
    for reply in [format!("[{weather}, {news}]"), python.to_owned()] {
        let (begun, made) = begun(&reply, "Rome");
        assert_eq!(begun, ["get_weather"], "{reply}");
        assert_eq!(made, ["get_weather", "get_news"], "{reply}");
    }
}

#[test]
fn what_is_decided_at_once_is_not_announced() {
    let reply = r#"{"name": "get_weather", "arguments": {"city": "Oslo"}} is how it looks."#;
    let mut pieces = 0;
    let extractor = Extractor::new(&tools(), ExtractOptions::default());
    extractor.finish_with(reply, &mut |piece| {
        pieces += usize::from(matches!(piece, Piece::CallStart { .. }));
    });
    assert_eq!(pieces, 0);
}

#[test]
fn what_is_announced_in_vain_is_told_once_as_text() {
    let reply = "get_weather(city, days) is its signature\n";
    let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
    let (mut text, mut calls) = (String::new(), 0);
    let mut see = |piece: Piece<'_>| match piece {
        Piece::Text(more) => text.push_str(more),
        Piece::CallEnd { .. } => calls += 1,
        _ => {}
    };
    for byte in reply.as_bytes().chunks(1) {
        extractor.push(byte, &mut see);
    }
    extractor.finish(&mut see);
    assert_eq!((text.as_str(), calls), (reply, 0));
}
