mod cut;

use std::sync::Arc;

use haft_core::{Tool, ToolAnnotations};
use haft_extract::ExtractOptions;
use haft_testing::{SpyTool, named_tool};
use serde_json::{Value, json};

use super::*;
use crate::bound::BoundTools;

fn builder() -> ReplyBuilder {
    ReplyBuilder::new(Reading::native(&BoundTools::default()))
}

fn done(builder: ReplyBuilder) -> AiMessage {
    match builder.finish().pop() {
        Some(ChatChunk::Done(message)) => message,
        other => panic!("the last chunk is {other:?}"),
    }
}

#[test]
fn s000_07_args_are_an_object_even_if_the_wire_sent_a_string() {
    let mut reply = builder();
    reply.whole_call(Some("a"), "f", &json!({"x": 1}));
    reply.whole_call(Some("b"), "f", &json!("{\"x\": 1}"));
    reply.whole_call(Some("c"), "f", &json!("\"{\\\"x\\\": 1}\""));
    reply.whole_call(Some("d"), "f", &json!(""));
    reply.whole_call(Some("e"), "f", &Value::Null);
    let calls = done(reply).tool_calls;
    let args: Vec<_> = calls
        .iter()
        .map(|call| Value::Object(call.args.clone()))
        .collect();
    assert_eq!(
        args,
        [
            json!({"x": 1}),
            json!({"x": 1}),
            json!({"x": 1}),
            json!({}),
            json!({})
        ]
    );
}

#[test]
fn s000_07_ids_are_never_empty_and_unique() {
    let mut reply = builder();
    for id in [Some("same"), Some("same"), None, Some(" "), Some("")] {
        reply.whole_call(id, "f", &json!({}));
    }
    let calls = done(reply).tool_calls;
    assert_eq!(calls[0].id, "same");
    let ids: HashSet<_> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 5);
    assert!(calls.iter().all(|call| !call.id.trim().is_empty()));
}

#[test]
fn unreadable_arguments_become_an_invalid_call_and_spare_the_neighbours() {
    let mut reply = builder();
    reply.whole_call(Some("a"), "f", &json!("{\"x\": "));
    reply.whole_call(Some("b"), "f", &json!("[1]"));
    reply.whole_call(Some("c"), "", &json!({}));
    reply.whole_call(Some("d"), "g", &json!({}));
    let message = done(reply);
    assert_eq!(message.tool_calls.len(), 1);
    let errors: Vec<_> = message
        .invalid_tool_calls
        .iter()
        .map(|call| &call.error)
        .collect();
    assert_eq!(
        errors[0],
        "The arguments are cut off; this arrived: {\"x\": "
    );
    assert_eq!(
        errors[1],
        "The arguments must be a JSON object, but this arrived: [1]"
    );
    assert_eq!(errors[2], "The call names no tool");
}

#[test]
fn deltas_and_the_whole_agree() {
    let mut reply = builder();
    reply.reasoning("hm");
    reply.reasoning("m");
    reply.text("Let ");
    reply.text("me look.");
    let index = reply.start_call(Some("a"), "get_");
    reply.extend_name(index, "weather");
    reply.extend_arguments(index, "{\"city\":");
    reply.extend_arguments(index, "\"Oslo\"}");
    let chunks = reply.finish();
    let text: String = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            ChatChunk::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let Some(ChatChunk::Done(message)) = chunks.last() else {
        panic!("no end")
    };
    assert_eq!(message.content.text(), text);
    assert_eq!(
        message.tool_calls,
        [ToolCall::new("get_weather", json!({"city": "Oslo"}), "a")]
    );
    assert!(chunks.contains(&ChatChunk::CallStart {
        index: 0,
        name: "get_weather".into(),
        id: Some("a".into()),
    }));
    let ends = chunks
        .iter()
        .filter(|chunk| matches!(chunk, ChatChunk::CallEnd { .. }))
        .count();
    assert_eq!(ends, 1);
}

#[test]
fn the_stop_reason_is_derived_from_the_calls() {
    let mut reply = builder();
    reply.stop(StopReason::EndTurn);
    reply.whole_call(None, "f", &json!({}));
    assert_eq!(done(reply).stop_reason, Some(StopReason::ToolUse));
    let mut reply = builder();
    reply.text("half a sen");
    reply.stop(StopReason::MaxTokens);
    assert_eq!(done(reply).stop_reason, Some(StopReason::MaxTokens));
    assert_eq!(done(builder()).stop_reason, Some(StopReason::EndTurn));
}

