//! Hands a reply out in a client's words: chunk by chunk, or in one piece.
//!
//! The same pieces make both, so that a streamed answer and a whole one say the same. A call goes
//! out when it is complete; whoever hands it out gives it an id that the conversation does not
//! have yet.

mod frames;

use std::collections::HashSet;

use haft_core::{AiMessage, ChatChunk, ContentBlock, Message, ToolCall};
use jiff::Timestamp;
use serde_json::{Value, json};

use self::frames::{CallPart, FunctionPart};
pub(super) use self::frames::{Texts, event, line};
use super::{ClientRequest, Dialect, anthropic, ollama, openai};

/// Writes one reply.
#[derive(Debug)]
pub struct ReplyWriter {
    dialect: Dialect,
    id: String,
    model: String,
    created: Timestamp,
    /// The same as text.
    created_at: String,
    wants_usage: bool,
    /// Ids of calls that the conversation has.
    taken: HashSet<String>,
    /// Places of the calls that went out.
    written: HashSet<usize>,
    /// The place of the call that goes out piece by piece: the latest one.
    flowing: Option<usize>,
    has_begun: bool,
    blocks: anthropic::Blocks,
    /// What the last event tells of how the reply came about.
    report: Option<Value>,
}

impl ReplyWriter {
    pub(super) fn new(dialect: Dialect, request: &ClientRequest) -> Self {
        let replies = request.messages.iter().filter_map(|message| match message {
            Message::Ai(reply) => Some(reply),
            _ => None,
        });
        let taken = replies.flat_map(|reply| {
            let invalid = reply.invalid_tool_calls.iter().map(|call| call.id.clone());
            reply
                .tool_calls
                .iter()
                .map(|call| call.id.clone())
                .chain(invalid)
        });
        let prefix = match dialect {
            Dialect::Anthropic => "msg_",
            _ => "chatcmpl-",
        };
        let created = Timestamp::now();
        Self {
            dialect,
            id: random_id(prefix),
            model: request.model.clone(),
            created,
            created_at: created.to_string(),
            wants_usage: request.wants_usage,
            taken: taken.collect(),
            written: HashSet::new(),
            flowing: None,
            has_begun: false,
            blocks: anthropic::Blocks::default(),
            report: None,
        }
    }

    /// What the last event is to tell under `haft`: clients of all dialects leave fields alone
    /// that they do not know.
    pub fn report(&mut self, report: Value) {
        self.report = Some(report);
    }

    /// The reply is another model's than the one that was asked for. It has to be told before the
    /// reply begins.
    pub fn answered_by(&mut self, model: String) {
        self.model = model;
    }

    /// What goes out for a step of the reply; often nothing.
    #[must_use]
    pub fn chunk(&mut self, chunk: &ChatChunk) -> Vec<u8> {
        let mut out = Vec::new();
        match chunk {
            ChatChunk::Text(text) => self.text(text, &mut out),
            ChatChunk::Reasoning(thought) => self.thought(thought, &mut out),
            ChatChunk::Signature(seal) => {
                self.thinking(|blocks, out| blocks.seal(seal, out), &mut out);
            }
            ChatChunk::RedactedThinking(data) => {
                self.thinking(|blocks, out| blocks.hidden(data, out), &mut out);
            }
            ChatChunk::CallStart { .. } if !self.has_begun => self.nothing_yet(&mut out),
            ChatChunk::CallEnd { index, call } => self.call(*index, call, &mut out),
            ChatChunk::Done(reply) => self.done(reply, &mut out),
            _ => {}
        }
        out
    }

    /// As [`chunk`](Self::chunk), but a call that the model server itself tells of goes out piece
    /// by piece, as the model writes it, where the dialect can say that.
    #[must_use]
    pub fn part(&mut self, chunk: &ChatChunk) -> Vec<u8> {
        let mut out = Vec::new();
        match (self.dialect, chunk) {
            (
                Dialect::OpenAi | Dialect::Anthropic,
                ChatChunk::CallStart {
                    index,
                    name,
                    id: Some(id),
                },
            ) => {
                self.flowing = Some(*index);
                self.written.insert(*index);
                self.open_call(id, name, &mut out);
            }
            (_, ChatChunk::CallArgs { index, fragment }) if self.flowing == Some(*index) => {
                self.more_of_call(fragment, &mut out);
            }
            _ => return self.chunk(chunk),
        }
        out
    }

    fn open_call(&mut self, id: &str, name: &str, out: &mut Vec<u8>) {
        if self.dialect == Dialect::Anthropic {
            self.begin(out);
            return self.blocks.open_call(id, name, out);
        }
        let place = self.written.len() - 1;
        self.call_part(whole_call(place, id, name, ""), out);
    }

    fn more_of_call(&mut self, fragment: &str, out: &mut Vec<u8>) {
        if self.dialect == Dialect::Anthropic {
            return self.blocks.arguments(fragment, out);
        }
        let part = CallPart {
            index: self.written.len() - 1,
            id: None,
            kind: None,
            function: FunctionPart {
                name: None,
                arguments: fragment,
            },
        };
        self.call_part(part, out);
    }

