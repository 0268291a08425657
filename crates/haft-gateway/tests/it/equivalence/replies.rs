//! Replies of a model in the form of each model server's API.

use haft_models::ServerKind;
use haft_testing::Reply;
use serde_json::{Value, json};

/// A reply of a model.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) thought: &'static str,
    pub(crate) text: &'static str,
    pub(crate) calls: Vec<(&'static str, Value)>,
    /// The token limit cut off the reply.
    pub(crate) is_cut_off: bool,
    pub(crate) means: Meaning,
}

/// The expected content for a client.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    pub(crate) text: &'static str,
    pub(crate) thought: &'static str,
    pub(crate) calls: Vec<(String, Value)>,
}

/// The body of a streamed reply.
#[derive(Debug)]
pub(crate) struct Body {
    kind: &'static str,
    pub(crate) events: Vec<Vec<u8>>,
    /// The number of events that a complete reply needs.
    pub(crate) needed: usize,
}

/// One wire.
pub(crate) struct Wire {
    pub(crate) name: &'static str,
    pub(crate) kind: ServerKind,
    /// The name of the API in recordings; empty if there are none.
    pub(crate) api: &'static str,
    pub(crate) body: fn(&Said) -> Body,
    /// Writes the reply in one piece.
    pub(crate) whole: fn(&Said) -> Value,
}

pub(crate) const WIRES: &[Wire] = &[
    Wire {
        name: "openai",
        kind: ServerKind::OpenAi,
        api: "openai-chat",
        body: openai,
        whole: openai_whole,
    },
    Wire {
        name: "ollama",
        kind: ServerKind::Ollama,
        api: "",
        body: ollama,
        whole: ollama_whole,
    },
    Wire {
        name: "anthropic",
        kind: ServerKind::Anthropic,
        api: "anthropic-messages",
        body: anthropic,
        whole: anthropic_whole,
    },
];

impl Body {
    pub(crate) fn reply(&self) -> Reply {
        Reply::new(self.kind, "").with_pieces(self.events.clone())
    }

    /// The reply up to this byte, as if the connection ended there.
    pub(crate) fn cut_to(&self, length: usize) -> Reply {
        let bytes = self.events.concat();
        Reply::new(self.kind, "").with_pieces([bytes[..length].to_vec()])
    }
}

fn says(text: &'static str) -> Said {
    Said {
        text,
        means: Meaning {
            text,
            ..Meaning::default()
        },
        ..Said::default()
    }
}

/// A text that contains calls.
fn prints(text: &'static str, around: &'static str, calls: &[Value]) -> Said {
    let calls = calls
        .iter()
        .map(|args| ("forecast".to_owned(), args.clone()));
    Said {
        text,
        means: Meaning {
            text: around,
            calls: calls.collect(),
            ..Meaning::default()
        },
        ..Said::default()
    }
}

/// Native calls, and their repaired form.
fn calls(text: &'static str, made: &[Value], meant: &[Value]) -> Said {
    Said {
        calls: made.iter().map(|args| ("forecast", args.clone())).collect(),
        ..prints(text, text, meant)
    }
}

