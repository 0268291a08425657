//! Call ids as they go out on a wire: unique in the whole conversation.
//!
//! A [`ToolCall`](haft_core::ToolCall)'s id need be unique within its message only (calls found
//! in text are named `get_weather_0` in every round), and sometimes not even that. APIs that
//! correlate results by id get ids from this table, made from the conversation alone, so that
//! the same conversation always gives the same bytes. Coming back, ids need no map: a reply's
//! ids are its own.

use std::collections::{HashMap, HashSet};

use haft_core::{AiMessage, Message, ToolMessage};

/// The wire ids of one conversation.
#[derive(Debug, Default)]
pub(crate) struct WireIds {
    /// For each message, the ids of its calls: understood ones first, then the invalid ones. A
    /// tool message has one, that of the call it answers.
    ids: Vec<Vec<String>>,
}

impl WireIds {
    /// Gives every call and every result its wire id. Characters that are not `allowed` become
    /// `_`.
    ///
    /// A result belongs to the call of the latest reply that has its id; where that reply
    /// repeats the id, the first result belongs to the first such call, and so on. A result
    /// without a call keeps its id.
    pub(crate) fn new(messages: &[Message], allowed: fn(char) -> bool) -> Self {
        let fitting = |id: &str| -> String {
            id.chars()
                .map(|c| if allowed(c) { c } else { '_' })
                .collect()
        };
        let mut used = HashSet::new();
        // Calls of the latest reply that wait for their result, by their own id.
        let mut open: HashMap<&str, Vec<String>> = HashMap::new();
        let mut ids = Vec::with_capacity(messages.len());
        for message in messages {
            ids.push(match message {
                Message::Ai(reply) => {
                    open.clear();
                    let mut wire_ids = Vec::new();
                    for id in call_ids(reply) {
                        let wire = free(fitting(id), &used);
                        used.insert(wire.clone());
                        open.entry(id).or_default().push(wire.clone());
                        wire_ids.push(wire);
                    }
                    wire_ids
                }
                Message::Tool(result) => {
                    let waiting = open.get_mut(result.tool_call_id.as_str());
                    let wire = match waiting {
                        Some(waiting) if !waiting.is_empty() => waiting.remove(0),
                        _ => fitting(&result.tool_call_id),
                    };
                    vec![wire]
                }
                Message::System(_) | Message::Human(_) => Vec::new(),
            });
        }
        Self { ids }
    }

    /// The id of a call: of the `position`th among the calls of message `index`, where the
    /// invalid ones come after all others.
    pub(crate) fn call(&self, index: usize, position: usize) -> &str {
        let ids = self.ids.get(index).map(Vec::as_slice).unwrap_or_default();
        ids.get(position).map(String::as_str).unwrap_or_default()
    }

    /// The id of the call that the tool message at `index` answers.
    pub(crate) fn result(&self, index: usize) -> &str {
        self.call(index, 0)
    }

    /// Whether the ids of `message`, the one at `index`, are the same on the wire, and its calls
    /// valid and of tools whose name is.
    pub(crate) fn keep(
        &self,
        index: usize,
        message: &Message,
        is_kept: impl Fn(&str) -> bool,
    ) -> bool {
        match message {
            Message::Ai(reply) => {
                let mut calls = reply.tool_calls.iter().enumerate();
                reply.invalid_tool_calls.is_empty()
                    && calls.all(|(position, call)| {
                        self.call(index, position) == call.id && is_kept(&call.name)
                    })
            }
            Message::Tool(result) => self.result(index) == result.tool_call_id,
            Message::System(_) | Message::Human(_) => true,
        }
    }
}

/// The name of the tool that `result`, the message at `index`, comes from.
pub(crate) fn called_name<'m>(
    messages: &'m [Message],
    index: usize,
    result: &'m ToolMessage,
) -> Option<&'m str> {
    if let Some(name) = &result.name {
        return Some(name);
    }
    let before = messages.iter().take(index).rev();
    let reply = before.into_iter().find_map(|message| match message {
        Message::Ai(reply) => Some(reply),
        _ => None,
    })?;
    let valid = reply.tool_calls.iter().map(|call| (&call.id, &call.name));
    let invalid = reply.invalid_tool_calls.iter();
    let invalid = invalid.map(|call| (&call.id, &call.name));
    let mut called = valid.chain(invalid);
    let (_, name) = called.find(|(id, _)| **id == result.tool_call_id)?;
    Some(name)
}

fn call_ids(reply: &AiMessage) -> impl Iterator<Item = &str> {
    let calls = reply.tool_calls.iter().map(|call| call.id.as_str());
    let invalid = reply.invalid_tool_calls.iter();
    calls.chain(invalid.map(|call| call.id.as_str()))
}

/// `id`, or the first of `id_2`, `id_3`... that is not used.
fn free(id: String, used: &HashSet<String>) -> String {
    let id = if id.is_empty() { "call".to_owned() } else { id };
    if !used.contains(&id) {
        return id;
    }
    let mut number = 2_u32;
    loop {
        let candidate = format!("{id}_{number}");
        if !used.contains(&candidate) {
            return candidate;
        }
        number = number.saturating_add(1);
    }
}

#[cfg(test)]
mod tests;
