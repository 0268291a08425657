//! A model in a file, run by the real engine: the same conversations and calls as those of every
//! provider (`providers.rs`), and what only an engine inside the process can get wrong.
//!
//! The file is the scripted model of `tests/outside/llama_server/make_tiny_gguf.py`, named by
//! `HAFT_LOCAL_MODEL`: a question with `[[NAME]]` makes it write the script of that name, token by
//! token. `tests/outside/local_model` builds the file and runs these tests; without it they say that
//! they are skipped.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ContentBlock, Generation, ImageBlock, Message,
    ModelErrorKind, StopReason, Tool, ToolCall, ToolChoice, ToolMessage,
};
use haft_models::{ModelSettings, ModelSpec, ToolMode, open_model};
use haft_testing::SpyTool;
use serde_json::{Value, json};

/// The model under these settings; `None` without a file.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn opened(settings: &ModelSettings) -> Option<Arc<dyn ChatModel>> {
    let Some(path) = std::env::var_os("HAFT_LOCAL_MODEL").map(PathBuf::from) else {
        println!("skipped: HAFT_LOCAL_MODEL names no model file");
        return None;
    };
    Some(open_model(&ModelSpec::Local { path }, settings).unwrap())
}

fn model() -> Option<Arc<dyn ChatModel>> {
    let mut settings = ModelSettings::default();
    settings.temperature = Some(0.0);
    opened(&settings)
}

/// The tools that the scripts call.
fn tools() -> Vec<Arc<dyn Tool>> {
    ["get_weather", "get_time", "place_order"]
        .map(|name| tool(name, json!({"type": "object"})))
        .into()
}

fn tool(name: &str, schema: Value) -> Arc<dyn Tool> {
    Arc::new(SpyTool::new(name, |_| Ok("ok".into())).with_schema(schema))
}

fn calling() -> Option<Arc<dyn ChatModel>> {
    Some(model()?.bind_tools(&tools()).unwrap())
}

async fn ask(model: &Arc<dyn ChatModel>, question: &str, options: &CallOptions) -> AiMessage {
    let conversation = [Message::human(question)];
    model.invoke(&conversation, options).await.unwrap()
}

/// Name and arguments of each call.
fn calls(reply: &AiMessage) -> Vec<(&str, Value)> {
    let calls = reply.tool_calls.iter();
    calls
        .map(|call| (call.name.as_str(), Value::Object(call.args.clone())))
        .collect()
}

fn demanding(tool_choice: ToolChoice) -> CallOptions {
    CallOptions {
        tool_choice,
        ..CallOptions::default()
    }
}

#[tokio::test]
async fn a_reply_has_its_text_its_end_and_its_tokens() {
    let Some(model) = model() else { return };
    let reply = ask(&model, "[[hello]]", &CallOptions::default()).await;
    assert_eq!(reply.content.text(), "Hello there! How may I help?");
    assert_eq!(reply.stop_reason, Some(StopReason::EndTurn));
    let usage = reply.usage.unwrap();
    assert!(
        usage.input_tokens > 5 && usage.output_tokens > 5,
        "{usage:?}"
    );
}

