//! Reads requests of OpenAI's Chat Completions API (OpenAI's API reference, "Create chat
//! completion").

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, InvalidToolCall,
    Message, ModelError, ThinkingEffort, ToolCall, ToolChoice,
};
use haft_extract::read_arguments_text;
use serde_json::{Value, json};

use super::history::{ClientHistory, ClientToolResult};
use super::tools::{ClientTool, ClientTools, KnownTools};
use super::{ClientRequest, Parsed, refused};
use crate::openai::wire::{
    ChatRequest, MessageContent, NamedFunction, Part, RequestCall, RequestMessage, ResponseFormat,
    Stop, Tool, ToolChoice as WireChoice,
};

/// Converts a request to haft's own types.
pub(super) fn read(request: ChatRequest) -> Result<Parsed, ModelError> {
    let mut history = ClientHistory::default();
    for (place, message) in request.messages.into_iter().enumerate() {
        history.begin(place);
        read_message(message, &mut history)?;
    }
    let tools = tools(request.tools.list());
    if let Some(replies @ 2..) = request.n {
        return Err(refused(format!(
            "`n` is {replies}; only one reply per request is supported"
        )));
    }
    let further = [
        ("parallel_tool_calls", request.parallel_tool_calls),
        ("logit_bias", request.logit_bias),
        ("chat_template_kwargs", request.chat_template_kwargs),
        ("user", request.user),
        ("service_tier", request.service_tier),
    ];
    let further = further
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let generation = Generation {
        temperature: request.temperature,
        top_p: request.top_p,
        max_tokens: request.max_completion_tokens.or(request.max_tokens),
        stop: match request.stop {
            Some(Stop::One(text)) => vec![text],
            Some(Stop::Several(texts)) => texts,
            None => Vec::new(),
        },
        seed: request.seed,
        thinking: request
            .reasoning_effort
            .as_deref()
            .map(effort)
            .transpose()?,
        top_k: request.top_k,
        min_p: request.min_p,
        repeat_penalty: request.repeat_penalty.or(request.repetition_penalty),
        presence_penalty: request.presence_penalty,
        frequency_penalty: request.frequency_penalty,
        openai_fields: further.collect(),
        ..Generation::default()
    };
    let options = CallOptions {
        tool_choice: request
            .tool_choice
            .map(choice)
            .transpose()?
            .unwrap_or_default(),
        response_schema: request.response_format.and_then(schema),
        generation,
        ..CallOptions::default()
    };
    let read = ClientRequest {
        options,
        stream: request.stream,
        wants_usage: request
            .stream_options
            .is_some_and(|options| options.include_usage),
        ..ClientRequest::new(request.model, Vec::new()).with_tools(tools)
    };
    Ok(Parsed {
        request: read,
        messages: history.into_sourced(),
    })
}

/// The tools of a request. A tool that was seen before is returned as the same object.
fn tools(list: &Arc<[Tool]>) -> ClientTools {
    static KNOWN: KnownTools<Tool> = KnownTools::new();
    KNOWN.of(list, |tool| {
        let function = &tool.function;
        ClientTool::new(
            function.name.clone(),
            Some(function.description.clone()),
            Some(function.parameters.clone()),
        )
    })
}

fn effort(word: &str) -> Result<ThinkingEffort, ModelError> {
    ThinkingEffort::named(word).ok_or_else(|| {
        refused(format!(
            "`reasoning_effort` is \"{word}\"; expected none, minimal, low, medium or high"
        ))
    })
}

fn choice(choice: WireChoice) -> Result<ToolChoice, ModelError> {
    match choice {
        WireChoice::Named {
            function: NamedFunction { name },
            ..
        } => Ok(ToolChoice::Tool(name)),
        WireChoice::Mode(mode) => match mode.as_str() {
            "auto" => Ok(ToolChoice::Auto),
            "none" => Ok(ToolChoice::None),
            "required" | "any" => Ok(ToolChoice::Required),
            _ => Err(refused(format!(
                "`tool_choice` is \"{mode}\"; expected auto, none, required or a function"
            ))),
        },
    }
}

fn schema(format: ResponseFormat) -> Option<Arc<Value>> {
    match format {
        ResponseFormat::Text => None,
        ResponseFormat::JsonObject => Some(Arc::new(json!({"type": "object"}))),
        ResponseFormat::JsonSchema { json_schema } => Some(json_schema.schema),
    }
}

fn read_message(message: RequestMessage, history: &mut ClientHistory) -> Result<(), ModelError> {
    let content = message
        .content
        .map(|given| content(given, history))
        .unwrap_or_default();
    match message.role.as_str() {
        "system" => history.push(Message::system(content)),
        // Many local servers know no such role.
        "developer" => {
            history.repairs();
            history.push(Message::system(content));
        }
        "user" => history.push(Message::human(content)),
        "assistant" => {
            let mut reply = AiMessage::new(content);
            for call in message.tool_calls.into_iter().flatten() {
                if !read_call(call, &mut reply) {
                    history.repairs();
                }
            }
            history.reply(reply);
        }
        "tool" | "function" => history.result(ClientToolResult {
            content,
            id: message.tool_call_id,
            name: message.name,
            is_error: false,
        }),
        role => {
            return Err(refused(format!(
                "A message has the role \"{role}\"; expected system, developer, user, assistant or tool"
            )));
        }
    }
    Ok(())
}

/// Reads a call; false if its arguments are not valid JSON, which servers refuse.
fn read_call(call: RequestCall, reply: &mut AiMessage) -> bool {
    let name = call.function.name;
    match read_arguments_text(&call.function.arguments) {
        Ok((args, repairs)) => {
            reply.tool_calls.push(ToolCall {
                name,
                args,
                id: call.id,
            });
            repairs.is_empty()
        }
        Err(error) => {
            reply.invalid_tool_calls.push(InvalidToolCall {
                name,
                args: call.function.arguments,
                id: call.id,
                error,
            });
            false
        }
    }
}

/// Reads content. Parts that haft's types cannot hold reach only servers of this API.
fn content(content: MessageContent, history: &mut ClientHistory) -> Content {
    let parts = match content {
        MessageContent::Text(text) => return text.into(),
        MessageContent::Parts(parts) => parts,
    };
    let mut blocks = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Text { text } | Part::Refusal { refusal: text } => {
                blocks.push(ContentBlock::Text { text });
            }
            Part::ImageUrl { image_url } => match image(&image_url.url) {
                Some(image) => blocks.push(ContentBlock::Image(image)),
                None => history.skip("an image that is not a `data:` URL in base64"),
            },
            Part::Unknown => history.skip("neither `text` nor `image_url`"),
        }
    }
    Content::Blocks(blocks)
}

/// Reads an image from a `data:` URL; other URLs are not fetched.
fn image(url: &str) -> Option<ImageBlock> {
    let (head, base64) = url.strip_prefix("data:")?.split_once(',')?;
    Some(ImageBlock {
        mime_type: head.strip_suffix(";base64")?.to_owned(),
        base64: base64.to_owned(),
    })
}
