//! Assembles a reply from the pieces of any provider's wire.
//!
//! Every decoder feeds one [`ReplyBuilder`], whether its server streams or not, so that ids,
//! arguments, order and stop reasons come out the same for all of them.

use std::collections::HashSet;
use std::sync::Arc;

use haft_core::{
    AiMessage, Arguments, ChatChunk, Content, ContentBlock, InvalidToolCall, StopReason, ToolCall,
    Usage,
};
use serde_json::Value;

use crate::names::WireNames;

/// How much of unreadable arguments a model is shown again, in characters.
const SHOWN_ARGUMENTS: usize = 300;

/// A reply that is being put together.
#[derive(Debug)]
pub(crate) struct ReplyBuilder {
    names: Arc<WireNames>,
    blocks: Vec<ContentBlock>,
    calls: Vec<CallSlot>,
    ids: HashSet<String>,
    usage: Option<Usage>,
    stop_reason: Option<StopReason>,
    chunks: Vec<ChatChunk>,
}

/// One call, from its first sign to its end.
#[derive(Debug)]
struct CallSlot {
    id: String,
    wire_name: String,
    raw_arguments: String,
    announced: bool,
    result: Option<Result<ToolCall, InvalidToolCall>>,
}

impl ReplyBuilder {
    /// An empty reply of a model that knows its tools by `names`.
    pub(crate) fn new(names: Arc<WireNames>) -> Self {
        Self {
            names,
            blocks: Vec::new(),
            calls: Vec::new(),
            ids: HashSet::new(),
            usage: None,
            stop_reason: None,
            chunks: Vec::new(),
        }
    }

    /// More of the text.
    pub(crate) fn text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if let Some(ContentBlock::Text { text }) = self.blocks.last_mut() {
            text.push_str(delta);
        } else {
            self.blocks.push(ContentBlock::Text {
                text: delta.to_owned(),
            });
        }
        self.chunks.push(ChatChunk::Text(delta.to_owned()));
    }

    /// A thought of its own begins, whatever came before it.
    pub(crate) fn start_thought(&mut self) {
        self.blocks.push(ContentBlock::Thinking {
            thinking: String::new(),
            signature: None,
        });
    }

    /// More of the thinking.
    pub(crate) fn reasoning(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if let Some(ContentBlock::Thinking {
            thinking,
            signature: None,
        }) = self.blocks.last_mut()
        {
            thinking.push_str(delta);
        } else {
            let thinking = delta.to_owned();
            self.blocks.push(ContentBlock::Thinking {
                thinking,
                signature: None,
            });
        }
        self.chunks.push(ChatChunk::Reasoning(delta.to_owned()));
    }

    /// The provider's signature under the latest thought, even an empty one.
    pub(crate) fn signature(&mut self, piece: &str) {
        match self.blocks.last_mut() {
            Some(ContentBlock::Thinking { signature, .. }) => {
                signature.get_or_insert_default().push_str(piece);
            }
            _ => self.blocks.push(ContentBlock::Thinking {
                thinking: String::new(),
                signature: Some(piece.to_owned()),
            }),
        }
    }

    /// A thought that the provider hides.
    pub(crate) fn redacted_thinking(&mut self, data: &str) {
        self.blocks.push(ContentBlock::RedactedThinking {
            data: data.to_owned(),
        });
    }

    /// A call begins; returns its index. An id that is missing, blank or used before in this
    /// reply is replaced by a fresh one.
    pub(crate) fn start_call(&mut self, wire_id: Option<&str>, wire_name: &str) -> usize {
        let id = match wire_id {
            Some(id) if !id.trim().is_empty() && !self.ids.contains(id) => id.to_owned(),
            _ => mint_id(),
        };
        self.ids.insert(id.clone());
        self.calls.push(CallSlot {
            id,
            wire_name: wire_name.to_owned(),
            raw_arguments: String::new(),
            announced: false,
            result: None,
        });
        self.calls.len() - 1
    }

    /// More of a call's name, from a wire that sends it in pieces.
    pub(crate) fn extend_name(&mut self, index: usize, piece: &str) {
        if let Some(call) = self.calls.get_mut(index) {
            call.wire_name.push_str(piece);
        }
    }

    /// More of a call's arguments, raw.
    pub(crate) fn extend_arguments(&mut self, index: usize, fragment: &str) {
        if fragment.is_empty() {
            return;
        }
        self.announce(index);
        if let Some(call) = self.calls.get_mut(index) {
            call.raw_arguments.push_str(fragment);
            self.chunks.push(ChatChunk::CallArgs {
                index,
                fragment: fragment.to_owned(),
            });
        }
    }

    /// A call is complete. Ending it again changes nothing.
    pub(crate) fn end_call(&mut self, index: usize) {
        self.announce(index);
        let Some(call) = self.calls.get_mut(index) else {
            return;
        };
        if call.result.is_some() {
            return;
        }
        let name = self.names.original(&call.wire_name).to_owned();
        let result = match arguments(&call.raw_arguments) {
            Ok(_) if name.trim().is_empty() => Err("The call names no tool".to_owned()),
            other => other,
        };
        let (chunk, result) = match result {
            Ok(args) => {
                let call = ToolCall {
                    name,
                    args,
                    id: call.id.clone(),
                };
                (
                    ChatChunk::CallEnd {
                        index,
                        call: call.clone(),
                    },
                    Ok(call),
                )
            }
            Err(error) => {
                let args = call.raw_arguments.clone();
                let call = InvalidToolCall {
                    name,
                    args,
                    id: call.id.clone(),
                    error,
                };
                (ChatChunk::Invalid(call.clone()), Err(call))
            }
        };
        call.result = Some(result);
        self.chunks.push(chunk);
    }

    /// A call that the wire sends in one piece. `wire_arguments` is an object, a string that
    /// holds one, or null.
    pub(crate) fn whole_call(&mut self, wire_id: Option<&str>, name: &str, wire_arguments: &Value) {
        let index = self.start_call(wire_id, name);
        match wire_arguments {
            Value::Null => {}
            Value::String(text) => self.extend_arguments(index, text),
            other => self.extend_arguments(index, &other.to_string()),
        }
        self.end_call(index);
    }

    /// The tokens so far; a later report replaces an earlier one.
    pub(crate) fn usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// What the wire says about a reply that did not end by itself. Whether tools are waited
    /// for is derived from the calls, whatever the wire says.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.stop_reason = Some(reason);
    }

    /// True when nothing was said yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.calls.is_empty()
    }

    /// The chunks since the last time.
    pub(crate) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        std::mem::take(&mut self.chunks)
    }

    /// Ends every open call and the reply; the last chunk is [`ChatChunk::Done`].
    pub(crate) fn finish(mut self) -> Vec<ChatChunk> {
        for index in 0..self.calls.len() {
            self.end_call(index);
        }
        let mut message = AiMessage::new(content(self.blocks));
        for result in self.calls.into_iter().filter_map(|call| call.result) {
            match result {
                Ok(call) => message.tool_calls.push(call),
                Err(call) => message.invalid_tool_calls.push(call),
            }
        }
        message.usage = self.usage;
        message.stop_reason = Some(match self.stop_reason {
            Some(StopReason::MaxTokens) => StopReason::MaxTokens,
            _ if message.has_calls() => StopReason::ToolUse,
            other => other.unwrap_or(StopReason::EndTurn),
        });
        self.chunks.push(ChatChunk::Done(message));
        self.chunks
    }

    /// Tells of a call once, as late as possible: by then its name is whole.
    fn announce(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(index).filter(|call| !call.announced) {
            call.announced = true;
            let name = self.names.original(&call.wire_name).to_owned();
            self.chunks.push(ChatChunk::CallStart { index, name });
        }
    }
}

