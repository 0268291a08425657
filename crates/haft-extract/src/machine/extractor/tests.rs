use haft_core::ToolCall;
use haft_schema::RepairKind;
use serde_json::json;

use crate::{
    ExtractOptions, Extraction, Extractor, Format, Piece, ToolDefinition, ToolSet, extract,
};

fn tools() -> ToolSet {
    ToolSet::from_definitions([ToolDefinition::new(
        "get_weather",
        json!({"type": "object", "properties": {"city": {"type": "string"}}}),
    )])
}

fn in_chunks(reply: &[u8], size: usize) -> Extraction {
    read_with(ExtractOptions::default(), reply, size)
}

fn read_with(options: ExtractOptions, reply: &[u8], size: usize) -> Extraction {
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(&tools(), options);
    for chunk in reply.chunks(size) {
        extractor.push(chunk, &mut |piece| extraction.add(piece));
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    extraction
}

#[test]
fn s004_05_a_forced_plain_call_counts_anywhere_in_a_line() {
    let reply = "I will call get_weather(city=\"Oslo\") now.";
    let auto = extract(&tools(), ExtractOptions::default(), reply);
    assert_eq!((auto.calls, auto.content.as_str()), (Vec::new(), reply));
    let forced = ExtractOptions::for_format(Format::PlainCall);
    let forced = extract(&tools(), forced, reply);
    let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "get_weather_0");
    assert_eq!(forced.calls, [call]);
    assert_eq!(forced.content, "I will call now.");
}

#[test]
fn characters_that_a_chunk_cut_are_put_together() {
    let reply = "東京 🚆 é";
    for size in 1..6 {
        assert_eq!(in_chunks(reply.as_bytes(), size).content, reply);
    }
}

#[test]
fn bytes_that_are_no_text_become_replacement_characters_however_cut() {
    let reply = b"a\xFFb\xE6\x9Dc\xF0\x9F";
    for size in 1..8 {
        assert_eq!(
            in_chunks(reply, size).content,
            "a\u{FFFD}b\u{FFFD}c\u{FFFD}"
        );
    }
}

#[test]
fn the_word_behind_the_longest_header_is_markup_however_cut() {
    for gap in 0..24 {
        let reply = format!("<|channel|>{}<|channel|>commentary", "a".repeat(480 + gap));
        let whole = in_chunks(reply.as_bytes(), reply.len());
        for size in [1, 3, 4] {
            assert_eq!(in_chunks(reply.as_bytes(), size), whole, "{gap} {size}");
        }
    }
}

#[test]
fn the_kind_of_a_message_is_markup_up_to_the_longest_header_however_cut() {
    for gap in 0..24 {
        let reply = format!("<|channel|>a <|constrain|>{}", "j".repeat(480 + gap));
        let whole = in_chunks(reply.as_bytes(), reply.len());
        for size in [1, 3, 4] {
            assert_eq!(in_chunks(reply.as_bytes(), size), whole, "{gap} {size}");
        }
    }
}

#[test]
fn a_tag_in_an_open_fence_is_text_however_cut() {
    let reply = b"[TOOL]a(}\"\n```\n}\n``` </invoke";
    for size in [1, 2, 7, 100] {
        assert_eq!(
            in_chunks(reply, size).content,
            "\"\n```\n}\n``` </invoke",
            "{size}"
        );
    }
}

/// The kinds of the repairs of the only call, read whole and byte by byte.
fn repairs_of(reply: &str) -> Vec<RepairKind> {
    let tools = ToolSet::from_definitions([ToolDefinition::new(
        "ping",
        json!({"type": "object", "properties": {"host": {"type": "string"}}}),
    )]);
    let whole = extract(&tools, ExtractOptions::default(), reply);
    let mut bytes = Extraction::default();
    let mut extractor = Extractor::new(&tools, ExtractOptions::default());
    for byte in reply.as_bytes().chunks(1) {
        extractor.push(byte, &mut |piece| bytes.add(piece));
    }
    extractor.finish(&mut |piece| bytes.add(piece));
    assert_eq!(whole, bytes, "{reply}");
    assert_eq!(whole.calls.len(), 1, "{reply}");
    assert!(whole.repairs.iter().all(|(index, _)| *index == 0));
    whole
        .repairs
        .iter()
        .map(|(_, repair)| repair.kind)
        .collect()
}

