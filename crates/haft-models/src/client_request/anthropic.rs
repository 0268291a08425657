//! Reads requests of Anthropic's Messages API (docs.anthropic.com, "Messages").

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Content, ContentBlock, Generation, ImageBlock, Message, ModelError,
    ModelErrorKind, ThinkingEffort, ToolCall, ToolChoice,
};

use super::history::{ClientHistory, ClientToolResult};
use super::tools::{ClientTool, ClientTools};
use super::{ClientRequest, refused};
use crate::anthropic::wire::{
    Block, ImageSource, InputMessage, OutputFormat, Request, Role, Text, Thinking,
    ToolChoice as WireChoice,
};

/// Converts a request to haft's own types.
pub(super) fn read(request: Request) -> Result<ClientRequest, ModelError> {
    if request.thread.is_some() {
        let message = "Conversations are not stored: send all messages, without `thread`";
        return Err(ModelError::new(ModelErrorKind::Unsupported, message));
    }
    let mut history = ClientHistory::default();
    if let Some(system) = request.system {
        history.push(Message::system(text_of(system)));
    }
    for message in request.messages {
        read_message(message, &mut history)?;
    }
    let mut tools = Vec::new();
    for tool in request.tools {
        let is_own = tool.kind.as_deref().is_none_or(|kind| kind == "custom");
        if !is_own {
            let name = &tool.name;
            return Err(refused(format!(
                "The tool \"{name}\" runs at Anthropic only"
            )));
        }
        tools.push(ClientTool::new(
            tool.name,
            tool.description,
            tool.input_schema,
        ));
    }
    let tools: ClientTools = tools.into_iter().collect();
    let output = request.output_config.unwrap_or_default();
    let schema = output.format.map(|format| match format {
        OutputFormat::JsonSchema { schema } => Arc::new(schema),
    });
    Ok(ClientRequest {
        model: request.model,
        messages: history.into_messages(),
        tools: tools.tools,
        has_known_tools: tools.are_known,
        options: CallOptions {
            tool_choice: request.tool_choice.map(choice).unwrap_or_default(),
            response_schema: schema,
            generation: Generation {
                temperature: request.temperature,
                top_p: request.top_p,
                max_tokens: u32::try_from(request.max_tokens).ok(),
                stop: request.stop_sequences.unwrap_or_default(),
                thinking: request.thinking.as_ref().map(thinking),
                top_k: request.top_k,
                ..Generation::default()
            },
            ..CallOptions::default()
        },
        stream: request.stream == Some(true),
        wants_usage: true,
    })
}

fn thinking(thinking: &Thinking) -> ThinkingEffort {
    match thinking {
        Thinking::Disabled {} => ThinkingEffort::Off,
        Thinking::Enabled { .. } | Thinking::Adaptive {} => ThinkingEffort::On,
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

fn read_message(message: InputMessage, history: &mut ClientHistory) -> Result<(), ModelError> {
    let blocks = match message.content {
        Text::Plain(text) => vec![Block::Text { text }],
        Text::Blocks(blocks) => blocks,
    };
    match message.role {
        Role::System => history.push(Message::system(text_of(Text::Blocks(blocks)))),
        Role::User => read_user(blocks, history)?,
        Role::Assistant => history.reply(reply(blocks)),
    }
    Ok(())
}

/// Reads a user message. Tool results come first, other content follows.
fn read_user(blocks: Vec<Block>, history: &mut ClientHistory) -> Result<(), ModelError> {
    let mut said = Vec::new();
    for block in blocks {
        match block {
            Block::ToolResult {
                tool_use_id,
                content,
                is_error,
            } => history.result(ClientToolResult {
                content: result(content, &mut said)?,
                id: Some(tool_use_id),
                name: None,
                is_error: is_error == Some(true),
            }),
            Block::Text { text } => said.push(ContentBlock::Text { text }),
            Block::Image { source } => said.push(image(source)?),
            Block::Unknown => return Err(strange()),
            _ => {}
        }
    }
    if !said.is_empty() {
        history.push(Message::human(simple(said)));
    }
    Ok(())
}

/// Reads a tool result; its images are added to the user's content.
fn result(content: Option<Text>, said: &mut Vec<ContentBlock>) -> Result<Content, ModelError> {
    let blocks = match content {
        None => return Ok(Content::default()),
        Some(Text::Plain(text)) => return Ok(text.into()),
        Some(Text::Blocks(blocks)) => blocks,
    };
    let mut texts = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text } => texts.push(text),
            Block::Image { source } => said.push(image(source)?),
            Block::Unknown => return Err(strange()),
            _ => {}
        }
    }
    Ok(texts.join("\n").into())
}

/// The error for unsupported content, which must not be dropped silently: the model would answer
/// without it.
fn strange() -> ModelError {
    refused("A message contains something other than text, pictures and tool results")
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

fn image(source: ImageSource) -> Result<ContentBlock, ModelError> {
    match source {
        ImageSource::Base64 { media_type, data } => Ok(ContentBlock::Image(ImageBlock {
            mime_type: media_type,
            base64: data,
        })),
        _ => Err(refused("An image must be in the message, as base64")),
    }
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
