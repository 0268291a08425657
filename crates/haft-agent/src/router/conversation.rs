//! What a router reads in a conversation: the latest question, and what came of it.

use haft_command::spoken;
use haft_core::{Message, ToolStatus};

/// The question, if nothing was called for it yet.
pub(super) fn open_question(messages: &[Message]) -> Option<String> {
    match messages.last() {
        Some(Message::Human(question)) => Some(question.content.text()),
        _ => None,
    }
}

/// What the results of the latest question say, if every call failed: a small model would repeat
/// the error, or invent a result.
pub(super) fn failures(messages: &[Message]) -> Option<String> {
    let start = messages.iter().rposition(is_question)?;
    let question = messages.get(start)?.content().text();
    let mut said: Vec<String> = Vec::new();
    for message in messages.iter().skip(start) {
        if let Message::Tool(result) = message {
            if result.status == ToolStatus::Success {
                return None;
            }
            let sentence = spoken(result, &question);
            if !said.contains(&sentence) {
                said.push(sentence);
            }
        }
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// The latest question and what follows it, below this instruction. Earlier turns would only
/// distract a small model.
pub(super) fn latest_question(messages: &[Message], instruction: &str) -> Vec<Message> {
    let start = messages.iter().rposition(is_question).unwrap_or_default();
    let latest = messages.iter().skip(start).cloned();
    std::iter::once(Message::system(instruction))
        .chain(latest)
        .collect()
}

fn is_question(message: &Message) -> bool {
    matches!(message, Message::Human(_))
}