#[test]
fn calls_come_back_under_the_tools_own_names() {
    let bound = BoundTools::new(&[named_tool("files.read", None)]).unwrap();
    let mut reply = ReplyBuilder::new(Reading::native(&bound));
    reply.whole_call(None, "files_read", &json!({}));
    assert_eq!(done(reply).tool_calls[0].name, "files.read");
}

#[test]
fn signatures_and_hidden_thoughts_keep_their_place() {
    let mut reply = builder();
    reply.reasoning("a");
    reply.signature("s");
    reply.signature("ig");
    reply.redacted_thinking("xx");
    reply.text("b");
    assert_eq!(
        done(reply).content,
        Content::Blocks(vec![
            ContentBlock::Thinking {
                thinking: "a".into(),
                signature: Some("sig".into())
            },
            ContentBlock::RedactedThinking { data: "xx".into() },
            ContentBlock::Text { text: "b".into() },
        ])
    );
}

#[test]
fn a_hidden_thought_after_another_keeps_its_own_signature() {
    let mut reply = builder();
    reply.start_thought();
    reply.reasoning("a");
    reply.signature("one");
    reply.start_thought();
    reply.signature("two");
    reply.start_thought();
    reply.text("b");
    let thought = |thinking: &str, signature: &str| ContentBlock::Thinking {
        thinking: thinking.into(),
        signature: Some(signature.into()),
    };
    let text = ContentBlock::Text { text: "b".into() };
    let expected = vec![thought("a", "one"), thought("", "two"), text];
    assert_eq!(done(reply).content, Content::Blocks(expected));
}

#[test]
fn an_empty_thought_does_not_swallow_text() {
    let mut reply = builder();
    reply.text("a");
    reply.start_thought();
    reply.text("b");
    assert_eq!(done(reply).content, Content::Text("ab".into()));
}

/// A reply whose text is searched for calls of two tools.
fn searching() -> ReplyBuilder {
    let tool = |name: &str, key: &str| {
        let tool = SpyTool::new(name, |_| Ok("ok".into())).with_schema(json!({
            "type": "object",
            "properties": {key: {"type": "string"}},
            "required": [key],
        }));
        Arc::new(tool) as Arc<dyn Tool>
    };
    let bound = BoundTools::new(&[tool("get_weather", "city"), tool("read_file", "path")]);
    ReplyBuilder::new(Reading {
        text: Some(ExtractOptions::default()),
        ..Reading::native(&bound.unwrap())
    })
}

const OSLO: &str =
    r#"<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>"#;

fn calls(message: &AiMessage) -> Vec<(&str, Value)> {
    let calls = message.tool_calls.iter();
    calls
        .map(|call| (call.name.as_str(), Value::Object(call.args.clone())))
        .collect()
}

#[test]
fn s004_13_calls_in_the_text_are_the_calls_where_there_are_no_others() {
    let mut reply = searching();
    reply.text("Let me look.\n");
    reply.text(OSLO);
    reply.text(&OSLO.replace("Oslo", "Lima"));
    let message = done(reply);
    assert_eq!(message.content.text().trim(), "Let me look.");
    let expected = [
        ("get_weather", json!({"city": "Oslo"})),
        ("get_weather", json!({"city": "Lima"})),
    ];
    assert_eq!(calls(&message), expected);
    let ids: Vec<_> = message.tool_calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids, ["get_weather_0", "get_weather_1"]);
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
}

#[test]
fn s004_12_native_calls_win_over_those_in_the_text_on_either_side() {
    let native = |reply: &mut ReplyBuilder| {
        reply.whole_call(Some("call_x"), "read_file", &json!({"path": "a"}));
    };
    for text_first in [true, false] {
        let mut reply = searching();
        if text_first {
            reply.text(OSLO);
            native(&mut reply);
        } else {
            native(&mut reply);
            reply.text(OSLO);
        }
        reply.text(" Done.");
        let chunks = reply.finish();
        let ends = chunks.iter().filter_map(|chunk| match chunk {
            ChatChunk::CallEnd { call, .. } => Some(call.id.as_str()),
            _ => None,
        });
        let ends: Vec<_> = ends.collect();
        assert_eq!(ends.last(), Some(&"call_x"), "{text_first}");
        // A call that was reported already is not among the calls at the end.
        assert_eq!(ends.len(), 1 + usize::from(text_first));
        let Some(ChatChunk::Done(message)) = chunks.last() else {
            panic!("no end")
        };
        assert_eq!(calls(message), [("read_file", json!({"path": "a"}))]);
        assert_eq!(message.content.text().trim(), "Done.", "markup is no text");
    }
}