#[tokio::test]
async fn the_text_comes_in_pieces_before_the_end() {
    let Some(model) = model() else { return };
    let conversation = [Message::human("[[hello]]")];
    let stream = model.stream(&conversation, &CallOptions::default());
    let chunks: Vec<_> = stream.map(Result::unwrap).collect().await;
    let pieces = chunks.iter().filter_map(|chunk| match chunk {
        ChatChunk::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let pieces: Vec<_> = pieces.collect();
    assert!(pieces.len() > 3, "{pieces:?}");
    assert_eq!(pieces.concat(), "Hello there! How may I help?");
    assert!(matches!(chunks.last(), Some(ChatChunk::Done(_))));
}

#[tokio::test]
async fn calls_are_read_as_those_of_a_server() {
    let Some(model) = calling() else { return };
    let weather = |city: &str| ("get_weather", json!({"city": city}));
    let order = json!({
        "items": [{"sku": "A-1", "qty": 2}, {"sku": "B\"2", "qty": 1}],
        "gift": true,
        "note": null,
        "price": 1.50,
    });
    let cases = [
        (
            "call",
            vec![("get_weather", json!({"city": "Paris", "unit": "celsius"}))],
        ),
        ("two", vec![weather("Oslo"), weather("Rome")]),
        ("nested", vec![("place_order", order)]),
        ("noargs", vec![("get_time", json!({}))]),
        ("unicode", vec![weather("Zürich 東京 🌦")]),
        ("think", vec![weather("Lima")]),
        ("badjson", vec![weather("Paris")]),
        ("fake", vec![]),
    ];
    for (script, expected) in cases {
        let reply = ask(&model, &format!("[[{script}]]"), &CallOptions::default()).await;
        let found: Vec<_> = calls(&reply);
        let found = serde_json::to_string(&found).unwrap();
        assert_eq!(found, serde_json::to_string(&expected).unwrap(), "{script}");
        let is_call = reply.stop_reason == Some(StopReason::ToolUse);
        assert_eq!(is_call, !expected.is_empty(), "{script}");
    }
}

#[tokio::test]
async fn reasoning_is_apart_from_the_text_with_and_without_tools() {
    let (Some(bare), Some(model)) = (model(), calling()) else {
        return;
    };
    for model in [bare, model] {
        let reply = ask(&model, "[[think]]", &CallOptions::default()).await;
        let blocks = reply.content.blocks();
        let thought = blocks.iter().find_map(|block| match block {
            ContentBlock::Thinking { thinking, .. } => Some(thinking.trim()),
            _ => None,
        });
        assert_eq!(thought, Some("I should call the weather tool."));
        assert!(!reply.content.text().contains("weather tool"));
    }
}

#[tokio::test]
async fn a_call_and_its_result_go_back_to_the_model() {
    let Some(model) = calling() else { return };
    let call = ToolCall::new("get_weather", json!({"city": "Paris"}), "call_1");
    let conversation = [
        Message::system("Be brief."),
        Message::human("How is the weather?"),
        Message::Ai(AiMessage::new("").with_tool_calls([call])),
        Message::Tool(ToolMessage::success("21 degrees", "call_1")),
    ];
    let reply = model.invoke(&conversation, &CallOptions::default()).await;
    assert_eq!(reply.unwrap().content.text(), "It is 21 degrees and sunny.");
}

#[tokio::test]
async fn tools_taught_as_text_are_called_too() {
    let mut settings = ModelSettings::default();
    settings.temperature = Some(0.0);
    settings.tool_mode = ToolMode::Text;
    let Some(model) = opened(&settings) else {
        return;
    };
    let model = model.bind_tools(&tools()).unwrap();
    let reply = ask(&model, "[[call]]", &CallOptions::default()).await;
    let expected = json!({"city": "Paris", "unit": "celsius"});
    assert_eq!(calls(&reply), [("get_weather", expected)]);
}

#[tokio::test]
async fn a_demanded_call_fits_its_schema() {
    let Some(model) = model() else { return };
    let weather = json!({
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Paris", "Oslo", "Rome"]}},
        "required": ["city"],
    });
    let time = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let tools = [tool("get_weather", weather), tool("get_time", time)];
    let model = model.bind_tools(&tools).unwrap();
    // Of its own the model writes only "Hello there".
    let choice = ToolChoice::Tool("get_weather".to_owned());
    let reply = ask(&model, "[[hello]]", &demanding(choice)).await;
    let found = calls(&reply);
    assert_eq!(found.len(), 1, "{reply:?}");
    assert_eq!(found[0].0, "get_weather");
    let city = found[0].1["city"].as_str().unwrap();
    assert!(["Paris", "Oslo", "Rome"].contains(&city), "{city}");

    let reply = ask(&model, "[[hello]]", &demanding(ToolChoice::Required)).await;
    assert_eq!(reply.tool_calls.len(), 1, "{reply:?}");

    let reply = ask(&model, "[[hello]]", &demanding(ToolChoice::OneOrNone)).await;
    assert!(reply.content.text().is_empty(), "{reply:?}");
}

#[tokio::test]
async fn a_reply_follows_its_schema() {
    let Some(model) = model() else { return };
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 12},
            "count": {"type": "integer", "minimum": 1, "maximum": 9},
            "kind": {"enum": ["warm", "cold"]},
        },
        "required": ["city", "count", "kind"],
        "additionalProperties": false,
    });
    for (question, temperature) in [("[[hello]]", 0.0), ("babble", 0.0), ("[[call]]", 1.5)] {
        let options = CallOptions {
            response_schema: Some(Arc::new(schema.clone())),
            generation: Generation {
                temperature: Some(temperature),
                seed: Some(3),
                ..Generation::default()
            },
            ..CallOptions::default()
        };
        let reply = ask(&model, question, &options).await;
        let value: Value = serde_json::from_str(&reply.content.text()).unwrap();
        let count = value["count"].as_i64().unwrap();
        assert!((1..=9).contains(&count), "{value}");
        assert!(["warm", "cold"].contains(&value["kind"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn a_schema_that_is_no_grammar_is_refused() {
    let Some(model) = model() else { return };
    let schema = json!({"$ref": "https://example.com/schema.json"});
    let options = CallOptions {
        response_schema: Some(Arc::new(schema)),
        ..CallOptions::default()
    };
    let conversation = [Message::human("?")];
    let error = model.invoke(&conversation, &options).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unsupported, "{error:?}");
    // The engine goes on.
    let reply = ask(&model, "[[hello]]", &CallOptions::default()).await;
    assert!(reply.content.text().starts_with("Hello"));
}

#[tokio::test]
async fn limits_and_stop_sequences_end_a_reply() {
    let Some(model) = model() else { return };
    let with = |generation| CallOptions {
        generation,
        ..CallOptions::default()
    };
    let short = with(Generation {
        max_tokens: Some(2),
        ..Generation::default()
    });
    let reply = ask(&model, "[[hello]]", &short).await;
    assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens));
    assert_eq!(reply.usage.unwrap().output_tokens, 2);

    let stopped = with(Generation {
        stop: vec!["How".to_owned()],
        ..Generation::default()
    });
    let reply = ask(&model, "[[hello]]", &stopped).await;
    assert_eq!(reply.content.text(), "Hello there! ");
    assert_eq!(reply.stop_reason, Some(StopReason::EndTurn));
}

#[tokio::test]
async fn the_same_seed_gives_the_same_reply() {
    let Some(model) = model() else { return };
    let of_seed = |seed| CallOptions {
        generation: Generation {
            temperature: Some(2.0),
            top_p: Some(1.0),
            top_k: Some(0),
            min_p: Some(0.0),
            seed: Some(seed),
            max_tokens: Some(24),
            ..Generation::default()
        },
        ..CallOptions::default()
    };
    let mut replies = Vec::new();
    for seed in [1, 1, 2] {
        replies.push(ask(&model, "babble", &of_seed(seed)).await.content.text());
    }
    assert_eq!(replies[0], replies[1]);
    assert_ne!(replies[0], replies[2]);
}

#[tokio::test]
async fn the_beginning_of_a_prompt_is_computed_once() {
    let Some(model) = model() else { return };
    let system = Message::system("A long instruction. ".repeat(40));
    let mut usages = Vec::new();
    for question in ["[[hello]]", "[[answer]]", "[[answer]]"] {
        let conversation = [system.clone(), Message::human(question)];
        let reply = model.invoke(&conversation, &CallOptions::default()).await;
        usages.push(reply.unwrap().usage.unwrap());
    }
    assert_eq!(usages[0].cached_input_tokens, 0);
    assert!(
        usages[1].cached_input_tokens * 10 > usages[1].input_tokens * 9,
        "{usages:?}"
    );
    // The last token is always computed: the reply is asked of it.
    assert_eq!(usages[2].cached_input_tokens + 1, usages[2].input_tokens);
}

#[tokio::test]
async fn a_prompt_that_does_not_fit_is_an_overflow() {
    let mut settings = ModelSettings::default();
    settings.context = Some(256);
    let Some(model) = opened(&settings) else {
        return;
    };
    assert_eq!(model.context(), Some(256));
    let conversation = [Message::human("word ".repeat(400))];
    let options = CallOptions::default();
    let error = model.invoke(&conversation, &options).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    assert!(error.to_string().contains("a context of 256"), "{error}");
    let reply = ask(&model, "[[hello]]", &options).await;
    assert!(reply.content.text().starts_with("Hello"));
}

#[tokio::test]
async fn a_reply_that_fills_the_context_is_cut_off() {
    let mut settings = ModelSettings::default();
    settings.context = Some(64);
    let Some(model) = opened(&settings) else {
        return;
    };
    let endless = CallOptions {
        generation: Generation {
            temperature: Some(2.0),
            top_k: Some(0),
            top_p: Some(1.0),
            min_p: Some(0.0),
            seed: Some(5),
            ..Generation::default()
        },
        response_schema: Some(Arc::new(json!({"type": "string", "minLength": 500}))),
        ..CallOptions::default()
    };
    let reply = ask(&model, "?", &endless).await;
    assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens));
}

