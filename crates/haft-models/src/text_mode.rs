//! Writes a conversation for a model without native tools: the system prompt teaches the tools, and
//! calls and results become text.
//!
//! `text_mode/style.rs` knows how model families write calls and read results,
//! `text_mode/signature.rs` describes a tool in one line. The reply is read by `reply.rs`, like any
//! other. Everything here is a pure function, so that each request of a conversation begins like
//! the one before it and the server's prompt cache can be used.

mod signature;
mod style;

use std::sync::Arc;

use haft_core::{AiMessage, CallOptions, Content, ContentBlock, Message, Tool, ToolChoice};
use haft_extract::Format;
use serde_json::Value;

pub(crate) use self::style::Style;
use crate::bound::BoundTools;
use crate::offered::name_of;
use crate::size::is_named_small;
use crate::template_tokens::{harmless_messages, without_template_tokens};
use crate::wire_ids::called_name;

/// The start of the part of the prompt that teaches the tools.
const OPENING: &str = "You can use tools. Each is listed with its parameters; `?` marks one that \
    may be left out.";

/// How the tools are taught to a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Teaching {
    /// How it writes calls.
    style: Style,
    /// How much it is told.
    detail: Detail,
}

/// How much a model is told about its tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Whole descriptions.
    Full,
    /// One sentence for each tool, and one for each required parameter: for small models.
    Brief,
}

impl Teaching {
    /// How a model of this name is taught; a configured format counts more than the name.
    pub(crate) fn of(format: Format, model: &str) -> Self {
        let detail = if is_named_small(model) {
            Detail::Brief
        } else {
            Detail::Full
        };
        Self {
            style: Style::of(format, model),
            detail,
        }
    }
}

/// Converts `messages`: calls and results become text, and the system message teaches the tools
/// that `options` allow.
pub(crate) fn written(
    messages: &[Message],
    bound: &BoundTools,
    options: &CallOptions,
    teaching: Teaching,
) -> Vec<Message> {
    let style = teaching.style;
    let messages = &*harmless_messages(messages);
    let mut written = Vec::with_capacity(messages.len() + 1);
    let mut results: Vec<ContentBlock> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if let Message::Tool(result) = message {
            let name = called_name(messages, index, result).unwrap_or("the tool");
            let name = without_template_tokens(name);
            let result_text = style.result(&name, &result.content.text());
            add_result(&mut results, &result_text);
            let images = result.content.images().cloned();
            results.extend(images.map(ContentBlock::Image));
            continue;
        }
        flush(&mut results, &mut written);
        written.push(match message {
            Message::Ai(reply) => Message::Ai(with_calls(reply, style)),
            other => other.clone(),
        });
    }
    flush(&mut results, &mut written);
    let tools = bound.offered(&options.tool_choice);
    if !tools.is_empty() {
        let prompt = prompt(&tools, &options.tool_choice, teaching);
        teach(&mut written, prompt);
    }
    written
}

/// Adds all results of a round as one user message, because many chat templates require alternating
/// roles.
fn flush(results: &mut Vec<ContentBlock>, written: &mut Vec<Message>) {
    let blocks = std::mem::take(results);
    written.extend(match blocks.as_slice() {
        [] => None,
        [ContentBlock::Text { text }] => Some(Message::human(text.as_str())),
        _ => Some(Message::human(blocks)),
    });
}

fn add_result(results: &mut Vec<ContentBlock>, result: &str) {
    match results.last_mut() {
        Some(ContentBlock::Text { text }) => {
            text.push('\n');
            text.push_str(result);
        }
        _ => results.push(ContentBlock::Text {
            text: result.to_owned(),
        }),
    }
}

/// Moves the calls of a reply into its text. Its reasoning stays unchanged.
fn with_calls(reply: &AiMessage, style: Style) -> AiMessage {
    let mut calls: Vec<String> = reply
        .tool_calls
        .iter()
        .map(|call| style.call(&without_template_tokens(&call.name), &call.args))
        .collect();
    let invalid = reply.invalid_tool_calls.iter();
    calls.extend(invalid.map(|call| {
        let name = without_template_tokens(&call.name);
        style.broken_call(&name, &call.args)
    }));
    let mut content = reply.content.clone();
    if !calls.is_empty() {
        let calls = style.calls(&calls);
        match &mut content {
            Content::Text(text) if text.trim().is_empty() => *text = calls,
            Content::Text(text) => {
                text.push('\n');
                text.push_str(&calls);
            }
            Content::Blocks(blocks) => blocks.push(ContentBlock::Text { text: calls }),
        }
    }
    AiMessage {
        content,
        tool_calls: Vec::new(),
        invalid_tool_calls: Vec::new(),
        ..reply.clone()
    }
}

/// Appends `prompt` to the system message, or adds one: many chat templates support only one system
/// message, at the beginning.
fn teach(messages: &mut Vec<Message>, prompt: String) {
    match messages.first_mut() {
        Some(Message::System(system)) => system.content.push_paragraph(&prompt),
        _ => messages.insert(0, Message::system(prompt)),
    }
}

fn prompt(tools: &[Arc<dyn Tool>], choice: &ToolChoice, teaching: Teaching) -> String {
    let style = teaching.style;
    let lines: Vec<String> = tools
        .iter()
        .map(|tool| signature::line(tool, teaching.detail))
        .collect();
    let example = tools.first().map(|tool| {
        let arguments = signature::example(tool);
        // The placeholder of a parameter named `s` would be a special token.
        let call = style.call(name_of(tool), &arguments);
        style.calls(&[without_template_tokens(&call).into_owned()])
    });
    let demand = demand(choice);
    format!(
        "{OPENING}\n{}\n\n{} Write nothing after the call: the result comes in the next message. \
         Never make up a result, and call no tool that is not listed. {demand}\nFor example:\n{}",
        lines.join("\n"),
        style.rule(),
        example.unwrap_or_default(),
    )
}

/// What the next reply has to do.
fn demand(choice: &ToolChoice) -> &'static str {
    match choice {
        ToolChoice::Auto | ToolChoice::OneOrNone | ToolChoice::None => {
            "When you need no tool, answer in plain words."
        }
        ToolChoice::Required => "Your next reply must call at least one tool.",
        ToolChoice::Tool(_) => "Your next reply must call this tool.",
    }
}

/// JSON on one line, with the spaces that models were trained on.
pub(crate) fn json_line(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), json_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(json_line).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