#[test]
fn a_call_in_the_text_that_cannot_run_is_an_invalid_call() {
    let mut reply = searching();
    reply.text(&OSLO.replace("city", "town_hall"));
    let message = done(reply);
    assert!(message.tool_calls.is_empty());
    assert_eq!(message.invalid_tool_calls[0].name, "get_weather");
    assert!(message.invalid_tool_calls[0].error.contains("city"));
}

#[test]
fn thinking_in_the_text_is_thinking_and_calls_nothing() {
    for text in [
        format!("<think>I could {OSLO}</think>Hello."),
        format!("I could {OSLO}</think>Hello."),
    ] {
        let mut reply = searching();
        for byte in text.as_bytes().chunks(3) {
            reply.text(std::str::from_utf8(byte).unwrap());
        }
        let message = done(reply);
        assert_eq!(message.content.text(), "Hello.", "{text}");
        assert!(!message.has_calls(), "{text}");
        let [ContentBlock::Thinking { thinking, .. }, _] = message.content.blocks() else {
            panic!("{message:?}")
        };
        assert!(thinking.contains("I could"), "{thinking}");
    }
}

#[test]
fn a_call_at_the_end_of_separate_reasoning_counts_without_text() {
    let mut reply = searching();
    reply.reasoning("I must look it up. ");
    reply.reasoning(OSLO);
    let message = done(reply);
    assert_eq!(calls(&message), [("get_weather", json!({"city": "Oslo"}))]);
    let mut reply = searching();
    reply.reasoning(OSLO);
    reply.text("It is sunny.");
    assert!(!done(reply).has_calls());
}

/// A reply that may call this tool, and whether the calls of a closed thought count.
fn thinking_of(annotations: ToolAnnotations, thought_calls: bool) -> ReplyBuilder {
    let tool = SpyTool::new("get_weather", |_| Ok("ok".into()))
        .with_schema(json!({
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        }))
        .with_annotations(annotations);
    let bound = BoundTools::new(&[Arc::new(tool) as Arc<dyn Tool>]).unwrap();
    let mut options = ExtractOptions::default();
    options.thought_calls = thought_calls;
    ReplyBuilder::new(Reading {
        text: Some(options),
        ..Reading::native(&bound)
    })
}

#[test]
fn a_closed_thought_calls_only_what_reads_and_only_if_that_is_set() {
    let reads = ToolAnnotations {
        read_only: true,
        ..ToolAnnotations::default()
    };
    for (annotations, thought_calls, called) in [
        (reads, true, 1),
        (reads, false, 0),
        (ToolAnnotations::default(), true, 0),
    ] {
        let mut reply = thinking_of(annotations, thought_calls);
        reply.text(&format!("<think>I must look it up.\n{OSLO}</think>"));
        assert_eq!(done(reply).tool_calls.len(), called);
    }
}

#[test]
fn separate_reasoning_calls_nothing_that_may_do_harm() {
    let destructive = ToolAnnotations {
        destructive: true,
        ..ToolAnnotations::default()
    };
    let mut reply = thinking_of(destructive, true);
    reply.reasoning(OSLO);
    assert!(!done(reply).has_calls());
}

#[test]
fn calls_are_dropped_from_the_text_if_none_are_allowed() {
    let mut reply = searching();
    reply.reading.allows_calls = false;
    reply.text("Sunny.\n");
    reply.text(OSLO);
    let chunks = reply.finish();
    assert!(!chunks.iter().any(|chunk| matches!(
        chunk,
        ChatChunk::CallStart { .. } | ChatChunk::CallEnd { .. }
    )));
    let Some(ChatChunk::Done(message)) = chunks.last() else {
        panic!("no end")
    };
    assert_eq!(message.content.text().trim(), "Sunny.");
    assert!(!message.has_calls());
}

