//! Markdown without calls comes out as it is, and calls around its fences are found, in one piece
//! and however it is cut.

use haft_extract::{BareCalls, ExtractOptions, Extractor, Piece, ToolDefinition, ToolSet};
use serde_json::json;

fn tools() -> ToolSet {
    let text = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    ToolSet::from_definitions([
        ToolDefinition::new("get_weather", text.clone()),
        ToolDefinition::new("run_code", text),
    ])
}

/// The text without calls, and the calls by name and city.
fn read<'t>(chunks: impl IntoIterator<Item = &'t [u8]>) -> (String, Vec<String>) {
    let (mut text, mut calls) = (String::new(), Vec::new());
    let mut sink = |piece: Piece<'_>| match piece {
        Piece::Text(more) => text.push_str(more),
        Piece::CallEnd { call, .. } => {
            let city = call.args.get("city").and_then(|city| city.as_str());
            calls.push(format!("{} {}", call.name, city.unwrap_or_default()));
        }
        _ => {}
    };
    // Where calls stand is asked here; whether they are meant is asked in `mentions.rs`.
    let mut options = ExtractOptions::default();
    options.bare_calls = BareCalls::Always;
    let mut extractor = Extractor::new(&tools(), options);
    for chunk in chunks {
        extractor.push(chunk, &mut sink);
    }
    extractor.finish(&mut sink);
    (text, calls)
}

/// Reads `text` whole, cut in two everywhere, and in single bytes; the same each time.
fn read_all(text: &str) -> (String, Vec<String>) {
    let bytes = text.as_bytes();
    let whole = read([bytes]);
    for at in 1..bytes.len() {
        let (head, tail) = bytes.split_at(at);
        assert_eq!(read([head, tail]), whole, "cut at {at}: {text}");
    }
    assert_eq!(read(bytes.chunks(1)), whole, "in bytes: {text}");
    whole
}

#[test]
fn fences_without_a_call_are_text() {
    for fence in [
        "```rust\nfn main() {\n    let names: Vec<&str> = vec![];\n}\n```",
        "```json\n{\"kind\": \"example\", \"items\": [1, 2]}\n```",
        "```json\n{\"kind\": \"weather\"}\n```",
        "```\nplain\n  ```",
        "- ```sh\n  # a comment\n  $ cargo test\n  ```",
        "````\n```\n[docs]\n```\n````",
        "```toml\n[dependencies]\nhaft = \"1\"\n```",
        "```python\n>>> x = [1]\n>>> x\n[1]\n```",
        "```diff\n- get_weather(city=\"Oslo\")\n```",
        "```js\nlet fence = '```';\nlet x = a < b;\n```",
        "```rust\n// See `x`, <b> and [y].\nfn x() {}\n```",
        "```x``` in a line",
        "```rust\nnothing closes it",
        "```\n\n```",
        "``` \nx\n``` \n",
    ] {
        for around in ["Look:\n", "Look:\n\n", "[a]: b\n`c`\n1. d\n> e\n- [ ] f\n"] {
            let text = format!("{around}{fence}\nThat [was](it), <i>really</i>: a < b.");
            assert_eq!(read_all(&text), (text.clone(), Vec::new()));
        }
    }
}