/// The blocks without thoughts that say and prove nothing; plain text where only text is left.
fn content(mut blocks: Vec<ContentBlock>) -> Content {
    let nothing = ContentBlock::Thinking {
        thinking: String::new(),
        signature: None,
    };
    blocks.retain(|block| *block != nothing);
    let content = Content::Blocks(blocks);
    let only_text = |block: &ContentBlock| matches!(block, ContentBlock::Text { .. });
    if content.blocks().iter().all(only_text) {
        return Content::Text(content.text());
    }
    content
}

/// The object that `raw` spells. Nothing at all means "no arguments".
fn arguments(raw: &str) -> Result<Arguments, String> {
    if raw.trim().is_empty() {
        return Ok(Arguments::new());
    }
    let shown = || raw.chars().take(SHOWN_ARGUMENTS).collect::<String>();
    match serde_json::from_str(raw) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(Value::Null) => Ok(Arguments::new()),
        // Some servers encode the object twice.
        Ok(Value::String(inner)) if inner != raw => arguments(&inner),
        Ok(_) => Err(format!(
            "The arguments must be a JSON object, but this arrived: {}",
            shown()
        )),
        Err(error) if error.is_eof() => Err(format!(
            "The arguments are cut off; this arrived: {}",
            shown()
        )),
        Err(_) => Err(format!(
            "The arguments are not valid JSON; this arrived: {}",
            shown()
        )),
    }
}

/// An id that no other call has: 24 random characters, as long as OpenAI's own.
pub(crate) fn mint_id() -> String {
    let random: String = std::iter::repeat_with(fastrand::alphanumeric)
        .take(24)
        .collect();
    format!("call_{random}")
}

#[cfg(test)]
mod tests;