/// Synthetic replies of every kind, by name.
pub(crate) fn synthetic() -> Vec<(&'static str, Said)> {
    let oslo = json!({"city": "Oslo", "days": 2});
    let rome = json!({"city": "Rom\u{e9} \u{1f327}"});
    let thinking = Said {
        thought: "The user wants the weather.",
        means: Meaning {
            text: "Sunny.",
            thought: "The user wants the weather.",
            ..Meaning::default()
        },
        ..says("Sunny.")
    };
    let cut_off = Said {
        is_cut_off: true,
        ..says("It will be sunny in the morning, and then")
    };
    let hermes = concat!(
        "One moment.\n<tool_call>\n",
        "{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}\n</tool_call>"
    );
    let llama = "{\"name\": \"forecast\", \"parameters\": {\"city\": \"Oslo\", \"days\": \"2\"}}";
    let mistral =
        "[TOOL_CALLS][{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}]";
    let pythonic = "[forecast(city=\"Oslo\", days=2)]";
    let xml = concat!(
        "<tool_call>\n<function=forecast>\n<parameter=city>\nOslo\n</parameter>\n",
        "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>"
    );
    let one = [oslo.clone()];
    let two = [oslo, rome];
    let as_text = [json!({"city": "Oslo", "days": "2"})];
    vec![
        (
            "text",
            says("It is sunny. \u{c5} \u{1f327} <b>x</b> {\"a\": [1]}"),
        ),
        ("thinking", thinking),
        ("cut off", cut_off),
        ("one call", calls("", &one, &one)),
        ("text and two calls", calls("Let me look.", &two, &two)),
        ("a call to be repaired", calls("", &as_text, &one)),
        ("hermes", prints(hermes, "One moment.", &one)),
        ("llama3_json", prints(llama, "", &one)),
        ("mistral", prints(mistral, "", &one)),
        ("pythonic", prints(pythonic, "", &one)),
        ("qwen3_coder", prints(xml, "", &one)),
    ]
}

/// The text in pieces of a few characters, as servers send it.
fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(4)
        .map(|token| token.iter().collect())
        .collect()
}

fn sse(data: &str) -> Vec<u8> {
    format!("data: {data}\n\n").into_bytes()
}

