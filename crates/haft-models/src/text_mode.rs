//! A conversation for a model without tools: the system prompt teaches them, calls and results
//! become text.
//!
//! `text_mode/style.rs` knows how the families of models write calls and read results,
//! `text_mode/signature.rs` puts a tool into one line. What the model answers is read by
//! `reply.rs`, like any other reply. All of it is a pure function, so that a later request of a
//! turn begins like an earlier one and the server's prompt cache holds.

mod signature;
mod style;

use std::sync::Arc;

use haft_core::{AiMessage, CallOptions, Content, ContentBlock, Message, Tool, ToolChoice};
use serde_json::Value;

pub(crate) use self::style::Style;
use crate::bound::BoundTools;
use crate::tool_choice::name_of;
use crate::wire_ids::called_name;

/// How the prompt goes on after the user's own.
const OPENING: &str = "You can use tools. Each is listed with its parameters; `?` marks one that \
    may be left out.";

/// `messages` without calls and results, and with the tools that `options` allow taught in the
/// system message.
pub(crate) fn written(
    messages: &[Message],
    bound: &BoundTools,
    options: &CallOptions,
    style: Style,
) -> Vec<Message> {
    let mut written = Vec::with_capacity(messages.len() + 1);
    let mut results: Vec<ContentBlock> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if let Message::Tool(result) = message {
            let name = called_name(messages, index, result).unwrap_or("the tool");
            add_result(&mut results, &style.result(name, &result.content.text()));
            let pictures = result.content.images().cloned();
            results.extend(pictures.map(ContentBlock::Image));
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
        teach(&mut written, prompt(&tools, &options.tool_choice, style));
    }
    written
}

/// All results of a round are one message of the user: many chat templates want the roles to
/// alternate.
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

/// The reply with its calls in its text. The thinking stays what it is.
fn with_calls(reply: &AiMessage, style: Style) -> AiMessage {
    let mut calls: Vec<String> = reply
        .tool_calls
        .iter()
        .map(|call| style.call(&call.name, &call.args))
        .collect();
    let invalid = reply.invalid_tool_calls.iter();
    calls.extend(invalid.map(|call| style.broken_call(&call.name, &call.args)));
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

/// Puts `prompt` after the system message, or makes one: many chat templates take it at the
/// beginning only, and only one.
fn teach(messages: &mut Vec<Message>, prompt: String) {
    match messages.first_mut() {
        Some(Message::System(system)) => system.content.push_paragraph(&prompt),
        _ => messages.insert(0, Message::system(prompt)),
    }
}

fn prompt(tools: &[Arc<dyn Tool>], choice: &ToolChoice, style: Style) -> String {
    let lines: Vec<String> = tools.iter().map(signature::line).collect();
    let example = tools.first().map(|tool| {
        let arguments = signature::example(tool);
        style.calls(&[style.call(name_of(tool), &arguments)])
    });
    let demand = match choice {
        ToolChoice::Auto | ToolChoice::OneOrNone | ToolChoice::None => {
            "When you need no tool, answer in plain words."
        }
        ToolChoice::Required => "Your next reply must call at least one tool.",
        ToolChoice::Tool(_) => "Your next reply must call this tool.",
    };
    format!(
        "{OPENING}\n{}\n\n{} Write nothing after the call: the result comes in the next message. \
         Never make up a result, and call no tool that is not listed. {demand}\nFor example:\n{}",
        lines.join("\n"),
        style.rule(),
        example.unwrap_or_default(),
    )
}

/// JSON on one line, with the spaces that models were trained on.
fn json_line(value: &Value) -> String {
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
