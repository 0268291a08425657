//! Reads requests of Ollama's `/api/chat` and `/api/generate` (`ollama/ollama: docs/api.md`,
//! `api/types.go`).

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, Message, ModelError,
    ThinkingEffort, ToolCall,
};
use haft_extract::read_arguments_text;
use serde_json::{Map, Value, json};

use super::history::{ClientHistory, ClientToolResult};
use super::tools::{ClientTool, ClientTools};
use super::{ClientRequest, Parsed, refused};
use crate::ollama::wire::{ChatMessage, ChatRequest, GenerateRequest, Options, WireCall};

/// Converts a `POST /api/chat` request to haft's own types.
pub(super) fn read_chat(request: ChatRequest) -> Result<Parsed, ModelError> {
    let mut history = ClientHistory::without_ids();
    for (place, message) in request.messages.into_iter().enumerate() {
        history.begin(place);
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
    let options = options(Wishes {
        options: request.options,
        think: request.think,
        format: request.format,
        keep_alive: request.keep_alive,
    })?;
    Ok(Parsed {
        request: ClientRequest {
            options,
            stream: request.stream != Some(false),
            ..ClientRequest::new(request.model, Vec::new()).with_tools(tools)
        },
        messages: history.into_sourced(),
    })
}

/// Converts a `POST /api/generate` request to haft's own types.
pub(super) fn read_generate(request: GenerateRequest) -> Result<Parsed, ModelError> {
    if request.suffix.is_some_and(|suffix| !suffix.is_empty()) || request.raw == Some(true) {
        return Err(refused("`suffix` and `raw` are not supported here"));
    }
    let mut history = ClientHistory::default();
    if let Some(system) = request.system.filter(|system| !system.is_empty()) {
        history.push(Message::system(system));
    }
    history.push(Message::human(content(request.prompt, &request.images)?));
    let options = options(Wishes {
        options: request.options,
        think: request.think,
        format: request.format,
        keep_alive: request.keep_alive,
    })?;
    Ok(Parsed {
        request: ClientRequest {
            options,
            stream: request.stream != Some(false),
            ..ClientRequest::new(request.model, Vec::new())
        },
        messages: history.into_sourced(),
    })
}

/// The reply options that both requests share.
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
                "`think` is \"{word}\"; expected true, false, low, medium or high"
            ))
        })?),
        Some(_) => return Err(refused("`think` must be a boolean or a string")),
    };
    let schema = match wishes.format {
        None | Some(Value::Null) => None,
        Some(Value::String(word)) if word.is_empty() => None,
        Some(Value::String(word)) if word == "json" => Some(json!({"type": "object"})),
        Some(schema @ Value::Object(_)) => Some(schema),
        Some(_) => return Err(refused("`format` must be \"json\" or a JSON Schema")),
    };
    Ok(CallOptions {
        response_schema: schema.map(Arc::new),
        generation: Generation {
            temperature: options.temperature,
            top_p: options.top_p,
            // -1 and -2 mean no limit.
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

fn read_message(message: ChatMessage, history: &mut ClientHistory) -> Result<(), ModelError> {
    let content = content(message.content, &message.images)?;
    match message.role.as_str() {
        "system" => history.push(Message::system(content)),
        "user" => history.push(Message::human(content)),
        "assistant" => {
            let calls = message.tool_calls.into_iter();
            if calls
                .as_slice()
                .iter()
                .any(|call| !call.function.arguments.is_object())
            {
                history.repairs();
            }
            let calls = calls.map(read_call);
            history.reply(AiMessage::new(content).with_tool_calls(calls));
        }
        "tool" => history.result(ClientToolResult {
            content,
            id: message.tool_call_id,
            name: message.tool_name,
            is_error: false,
        }),
        role => {
            return Err(refused(format!(
                "A message has the role \"{role}\"; expected system, user, assistant or tool"
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

/// The media type of a base64 image, detected from its first bytes: the wire does not state it.
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
        .ok_or_else(|| refused("An image must be png, jpeg, gif or webp in base64"))
}