#[test]
fn calls_around_fences_are_found() {
    const CALL: &str = "get_weather(city=\"Oslo\")";
    const FENCE: &str = "```rust\nfn main() {\n    x[0] = a < b;\n}\n```\n";
    for text in [
        format!("Look:\n{FENCE}{CALL}"),
        format!("Look:\n{FENCE}\nAnd:\n```\n{CALL}\n```"),
        format!("Look:\n{FENCE}- `{CALL}`"),
        format!("Look:\n{FENCE}> {CALL}"),
        format!(
            "Look:\n{FENCE}<tool_call>{{\"name\": \"get_weather\", \"arguments\": {{\"city\": \"Oslo\"}}}}</tool_call>"
        ),
        format!(
            "Look:\n{FENCE}[{{\"name\": \"get_weather\", \"arguments\": {{\"city\": \"Oslo\"}}}}]"
        ),
        format!(
            "Look:\n{FENCE}[TOOL_CALLS][{{\"name\": \"get_weather\", \"arguments\": {{\"city\": \"Oslo\"}}}}]"
        ),
        format!(
            "Look:\n{FENCE}```json\n{{\"name\": \"getWeather\", \"arguments\": {{\"city\": \"Oslo\"}}}}\n```"
        ),
        format!("Look:\n```\n# first\n{CALL}\n```"),
    ] {
        let (rest, calls) = read_all(&text);
        assert_eq!(calls, ["get_weather Oslo"], "{text}");
        assert!(rest.starts_with("Look:"), "{text}: {rest}");
    }
}

#[test]
fn lines_that_begin_like_a_tool_are_text() {
    let text = "Getting there.\nRunning late.\nGet the weather.\n- Get it\n> Run it\n[get](x)\n\
        [Get weather](y) soon\n`get`\nrun\nget_weather\n[run_code]: z\n\"get_weather\"\nGET /x\n";
    assert_eq!(read_all(text), (text.to_owned(), Vec::new()));
}

#[test]
fn a_long_fence_is_the_same_in_pieces() {
    // Its first line that looks like its end is not the one that ends it.
    let lines = "    and [`x`](y)\n".repeat(400);
    let text =
        format!("```pytho\n  ```\n{lines}look at(city) or get_weather(city=\"Oslo\")\n```\nSo.");
    let read = |size: usize, tools: &ToolSet, text_mode: bool| {
        let mut options = ExtractOptions::default();
        options.text_mode = text_mode;
        let (mut rest, mut calls) = (String::new(), 0);
        let mut sink = |piece: Piece<'_>| match piece {
            Piece::Text(more) => rest.push_str(more),
            Piece::CallEnd { .. } => calls += 1,
            _ => {}
        };
        let mut extractor = Extractor::new(tools, options);
        for chunk in text.as_bytes().chunks(size) {
            extractor.push(chunk, &mut sink);
        }
        extractor.finish(&mut sink);
        (rest, calls)
    };
    for tools in [tools(), ToolSet::any()] {
        for text_mode in [false, true] {
            let whole = read(text.len(), &tools, text_mode);
            for size in [1, 4, 1000, 5000] {
                assert_eq!(read(size, &tools, text_mode), whole, "{size}, {text_mode}");
            }
        }
    }
}

#[test]
fn a_fence_beyond_the_bound_on_held_text_is_the_same_in_pieces() {
    // Nothing closes it, and in text mode its lines may hold calls.
    let text = format!("```t\n{}", "for i in range(3): go on\n".repeat(200));
    let read = |size: usize| {
        let mut options = ExtractOptions::default();
        options.text_mode = true;
        options.hold_limit = 23;
        let mut read = Vec::new();
        let mut sink = |piece: Piece<'_>| {
            if let Piece::CallEnd { call, .. } = piece {
                read.push((call.name, call.args));
            }
        };
        let mut extractor = Extractor::new(&ToolSet::any(), options);
        for chunk in text.as_bytes().chunks(size) {
            extractor.push(chunk, &mut sink);
        }
        extractor.finish(&mut sink);
        read
    };
    let whole = read(text.len());
    assert_eq!(whole.len(), 1);
    for size in [1, 4, 1000, 3000] {
        assert_eq!(read(size), whole, "{size}");
    }
}

#[test]
fn many_indented_fences_are_read_to_the_end() {
    // A reader that looked from each of them for the end of the last would not come back.
    let text = format!("x\n{}\n```\n", "  ```a\n// y <b\n  ```\n".repeat(30_000));
    assert_eq!(read([text.as_bytes()]), (text.clone(), Vec::new()));
}
