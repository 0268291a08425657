//! Chat completions as their clients see them (OpenAI's API reference, "Create chat completion").

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, InvalidToolCall,
    Message, ModelError, StopReason, ThinkingEffort, ToolCall, ToolChoice, Usage,
};
use haft_extract::read_arguments_text;
use serde::Serialize;
use serde_json::{Value, json};

use super::history::{Given, History};
use super::tools::{ClientTool, ClientTools, KnownTools};
use super::{ClientRequest, refused};
use crate::openai::wire::{
    ChatRequest, MessageContent, NamedFunction, Part, RequestCall, RequestMessage, ResponseFormat,
    Stop, Tool, ToolChoice as WireChoice,
};

/// The standard form of a request.
pub(super) fn read(request: ChatRequest) -> Result<ClientRequest, ModelError> {
    let mut history = History::default();
    for message in request.messages {
        read_message(message, &mut history)?;
    }
    let tools = tools(request.tools.list());
    if let Some(replies @ 2..) = request.n {
        return Err(refused(format!(
            "`n` is {replies}; one reply is written at a time: ask again for another"
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
    Ok(ClientRequest {
        model: request.model,
        messages: history.into_messages(),
        tools: tools.tools,
        has_known_tools: tools.are_known,
        options: CallOptions {
            tool_choice: request
                .tool_choice
                .map(choice)
                .transpose()?
                .unwrap_or_default(),
            response_schema: request.response_format.and_then(schema),
            generation,
            ..CallOptions::default()
        },
        stream: request.stream,
        wants_usage: request
            .stream_options
            .is_some_and(|options| options.include_usage),
    })
}

/// The tools of a list. Those of one that was met before are the same again.
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
            "`reasoning_effort` is \"{word}\"; there are none, minimal, low, medium and high"
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
                "`tool_choice` is \"{mode}\"; there are auto, none, required, or a function"
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

fn read_message(message: RequestMessage, history: &mut History) -> Result<(), ModelError> {
    let content = message
        .content
        .map(content)
        .transpose()?
        .unwrap_or_default();
    match message.role.as_str() {
        "system" | "developer" => history.push(Message::system(content)),
        "user" => history.push(Message::human(content)),
        "assistant" => {
            let mut reply = AiMessage::new(content);
            for call in message.tool_calls.into_iter().flatten() {
                read_call(call, &mut reply);
            }
            history.reply(reply);
        }
        "tool" | "function" => history.result(Given {
            content,
            id: message.tool_call_id,
            name: message.name,
            failed: false,
        }),
        role => {
            return Err(refused(format!(
                "A message has the role \"{role}\"; there are system, developer, user, assistant and tool"
            )));
        }
    }
    Ok(())
}

fn read_call(call: RequestCall, reply: &mut AiMessage) {
    let name = call.function.name;
    match read_arguments_text(&call.function.arguments) {
        Ok((args, _)) => reply.tool_calls.push(ToolCall {
            name,
            args,
            id: call.id,
        }),
        Err(error) => reply.invalid_tool_calls.push(InvalidToolCall {
            name,
            args: call.function.arguments,
            id: call.id,
            error,
        }),
    }
}

fn content(content: MessageContent) -> Result<Content, ModelError> {
    let parts = match content {
        MessageContent::Text(text) => return Ok(text.into()),
        MessageContent::Parts(parts) => parts,
    };
    let block = |part| match part {
        Part::Text { text } => Ok(ContentBlock::Text { text }),
        Part::Refusal { refusal } => Ok(ContentBlock::Text { text: refusal }),
        Part::ImageUrl { image_url } => picture(&image_url.url).map(ContentBlock::Image),
        Part::Unknown => Err(refused(
            "A message holds something that is neither text nor a picture (`text`, `image_url`)",
        )),
    };
    let blocks = parts.into_iter().map(block);
    Ok(Content::Blocks(blocks.collect::<Result<_, _>>()?))
}

/// A picture inside its address; one that is somewhere else is not fetched.
fn picture(url: &str) -> Result<ImageBlock, ModelError> {
    let read = |url: &str| {
        let (head, base64) = url.strip_prefix("data:")?.split_once(',')?;
        Some(ImageBlock {
            mime_type: head.strip_suffix(";base64")?.to_owned(),
            base64: base64.to_owned(),
        })
    };
    read(url).ok_or_else(|| refused("A picture must be a `data:` address with base64 in it"))
}

/// The reply in one piece; the head is its id, its time and the model.
pub(super) fn whole((id, created, model): (&str, i64, &str), reply: &AiMessage) -> Vec<u8> {
    let text = reply.content.text();
    let thoughts = super::writer::thoughts(reply);
    let arguments: Vec<String> = reply.tool_calls.iter().map(arguments).collect();
    let calls = reply.tool_calls.iter().zip(&arguments);
    let calls: Vec<Call<'_>> = calls
        .map(|(call, arguments)| Call {
            id: &call.id,
            r#type: "function",
            function: Function {
                name: &call.name,
                arguments,
            },
        })
        .collect();
    let is_silent = text.is_empty() && !calls.is_empty();
    let message = Whole {
        role: "assistant",
        content: (!is_silent).then_some(&text),
        reasoning_content: (!thoughts.is_empty()).then_some(&thoughts),
        tool_calls: calls,
    };
    let choice = WholeChoice {
        index: 0,
        message,
        logprobs: (),
        finish_reason: finish_reason(reply),
    };
    let whole = Completion {
        id,
        object: "chat.completion",
        created,
        model,
        choices: [choice],
        usage: usage(reply.usage.unwrap_or_default()),
    };
    // Texts and numbers can be written.
    serde_json::to_vec(&whole).unwrap_or_default()
}

#[derive(Serialize)]
struct Completion<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [WholeChoice<'a>; 1],
    usage: TokenCount,
}

#[derive(Serialize)]
struct WholeChoice<'a> {
    index: u8,
    message: Whole<'a>,
    logprobs: (),
    finish_reason: &'static str,
}

#[derive(Serialize)]
struct Whole<'a> {
    role: &'static str,
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

/// The arguments of a call as JSON in a text.
pub(super) fn arguments(call: &ToolCall) -> String {
    serde_json::to_string(&call.args).unwrap_or_default()
}

pub(super) fn finish_reason(reply: &AiMessage) -> &'static str {
    match reply.stop_reason {
        _ if !reply.tool_calls.is_empty() => "tool_calls",
        Some(StopReason::MaxTokens) => "length",
        Some(StopReason::Refusal) => "content_filter",
        _ => "stop",
    }
}

/// The tokens of a reply as clients count them.
#[derive(Serialize)]
pub(super) struct TokenCount {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    prompt_tokens_details: CachedTokens,
}

#[derive(Serialize)]
struct CachedTokens {
    cached_tokens: u64,
}

pub(super) fn usage(usage: Usage) -> TokenCount {
    TokenCount {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens(),
        prompt_tokens_details: CachedTokens {
            cached_tokens: usage.cached_input_tokens,
        },
    }
}

pub(super) fn error_body(status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        _ => "server_error",
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": status}})
}