#[test]
fn native_arguments_are_read_leniently_and_names_loosely() {
    let mut reply = searching();
    reply.whole_call(None, "functions.readFile", &json!("{'path': 'a.txt',}"));
    reply.whole_call(None, "get_weather", &json!("{\"city\": \"Os"));
    let message = done(reply);
    assert_eq!(calls(&message), [("read_file", json!({"path": "a.txt"}))]);
    assert_eq!(message.invalid_tool_calls.len(), 1, "nothing is invented");
}

#[test]
fn numbers_have_one_spelling() {
    let mut reply = builder();
    reply.whole_call(None, "f", &json!("{\"price\": 1.50}"));
    let message = done(reply);
    assert_eq!(message.tool_calls[0].args["price"].to_string(), "1.5");
}

#[test]
fn unparsed_output_of_a_server_is_recovered() {
    for (output, expected) in [
        (OSLO, ("get_weather", json!({"city": "Oslo"}))),
        (
            r#"{"path": "a.txt"}]"#,
            ("read_file", json!({"path": "a.txt"})),
        ),
        (
            r#"We need the file. {"path": 'a.txt'}"#,
            ("read_file", json!({"path": "a.txt"})),
        ),
    ] {
        let mut reply = searching();
        reply.text("Let me see.");
        reply.recover(output);
        let message = done(reply);
        assert_eq!(calls(&message), [expected], "{output}");
        assert_eq!(message.content.text().trim(), "Let me see.");
        assert!(message.tool_calls[0].id.starts_with("call_"));
    }
    let mut reply = searching();
    reply.recover("ls -R\n");
    let message = done(reply);
    assert!(message.tool_calls.is_empty());
    assert!(message.invalid_tool_calls[0].error.contains("ls -R"));
}

/// A reply of a model whose template opens reasoning.
fn guessing() -> ReplyBuilder {
    let mut reading = searching().reading;
    let template = "{% if add_generation_prompt %}<think>{% endif %}";
    reading.hint.learn("m", template);
    reading.text = reading.hint.options();
    ReplyBuilder::new(reading)
}

fn thought(message: &AiMessage) -> String {
    let blocks = message.content.blocks();
    let thoughts = blocks.iter().filter_map(|block| match block {
        ContentBlock::Thinking { thinking, .. } => Some(thinking.as_str()),
        _ => None,
    });
    thoughts.collect()
}

#[test]
fn reasoning_that_the_prompt_opened_is_not_text() {
    let mut reply = guessing();
    for piece in ["It <tool", "_call> is", ".</thi", "nk>\nOslo", "."] {
        reply.text(piece);
    }
    let chunks = reply.take_chunks();
    assert!(
        !chunks.contains(&ChatChunk::Text("It ".to_owned())),
        "{chunks:?}"
    );
    let message = done(reply);
    assert_eq!(thought(&message), "It <tool_call> is.");
    assert_eq!(message.content.text().trim(), "Oslo.");
}

#[test]
fn a_wrong_guess_of_reasoning_hides_no_text() {
    let cases = [
        ("Hello", "", "Hello"),
        ("<think>Hm.</think>Hello", "Hm.", "Hello"),
        ("Hm.</think>", "Hm.", ""),
    ];
    for (said, thinking, text) in cases {
        let mut reply = guessing();
        reply.text(said);
        let message = done(reply);
        assert_eq!(thought(&message), thinking, "{said}");
        assert_eq!(message.content.text(), text, "{said}");
    }
    let mut reply = guessing();
    reply.text(&format!("{OSLO} Wait."));
    let message = done(reply);
    assert_eq!(calls(&message), [("get_weather", json!({"city": "Oslo"}))]);
    assert_eq!(message.content.text().trim(), "Wait.");
}

#[test]
fn a_server_that_separates_reasoning_is_remembered() {
    for before in ["", "\n", "Well. "] {
        let mut reply = guessing();
        let hint = Arc::clone(&reply.reading.hint);
        assert!(hint.options().unwrap().starts_thinking);
        reply.text(before);
        reply.reasoning("Hm.");
        reply.text("Hello");
        let message = done(reply);
        assert_eq!(thought(&message), "Hm.");
        assert_eq!(
            message.content.text().trim(),
            format!("{before}Hello").trim()
        );
        assert!(!hint.options().unwrap().starts_thinking);
    }
}

/// The calls that are reported now, as complete.
fn ended(reply: &mut ReplyBuilder) -> Vec<String> {
    let chunks = reply.take_chunks().into_iter();
    let ends = chunks.filter_map(|chunk| match chunk {
        ChatChunk::CallEnd { call, .. } => Some(call.id),
        _ => None,
    });
    ends.collect()
}

