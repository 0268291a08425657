#![expect(clippy::string_slice, reason = "tests may die")]

use serde_json::json;

use crate::{BareCalls, ExtractOptions, Extraction, Extractor, Piece, ToolDefinition, ToolSet};

fn tools() -> ToolSet {
    let text = json!({"type": "string"});
    ToolSet::from_definitions([
        ToolDefinition::new(
            "get_weather",
            json!({"type": "object", "properties": {"city": text, "days": {"type": "integer"}}}),
        ),
        ToolDefinition::new(
            "run",
            json!({"type": "object", "properties": {"name": text, "arguments": {}, "list": {}}}),
        ),
    ])
}

/// What is read of a reply in pieces, and the arguments of its calls unread.
fn read<'t>(pieces: impl Iterator<Item = &'t str> + Clone) -> (Extraction, Vec<String>) {
    // How lists are read is asked here, not whether they are meant.
    let options = ExtractOptions {
        bare_calls: BareCalls::Always,
        ..ExtractOptions::default()
    };
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(&tools(), options);
    for piece in pieces.clone() {
        extractor.push_text(piece, &mut |piece| extraction.add(piece));
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    let options = ExtractOptions {
        raw: true,
        ..options
    };
    let mut raw = Vec::new();
    let mut sink = |piece: Piece<'_>| {
        if let Piece::RawCall(call) = piece {
            raw.push(call.arguments.to_owned());
        }
    };
    let mut extractor = Extractor::new(&tools(), options);
    for piece in pieces {
        extractor.push_text(piece, &mut sink);
    }
    extractor.finish(&mut sink);
    (extraction, raw)
}

/// A list that comes letter by letter is read the careful way.
#[test]
fn the_careful_way_agrees() {
    for (calls, reply) in [
        (
            2,
            "[get_weather(city='Oslo', days=3), run(list=[1, 'x', {'k': None}])]",
        ),
        (1, "[run()]\nDone."),
        (1, "- [ get_weather( city = 'Oslo' ) ]"),
        (1, "[get_weather(city=\"it's\", days=-1)] and more"),
        (
            2,
            "Well.\n\n[get_weather(city='São Paulo'),\n run(name='a\\nb\\'')]  \nText.",
        ),
        (1, "[get_weather(city='Oslo', days='3')]"),
        (1, "[get_weather(town='Oslo')]"),
        (1, "[run(name='run', arguments={'list': [1]})]"),
        (1, "[run(name='get_weather(city)')]"),
        (0, "[get_weather(city: str)]"),
        (1, "[get_weather(city='it's')]"),
        (1, "[getWeather(city='Oslo')]"),
        (2, "[get_weather(city='Oslo'); run()]"),
        (2, "[get_weather(city='Oslo'), unknown(a=1)]"),
        (1, "[get_weather(city='Oslo', city='Bergen')]"),
        (1, "```python\n[get_weather(city='Oslo')]\n```"),
    ] {
        let (whole, raw) = read(std::iter::once(reply));
        let letters = reply
            .char_indices()
            .map(|(at, letter)| &reply[at..at + letter.len_utf8()]);
        assert_eq!((whole.clone(), raw), read(letters), "{reply}");
        assert_eq!(
            whole.calls.len() + whole.invalid.len(),
            calls,
            "{reply}\n{whole:#?}"
        );
    }
}

#[test]
fn a_plain_list_is_read_without_a_repair() {
    let (read, raw) = read(std::iter::once("[get_weather(city='Oslo', days=3)]"));
    assert_eq!(read.calls[0].args["city"], "Oslo");
    assert_eq!((read.repairs.len(), read.format), (0, Some("pythonic")));
    assert_eq!(raw, [r#"{"city":"Oslo","days":3}"#]);
}