    /// The reply in one piece, as JSON.
    #[must_use]
    pub fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        let whole = match self.dialect {
            Dialect::OpenAi => {
                let (id, created) = (&self.id, self.created.as_second());
                return openai::whole((id, created, &self.model), reply);
            }
            Dialect::Ollama => ollama::whole(&self.model, self.created, reply),
            Dialect::OllamaGenerate => ollama::whole_text(&self.model, self.created, reply),
            Dialect::Anthropic => anthropic::whole(&self.id, &self.model, reply),
        };
        whole.to_string().into_bytes()
    }

    /// A reply that has begun with a call, which goes out when it is complete.
    fn nothing_yet(&mut self, out: &mut Vec<u8>) {
        match self.dialect {
            Dialect::OpenAi => self.delta("content", "", out),
            Dialect::Ollama => self.say(&[("role", "assistant"), ("content", "")], out),
            Dialect::OllamaGenerate => self.generate("", None, out),
            Dialect::Anthropic => self.begin(out),
        }
        self.has_begun = true;
    }

    fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        match self.dialect {
            Dialect::OpenAi => self.delta("content", text, out),
            Dialect::Ollama => self.say(&[("role", "assistant"), ("content", text)], out),
            Dialect::OllamaGenerate => self.generate(text, None, out),
            Dialect::Anthropic => {
                self.begin(out);
                self.blocks.text(text, out);
            }
        }
    }

    fn thought(&mut self, thought: &str, out: &mut Vec<u8>) {
        match self.dialect {
            Dialect::OpenAi => self.delta("reasoning_content", thought, out),
            Dialect::Ollama => {
                let said = [
                    ("role", "assistant"),
                    ("content", ""),
                    ("thinking", thought),
                ];
                self.say(&said, out);
            }
            Dialect::OllamaGenerate => self.generate("", Some(thought), out),
            Dialect::Anthropic => {
                self.begin(out);
                self.blocks.thought(thought, out);
            }
        }
    }

    /// What proves a thought, for the clients that can give it back.
    fn thinking(
        &mut self,
        write: impl FnOnce(&mut anthropic::Blocks, &mut Vec<u8>),
        out: &mut Vec<u8>,
    ) {
        if self.dialect == Dialect::Anthropic {
            self.begin(out);
            write(&mut self.blocks, out);
        }
    }

    fn call(&mut self, index: usize, call: &ToolCall, out: &mut Vec<u8>) {
        let place = self.written.len();
        if !self.written.insert(index) {
            return;
        }
        match self.dialect {
            Dialect::OpenAi => {
                let arguments = openai::arguments(call);
                let part = whole_call(place, &call.id, &call.name, &arguments);
                self.call_part(part, out);
            }
            Dialect::Ollama | Dialect::OllamaGenerate => {
                let calls = json!([ollama::call(call)]);
                let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
                line(&self.said(&message), out);
            }
            Dialect::Anthropic => {
                self.begin(out);
                self.blocks.call(call, out);
            }
        }
    }

    /// What was not told of yet, and the end.
    fn done(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        for (index, call) in reply.tool_calls.iter().enumerate() {
            self.call(index, call, out);
        }
        let usage = reply.usage.unwrap_or_default();
        match self.dialect {
            Dialect::OpenAi => {
                self.finish(openai::finish_reason(reply), out);
                if self.wants_usage {
                    self.count(openai::usage(usage), out);
                }
                out.extend_from_slice(b"data: [DONE]\n\n");
            }
            Dialect::Ollama => {
                let message = json!({"role": "assistant", "content": ""});
                let last = self.reported(self.said(&message));
                line(&ollama::last(last, reply, self.created), out);
            }
            Dialect::OllamaGenerate => {
                let last = self.reported(self.generated());
                line(&ollama::last(last, reply, self.created), out);
            }
            Dialect::Anthropic => {
                self.begin(out);
                let last = self.reported(anthropic::delta(reply));
                self.blocks.end(&last, out);
            }
        }
    }

    /// Takes an id for a call; false where the conversation has it already.
    pub fn takes(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    /// The call under an id that no other call of the conversation has.
    #[must_use]
    pub fn with_own_id(&mut self, mut call: ToolCall) -> ToolCall {
        while !self.taken.insert(call.id.clone()) {
            call.id = random_id(match self.dialect {
                Dialect::Anthropic => "toolu_",
                _ => "call_",
            });
        }
        call
    }
}

/// A call of which all is known but perhaps its arguments.
fn whole_call<'a>(index: usize, id: &'a str, name: &'a str, arguments: &'a str) -> CallPart<'a> {
    CallPart {
        index,
        id: Some(id),
        kind: Some("function"),
        function: FunctionPart {
            name: Some(name),
            arguments,
        },
    }
}

/// The thoughts of a reply as one text.
pub(super) fn thoughts(reply: &AiMessage) -> String {
    let thoughts = reply
        .content
        .blocks()
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Thinking { thinking, .. } => Some(thinking.as_str()),
            _ => None,
        });
    thoughts.collect()
}

fn random_id(prefix: &str) -> String {
    let random = std::iter::repeat_with(fastrand::alphanumeric).take(24);
    prefix.chars().chain(random).collect()
}
