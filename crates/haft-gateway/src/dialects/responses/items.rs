//! Reads the items of a conversation: messages, calls, their results, reasoning.
//!
//! A model's turn comes as several items (reasoning, text, calls), which make one message here.

use std::mem;

use haft_core::{
    AiMessage, Content, ContentBlock, ImageBlock, InvalidToolCall, Message, ModelError, ToolCall,
};
use haft_extract::read_arguments_text;
use haft_models::{ClientHistory, ClientToolResult};
use serde_json::{Map, Value, json};

use super::left_out::LeftOut;
use super::output::{REDACTED, SIGNATURE};
use super::refused;
use super::tools::model_name;

/// A conversation that is being read.
#[derive(Debug)]
pub(super) struct Input<'a> {
    left_out: &'a mut LeftOut,
    history: ClientHistory,
    /// The instructions before the first message: one message, because the templates of many models
    /// allow only one.
    system: Vec<String>,
    has_begun: bool,
    /// The model's turn whose items are being read.
    turn: Vec<ContentBlock>,
    calls: Vec<ToolCall>,
    invalid_calls: Vec<InvalidToolCall>,
}

impl<'a> Input<'a> {
    pub(super) fn new(left_out: &'a mut LeftOut) -> Self {
        Self {
            left_out,
            history: ClientHistory::default(),
            system: Vec::new(),
            has_begun: false,
            turn: Vec::new(),
            calls: Vec::new(),
            invalid_calls: Vec::new(),
        }
    }

    /// Adds instructions for the model.
    pub(super) fn system(&mut self, text: String) {
        if self.has_begun {
            self.end_turn();
            self.history.push(Message::system(text));
        } else if !text.is_empty() {
            self.system.push(text);
        }
    }

    /// Adds an item.
    pub(super) fn read(&mut self, item: &Value) -> Result<(), ModelError> {
        let Some(fields) = item.as_object() else {
            return Err(refused("An item of `input` is not an object"));
        };
        let kind = text(fields, "type").unwrap_or("message");
        match kind {
            "message" => self.message(fields)?,
            "function_call" | "custom_tool_call" | "local_shell_call" => self.call(kind, fields)?,
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                self.result(fields)?;
            }
            "reasoning" => self.reasoning(fields),
            // What OpenAI's own tools did, or what only its models can read.
            _ => self.left_out.note("input", kind),
        }
        Ok(())
    }

    fn message(&mut self, fields: &Map<String, Value>) -> Result<(), ModelError> {
        let said = content(fields.get("content"))?;
        match text(fields, "role").unwrap_or_default() {
            "system" | "developer" => self.system(said.text()),
            "user" => {
                self.begin();
                self.end_turn();
                self.history.push(Message::human(said));
            }
            "assistant" => {
                self.begin();
                self.said(&said.text());
            }
            role => {
                return Err(refused(format!(
                    "A message has the role \"{role}\"; expected system, developer, user or \
                     assistant"
                )));
            }
        }
        Ok(())
    }

    /// Adds text of the model.
    fn said(&mut self, more: &str) {
        match self.turn.last_mut() {
            Some(ContentBlock::Text { text }) => {
                text.push_str("\n\n");
                text.push_str(more);
            }
            _ => self.turn.push(ContentBlock::Text {
                text: more.to_owned(),
            }),
        }
    }

    fn call(&mut self, kind: &str, fields: &Map<String, Value>) -> Result<(), ModelError> {
        self.begin();
        let id = text(fields, "call_id").or_else(|| text(fields, "id"));
        let id = id.unwrap_or_default().to_owned();
        if kind == "local_shell_call" {
            let action = fields.get("action").and_then(Value::as_object).cloned();
            let args = action.unwrap_or_default();
            self.calls
                .push(ToolCall::new("local_shell", args.into(), id));
            return Ok(());
        }
        let Some(name) = text(fields, "name") else {
            return Err(refused("A call in `input` has no `name`"));
        };
        let name = model_name(text(fields, "namespace"), name);
        if kind == "custom_tool_call" {
            let input = text(fields, "input").unwrap_or_default();
            self.calls
                .push(ToolCall::new(name, json!({"input": input}), id));
            return Ok(());
        }
        let arguments = text(fields, "arguments").unwrap_or_default();
        match read_arguments_text(arguments) {
            Ok((args, _)) => self.calls.push(ToolCall { name, args, id }),
            Err(error) => self.invalid_calls.push(InvalidToolCall {
                name,
                args: arguments.to_owned(),
                id,
                error,
            }),
        }
        Ok(())
    }

    fn result(&mut self, fields: &Map<String, Value>) -> Result<(), ModelError> {
        self.begin();
        self.end_turn();
        let id = text(fields, "call_id").or_else(|| text(fields, "id"));
        self.history.result(ClientToolResult {
            content: content(fields.get("output"))?,
            id: id.map(str::to_owned),
            name: None,
            is_error: false,
        });
        Ok(())
    }

    /// Adds reasoning. Encrypted content is passed on if haft wrote it; that of OpenAI's models is
    /// of no use to another model.
    fn reasoning(&mut self, fields: &Map<String, Value>) {
        self.begin();
        let encrypted = text(fields, "encrypted_content").unwrap_or_default();
        if let Some(data) = encrypted.strip_prefix(REDACTED) {
            let data = data.to_owned();
            self.turn.push(ContentBlock::RedactedThinking { data });
            return;
        }
        let texts = |name: &str| -> String {
            let parts = fields.get(name).and_then(Value::as_array);
            let parts = parts.into_iter().flatten();
            parts
                .filter_map(|part| part.get("text")?.as_str())
                .collect()
        };
        let said = texts("content");
        let thinking = if said.is_empty() {
            texts("summary")
        } else {
            said
        };
        let signature = encrypted.strip_prefix(SIGNATURE).map(str::to_owned);
        if !thinking.is_empty() || signature.is_some() {
            self.turn.push(ContentBlock::Thinking {
                thinking,
                signature,
            });
        }
    }

    /// Ends the instructions.
    fn begin(&mut self) {
        if !mem::replace(&mut self.has_begun, true) && !self.system.is_empty() {
            let system = mem::take(&mut self.system).join("\n\n");
            self.history.push(Message::system(system));
        }
    }

    /// Ends the model's turn, if there is one.
    fn end_turn(&mut self) {
        let blocks = mem::take(&mut self.turn);
        let calls = mem::take(&mut self.calls);
        let invalid = mem::take(&mut self.invalid_calls);
        if blocks.is_empty() && calls.is_empty() && invalid.is_empty() {
            return;
        }
        let mut reply = AiMessage::new(Content::Blocks(blocks)).with_tool_calls(calls);
        reply.invalid_tool_calls = invalid;
        self.history.reply(reply);
    }

    pub(super) fn into_messages(mut self) -> Vec<Message> {
        self.begin();
        self.end_turn();
        self.history.into_messages()
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name)?.as_str()
}