#[test]
fn a_printed_call_is_reported_once_at_its_end() {
    let mut reply = searching();
    let (first, rest) = OSLO.split_at(OSLO.len() / 2);
    reply.text(first);
    assert!(ended(&mut reply).is_empty());
    reply.text(rest);
    reply.text("\n");
    assert_eq!(ended(&mut reply), ["get_weather_0"]);
    reply.text(OSLO);
    reply.text(&OSLO.replace("Oslo", "Bergen"));
    reply.text(" There.");
    assert_eq!(ended(&mut reply), ["get_weather_1"]);
    let chunks = reply.finish();
    let [ChatChunk::Done(message)] = chunks.as_slice() else {
        panic!("{chunks:?}")
    };
    assert_eq!(message.tool_calls.len(), 2);
    assert_eq!(message.content.text().trim(), "There.");
}

#[test]
fn a_native_call_that_was_printed_before_is_not_reported_again() {
    let mut reply = searching();
    reply.text(OSLO);
    let hint = Arc::clone(&reply.reading.hint);
    let call = reply.start_call(Some("call_x"), "get_weather");
    for piece in ["{\"city\"", ": \"Oslo\"}"] {
        reply.extend_arguments(call, piece);
    }
    reply.end_call(call);
    reply.whole_call(Some("call_y"), "read_file", &json!({"path": "a"}));
    assert_eq!(ended(&mut reply), ["get_weather_0", "call_y"]);
    let message = done(reply);
    let ids: Vec<_> = message.tool_calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids, ["call_x", "call_y"]);
    assert!(!hint.is_to_wait());
}

/// The model closes reasoning that it never opened, or prints another call than it makes.
#[test]
fn printed_calls_wait_after_one_was_retracted() {
    let thought = format!("I will do it: {OSLO} Or not.</think>Hello.");
    let natively: fn(&mut ReplyBuilder) = |reply| {
        reply.text(OSLO);
        reply.whole_call(Some("call_x"), "read_file", &json!({"path": "a"}));
    };
    let takings_back: [&dyn Fn(&mut ReplyBuilder); 2] = [&|reply| reply.text(&thought), &natively];
    for take_back in takings_back {
        let mut reply = searching();
        let reading = reply.reading.clone();
        take_back(&mut reply);
        assert!(ended(&mut reply).contains(&"get_weather_0".to_owned()));
        assert!(!reply.finish().is_empty());
        // This is known from then on.
        let mut reply = ReplyBuilder::new(reading.clone());
        take_back(&mut reply);
        assert!(!ended(&mut reply).contains(&"get_weather_0".to_owned()));
        // A call after the reasoning certainly counts.
        let mut reply = ReplyBuilder::new(reading.clone());
        reply.text("Hm.</think>");
        reply.text(OSLO);
        reply.text("\n");
        assert_eq!(ended(&mut reply), ["get_weather_0"]);
        // Without reasoning and without native calls, the end of the reply decides.
        let mut reply = ReplyBuilder::new(reading);
        reply.text(OSLO);
        assert!(ended(&mut reply).is_empty());
        assert_eq!(done(reply).tool_calls.len(), 1);
    }
}

#[test]
fn a_call_that_was_thought_of_and_then_made_is_one() {
    let mut reply = searching();
    reply.text(&format!("I will do it: {OSLO}"));
    reply.text("</think>");
    reply.text(&OSLO.replace("Oslo", "Bergen"));
    reply.text(OSLO);
    reply.text(" ");
    assert_eq!(ended(&mut reply), ["get_weather_0", "get_weather_0"]);
    let message = done(reply);
    let cities = calls(&message)
        .into_iter()
        .map(|(_, args)| args["city"].clone());
    assert_eq!(cities.collect::<Vec<_>>(), ["Bergen", "Oslo"]);
}

#[test]
fn a_call_behind_guessed_reasoning_is_reported_at_its_end() {
    let mut reply = guessing();
    reply.text(&format!("I could {OSLO}."));
    assert!(ended(&mut reply).is_empty());
    reply.text("</think>");
    reply.text(&OSLO.replace("Oslo", "Bergen"));
    reply.text("\n");
    assert_eq!(ended(&mut reply), ["get_weather_0"]);
    // Too late to separate the reasoning.
    reply.reasoning("Hm.");
    let message = done(reply);
    assert_eq!(
        calls(&message),
        [("get_weather", json!({"city": "Bergen"}))]
    );
}

