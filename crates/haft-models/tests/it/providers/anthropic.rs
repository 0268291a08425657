//! The Anthropic row.

use std::sync::Arc;

use haft_core::ChatModel;
use haft_models::ChatAnthropic;
use haft_testing::Reply;
use serde_json::{Value, json};

use super::{KEY, MODEL, Provider, Said, Sent, Setup};

pub(crate) const PROVIDER: Provider = Provider {
    name: "anthropic",
    model,
    reply,
    unfinished,
    malformed,
    models,
    messages,
    tools,
};

fn model(setup: Setup<'_>) -> Arc<dyn ChatModel> {
    let model = ChatAnthropic::new(MODEL)
        .base_url(setup.url)
        .api_key(KEY)
        .streaming(setup.streamed)
        .transport(setup.transport);
    Arc::new(model)
}

fn start() -> String {
    let usage = json!({"input_tokens": 7, "output_tokens": 1});
    let message = json!({"type": "message", "role": "assistant", "content": [], "usage": usage});
    json!({"type": "message_start", "message": message}).to_string()
}

/// One block as events; `delta` makes one of each character.
fn block(index: usize, block: &Value, text: &str, delta: fn(char) -> Value) -> Vec<String> {
    let start = json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |c| json!({"type": "content_block_delta", "index": index, "delta": delta(c)});
    let stop = json!({"type": "content_block_stop", "index": index});
    let events = [start].into_iter().chain(text.chars().map(delta));
    events.chain([stop]).map(|e| e.to_string()).collect()
}

fn text_delta(c: char) -> Value {
    json!({"type": "text_delta", "text": c})
}

fn input_delta(c: char) -> Value {
    json!({"type": "input_json_delta", "partial_json": c})
}

fn reply(streamed: bool, said: &Said<'_>) -> Reply {
    if streamed {
        let mut events = vec![start(), json!({"type": "ping"}).to_string()];
        let text = json!({"type": "text", "text": ""});
        events.extend(block(0, &text, said.text, text_delta));
        for (index, (id, name, input)) in said.calls.iter().enumerate() {
            let call = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
            events.extend(block(index + 1, &call, &input.to_string(), input_delta));
        }
        let usage = json!({"output_tokens": 3});
        let delta = json!({"stop_reason": "end_turn"});
        events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}).to_string());
        events.push(json!({"type": "message_stop"}).to_string());
        return Reply::sse(events);
    }
    let call = |(id, name, input): &(&str, &str, Value)| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let text = json!({"type": "text", "text": said.text});
    let content: Vec<Value> = [text]
        .into_iter()
        .chain(said.calls.iter().map(call))
        .collect();
    Reply::json(json!({
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }))
}

fn unfinished() -> Reply {
    let text = json!({"type": "text", "text": ""});
    Reply::sse(
        [start()]
            .into_iter()
            .chain(block(0, &text, "Hel", text_delta)),
    )
}

fn malformed(streamed: bool) -> Reply {
    if streamed {
        Reply::sse(["{oops", "{\"type\": \"message_stop\"}"])
    } else {
        Reply::new("application/json", "{\"content\": [")
    }
}

fn models(names: &[&str]) -> Reply {
    let model = |name: &&str| json!({"type": "model", "id": name, "display_name": "A model"});
    let data: Vec<Value> = names.iter().map(model).collect();
    Reply::json(json!({"data": data, "has_more": false}))
}

fn messages(body: &Value) -> Vec<Sent> {
    let sent = |role: &str, text: &Value| Sent {
        role: role.to_owned(),
        text: text.as_str().unwrap_or_default().to_owned(),
        ..Sent::default()
    };
    let mut all = Vec::new();
    all.extend(body.get("system").map(|text| sent("system", text)));
    for message in body["messages"].as_array().unwrap() {
        let role = message["role"].as_str().unwrap();
        let mut own: Option<Sent> = None;
        for block in message["content"].as_array().unwrap() {
            match block["type"].as_str().unwrap() {
                "tool_result" => {
                    let mut result = sent("tool", &block["content"]);
                    result.answers = block["tool_use_id"].as_str().unwrap().to_owned();
                    all.push(result);
                }
                "tool_use" => {
                    let text = |key: &str| block[key].as_str().unwrap().to_owned();
                    let call = (text("id"), text("name"), block["input"].clone());
                    own.get_or_insert_with(|| sent(role, &Value::Null))
                        .calls
                        .push(call);
                }
                _ => own = Some(sent(role, &block["text"])),
            }
        }
        all.extend(own);
    }
    all
}

fn tools(body: &Value) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.map(name).collect()
}