/// The content of a message or of a result: a text, or a list of parts.
fn content(content: Option<&Value>) -> Result<Content, ModelError> {
    match content {
        None | Some(Value::Null) => Ok(String::new().into()),
        Some(Value::String(text)) => Ok(text.clone().into()),
        Some(Value::Array(parts)) => {
            let blocks = parts.iter().map(part);
            Ok(Content::Blocks(blocks.collect::<Result<_, _>>()?))
        }
        Some(_) => Err(refused(
            "The content of an item must be a string or a list of parts",
        )),
    }
}

fn part(part: &Value) -> Result<ContentBlock, ModelError> {
    let Some(fields) = part.as_object() else {
        return Err(refused("A part of a message is not an object"));
    };
    let said = |name| ContentBlock::Text {
        text: text(fields, name).unwrap_or_default().to_owned(),
    };
    match text(fields, "type").unwrap_or_default() {
        "input_text" | "output_text" | "text" | "summary_text" | "reasoning_text" => {
            Ok(said("text"))
        }
        "refusal" => Ok(said("refusal")),
        "input_image" => image(fields).map(ContentBlock::Image),
        kind => Err(refused(format!(
            "A message has a part of type \"{kind}\"; expected input_text, output_text or \
             input_image"
        ))),
    }
}

/// Reads a picture from a `data:` URL; other URLs are not fetched.
fn image(fields: &Map<String, Value>) -> Result<ImageBlock, ModelError> {
    let url = text(fields, "image_url").unwrap_or_default();
    let read = |url: &str| {
        let (head, base64) = url.strip_prefix("data:")?.split_once(',')?;
        Some(ImageBlock {
            mime_type: head.strip_suffix(";base64")?.to_owned(),
            base64: base64.to_owned(),
        })
    };
    read(url).ok_or_else(|| {
        refused("A picture must be a `data:` URL in base64: files and other URLs are not fetched")
    })
}
