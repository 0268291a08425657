//! Reads requests of Anthropic's Messages API (docs.anthropic.com, "Messages").

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, Message, ModelError,
    ModelErrorKind, ThinkingEffort, ToolCall, ToolChoice,
};

use super::history::{ClientHistory, ClientToolResult};
use super::tools::{ClientTool, ClientTools};
use super::{ClientRequest, Parsed};
use crate::anthropic::wire::{
    AnthropicTool, Block, ImageSource, InputMessage, OutputFormat, Request, Role, Text, Thinking,
    ToolChoice as WireChoice,
};

/// Converts a request to haft's own types.
pub(super) fn read(request: Request) -> Result<Parsed, ModelError> {
    if request.thread.is_some() {
        let message = "Conversations are not stored: send all messages, without `thread`";
        return Err(ModelError::new(ModelErrorKind::Unsupported, message));
    }
    let mut history = ClientHistory::default();
    if let Some(system) = request.system {
        history.push(Message::system(text_of(system)));
    }
    for (place, message) in request.messages.into_iter().enumerate() {
        history.begin(place);
        read_message(message, &mut history);
    }
    // Tools that run at Anthropic are in the document only.
    let own = request.tools.into_iter().filter(AnthropicTool::is_custom);
    let tools = own.map(|tool| ClientTool::new(tool.name, tool.description, tool.input_schema));
    let tools: ClientTools = tools.collect();
    let output = request.output_config.unwrap_or_default();
    let schema = output.format.map(|format| match format {
        OutputFormat::JsonSchema { schema } => Arc::new(schema),
    });
    let effort = output.effort.as_deref().and_then(ThinkingEffort::named);
    let options = CallOptions {
        tool_choice: request.tool_choice.map(choice).unwrap_or_default(),
        response_schema: schema,
        generation: Generation {
            temperature: request.temperature,
            top_p: request.top_p,
            max_tokens: u32::try_from(request.max_tokens).ok(),
            stop: request.stop_sequences.unwrap_or_default(),
            thinking: request
                .thinking
                .as_ref()
                .map(|given| thinking(given, effort)),
            top_k: request.top_k,
            ..Generation::default()
        },
        ..CallOptions::default()
    };
    Ok(Parsed {
        request: ClientRequest {
            options,
            stream: request.stream == Some(true),
            ..ClientRequest::new(request.model, Vec::new()).with_tools(tools)
        },
        messages: history.into_sourced(),
    })
}

/// The effort: the one that the client names, or the budget as other APIs would say it.
fn thinking(thinking: &Thinking, named: Option<ThinkingEffort>) -> ThinkingEffort {
    match thinking {
        Thinking::Disabled {} => ThinkingEffort::Off,
        Thinking::Enabled { .. } | Thinking::Adaptive {} => named.unwrap_or(ThinkingEffort::On),
    }
}

fn choice(choice: WireChoice) -> ToolChoice {
    match choice {
        WireChoice::Auto { .. } => ToolChoice::Auto,
        WireChoice::Any { .. } => ToolChoice::Required,
        WireChoice::Tool { name, .. } => ToolChoice::Tool(name),
        WireChoice::None {} => ToolChoice::None,
    }
}

fn read_message(message: InputMessage, history: &mut ClientHistory) {
    let blocks = match message.content {
        Text::Plain(text) => vec![Block::Text { text }],
        Text::Blocks(blocks) => blocks,
    };
    match message.role {
        Role::System => history.push(Message::system(text_of(Text::Blocks(blocks)))),
        Role::User => read_user(blocks, history),
        Role::Assistant => {
            if blocks.contains(&Block::Unknown) {
                history.skip(STRANGE);
            }
            history.reply(reply(blocks));
        }
    }
}

/// What is said about content that haft's types cannot hold, such as documents and calls of tools
/// that run at Anthropic. It reaches only servers of this API: elsewhere the model would answer
/// without it.
const STRANGE: &str = "other than text, pictures and tool results";

/// Reads a user message. Tool results come first, other content follows.
fn read_user(blocks: Vec<Block>, history: &mut ClientHistory) {
    let (mut said, mut results) = (Vec::new(), Vec::new());
    for block in blocks {
        match block {
            Block::ToolResult {
                tool_use_id,
                content,
                is_error,
            } => results.push(ClientToolResult {
                content: result(content, &mut said, history),
                id: Some(tool_use_id),
                name: None,
                is_error: is_error == Some(true),
            }),
            Block::Text { text } => said.push(ContentBlock::Text { text }),
            Block::Image { source } => picture(source, &mut said, history),
            Block::Unknown => history.skip(STRANGE),
            _ => {}
        }
    }
    let is_silent = said.is_empty() && !results.is_empty();
    for result in results {
        history.result(result);
    }
    if !is_silent {
        history.push(Message::human(simple(said)));
    }
}

/// Reads a tool result; its images are added to the user's content.
fn result(
    content: Option<Text>,
    said: &mut Vec<ContentBlock>,
    history: &mut ClientHistory,
) -> Content {
    let blocks = match content {
        None => return Content::default(),
        Some(Text::Plain(text)) => return text.into(),
        Some(Text::Blocks(blocks)) => blocks,
    };
    let mut texts = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text } => texts.push(text),
            Block::Image { source } => picture(source, said, history),
            Block::Unknown => history.skip(STRANGE),
            _ => {}
        }
    }
    texts.join("\n").into()
}

fn picture(source: ImageSource, said: &mut Vec<ContentBlock>, history: &mut ClientHistory) {
    match source {
        ImageSource::Base64 { media_type, data } => said.push(ContentBlock::Image(ImageBlock {
            mime_type: media_type,
            base64: data,
        })),
        _ => history.skip("an image that is not in the message as base64"),
    }
}

fn reply(blocks: Vec<Block>) -> AiMessage {
    let (mut said, mut calls) = (Vec::new(), Vec::new());
    for block in blocks {
        match block {
            Block::Text { text } => said.push(ContentBlock::Text { text }),
            Block::ToolUse { id, name, input } => calls.push(ToolCall::new(name, input, id)),
            Block::Thinking {
                thinking,
                signature,
            } => said.push(ContentBlock::Thinking {
                thinking,
                signature: Some(signature).filter(|signature| !signature.is_empty()),
            }),
            Block::RedactedThinking { data } => said.push(ContentBlock::RedactedThinking { data }),
            _ => {}
        }
    }
    AiMessage::new(simple(said)).with_tool_calls(calls)
}

/// Content with a single text block becomes plain text.
fn simple(mut blocks: Vec<ContentBlock>) -> Content {
    match blocks.pop() {
        None => Content::default(),
        Some(ContentBlock::Text { text }) if blocks.is_empty() => text.into(),
        Some(last) => {
            blocks.push(last);
            Content::Blocks(blocks)
        }
    }
}

fn text_of(text: Text) -> String {
    let blocks = match text {
        Text::Plain(text) => return text,
        Text::Blocks(blocks) => blocks,
    };
    let texts = blocks.into_iter().filter_map(|block| match block {
        Block::Text { text } => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
