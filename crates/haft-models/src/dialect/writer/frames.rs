//! What stands around every piece of a reply: chunks, lines and events.
//!
//! A stream has thousands of them, so they are written as they are, without being data before.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::ReplyWriter;
use crate::dialect::anthropic;
use crate::dialect::openai::TokenCount;

/// Fields with texts, in this order.
pub(in crate::dialect) struct Texts<'a>(pub(in crate::dialect) &'a [(&'a str, &'a str)]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A chunk of chat completions.
#[derive(Serialize)]
struct Chunk<'a, D> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [Choice<'a, D>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    haft: Option<&'a Value>,
}

#[derive(Serialize)]
struct Choice<'a, D> {
    index: u8,
    delta: D,
    logprobs: (),
    finish_reason: Option<&'a str>,
}

/// The chunk that counts tokens.
#[derive(Serialize)]
struct Count<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [u8; 0],
    usage: TokenCount,
}

/// A piece of a call, or all of it.
#[derive(Serialize)]
pub(super) struct CallPart<'a> {
    pub(super) index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
    pub(super) function: FunctionPart<'a>,
}

#[derive(Serialize)]
pub(super) struct FunctionPart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    pub(super) arguments: &'a str,
}

#[derive(Serialize)]
struct Calls<'a> {
    tool_calls: [CallPart<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
}

/// A line of Ollama's chat.
#[derive(Serialize)]
struct Said<'a> {
    model: &'a str,
    created_at: &'a str,
    message: Texts<'a>,
    done: bool,
}

/// A line of Ollama's generate.
#[derive(Serialize)]
struct Generated<'a> {
    model: &'a str,
    created_at: &'a str,
    response: &'a str,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
}

impl ReplyWriter {
    pub(super) fn begin(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            let start = anthropic::start(&self.id, &self.model);
            event(Some("message_start"), &start, out);
        }
    }

    /// Who speaks, which the first chunk tells.
    fn role(&mut self) -> Option<&'static str> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        is_first.then_some("assistant")
    }

    /// A chunk of chat completions with this text.
    pub(super) fn delta(&mut self, field: &str, text: &str, out: &mut Vec<u8>) {
        match self.role() {
            Some(role) => self.choice(Texts(&[(field, text), ("role", role)]), out),
            None => self.choice(Texts(&[(field, text)]), out),
        }
    }

    /// A chunk of chat completions with this piece of a call.
    pub(super) fn call_part(&mut self, part: CallPart<'_>, out: &mut Vec<u8>) {
        let role = self.role();
        let tool_calls = [part];
        self.choice(Calls { tool_calls, role }, out);
    }

    fn choice(&self, delta: impl Serialize, out: &mut Vec<u8>) {
        event(None, &self.chosen(delta, None), out);
    }

    /// The last chunk of the reply itself.
    pub(super) fn finish(&self, reason: &str, out: &mut Vec<u8>) {
        let mut last = self.chosen(Texts(&[]), Some(reason));
        last.haft = self.report.as_ref();
        event(None, &last, out);
    }

    fn chosen<'a, D>(&'a self, delta: D, finish_reason: Option<&'a str>) -> Chunk<'a, D> {
        let choice = Choice {
            index: 0,
            delta,
            logprobs: (),
            finish_reason,
        };
        Chunk {
            id: &self.id,
            object: "chat.completion.chunk",
            created: self.created.as_second(),
            model: &self.model,
            choices: [choice],
            haft: None,
        }
    }

    /// The last event with what there is to tell.
    pub(super) fn reported(&self, mut last: Value) -> Value {
        if let (Some(last), Some(report)) = (last.as_object_mut(), &self.report) {
            last.insert("haft".to_owned(), report.clone());
        }
        last
    }

    /// A chunk of chat completions that only counts tokens.
    pub(super) fn count(&self, usage: TokenCount, out: &mut Vec<u8>) {
        let chunk = Count {
            id: &self.id,
            object: "chat.completion.chunk",
            created: self.created.as_second(),
            model: &self.model,
            choices: [],
            usage,
        };
        event(None, &chunk, out);
    }

    /// A line of Ollama's chat.
    pub(super) fn say(&self, message: &[(&str, &str)], out: &mut Vec<u8>) {
        let said = Said {
            model: &self.model,
            created_at: &self.created_at,
            message: Texts(message),
            done: false,
        };
        line(&said, out);
    }

    pub(super) fn said(&self, message: &Value) -> Value {
        json!({
            "model": self.model,
            "created_at": self.created_at,
            "message": message,
            "done": false,
        })
    }

    /// A line of Ollama's generate.
    pub(super) fn generate(&self, text: &str, thought: Option<&str>, out: &mut Vec<u8>) {
        let generated = Generated {
            model: &self.model,
            created_at: &self.created_at,
            response: text,
            done: false,
            thinking: thought,
        };
        line(&generated, out);
    }

    pub(super) fn generated(&self) -> Value {
        json!({
            "model": self.model,
            "created_at": self.created_at,
            "response": "",
            "done": false,
        })
    }
}

/// An event of a stream.
pub(in crate::dialect) fn event(name: Option<&str>, data: &impl Serialize, out: &mut Vec<u8>) {
    if let Some(name) = name {
        out.extend_from_slice(b"event: ");
        out.extend_from_slice(name.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(b"data: ");
    line(data, out);
    out.push(b'\n');
}

pub(in super::super) fn line(data: &impl Serialize, out: &mut Vec<u8>) {
    // Texts and numbers can be written, and memory takes them.
    let _ = serde_json::to_writer(&mut *out, data);
    out.push(b'\n');
}
