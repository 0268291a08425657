//! Writes the lines of `/api/chat` and `/api/generate`, and whole replies.

use haft_core::{AiMessage, ServerFields, StopReason, ToolCall};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::format::{ReplyFormat, ReplyHead, complete, reasoning_text};
use super::super::frames::{Texts, line};
use super::Ollama;

/// A reply that is being written.
#[derive(Debug)]
pub(super) struct ReplyLines {
    api: Ollama,
    head: ReplyHead,
    /// The start time of the reply, as RFC 3339 text.
    created_at: String,
    has_announced: bool,
}

impl ReplyFormat for ReplyLines {
    fn head(&mut self) -> &mut ReplyHead {
        &mut self.head
    }

    fn call_announced(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.has_announced, true) {
            self.piece("", None, out);
        }
    }

    fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        self.piece(text, None, out);
    }

    fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>) {
        self.piece("", Some(reasoning), out);
    }

    fn call(&mut self, _place: usize, made: &ToolCall, out: &mut Vec<u8>) {
        let calls = json!([call(made)]);
        let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
        let mut made = self.begun("message", message);
        made.insert("done".to_owned(), false.into());
        line(&made, out);
    }

    fn server_fields(&mut self, fields: &ServerFields, out: &mut Vec<u8>) {
        // Those of the reply stand in its last line.
        complete(&mut self.head.fields.reply, &fields.reply);
        let mut now = fields.clone();
        now.reply.clear();
        if now.is_only_usage() {
            return;
        }
        let mut piece = match self.api {
            Ollama::Chat => self.begun("message", json!({"role": "assistant", "content": ""})),
            Ollama::Generate => self.begun("response", "".into()),
        };
        piece.insert("done".to_owned(), false.into());
        line(&with_fields(piece, &now), out);
    }

    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        let mut last = match self.api {
            Ollama::Chat => self.begun("message", json!({"role": "assistant", "content": ""})),
            Ollama::Generate => self.begun("response", "".into()),
        };
        last.insert("done".to_owned(), true.into());
        if let Some(report) = &self.head.report {
            last.insert("haft".to_owned(), report.clone());
        }
        line(&self.ended(last, reply), out);
    }

    fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        let text = reply.content.text();
        let reasoning = reasoning_text(reply);
        let whole = match self.api {
            Ollama::Chat => {
                let mut message = fields([("role", "assistant".into()), ("content", text.into())]);
                if !reasoning.is_empty() {
                    message.insert("thinking".to_owned(), reasoning.into());
                }
                if !reply.tool_calls.is_empty() {
                    let calls = reply.tool_calls.iter().map(call);
                    message.insert("tool_calls".to_owned(), calls.collect());
                }
                self.begun("message", message.into())
            }
            Ollama::Generate => {
                let mut whole = self.begun("response", text.into());
                if !reasoning.is_empty() {
                    whole.insert("thinking".to_owned(), reasoning.into());
                }
                whole
            }
        };
        let whole = Value::Object(with_fields(self.ended(whole, reply), &self.head.fields));
        whole.to_string().into_bytes()
    }
}

impl ReplyLines {
    pub(super) fn new(api: Ollama, head: ReplyHead) -> Self {
        Self {
            api,
            created_at: head.created.to_string(),
            head,
            has_announced: false,
        }
    }

    /// Writes a line with more text or reasoning.
    fn piece(&self, text: &str, reasoning: Option<&str>, out: &mut Vec<u8>) {
        let (model, created_at) = (&self.head.model, &self.created_at);
        match self.api {
            Ollama::Chat => {
                let mut message = vec![("role", "assistant"), ("content", text)];
                message.extend(reasoning.map(|reasoning| ("thinking", reasoning)));
                let said = MessageLine {
                    model,
                    created_at,
                    message: Texts(&message),
                    done: false,
                };
                line(&said, out);
            }
            Ollama::Generate => {
                let said = ResponseLine {
                    model,
                    created_at,
                    response: text,
                    done: false,
                    thinking: reasoning,
                };
                line(&said, out);
            }
        }
    }

    /// The common fields of a line, and the field `name` with the content.
    fn begun(&self, name: &str, said: Value) -> Map<String, Value> {
        fields([
            ("model", self.head.model.as_str().into()),
            ("created_at", self.created_at.as_str().into()),
            (name, said),
        ])
    }

    /// Completes the last line of a stream, or the whole reply, with the stop reason and counts.
    fn ended(&self, mut line: Map<String, Value>, reply: &AiMessage) -> Map<String, Value> {
        let reason = match reply.stop_reason {
            Some(StopReason::MaxTokens) if reply.tool_calls.is_empty() => "length",
            _ => "stop",
        };
        let usage = reply.usage.unwrap_or_default();
        let took = Timestamp::now().duration_since(self.head.created);
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or_default();
        let measured = self.head.fields.reply.get("total_duration").cloned();
        line.extend(fields([
            ("done", true.into()),
            ("done_reason", reason.into()),
            (
                "total_duration",
                measured.unwrap_or_else(|| nanoseconds.into()),
            ),
            ("prompt_eval_count", usage.input_tokens.into()),
            ("eval_count", usage.output_tokens.into()),
        ]));
        complete(&mut line, &self.head.fields.reply);
        line
    }
}

/// A line with the fields of the model server's.
fn with_fields(mut line: Map<String, Value>, fields: &ServerFields) -> Map<String, Value> {
    complete(&mut line, &fields.choice);
    if let Some(message) = line.get_mut("message").and_then(Value::as_object_mut) {
        complete(message, &fields.message);
    }
    line
}

fn fields<const COUNT: usize>(fields: [(&str, Value); COUNT]) -> Map<String, Value> {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn call(call: &ToolCall) -> Value {
    json!({"id": call.id, "function": {"name": call.name, "arguments": call.args}})
}

/// A line of `/api/chat`.
#[derive(Serialize)]
struct MessageLine<'a> {
    model: &'a str,
    created_at: &'a str,
    message: Texts<'a>,
    done: bool,
}

/// A line of `/api/generate`.
#[derive(Serialize)]
struct ResponseLine<'a> {
    model: &'a str,
    created_at: &'a str,
    response: &'a str,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
}
