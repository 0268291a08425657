//! Clients of every dialect: their requests, and how they parse an answer. Written from the
//! documentation of the APIs, without any code of haft.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The content of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) thought: String,
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) stop: String,
    /// Input and output tokens.
    pub(crate) tokens: (u64, u64),
}

/// One dialect.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) request: fn(stream: bool) -> Value,
    pub(crate) read_stream: fn(&str) -> Result<Read, String>,
    pub(crate) read_whole: fn(&str) -> Result<Read, String>,
    pub(crate) stop_end: &'static str,
    pub(crate) stop_calls: &'static str,
    pub(crate) stop_length: &'static str,
}

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        name: "openai",
        path: "/v1/chat/completions",
        request: openai_request,
        read_stream: openai_stream,
        read_whole: |body| openai_whole(&json_of(body)?),
        stop_end: "stop",
        stop_calls: "tool_calls",
        stop_length: "length",
    },
    Client {
        name: "ollama",
        path: "/api/chat",
        request: ollama_request,
        read_stream: ollama_stream,
        read_whole: ollama_stream,
        stop_end: "stop",
        stop_calls: "stop",
        stop_length: "length",
    },
    Client {
        name: "anthropic",
        path: "/v1/messages",
        request: anthropic_request,
        read_stream: anthropic_stream,
        read_whole: |body| anthropic_whole(&json_of(body)?),
        stop_end: "end_turn",
        stop_calls: "tool_use",
        stop_length: "max_tokens",
    },
    Client {
        name: "responses",
        path: "/v1/responses",
        request: responses_request,
        read_stream: responses_stream,
        read_whole: |body| responses_whole(&json_of(body)?),
        stop_end: "completed",
        stop_calls: "completed",
        stop_length: "incomplete",
    },
];

fn schema() -> Value {
    json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"type": "string"}}})
}

/// The tools, including those of the recordings.
fn tools() -> Vec<(&'static str, Value)> {
    vec![
        ("forecast", schema()),
        ("get_weather", schema()),
        ("get_time", json!({"type": "object", "properties": {}})),
        (
            "place_order",
            json!({"type": "object", "additionalProperties": true,
                "properties": {"items": {"type": "array"}}}),
        ),
    ]
}

fn openai_request(stream: bool) -> Value {
    let tools = tools().into_iter().map(|(name, schema)| {
        json!({"type": "function",
            "function": {"name": name, "description": "", "parameters": schema}})
    });
    json!({"model": "tiny", "stream": stream, "stream_options": {"include_usage": true},
        "tools": tools.collect::<Vec<_>>(), "messages": [{"role": "user", "content": "Hello"}]})
}

fn ollama_request(stream: bool) -> Value {
    openai_request(stream)
}

fn anthropic_request(stream: bool) -> Value {
    let tools = tools()
        .into_iter()
        .map(|(name, schema)| json!({"name": name, "description": "", "input_schema": schema}));
    json!({"model": "tiny", "stream": stream, "max_tokens": 500,
        "tools": tools.collect::<Vec<_>>(), "messages": [{"role": "user", "content": "Hello"}]})
}

fn responses_request(stream: bool) -> Value {
    let tools = tools().into_iter().map(|(name, schema)| {
        json!({"type": "function", "name": name, "strict": false, "parameters": schema})
    });
    json!({"model": "tiny", "stream": stream, "tools": tools.collect::<Vec<_>>(),
        "input": "Hello"})
}

fn json_of(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// The data of every event.
fn events(body: &str) -> impl Iterator<Item = &str> {
    body.lines().filter_map(|line| line.strip_prefix("data: "))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn openai_stream(body: &str) -> Result<Read, String> {
    let mut read = Read::default();
    let mut calls: BTreeMap<u64, (String, String)> = BTreeMap::new();
    let mut is_done = false;
    for data in events(body) {
        if data == "[DONE]" {
            is_done = true;
            continue;
        }
        let chunk = json_of(data)?;
        if !chunk["error"].is_null() {
            return Err(data.to_owned());
        }
        let choice = &chunk["choices"][0];
        let delta = &choice["delta"];
        read.text.push_str(text(&delta["content"]));
        read.thought.push_str(text(&delta["reasoning_content"]));
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            let (name, arguments) = calls.entry(call["index"].as_u64().unwrap()).or_default();
            name.push_str(text(&call["function"]["name"]));
            arguments.push_str(text(&call["function"]["arguments"]));
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            reason.clone_into(&mut read.stop);
        }
        if let Some(usage) = chunk["usage"].as_object() {
            read.tokens = openai_tokens(&usage["prompt_tokens"], &usage["completion_tokens"]);
        }
    }
    for (name, arguments) in calls.into_values() {
        read.calls.push((name, json_of(&arguments)?));
    }
    if is_done && !read.stop.is_empty() {
        Ok(read)
    } else {
        Err(format!("not at its end: {body}"))
    }
}

fn openai_tokens(given: &Value, made: &Value) -> (u64, u64) {
    (given.as_u64().unwrap_or(0), made.as_u64().unwrap_or(0))
}

fn openai_whole(body: &Value) -> Result<Read, String> {
    let message = &body["choices"][0]["message"];
    let mut read = Read {
        text: text(&message["content"]).to_owned(),
        thought: text(&message["reasoning_content"]).to_owned(),
        stop: text(&body["choices"][0]["finish_reason"]).to_owned(),
        tokens: openai_tokens(
            &body["usage"]["prompt_tokens"],
            &body["usage"]["completion_tokens"],
        ),
        ..Read::default()
    };
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let arguments = json_of(text(&function["arguments"]))?;
        read.calls
            .push((text(&function["name"]).to_owned(), arguments));
    }
    Ok(read)
}

