//! Matches tool results with their calls as clients send them: by id, by tool name, or by order.

use std::collections::VecDeque;

use haft_core::{AiMessage, ClientMessage, Content, Message, ToolMessage};

/// A client's conversation while it is being read: replies and tool results are added in the
/// client's order and come out in the order in which a model needs them.
#[derive(Debug, Default)]
pub struct ClientHistory {
    messages: Vec<ClientMessage>,
    /// The source of the messages that are being added.
    source: Source,
    /// The calls of the latest reply that have no result yet.
    open: VecDeque<OpenCall>,
    /// The ids of all calls of the latest reply, in order.
    order: Vec<String>,
    /// How many ids were made up for calls that had none.
    minted: usize,
    ids: IdUse,
}

#[derive(Debug)]
struct OpenCall {
    id: String,
    /// The name of the tool.
    name: String,
}

/// Whether calls need ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum IdUse {
    /// A call without an id is repaired.
    #[default]
    Needed,
    /// Clients may leave out the ids.
    Optional,
}

/// The message of the client's document that is being read.
#[derive(Debug, Default)]
struct Source {
    /// Its index, unless reading repaired something.
    place: Option<usize>,
    /// The kinds of its parts that haft's types cannot hold.
    opaque: Vec<String>,
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
    /// A history of an API whose calls need no ids.
    pub(super) fn without_ids() -> Self {
        Self {
            ids: IdUse::Optional,
            ..Self::default()
        }
    }

    /// Begins to read the message at this index of the client's document, the source of all
    /// messages that are added from now on.
    pub(super) fn begin(&mut self, place: usize) {
        self.source = Source {
            place: Some(place),
            opaque: Vec::new(),
        };
    }

    /// Notes that reading repairs the current message, so that its source is not sent.
    pub(super) fn repairs(&mut self) {
        self.source.place = None;
    }

    /// Notes a part of the current message that haft's types cannot hold.
    pub(super) fn skip(&mut self, kind: &str) {
        self.source.opaque.push(kind.to_owned());
    }

    /// The message with the current source.
    fn sourced(&self, message: Message) -> ClientMessage {
        ClientMessage {
            message,
            place: self.source.place,
            opaque: self.source.opaque.clone(),
        }
    }

    /// Adds a message that is neither a reply of the model nor a tool result.
    pub fn push(&mut self, message: Message) {
        self.messages.push(self.sourced(message));
    }

    /// Adds a reply of the model; calls without an id get one.
    pub fn reply(&mut self, mut reply: AiMessage) {
        self.open.clear();
        for call in &mut reply.tool_calls {
            self.open(&mut call.id, &call.name);
        }
        for call in &mut reply.invalid_tool_calls {
            self.open(&mut call.id, &call.name);
        }
        self.order = self.open.iter().map(|call| call.id.clone()).collect();
        self.messages.push(self.sourced(reply.into()));
    }

    /// Waits for the result of a call, which gets an id if it has none.
    fn open(&mut self, id: &mut String, name: &str) {
        if id.is_empty() {
            *id = format!("call_{}", self.minted);
            self.minted += 1;
            if self.ids == IdUse::Needed {
                self.source.place = None;
            }
        }
        self.open.push_back(OpenCall {
            id: id.clone(),
            name: name.to_owned(),
        });
    }

    /// Adds the result of a call: the call with this id, else the first open one with this tool
    /// name, else the first open one. Results are sorted by their calls, because many models'
    /// prompts identify them only by order.
    pub fn result(&mut self, given: ClientToolResult) {
        let id = given.id.filter(|id| !id.is_empty());
        let position = match (&id, &given.name) {
            (Some(id), _) => self.open.iter().position(|call| call.id == *id),
            (None, Some(name)) => self.open.iter().position(|call| call.name == *name),
            (None, None) => Some(0),
        };
        let call = position.and_then(|position| self.open.remove(position));
        let (known_id, known_name) = call.map(|call| (call.id, call.name)).unzip();
        if id.is_none() && self.ids == IdUse::Needed {
            self.source.place = None;
        }
        let id = id.or(known_id).unwrap_or_else(|| "call".to_owned());
        let mut message = ToolMessage::success(given.content, id);
        message.name = given.name.or(known_name);
        if given.is_error {
            message.status = haft_core::ToolStatus::Error;
        }
        let place = self.place(&message.tool_call_id);
        let message = self.sourced(message.into());
        self.messages.insert(place, message);
    }

    /// The index at which the result of this call belongs: before the results of later calls.
    fn place(&self, id: &str) -> usize {
        let rank = |id: &str| self.order.iter().position(|call| call == id);
        let own = rank(id);
        let later = self
            .messages
            .iter()
            .rev()
            .take_while(|message| match &message.message {
                Message::Tool(other) => own.is_some() && rank(&other.tool_call_id) > own,
                _ => false,
            });
        self.messages.len() - later.count()
    }

    /// The conversation for the model.
    #[must_use]
    pub fn into_messages(self) -> Vec<Message> {
        let messages = self.messages.into_iter();
        messages.map(|message| message.message).collect()
    }

    /// The conversation with the sources of its messages.
    pub(super) fn into_sourced(self) -> Vec<ClientMessage> {
        self.messages
    }
}
