//! Ollama's API as its clients see it (`ollama/ollama: docs/api.md`, `api/types.go`).

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, Message, ModelError,
    StopReason, ThinkingEffort, ToolCall,
};
use haft_extract::read_arguments_text;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::history::{Given, History};
use super::tools::{ClientTool, ClientTools};
use super::{ClientRequest, refused};
use crate::ollama::wire::{ChatMessage, ChatRequest, GenerateRequest, Options, WireCall};

/// The standard form of `POST /api/chat`.
pub(super) fn read_chat(request: ChatRequest) -> Result<ClientRequest, ModelError> {
    let mut history = History::default();
    for message in request.messages {
        read_message(message, &mut history)?;
    }
    let tools = request.tools.list().iter().cloned().map(|tool| {
        let function = tool.function;
        ClientTool::new(
            function.name,
            Some(function.description),
            Some(function.parameters),
        )
    });
    let tools: ClientTools = tools.collect();
    Ok(ClientRequest {
        model: request.model,
        messages: history.into_messages(),
        tools: tools.tools,
        has_known_tools: tools.are_known,
        options: options(Wishes {
            options: request.options,
            think: request.think,
            format: request.format,
            keep_alive: request.keep_alive,
        })?,
        stream: request.stream != Some(false),
        wants_usage: true,
    })
}

/// The standard form of `POST /api/generate`.
pub(super) fn read_generate(request: GenerateRequest) -> Result<ClientRequest, ModelError> {
    if request.suffix.is_some_and(|suffix| !suffix.is_empty()) || request.raw == Some(true) {
        return Err(refused("`suffix` and `raw` are not supported here"));
    }
    let mut messages = Vec::new();
    if let Some(system) = request.system.filter(|system| !system.is_empty()) {
        messages.push(Message::system(system));
    }
    messages.push(Message::human(content(request.prompt, &request.images)?));
    Ok(ClientRequest {
        model: request.model,
        messages,
        tools: Vec::new(),
        has_known_tools: true,
        options: options(Wishes {
            options: request.options,
            think: request.think,
            format: request.format,
            keep_alive: request.keep_alive,
        })?,
        stream: request.stream != Some(false),
        wants_usage: true,
    })
}

/// What both requests say of the reply.
struct Wishes {
    options: Options,
    think: Option<Value>,
    format: Option<Value>,
    keep_alive: Option<Value>,
}

fn options(wishes: Wishes) -> Result<CallOptions, ModelError> {
    let options = wishes.options;
    let thinking = match wishes.think {
        None | Some(Value::Null) => None,
        Some(Value::Bool(true)) => Some(ThinkingEffort::On),
        Some(Value::Bool(false)) => Some(ThinkingEffort::Off),
        Some(Value::String(word)) => Some(ThinkingEffort::named(&word).ok_or_else(|| {
            refused(format!(
                "`think` is \"{word}\"; there are true, false, low, medium and high"
            ))
        })?),
        Some(_) => return Err(refused("`think` is neither true or false nor a word")),
    };
    let schema = match wishes.format {
        None | Some(Value::Null) => None,
        Some(Value::String(word)) if word.is_empty() => None,
        Some(Value::String(word)) if word == "json" => Some(json!({"type": "object"})),
        Some(schema @ Value::Object(_)) => Some(schema),
        Some(_) => return Err(refused("`format` is neither \"json\" nor a schema")),
    };
    Ok(CallOptions {
        response_schema: schema.map(Arc::new),
        generation: Generation {
            temperature: options.temperature,
            top_p: options.top_p,
            // -1 and -2 stand for no limit.
            max_tokens: options
                .num_predict
                .and_then(|most| u32::try_from(most).ok()),
            stop: options.stop,
            seed: options.seed,
            thinking,
            top_k: options.top_k,
            min_p: options.min_p,
            repeat_penalty: options.repeat_penalty,
            presence_penalty: options.presence_penalty,
            frequency_penalty: options.frequency_penalty,
            context_tokens: options.num_ctx,
            keep_alive: wishes.keep_alive.filter(|value| !value.is_null()),
            ollama_options: options.others,
            openai_fields: Map::new(),
        },
        ..CallOptions::default()
    })
}

