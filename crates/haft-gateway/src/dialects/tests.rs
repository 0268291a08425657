use std::sync::Arc;

use haft_core::{AiMessage, ChatChunk, Content, ContentBlock, StopReason, ToolCall, Usage};
use serde_json::{Value, json};

use super::writer::ReplyWriter;
use super::*;
use crate::respond::Refusal;

#[test]
fn each_path_has_the_dialect_of_its_clients() {
    let conversation = |path| of_conversation(path).map(Dialect::name);
    assert_eq!(conversation("/v1/chat/completions"), Some("openai"));
    assert_eq!(conversation("/v1/messages"), Some("anthropic"));
    assert_eq!(conversation("/api/chat"), Some("ollama"));
    assert_eq!(conversation("/api/generate"), Some("ollama_generate"));
    assert_eq!(conversation("/v1/embeddings"), None);
    let error = |path: &str, headers: &HeaderMap| of_request(path, headers).error_body(404, "no");
    let plain = HeaderMap::new();
    let anthropic: HeaderMap = [(
        "anthropic-version".parse().unwrap(),
        "2023-06-01".parse().unwrap(),
    )]
    .into_iter()
    .collect();
    assert_eq!(error("/v1/messages/batches", &plain)["type"], "error");
    assert_eq!(error("/v1/files", &anthropic)["type"], "error");
    assert_eq!(error("/v1/files", &plain)["error"]["code"], Value::Null);
    assert_eq!(error("/favicon.ico", &plain)["error"]["code"], Value::Null);
    assert_eq!(error("/api/embed", &anthropic), json!({"error": "no"}));
}

#[test]
fn names_and_paths_are_unique() {
    for (number, one) in ALL.iter().enumerate() {
        for other in ALL.iter().skip(number + 1) {
            assert!(one.name() != other.name() && one.path() != other.path());
        }
        assert!(one.path().starts_with(one.root()), "{}", one.name());
    }
}

/// The chunks that the writer receives for one stream.
struct Script {
    title: &'static str,
    /// Whether calls are streamed in pieces.
    in_pieces: bool,
    chunks: Vec<ChatChunk>,
}

fn call(id: &str) -> ToolCall {
    ToolCall::new("f", json!({"city": "Oslo", "days": 3}), id)
}

fn call_start(index: usize, id: &str) -> ChatChunk {
    ChatChunk::CallStart {
        index,
        name: "f".to_owned(),
        id: Some(id.to_owned()),
    }
}

fn call_end(index: usize, id: &str) -> ChatChunk {
    let call = call(id);
    ChatChunk::CallEnd { index, call }
}

fn call_args(index: usize, fragment: &str) -> ChatChunk {
    let fragment = fragment.to_owned();
    ChatChunk::CallArgs { index, fragment }
}

/// A reply with a block of each kind and three calls.
fn full_reply() -> AiMessage {
    let blocks = vec![
        ContentBlock::Thinking {
            thinking: "hm".to_owned(),
            signature: Some("sig".to_owned()),
        },
        ContentBlock::RedactedThinking {
            data: "xx".to_owned(),
        },
        ContentBlock::Text {
            text: "Hi \"you\"".to_owned(),
        },
    ];
    let calls = [call("a"), call("b"), call("c")];
    let mut reply = AiMessage::new(Content::Blocks(blocks)).with_tool_calls(calls);
    reply.usage = Some(Usage {
        input_tokens: 10,
        output_tokens: 4,
        cached_input_tokens: 3,
    });
    reply.stop_reason = Some(StopReason::MaxTokens);
    reply
}

fn short_reply() -> AiMessage {
    let mut reply = AiMessage::new("Hi");
    reply.stop_reason = Some(StopReason::MaxTokens);
    reply
}