/// Parses one or many lines.
fn ollama_stream(body: &str) -> Result<Read, String> {
    let mut read = Read::default();
    let mut is_done = false;
    for line in body.lines() {
        let part = json_of(line)?;
        if !part["error"].is_null() {
            return Err(line.to_owned());
        }
        let message = &part["message"];
        read.text.push_str(text(&message["content"]));
        read.thought.push_str(text(&message["thinking"]));
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            let name = text(&function["name"]).to_owned();
            read.calls.push((name, function["arguments"].clone()));
        }
        if part["done"] == true {
            is_done = true;
            read.stop = text(&part["done_reason"]).to_owned();
            read.tokens = openai_tokens(&part["prompt_eval_count"], &part["eval_count"]);
        }
    }
    if is_done {
        Ok(read)
    } else {
        Err(format!("not at its end: {body}"))
    }
}

fn anthropic_stream(body: &str) -> Result<Read, String> {
    let mut read = Read::default();
    let mut arguments = String::new();
    let mut is_done = false;
    for data in events(body) {
        let event = json_of(data)?;
        let delta = &event["delta"];
        match text(&event["type"]) {
            "error" => return Err(data.to_owned()),
            "message_stop" => is_done = true,
            "content_block_start" if event["content_block"]["type"] == "tool_use" => {
                let name = text(&event["content_block"]["name"]).to_owned();
                read.calls.push((name, Value::Null));
                arguments.clear();
            }
            "content_block_delta" => {
                read.text.push_str(text(&delta["text"]));
                read.thought.push_str(text(&delta["thinking"]));
                arguments.push_str(text(&delta["partial_json"]));
            }
            "content_block_stop" => {
                if let Some((_, args)) = read.calls.last_mut().filter(|(_, args)| args.is_null()) {
                    *args = json_of(&arguments)?;
                }
            }
            "message_start" => read.tokens = anthropic_tokens(&event["message"]["usage"]),
            "message_delta" => {
                read.stop = text(&delta["stop_reason"]).to_owned();
                let (given, made) = anthropic_tokens(&event["usage"]);
                // Fields of the first event may be missing in later ones.
                read.tokens = (given.max(read.tokens.0), made);
            }
            _ => {}
        }
    }
    if is_done {
        Ok(read)
    } else {
        Err(format!("not at its end: {body}"))
    }
}

/// Cached tokens are counted separately from the others.
fn anthropic_tokens(usage: &Value) -> (u64, u64) {
    let count = |name: &str| usage[name].as_u64().unwrap_or(0);
    let given = count("input_tokens") + count("cache_read_input_tokens");
    (given, count("output_tokens"))
}

fn anthropic_whole(body: &Value) -> Result<Read, String> {
    let mut read = Read {
        stop: text(&body["stop_reason"]).to_owned(),
        tokens: anthropic_tokens(&body["usage"]),
        ..Read::default()
    };
    for block in body["content"].as_array().into_iter().flatten() {
        match text(&block["type"]) {
            "text" => read.text.push_str(text(&block["text"])),
            "thinking" => read.thought.push_str(text(&block["thinking"])),
            "tool_use" => {
                let name = text(&block["name"]).to_owned();
                read.calls.push((name, block["input"].clone()));
            }
            _ => {}
        }
    }
    Ok(read)
}

/// Reads the last event, and compares it with what the events before it added up to.
fn responses_stream(body: &str) -> Result<Read, String> {
    let mut text_so_far = String::new();
    let mut arguments = Vec::new();
    let mut items = Vec::new();
    for (number, data) in events(body).enumerate() {
        let event = json_of(data)?;
        assert_eq!(event["sequence_number"], number);
        match text(&event["type"]) {
            "error" => return Err(data.to_owned()),
            "response.output_text.delta" => text_so_far.push_str(text(&event["delta"])),
            "response.function_call_arguments.done" => arguments.push(event["arguments"].clone()),
            "response.output_item.done" => items.push(event["item"].clone()),
            "response.completed" | "response.incomplete" => {
                let response = &event["response"];
                assert_eq!(response["output"], Value::from(items));
                let read = responses_whole(response)?;
                assert_eq!(
                    (&read.text, read.calls.len()),
                    (&text_so_far, arguments.len())
                );
                return Ok(read);
            }
            _ => {}
        }
    }
    Err(format!("not at its end: {body}"))
}

fn responses_whole(body: &Value) -> Result<Read, String> {
    let mut read = Read {
        stop: text(&body["status"]).to_owned(),
        tokens: openai_tokens(
            &body["usage"]["input_tokens"],
            &body["usage"]["output_tokens"],
        ),
        ..Read::default()
    };
    for item in body["output"].as_array().into_iter().flatten() {
        let parts = item["content"].as_array().into_iter().flatten();
        let said: String = parts.map(|part| text(&part["text"])).collect();
        match text(&item["type"]) {
            "message" => read.text.push_str(&said),
            "reasoning" => read.thought.push_str(&said),
            "function_call" => {
                let arguments = json_of(text(&item["arguments"]))?;
                read.calls.push((text(&item["name"]).to_owned(), arguments));
            }
            other => return Err(format!("unexpected item {other}")),
        }
    }
    Ok(read)
}