fn read_message(message: ChatMessage, history: &mut History) -> Result<(), ModelError> {
    let content = content(message.content, &message.images)?;
    match message.role.as_str() {
        "system" => history.push(Message::system(content)),
        "user" => history.push(Message::human(content)),
        "assistant" => {
            let calls = message.tool_calls.into_iter().map(read_call);
            history.reply(AiMessage::new(content).with_tool_calls(calls));
        }
        "tool" => history.result(Given {
            content,
            id: message.tool_call_id,
            name: message.tool_name,
            failed: false,
        }),
        role => {
            return Err(refused(format!(
                "A message has the role \"{role}\"; there are system, user, assistant and tool"
            )));
        }
    }
    Ok(())
}

fn read_call(call: WireCall) -> ToolCall {
    let args = match call.function.arguments {
        Value::Object(args) => args,
        Value::String(text) => read_arguments_text(&text)
            .map(|(args, _)| args)
            .unwrap_or_default(),
        _ => Map::new(),
    };
    ToolCall {
        name: call.function.name,
        args,
        id: call.id.unwrap_or_default(),
    }
}

fn content(text: String, images: &[String]) -> Result<Content, ModelError> {
    if images.is_empty() {
        return Ok(text.into());
    }
    let mut blocks = vec![ContentBlock::Text { text }];
    for base64 in images {
        blocks.push(ContentBlock::Image(ImageBlock {
            mime_type: mime_type(base64)?.to_owned(),
            base64: base64.clone(),
        }));
    }
    Ok(Content::Blocks(blocks))
}

/// The kind of picture, by how its first bytes look in base64: the wire does not say it.
fn mime_type(base64: &str) -> Result<&'static str, ModelError> {
    const KINDS: [(&str, &str); 4] = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
    ];
    let found = KINDS.iter().find(|(start, _)| base64.starts_with(start));
    found
        .map(|(_, kind)| *kind)
        .ok_or_else(|| refused("A picture is none of png, jpeg, gif and webp in base64"))
}

/// The reply in one piece.
pub(super) fn whole(model: &str, created: Timestamp, reply: &AiMessage) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.content.text()});
    let thoughts = super::writer::thoughts(reply);
    if let Some(message) = message.as_object_mut() {
        if !thoughts.is_empty() {
            message.insert("thinking".to_owned(), thoughts.into());
        }
        if !reply.tool_calls.is_empty() {
            let calls = reply.tool_calls.iter().map(call);
            message.insert("tool_calls".to_owned(), calls.collect());
        }
    }
    let head = json!({"model": model, "created_at": created.to_string(), "message": message});
    last(head, reply, created)
}

/// The same for `/api/generate`.
pub(super) fn whole_text(model: &str, created: Timestamp, reply: &AiMessage) -> Value {
    let mut head = json!({
        "model": model,
        "created_at": created.to_string(),
        "response": reply.content.text(),
    });
    let thoughts = super::writer::thoughts(reply);
    if let Some(head) = head.as_object_mut().filter(|_| !thoughts.is_empty()) {
        head.insert("thinking".to_owned(), thoughts.into());
    }
    last(head, reply, created)
}

/// A call as clients read it.
pub(super) fn call(call: &ToolCall) -> Value {
    json!({"id": call.id, "function": {"name": call.name, "arguments": call.args}})
}

/// The last line, or the whole, with what is known at the end.
pub(super) fn last(mut line: Value, reply: &AiMessage, created: Timestamp) -> Value {
    let reason = match reply.stop_reason {
        Some(StopReason::MaxTokens) if reply.tool_calls.is_empty() => "length",
        _ => "stop",
    };
    let usage = reply.usage.unwrap_or_default();
    let took = Timestamp::now().duration_since(created);
    let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or_default();
    if let Some(line) = line.as_object_mut() {
        line.insert("done".to_owned(), true.into());
        line.insert("done_reason".to_owned(), reason.into());
        line.insert("total_duration".to_owned(), nanoseconds.into());
        line.insert("prompt_eval_count".to_owned(), usage.input_tokens.into());
        line.insert("eval_count".to_owned(), usage.output_tokens.into());
    }
    line
}

pub(super) fn error_body(message: &str) -> Value {
    json!({"error": message})
}