fn scripts() -> [Script; 4] {
    let text = |text: &str| ChatChunk::Text(text.to_owned());
    let reasoning = |text: &str| ChatChunk::Reasoning(text.to_owned());
    [
        Script {
            title: "whole calls",
            in_pieces: false,
            chunks: vec![
                reasoning("h"),
                reasoning("m"),
                ChatChunk::Signature("sig".to_owned()),
                reasoning("again"),
                ChatChunk::RedactedThinking("xx".to_owned()),
                text("Hi "),
                text("\"you\""),
                call_start(0, "a"),
                call_end(0, "a"),
                call_start(1, "b"),
                call_end(1, "b"),
                call_end(1, "b"),
                ChatChunk::Done(full_reply()),
            ],
        },
        Script {
            title: "begins with a call",
            in_pieces: false,
            chunks: vec![
                call_start(0, "a"),
                call_start(1, "b"),
                ChatChunk::Done(full_reply()),
            ],
        },
        Script {
            title: "call in pieces",
            in_pieces: true,
            chunks: vec![
                text("Hi"),
                call_start(0, "a"),
                call_args(0, "{\"ci"),
                call_args(0, "ty\":1}"),
                call_args(7, "no"),
                call_end(0, "a"),
                call_start(1, "b"),
                call_args(1, "{}"),
                call_args(0, "late"),
                call_end(2, "c"),
                ChatChunk::Done(full_reply()),
            ],
        },
        Script {
            title: "nothing",
            in_pieces: false,
            chunks: vec![ChatChunk::Done(short_reply())],
        },
    ]
}

/// The text with ids and times, which differ between runs, replaced.
fn normalized(text: &str) -> String {
    let fields = [
        ("\"id\":\"chatcmpl-", "\"id\":\"REPLY_ID\""),
        ("\"id\":\"msg_", "\"id\":\"REPLY_ID\""),
        ("\"id\":\"resp_", "\"id\":\"REPLY_ID\""),
        ("\"id\":\"rs_", "\"id\":\"ITEM_ID\""),
        ("\"id\":\"fc_", "\"id\":\"ITEM_ID\""),
        ("\"id\":\"ctc_", "\"id\":\"ITEM_ID\""),
        ("\"item_id\":", "\"item_id\":\"ITEM_ID\""),
        ("\"created\":", "\"created\":0"),
        ("\"created_at\":", "\"created_at\":\"T\""),
        ("\"total_duration\":", "\"total_duration\":0"),
    ];
    fields.iter().fold(text.to_owned(), |text, (field, fixed)| {
        let mut pieces = text.split(field);
        let before = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(before, |text, piece| {
            text + fixed + piece.trim_start_matches(|letter| !matches!(letter, ',' | '}'))
        })
    })
}

/// Checks that a dialect writes exactly the recorded bytes: streams, whole replies and errors.
/// `request` is any streaming request of the dialect with token counts.
pub(super) fn assert_recorded(dialect: &dyn Dialect, request: &Value, recorded: &str) {
    let written = written_by(dialect, request);
    for (written, recorded) in written.lines().zip(recorded.lines()) {
        assert_eq!(written, recorded);
    }
    let is_whole = written.len() == recorded.len();
    assert!(is_whole, "the dialect writes this:\n{written}");
}

/// Everything that a dialect writes.
fn written_by(dialect: &dyn Dialect, request: &Value) -> String {
    let body = request.to_string();
    let new_writer = || {
        let received = dialect.read(body.as_bytes(), &Arc::default()).unwrap();
        let messages = received.request.messages;
        ReplyWriter::new(received.reply, dialect.call_prefix(), &messages)
    };
    let utf8 = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let name = dialect.name();
    let mut all = String::new();
    for script in scripts() {
        let mut writer = new_writer();
        writer.answered_by("real".to_owned());
        if script.title == "whole calls" {
            writer.report(json!({"done": 1}));
        }
        all += &format!("=== {name}: {}\n", script.title);
        for chunk in &script.chunks {
            let bytes = if script.in_pieces {
                writer.part(chunk)
            } else {
                writer.chunk(chunk)
            };
            all += &format!("[{}]\n", utf8(bytes));
        }
    }
    for reply in [full_reply(), short_reply()] {
        let whole = utf8(new_writer().whole(&reply));
        all += &format!("=== {name}: whole\n{whole}\n");
    }
    for status in [400, 401, 403, 404, 408, 413, 429, 500, 503, 504, 529] {
        let body = dialect.error_body(status, "no");
        let event = utf8(dialect.stream_error(&Refusal::new(status, "no")));
        all += &format!("=== {name}: {status}\n{body}\n[{event}]\n");
    }
    normalized(&all)
}
