//! The texts of a request and its reply that are kept in memory, with their limits.

use bytes::Bytes;
use haft_core::{AiMessage, ContentBlock, ToolCall};
use serde::Serialize;

/// The maximum size of all kept request bodies together. Older requests leave the list.
pub(super) const MOST_BYTES: usize = 32 * 1024 * 1024;

/// The maximum size of one kept request body: the longest conversations of coding agents, without
/// large pictures.
pub(super) const REQUEST_BYTES: usize = 2 * 1024 * 1024;

/// The maximum size of each of these: what the model wrote, and what the client received.
pub(super) const REPLY_BYTES: usize = 64 * 1024;

/// What is kept of the body of a request.
#[derive(Clone, Debug, Default)]
pub(crate) enum KeptRequest {
    /// Nothing: the settings say so, or nothing has arrived yet.
    #[default]
    Nothing,
    /// All of it.
    Body(Bytes),
    /// Nothing, because it is larger than a kept request may be.
    TooLarge,
}

impl KeptRequest {
    pub(super) fn of(body: &Bytes) -> Self {
        if body.len() > REQUEST_BYTES {
            return Self::TooLarge;
        }
        Self::Body(body.clone())
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Body(body) => body.len(),
            Self::Nothing | Self::TooLarge => 0,
        }
    }
}

/// What the client received, as far as it is kept.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Given {
    text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reasoning: String,
    calls: Vec<ToolCall>,
    /// Whether something is missing because of the limit.
    is_cut: bool,
}

impl Given {
    /// The reply, within the limit.
    pub(crate) fn of(reply: &AiMessage) -> Self {
        let mut given = Self::default();
        let mut room = REPLY_BYTES;
        for call in &reply.tool_calls {
            let size = call.name.len() + serde_json::to_string(&call.args).map_or(0, |it| it.len());
            if size > room {
                given.is_cut = true;
                break;
            }
            room -= size;
            given.calls.push(call.clone());
        }
        for block in reply.content.blocks() {
            if let ContentBlock::Thinking { thinking, .. } = block {
                given.is_cut |= add(&mut given.reasoning, thinking, &mut room);
            }
        }
        given.is_cut |= add(&mut given.text, &reply.content.text(), &mut room);
        given
    }
}

/// Adds as much of a text as there is room for; returns true if something is missing.
fn add(kept: &mut String, text: &str, room: &mut usize) -> bool {
    let end = text.floor_char_boundary((*room).min(text.len()));
    kept.push_str(text.get(..end).unwrap_or_default());
    *room -= end;
    end < text.len()
}