#[test]
fn a_wrapper_that_is_not_closed_is_a_repair_of_its_last_call() {
    let object = "{\"name\": \"ping\", \"arguments\": {\"host\": \"a\"}}";
    let tags = "<function=ping>\n<parameter=host>\na\n</parameter>\n</function>\n";
    for open in [
        format!("<tool_call>\n{object}\n"),
        format!("<tool_call>{object}"),
        format!("<tool_call>\n{object}\nThat is all."),
        format!("<tool_call>\n{tags}"),
        format!("<tool_calls>[{object}]"),
        format!("<tool_call>\n{object}\n</tool_c"),
    ] {
        assert_eq!(repairs_of(&open), [RepairKind::TagRepaired], "{open}");
    }
    for closed in [
        format!("<tool_call>\n{object}\n</tool_call>"),
        format!("<tool_call>\n{tags}</tool_call>\nDone."),
        format!("<tool_calls>[{object}]</tool_calls>"),
        // Templates that close nothing.
        format!("<tool_call>[{object}]"),
        format!("<|tool_call|>[{object}]"),
        format!("[TOOL_CALLS] [{object}]"),
        format!("<function_call> {object}"),
        format!("<|python_tag|>{object}"),
        object.to_owned(),
        "ping(host=\"a\")".to_owned(),
    ] {
        assert_eq!(repairs_of(&closed), [], "{closed}");
    }
}

#[test]
fn a_closing_quote_that_was_lost_is_a_repair() {
    let lost = "[ping(host=\"a), ping(host=\"a\")]";
    assert_eq!(repairs_of(lost), [RepairKind::QuotesRepaired]);
}

#[test]
fn a_name_that_sticks_to_a_sentence_is_found_however_the_reply_is_cut() {
    let reply = "Let me see.get_weather\n{\"city\": \"Oslo\"}";
    for options in [
        ExtractOptions::default(),
        ExtractOptions::for_format(Format::PlainCall),
    ] {
        let whole = extract(&tools(), options, reply);
        assert_eq!(whole.calls.len(), 1);
        let mut parts = Extraction::default();
        let mut extractor = Extractor::new(&tools(), options);
        for letter in reply.split_inclusive("") {
            extractor.push_text(letter, &mut |piece| parts.add(piece));
        }
        extractor.finish(&mut |piece| parts.add(piece));
        assert_eq!(parts, whole);
    }
}

#[test]
fn little_damage_reads_the_same_letter_by_letter() {
    let long = "x".repeat(200);
    for (tools, reply) in [
        (tools(), format!("<|channel>{long}")),
        (tools(), format!("```{long}\nget_weather(city=\"Oslo\")")),
        (
            tools(),
            format!(
                "```json {{\"name\": \"get_weather\", \"arguments\": {{\"city\": \"{long}\"}}}}```"
            ),
        ),
        (
            tools(),
            "[TOOL]{\"name\":\"get_weather\",\"argument\":{\"city\":\"\"}}]\"}".to_owned(),
        ),
        (
            tools(),
            "<｜tool▁call▁begin｜>>get_weather<｜tool▁sep｜>{\"city\":\"\"}<｜tool▁call▁end｜>"
                .to_owned(),
        ),
        (tools(), "<functioncalls<function=get_weather>a".to_owned()),
        (tools(), "<｜tool>a{)'a'<function name=".to_owned()),
        (ToolSet::any(), "Action:a: ".to_owned()),
        (ToolSet::any(), "Action:a:\n".to_owned()),
    ] {
        let whole = extract(&tools, ExtractOptions::default(), &reply);
        let mut parts = Extraction::default();
        let mut extractor = Extractor::new(&tools, ExtractOptions::default());
        for byte in reply.as_bytes().chunks(1) {
            extractor.push(byte, &mut |piece| parts.add(piece));
        }
        extractor.finish(&mut |piece| parts.add(piece));
        assert_eq!(parts, whole, "{reply}");
    }
}

#[test]
fn what_follows_the_arguments_of_a_damaged_call_reads_the_same_however_cut() {
    for reply in [
        "functools[\"name:\"get_weather\",\"argument\"{}a \"}\n\nAnd \"more\".\n",
        "functools[\"name:\"get_weather\",\"argument\"{}a \"} and get_weather(city=\"x\")\n",
        "<toolcall\"name:\"get_weather\",\"argument\"{}f\n<toolcall\"name:\"get_weather\",\"argument\"{\"city\":\"x\"}f \"}\ny",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {}, \"a\": r\"}\"}</tool_call> b",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {} # \"}\n}</tool_call> b",
    ] {
        let whole = in_chunks(reply.as_bytes(), reply.len());
        assert!(!whole.calls.is_empty(), "{reply}");
        for size in 1..6 {
            assert_eq!(
                in_chunks(reply.as_bytes(), size),
                whole,
                "{reply} by {size}"
            );
        }
    }
}