/// A builder for a reply after a page with this text was read.
fn reading_page(page: &str) -> ReplyBuilder {
    let schema = serde_json::json!({"properties": {"query": {"type": "string"}}});
    let tool = SpyTool::new("search", |_| Ok("".into())).with_schema(schema);
    let bound = BoundTools::new(&[Arc::new(tool)]).unwrap();
    let messages = [
        haft_core::Message::human("What does it say?"),
        haft_core::ToolMessage::success(page, "call_1").into(),
    ];
    let reading = Reading {
        text: Some(ExtractOptions::default()),
        ..Reading::native(&bound)
    };
    let options = haft_core::CallOptions::default();
    ReplyBuilder::new(reading.of_conversation(&bound, &messages, &options))
}

#[test]
fn a_quoted_call_is_text_in_its_place_in_any_chunking() {
    let call = r#"<tool_call>{"name": "search", "arguments": {"query": "cats"}}</tool_call>"#;
    let other = r#"<tool_call>{"name": "search", "arguments": {"query": "dogs"}}</tool_call>"#;
    let text = format!("I will do it: {call} And more.\n{other}");
    for size in [1, 7, text.len()] {
        let mut reply = reading_page(call);
        let pieces: Vec<char> = text.chars().collect();
        for piece in pieces.chunks(size) {
            reply.text(&piece.iter().collect::<String>());
        }
        let chunks = reply.finish();
        let quoted = |chunk: &ChatChunk| match chunk {
            ChatChunk::Quoted(quoted) => Some((quoted.call.args.clone(), quoted.source)),
            _ => None,
        };
        let quoted: Vec<_> = chunks.iter().filter_map(quoted).collect();
        let source = haft_core::QuoteSource::ToolResult;
        let cats = serde_json::json!({"query": "cats"});
        assert_eq!(quoted, [(cats.as_object().unwrap().clone(), source)]);
        let Some(ChatChunk::Done(message)) = chunks.last() else {
            panic!("the reply has no end");
        };
        assert_eq!(
            message.content.text(),
            "I will do it:\nsearch {\"query\":\"cats\"} And more."
        );
        let calls: Vec<_> = message.tool_calls.iter().map(|call| &call.args).collect();
        assert_eq!(
            calls,
            [serde_json::json!({"query": "dogs"}).as_object().unwrap()]
        );
        let ended = chunks
            .iter()
            .filter(|chunk| matches!(chunk, ChatChunk::CallEnd { .. }));
        assert_eq!(ended.count(), 1);
    }
}

#[test]
fn a_native_call_is_never_a_quoted_one() {
    let mut reply = reading_page("search(query=\"cats\")");
    reply.whole_call(None, "search", &serde_json::json!({"query": "cats"}));
    assert_eq!(done(reply).tool_calls.len(), 1);
}

#[test]
fn a_quoted_call_in_open_reasoning_or_in_a_server_error_is_not_made() {
    let call = r#"<tool_call>{"name": "search", "arguments": {"query": "cats"}}</tool_call>"#;
    let mut thought = reading_page(call);
    thought.reasoning(call);
    assert!(!done(thought).has_calls());
    for output in [call, r#"{"query": "cats"}"#] {
        let mut reply = reading_page(call);
        reply.recover(output);
        let message = done(reply);
        assert!(!message.has_calls(), "{output}");
        assert_eq!(message.content.text(), "search {\"query\":\"cats\"}");
    }
}

#[test]
fn the_raw_reply_is_recorded_before_calls_are_taken_out() {
    let raw = haft_core::RawReply::default();
    raw.record_content(1024);
    let mut reply = searching();
    reply.reading.raw = raw.clone();
    raw.begin();
    reply.reasoning("Oslo?");
    reply.text(OSLO);
    let index = reply.start_call(None, "get_weather");
    reply.extend_arguments(index, "{'city'");
    let attempts = serde_json::to_value(raw.attempts()).unwrap();
    assert_eq!(
        attempts[0]["parts"],
        json!([{"reasoning": "Oslo?"}, {"text": OSLO},
            {"call": {"index": 0, "name": "get_weather", "arguments": "{'city'"}}])
    );
}
