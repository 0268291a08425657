//! Any reply, cut at any place: no panic, and the answer of the whole reply.
#![no_main]

use haft::extract::{ExtractOptions, Extraction, Extractor, ToolDefinition, ToolSet, extract};
use haft::serde_json::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, usize, bool)| {
    let (reply, cut, is_bound) = input;
    let schema = json!({
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    });
    let tools = match is_bound {
        true => ToolSet::from_definitions([ToolDefinition::new("get_weather", schema)]),
        false => ToolSet::any(),
    };
    let whole = extract(&tools, ExtractOptions::default(), reply);

    let (start, end) = reply.as_bytes().split_at(cut % (reply.len() + 1));
    let mut parts = Extraction::default();
    let mut extractor = Extractor::new(&tools, ExtractOptions::default());
    extractor.push(start, &mut |piece| parts.add(piece));
    extractor.push(end, &mut |piece| parts.add(piece));
    extractor.finish(&mut |piece| parts.add(piece));
    assert_eq!(whole, parts);
});
