//! The Ollama row.

use std::sync::Arc;

use haft_core::ChatModel;
use haft_models::ChatOllama;
use haft_testing::Reply;
use serde_json::{Value, json};

use super::{KEY, MODEL, Provider, Said, Sent, Setup};

pub(crate) const PROVIDER: Provider = Provider {
    name: "ollama",
    model,
    reply,
    unfinished,
    malformed,
    models,
    messages,
    tools,
};

fn model(setup: Setup<'_>) -> Arc<dyn ChatModel> {
    let model = ChatOllama::new(MODEL)
        .base_url(setup.url)
        .api_key(KEY)
        .streaming(setup.streamed)
        .transport(setup.transport);
    Arc::new(model)
}

fn piece(text: &str, calls: &[Value]) -> Value {
    json!({
        "model": MODEL,
        "message": {"role": "assistant", "content": text, "tool_calls": calls},
        "done": false,
    })
}

fn reply(streamed: bool, said: &Said<'_>) -> Reply {
    let call = |(index, (id, name, arguments)): (usize, &(&str, &str, Value))| json!({"id": id, "function": {"index": index, "name": name, "arguments": arguments}});
    let calls: Vec<Value> = said.calls.iter().enumerate().map(call).collect();
    let ended = |mut piece: Value| {
        piece["done"] = json!(true);
        piece["done_reason"] = json!("stop");
        piece["prompt_eval_count"] = json!(7);
        piece["eval_count"] = json!(3);
        piece
    };
    if !streamed {
        return Reply::json(ended(piece(said.text, &calls)));
    }
    let mut pieces: Vec<Value> = said
        .text
        .chars()
        .map(|c| piece(&c.to_string(), &[]))
        .collect();
    pieces.extend(
        calls
            .iter()
            .map(|call| piece("", std::slice::from_ref(call))),
    );
    pieces.push(ended(piece("", &[])));
    Reply::ndjson(pieces)
}

fn unfinished() -> Reply {
    Reply::ndjson([piece("He", &[]), piece("l", &[])])
}

fn malformed(streamed: bool) -> Reply {
    if streamed {
        Reply::new("application/x-ndjson", "{oops\n{\"done\": true}\n")
    } else {
        Reply::new("application/json", "{\"message\": {")
    }
}

fn models(names: &[&str]) -> Reply {
    let models: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    Reply::json(json!({"models": models}))
}

fn messages(body: &Value) -> Vec<Sent> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |call: &Value| {
        let function = &call["function"];
        (
            text(&call["id"]),
            text(&function["name"]),
            function["arguments"].clone(),
        )
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
    let messages = body["messages"].as_array().unwrap();
    messages.iter().map(message).collect()
}

fn tools(body: &Value) -> Vec<String> {
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.map(name).collect()
}