#[test]
fn a_call_that_is_held_too_long_in_a_thought_is_given_up_however_it_is_cut() {
    let reply = "<tool_call>\n\"aaaaaaaaats\" {\"city\" \"Oslo\"}}\n</tool_call>````md\n```json\n\
        {\"name\": \"noop\", \"arguments\": {}}\n```\n```<function=getweather{city:\"\"}";
    for hold_limit in [60, 105, 111, 140] {
        let read = |size: usize| {
            let options = ExtractOptions {
                starts_thinking: true,
                hold_limit,
                ..ExtractOptions::default()
            };
            read_with(options, reply.as_bytes(), size)
        };
        for size in 1..6 {
            assert_eq!(read(size), read(reply.len()), "{hold_limit}, by {size}");
        }
    }
}

#[test]
fn text_of_a_thought_that_never_closes_comes_once() {
    let reply = "<tool>a<argkey<toolcall>><tool>functionget_weather";
    let options = ExtractOptions {
        starts_thinking: true,
        ..ExtractOptions::default()
    };
    for size in 1..=reply.len() {
        let found = read_with(options, reply.as_bytes(), size);
        assert!(!found.content.contains("argkey"), "{}", found.content);
    }
}

#[test]
fn a_header_without_tokens_is_looked_for_as_far_as_text_is_held_back() {
    let reply = "analysis We look. assistantfinalIt rains.";
    let read = |hold_limit: usize, size: usize| {
        let options = ExtractOptions {
            hold_limit,
            ..ExtractOptions::default()
        };
        read_with(options, reply.as_bytes(), size)
    };
    for hold_limit in 1..=reply.len() {
        for size in 1..6 {
            let whole = read(hold_limit, reply.len());
            assert_eq!(read(hold_limit, size), whole, "{hold_limit}, by {size}");
        }
    }
    assert_eq!(read(1, 1).content, reply);
    assert_eq!(read(reply.len(), 1).content, "It rains.");
}

#[test]
fn endless_separators_behind_a_call_are_not_kept() {
    let call = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n";
    for separators in [",,,,", " ;\n,", "]]))"] {
        let reply = format!("{call}{}", separators.repeat(2000));
        let mut extraction = Extraction::default();
        let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
        for chunk in reply.as_bytes().chunks(7) {
            extractor.push(chunk, &mut |piece| extraction.add(piece));
            assert!(extractor.held.len() < 1024, "{separators:?}");
        }
        extractor.finish(&mut |piece| extraction.add(piece));
        assert_eq!(extraction, in_chunks(reply.as_bytes(), reply.len()));
        assert_eq!(extraction.calls.len(), 1, "{separators:?}");
    }
}

#[test]
fn comparisons_in_a_value_and_in_text_are_shown_as_they_come() {
    let shown_of = |before: &str, code: &str| {
        let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
        let mut shown = String::new();
        for chunk in [before, code].concat().as_bytes().chunks(3) {
            extractor.push(chunk, &mut |piece| match piece {
                Piece::CallArgs { fragment, .. } => shown.push_str(fragment),
                Piece::Text(text) => shown.push_str(text),
                _ => {}
            });
        }
        shown
    };
    let value = "<tool_call>\n<function=get_weather>\n<parameter=city>\n";
    for code in [
        "for (i=0;i<n;i++) {",
        "f(a <b) + c;",
        "x<3 and more",
        "<0;1> and",
    ] {
        for before in [value, "Let me see. "] {
            let shown = shown_of(before, code);
            let (known, _) = code.split_at(code.len() - 3);
            assert!(shown.contains(known), "{shown:?} of {code:?}");
        }
    }
}

#[test]
fn the_beginning_of_a_tag_at_the_end_is_the_same_however_the_reply_is_cut() {
    let call = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}";
    let ends = ["</tool_call>", ""];
    for (tag, shown) in [
        ("</tool_c", ""),
        ("<|im_e", ""),
        ("<tool", ""),
        ("<▁", "<▁"),
        ("<é", "<é"),
        ("<3", "<3"),
    ] {
        for end in ends {
            let reply = format!("{call}{end}\n{tag}");
            for size in 1..=reply.len() {
                let read = in_chunks(reply.as_bytes(), size);
                assert_eq!(read.content, shown, "{reply:?} by {size}");
            }
            let whole = extract(&tools(), ExtractOptions::default(), &reply);
            assert_eq!(whole.content, shown, "{reply:?}");
        }
    }
}
