//! The three wires as a server sees them.

use std::sync::Arc;

use haft::ChatModel;
use haft::models::{ChatAnthropic, ChatOllama, ChatOpenAi};
use haft_testing::Reply;
use serde_json::{Value, json};

/// One wire.
pub(crate) struct Wire {
    pub(crate) name: &'static str,
    pub(crate) has_ids: bool,
    pub(crate) model: fn(url: &str, streamed: bool) -> Arc<dyn ChatModel>,
    pub(crate) reply: fn(streamed: bool, said: &Said<'_>) -> Reply,
    pub(crate) sent: fn(body: &Value) -> Vec<Sent>,
    /// Whether the request leaves the model free to call a tool.
    pub(crate) may_call: fn(body: &Value) -> bool,
}

/// What a server says.
pub(crate) struct Said<'a> {
    pub(crate) text: &'a str,
    pub(crate) calls: super::Calls<'a>,
}

/// A message as it was sent.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) role: String,
    pub(crate) text: String,
    /// Name and arguments.
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) answers: String,
}

pub(crate) const WIRES: &[Wire] = &[
    Wire {
        name: "ollama",
        has_ids: false,
        model: |url, streamed| Arc::new(ChatOllama::new("tiny").base_url(url).streaming(streamed)),
        reply: ollama_reply,
        sent: ollama_sent,
        may_call: |body| body.get("tools").is_some(),
    },
    Wire {
        name: "openai",
        has_ids: true,
        model: |url, streamed| {
            Arc::new(
                ChatOpenAi::new("tiny")
                    .base_url(format!("{url}/v1"))
                    .streaming(streamed),
            )
        },
        reply: openai_reply,
        sent: openai_sent,
        may_call: |body| body.get("tools").is_some(),
    },
    Wire {
        name: "anthropic",
        has_ids: true,
        model: |url, streamed| {
            Arc::new(
                ChatAnthropic::new("tiny")
                    .base_url(url)
                    .api_key("k")
                    .streaming(streamed),
            )
        },
        reply: anthropic_reply,
        sent: anthropic_sent,
        may_call: |body| body.get("tools").is_some() && body["tool_choice"]["type"] != "none",
    },
];

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn ollama_reply(streamed: bool, said: &Said<'_>) -> Reply {
    let calls: Vec<_> = said
        .calls
        .iter()
        .map(|(_, name, args)| json!({"function": {"name": name, "arguments": args}}))
        .collect();
    let message = json!({"role": "assistant", "content": said.text, "tool_calls": calls});
    let end = json!({"message": {"role": "assistant", "content": ""}, "done": true});
    if streamed {
        return Reply::ndjson([json!({"message": message, "done": false}), end]);
    }
    Reply::json(json!({"message": message, "done": true, "done_reason": "stop"}))
}

fn ollama_sent(body: &Value) -> Vec<Sent> {
    let messages = body["messages"].as_array().unwrap();
    let sent = messages.iter().map(|message| Sent {
        role: text(&message["role"]),
        text: text(&message["content"]),
        calls: calls_of(&message["tool_calls"], Value::clone),
        answers: text(&message["tool_call_id"]),
    });
    sent.collect()
}

fn calls_of(calls: &Value, arguments: fn(&Value) -> Value) -> Vec<(String, Value)> {
    let calls = calls.as_array().cloned().unwrap_or_default();
    let calls = calls.iter().map(|call| &call["function"]);
    calls
        .map(|call| (text(&call["name"]), arguments(&call["arguments"])))
        .collect()
}

fn openai_reply(streamed: bool, said: &Said<'_>) -> Reply {
    let call = |(index, (id, name, args)): (usize, &(&str, &str, Value))| {
        json!({"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": args.to_string()}})
    };
    let calls: Vec<_> = said.calls.iter().enumerate().map(call).collect();
    let message = json!({"role": "assistant", "content": said.text, "tool_calls": calls});
    if !streamed {
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
        return Reply::json(json!({"choices": [choice]}));
    }
    let delta = json!({"choices": [{"index": 0, "delta": message, "finish_reason": null}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    Reply::sse([delta.to_string(), end.to_string(), "[DONE]".to_owned()])
}

fn openai_sent(body: &Value) -> Vec<Sent> {
    let messages = body["messages"].as_array().unwrap();
    let decoded = |arguments: &Value| serde_json::from_str(arguments.as_str().unwrap()).unwrap();
    let sent = messages.iter().map(|message| Sent {
        role: text(&message["role"]),
        text: text(&message["content"]),
        calls: calls_of(&message["tool_calls"], decoded),
        answers: text(&message["tool_call_id"]),
    });
    sent.collect()
}

fn anthropic_reply(streamed: bool, said: &Said<'_>) -> Reply {
    let mut blocks = vec![json!({"type": "text", "text": said.text})];
    blocks.extend(said.calls.iter().map(
        |(id, name, args)| json!({"type": "tool_use", "id": id, "name": name, "input": args}),
    ));
    let message = json!({"id": "m", "type": "message", "role": "assistant", "model": "tiny",
        "content": blocks, "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}});
    if !streamed {
        return Reply::json(message);
    }
    let mut start = message.clone();
    start["content"] = json!([]);
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in blocks.iter().enumerate() {
        let (open, delta) = if block["type"] == "text" {
            let delta = json!({"type": "text_delta", "text": block["text"]});
            (json!({"type": "text", "text": ""}), delta)
        } else {
            let raw = block["input"].to_string();
            let mut open = block.clone();
            open["input"] = json!({});
            (
                open,
                json!({"type": "input_json_delta", "partial_json": raw}),
            )
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": open}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let end = json!({"stop_reason": "end_turn"});
    events.push(json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}));
    events.push(json!({"type": "message_stop"}));
    Reply::sse(events.iter().map(Value::to_string))
}

/// One entry per result, as on the other wires, although Anthropic puts them into one message.
fn anthropic_sent(body: &Value) -> Vec<Sent> {
    let plain = |role: &str, text: String| Sent {
        role: role.to_owned(),
        text,
        calls: Vec::new(),
        answers: String::new(),
    };
    let mut sent = vec![plain("system", text(&body["system"]))];
    for message in body["messages"].as_array().unwrap() {
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        let results: Vec<_> = blocks
            .iter()
            .filter(|block| block["type"] == "tool_result")
            .collect();
        if results.is_empty() {
            let mut entry = plain(&text(&message["role"]), text(&message["content"]));
            let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
            entry.calls = calls
                .map(|call| (text(&call["name"]), call["input"].clone()))
                .collect();
            sent.push(entry);
        }
        sent.extend(results.into_iter().map(|result| Sent {
            answers: text(&result["tool_use_id"]),
            ..plain("tool", text(&result["content"]))
        }));
    }
    sent
}
