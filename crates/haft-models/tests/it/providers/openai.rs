//! The OpenAI-compatible row.

use std::sync::Arc;

use haft_core::ChatModel;
use haft_models::ChatOpenAi;
use haft_testing::Reply;
use serde_json::{Value, json};

use super::{KEY, MODEL, Provider, Said, Sent, Setup};

pub(crate) const PROVIDER: Provider = Provider {
    name: "openai",
    model,
    reply,
    unfinished,
    malformed,
    models,
    messages,
    tools,
};

fn model(setup: Setup<'_>) -> Arc<dyn ChatModel> {
    let model = ChatOpenAi::new(MODEL)
        .base_url(format!("{}/v1", setup.url))
        .api_key(KEY)
        .streaming(setup.streamed)
        .transport(setup.transport);
    Arc::new(model)
}

fn reply(streamed: bool, said: &Said<'_>) -> Reply {
    let calls = said
        .calls
        .iter()
        .enumerate()
        .map(|(index, (id, name, arguments))| {
            json!({"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()}})
        });
    let calls: Vec<Value> = calls.collect();
    let usage = json!({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10});
    if !streamed {
        let message = json!({"role": "assistant", "content": said.text, "tool_calls": calls});
        return Reply::json(json!({
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage,
        }));
    }
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]}).to_string();
    let mut events = vec![delta(json!({"role": "assistant", "content": ""}))];
    events.extend(said.text.chars().map(|c| delta(json!({"content": c}))));
    for call in calls {
        let arguments = call["function"]["arguments"].as_str().unwrap();
        let mut first = call.clone();
        first["function"]["arguments"] = json!("");
        events.push(delta(json!({"tool_calls": [first]})));
        events.extend(arguments.chars().map(|c| {
            delta(json!({"tool_calls": [{"index": call["index"], "function": {"arguments": c}}]}))
        }));
    }
    events
        .push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string());
    events.push(json!({"choices": [], "usage": usage}).to_string());
    events.push("[DONE]".to_owned());
    Reply::sse(events)
}

fn unfinished() -> Reply {
    let delta = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    Reply::sse([delta("He").to_string(), delta("l").to_string()])
}

fn malformed(streamed: bool) -> Reply {
    if streamed {
        Reply::sse(["{oops", "[DONE]"])
    } else {
        Reply::new("application/json", "{\"choices\": [")
    }
}

fn models(names: &[&str]) -> Reply {
    let data: Vec<Value> = names.iter().map(|name| json!({"id": name})).collect();
    Reply::json(json!({"object": "list", "data": data}))
}

fn messages(body: &Value) -> Vec<Sent> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |call: &Value| {
        let function = &call["function"];
        let arguments = serde_json::from_str(function["arguments"].as_str().unwrap()).unwrap();
        (text(&call["id"]), text(&function["name"]), arguments)
    };
    let message = |message: &Value| Sent {
        role: text(&message["role"]),
        text: text(&message["content"]),
        calls: message["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
            .map(call)
            .collect(),
        answers: text(&message["tool_call_id"]),
    };
    body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(message)
        .collect()
}

fn tools(body: &Value) -> Vec<String> {
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    body["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .map(name)
        .collect()
}