/// Options with which a reply takes long.
fn endless() -> CallOptions {
    CallOptions {
        response_schema: Some(Arc::new(json!({"type": "string", "minLength": 2000}))),
        ..CallOptions::default()
    }
}

#[tokio::test]
async fn a_dropped_reply_makes_room_at_once() {
    let Some(model) = model() else { return };
    let start = Instant::now();
    ask(&model, "?", &endless()).await;
    let whole = start.elapsed();

    let conversation = [Message::human("?")];
    let start = Instant::now();
    let mut dropped = model.stream(&conversation, &endless());
    dropped.next().await.unwrap().unwrap();
    drop(dropped);
    let reply = ask(&model, "[[hello]]", &CallOptions::default()).await;
    assert!(reply.content.text().starts_with("Hello"));
    let after = start.elapsed();
    assert!(after * 3 < whole, "{after:?} of {whole:?}");
}

#[tokio::test]
async fn requests_wait_for_each_other_and_too_many_are_refused() {
    let Some(model) = model() else { return };
    let conversation = [Message::human("?")];
    let mut first = model.stream(&conversation, &endless());
    first.next().await.unwrap().unwrap();
    // What waits is asked, but not answered yet.
    let mut waiting = Vec::new();
    let refused = loop {
        let mut stream = model.stream(&conversation, &CallOptions::default());
        match futures_util::poll!(stream.next()) {
            std::task::Poll::Ready(Some(Err(error))) => break error,
            _ => waiting.push(stream),
        }
        assert!(waiting.len() < 100);
    };
    assert_eq!(refused.kind(), ModelErrorKind::Overloaded);
    drop((first, waiting));
    let mut tries = 0..50;
    while let Err(error) = model.invoke(&conversation, &CallOptions::default()).await {
        assert_eq!(error.kind(), ModelErrorKind::Overloaded);
        assert!(tries.next().is_some(), "the queue never empties");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_picture_is_refused() {
    let Some(model) = model() else { return };
    let picture = ContentBlock::Image(ImageBlock {
        mime_type: "image/png".to_owned(),
        base64: "AAAA".to_owned(),
    });
    let conversation = [Message::human(vec![picture])];
    let options = CallOptions::default();
    let error = model.invoke(&conversation, &options).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unsupported);
}

#[tokio::test]
async fn a_file_tells_the_size_of_its_model() {
    let Some(model) = model() else { return };
    let parameters = model.parameters().unwrap();
    assert!((100_000..2_000_000).contains(&parameters), "{parameters}");
    assert_eq!(model.context(), Some(8192));
}

#[tokio::test]
async fn strange_parameters_do_no_harm() {
    let Some(model) = model() else { return };
    for strange in [0.0, -1.0, 1e300, f64::NAN] {
        let options = CallOptions {
            generation: Generation {
                temperature: Some(strange),
                top_p: Some(strange),
                top_k: Some(-5),
                min_p: Some(strange),
                repeat_penalty: Some(strange),
                presence_penalty: Some(strange),
                frequency_penalty: Some(strange),
                seed: Some(-1),
                max_tokens: Some(4),
                ..Generation::default()
            },
            ..CallOptions::default()
        };
        ask(&model, "[[hello]]", &options).await;
    }
    let reply = ask(&model, "[[hello]]", &CallOptions::default()).await;
    assert!(reply.content.text().starts_with("Hello"));
}
