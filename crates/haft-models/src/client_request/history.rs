//! Matches tool results with their calls as clients send them: by id, by tool name, or by order.

use std::collections::VecDeque;

use haft_core::{AiMessage, Content, Message, ToolMessage};

/// A client's conversation while it is being read: replies and tool results are added in the
/// client's order and come out in the order in which a model needs them.
#[derive(Debug, Default)]
pub struct ClientHistory {
    messages: Vec<Message>,
    /// The calls of the latest reply that have no result yet: id and tool name.
    open: VecDeque<(String, String)>,
    /// The ids of all calls of the latest reply, in order.
    order: Vec<String>,
    /// How many ids were made up for calls that had none.
    minted: usize,
}

/// A tool result as a client sends it.
#[derive(Debug)]
pub struct ClientToolResult {
    /// What the tool returned.
    pub content: Content,
    /// The id of the call, where the wire has ids.
    pub id: Option<String>,
    /// The name of the tool, where the wire states it.
    pub name: Option<String>,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl ClientHistory {
    /// Adds a message that is neither a reply of the model nor a tool result.
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Adds a reply of the model; calls without an id get one.
    pub fn reply(&mut self, mut reply: AiMessage) {
        self.open.clear();
        for call in &mut reply.tool_calls {
            if call.id.is_empty() {
                call.id = format!("call_{}", self.minted);
                self.minted += 1;
            }
            self.open.push_back((call.id.clone(), call.name.clone()));
        }
        for call in &mut reply.invalid_tool_calls {
            if call.id.is_empty() {
                call.id = format!("call_{}", self.minted);
                self.minted += 1;
            }
            self.open.push_back((call.id.clone(), call.name.clone()));
        }
        self.order = self.open.iter().map(|(id, _)| id.clone()).collect();
        self.messages.push(reply.into());
    }

    /// Adds the result of a call: the call with this id, else the first open one with this tool
    /// name, else the first open one. Results are sorted by their calls, because many models'
    /// prompts identify them only by order.
    pub fn result(&mut self, given: ClientToolResult) {
        let id = given.id.filter(|id| !id.is_empty());
        let position = match (&id, &given.name) {
            (Some(id), _) => self.open.iter().position(|(open, _)| open == id),
            (None, Some(name)) => self.open.iter().position(|(_, open)| open == name),
            (None, None) => Some(0),
        };
        let call = position.and_then(|position| self.open.remove(position));
        let (known_id, known_name) = call.unzip();
        let id = id.or(known_id).unwrap_or_else(|| "call".to_owned());
        let mut message = ToolMessage::success(given.content, id);
        message.name = given.name.or(known_name);
        if given.is_error {
            message.status = haft_core::ToolStatus::Error;
        }
        let place = self.place(&message.tool_call_id);
        self.messages.insert(place, message.into());
    }

    /// The index at which the result of this call belongs: before the results of later calls.
    fn place(&self, id: &str) -> usize {
        let rank = |id: &str| self.order.iter().position(|call| call == id);
        let own = rank(id);
        let later = self
            .messages
            .iter()
            .rev()
            .take_while(|message| match message {
                Message::Tool(other) => own.is_some() && rank(&other.tool_call_id) > own,
                _ => false,
            });
        self.messages.len() - later.count()
    }

    /// The conversation for the model.
    #[must_use]
    pub fn into_messages(self) -> Vec<Message> {
        self.messages
    }
}