fn openai(said: &Said) -> Body {
    let chunk = |delta: Value, reason: Value| {
        sse(
            &json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
                .to_string(),
        )
    };
    let mut events = Vec::new();
    for thought in tokens(said.thought) {
        events.push(chunk(json!({"reasoning_content": thought}), Value::Null));
    }
    for text in tokens(said.text) {
        events.push(chunk(json!({"content": text}), Value::Null));
    }
    for (index, (name, args)) in said.calls.iter().enumerate() {
        let head = json!({"index": index, "id": format!("call_{index}"), "type": "function",
            "function": {"name": name, "arguments": ""}});
        events.push(chunk(json!({"tool_calls": [head]}), Value::Null));
        for piece in tokens(&args.to_string()) {
            let more = json!({"index": index, "function": {"arguments": piece}});
            events.push(chunk(json!({"tool_calls": [more]}), Value::Null));
        }
    }
    let reason = match (said.calls.is_empty(), said.is_cut_off) {
        (false, _) => "tool_calls",
        (true, true) => "length",
        (true, false) => "stop",
    };
    events.push(chunk(json!({}), reason.into()));
    let needed = events.len();
    let usage = json!({"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18});
    events.push(sse(&json!({"choices": [], "usage": usage}).to_string()));
    events.push(sse("[DONE]"));
    Body {
        kind: "text/event-stream",
        events,
        needed,
    }
}

fn ollama(said: &Said) -> Body {
    let line = |value: Value| format!("{value}\n").into_bytes();
    let part = |message: Value| line(json!({"model": "tiny", "message": message, "done": false}));
    let mut events = Vec::new();
    for thought in tokens(said.thought) {
        events.push(part(
            json!({"role": "assistant", "content": "", "thinking": thought}),
        ));
    }
    for text in tokens(said.text) {
        events.push(part(json!({"role": "assistant", "content": text})));
    }
    for (name, args) in &said.calls {
        let call = json!({"function": {"name": name, "arguments": args}});
        let message = json!({"role": "assistant", "content": "", "tool_calls": [call]});
        events.push(part(message));
    }
    let reason = if said.is_cut_off { "length" } else { "stop" };
    events.push(line(
        json!({"model": "tiny", "message": {"role": "assistant", "content": ""},
        "done": true, "done_reason": reason, "prompt_eval_count": 11, "eval_count": 7}),
    ));
    Body {
        kind: "application/x-ndjson",
        needed: events.len(),
        events,
    }
}

fn anthropic(said: &Said) -> Body {
    let mut events = vec![sse(&json!({"type": "message_start", "message": {"id": "m",
        "role": "assistant", "content": [], "model": "tiny",
        "usage": {"input_tokens": 11, "output_tokens": 1}}})
    .to_string())];
    let mut index = 0;
    let mut block = |start: Value, deltas: Vec<Value>| {
        let mut push = |event: Value| events.push(sse(&event.to_string()));
        push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        for delta in deltas {
            push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if !said.thought.is_empty() {
        let deltas = tokens(said.thought);
        let deltas = deltas
            .iter()
            .map(|t| json!({"type": "thinking_delta", "thinking": t}));
        block(
            json!({"type": "thinking", "thinking": ""}),
            deltas.collect(),
        );
    }
    if !said.text.is_empty() {
        let deltas = tokens(said.text);
        let deltas = deltas
            .iter()
            .map(|t| json!({"type": "text_delta", "text": t}));
        block(json!({"type": "text", "text": ""}), deltas.collect());
    }
    for (number, (name, args)) in said.calls.iter().enumerate() {
        let deltas = tokens(&args.to_string());
        let deltas = deltas
            .iter()
            .map(|t| json!({"type": "input_json_delta", "partial_json": t}));
        let id = format!("toolu_{number}");
        let start = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        block(start, deltas.collect());
    }
    let reason = match (said.calls.is_empty(), said.is_cut_off) {
        (false, _) => "tool_use",
        (true, true) => "max_tokens",
        (true, false) => "end_turn",
    };
    let end = json!({"type": "message_delta", "delta": {"stop_reason": reason},
        "usage": {"output_tokens": 7}});
    events.push(sse(&end.to_string()));
    let needed = events.len();
    events.push(sse(&json!({"type": "message_stop"}).to_string()));
    Body {
        kind: "text/event-stream",
        events,
        needed,
    }
}

fn openai_whole(said: &Said) -> Value {
    let calls = said.calls.iter().enumerate().map(|(index, (name, args))| {
        json!({"id": format!("call_{index}"), "type": "function",
            "function": {"name": name, "arguments": args.to_string()}})
    });
    let reason = match (said.calls.is_empty(), said.is_cut_off) {
        (false, _) => "tool_calls",
        (true, true) => "length",
        (true, false) => "stop",
    };
    let message = json!({"role": "assistant", "content": said.text,
        "reasoning_content": said.thought, "tool_calls": calls.collect::<Vec<_>>()});
    json!({"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}})
}

fn ollama_whole(said: &Said) -> Value {
    let calls = said.calls.iter();
    let calls = calls.map(|(name, args)| json!({"function": {"name": name, "arguments": args}}));
    let reason = if said.is_cut_off { "length" } else { "stop" };
    let message = json!({"role": "assistant", "content": said.text, "thinking": said.thought,
        "tool_calls": calls.collect::<Vec<_>>()});
    json!({"model": "tiny", "message": message, "done": true, "done_reason": reason,
        "prompt_eval_count": 11, "eval_count": 7})
}

fn anthropic_whole(said: &Said) -> Value {
    let mut blocks = Vec::new();
    if !said.thought.is_empty() {
        blocks.push(json!({"type": "thinking", "thinking": said.thought}));
    }
    if !said.text.is_empty() {
        blocks.push(json!({"type": "text", "text": said.text}));
    }
    for (number, (name, args)) in said.calls.iter().enumerate() {
        let id = format!("toolu_{number}");
        blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": args}));
    }
    let reason = match (said.calls.is_empty(), said.is_cut_off) {
        (false, _) => "tool_use",
        (true, true) => "max_tokens",
        (true, false) => "end_turn",
    };
    json!({"id": "m", "type": "message", "role": "assistant", "model": "tiny", "content": blocks,
        "stop_reason": reason, "usage": {"input_tokens": 11, "output_tokens": 7}})
}
