//! Assembles a reply from the pieces of any provider's wire.
//!
//! Every decoder feeds one [`ReplyBuilder`], whether its server streams or not, so that ids,
//! arguments, order and stop reasons come out the same for all of them. Native calls are put
//! together here; calls that a model wrote into its text are taken out of it in
//! `reply/written.rs`. What both are read with is a [`Reading`].

mod guess;
mod reading;
mod written;

use std::collections::HashSet;

use haft_core::{
    AiMessage, ChatChunk, Content, ContentBlock, InvalidToolCall, Mend, StopReason, ToolCall, Usage,
};
use haft_extract::{ExtractOptions, Extractor, read_arguments_text, read_ended_arguments_text};
use serde_json::Value;
use tracing::debug;

pub(crate) use self::reading::Reading;

/// A call, understood or not.
type CallResult = Result<ToolCall, InvalidToolCall>;

/// A reply that is being put together.
#[derive(Debug)]
pub(crate) struct ReplyBuilder {
    reading: Reading,
    /// Reads the text, where calls may stand in it.
    extractor: Option<Extractor>,
    /// The text so far of a reply that may have started inside thinking.
    guessed: Option<String>,
    /// Whether the model said anything, if only half a marker.
    heard: bool,
    blocks: Vec<ContentBlock>,
    calls: Vec<CallSlot>,
    /// The calls in the text. They count if there are no native ones, which the end tells.
    written: Vec<Written>,
    /// Calls of the text that were told of before the end, as far as the reply has not made them
    /// again in a place where they count.
    told: Vec<ToolCall>,
    /// Calls of the text are told of at the end: whether they count is not sure before.
    waits: bool,
    ids: HashSet<String>,
    usage: Option<Usage>,
    stop_reason: Option<StopReason>,
    chunks: Vec<ChatChunk>,
}

/// A call in the text.
#[derive(Debug)]
struct Written {
    result: CallResult,
    /// What was put right in it.
    mends: Vec<Mend>,
    is_told: bool,
}

/// One call, from its first sign to its end.
#[derive(Debug)]
struct CallSlot {
    id: String,
    wire_name: String,
    raw_arguments: String,
    announced: bool,
    /// It is told of when it is complete.
    waits: bool,
    result: Option<CallResult>,
}

impl ReplyBuilder {
    /// An empty reply.
    pub(crate) fn new(reading: Reading) -> Self {
        let extractor = reading
            .text
            .map(|options| Extractor::new(&reading.tools, options));
        let starts_thinking = |options: ExtractOptions| options.starts_thinking;
        Self {
            guessed: reading.text.is_some_and(starts_thinking).then(String::new),
            waits: reading.hint.is_to_wait(),
            reading,
            extractor,
            heard: false,
            blocks: Vec::new(),
            calls: Vec::new(),
            written: Vec::new(),
            told: Vec::new(),
            ids: HashSet::new(),
            usage: None,
            stop_reason: None,
            chunks: Vec::new(),
        }
    }

    /// More of the text, calls in it included.
    pub(crate) fn text(&mut self, delta: &str) {
        self.heard |= !delta.is_empty();
        if let Some(guessed) = &mut self.guessed {
            guessed.push_str(delta);
        }
        match self.extractor.take() {
            None => self.say(delta),
            Some(mut extractor) => {
                extractor.push(delta.as_bytes(), &mut |piece| self.piece(piece));
                self.extractor = Some(extractor);
            }
        }
    }

    /// More of the text for the user.
    fn say(&mut self, delta: &str) {
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

    /// More of the thinking, which the server tells apart.
    pub(crate) fn reasoning(&mut self, delta: &str) {
        if !delta.is_empty() {
            self.start_outside();
        }
        self.think(delta);
    }

    /// More of the thinking, whoever tells it apart.
    fn think(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        self.heard = true;
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
        self.chunks.push(ChatChunk::Signature(piece.to_owned()));
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
        (self.chunks).push(ChatChunk::RedactedThinking(data.to_owned()));
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
            waits: false,
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
            if !call.announced {
                return;
            }
            self.chunks.push(ChatChunk::CallArgs {
                index,
                fragment: fragment.to_owned(),
            });
        }
    }

    /// A call is complete. Ending it again changes nothing.
    pub(crate) fn end_call(&mut self, index: usize) {
        self.announce(index);
        let mut mends = Vec::new();
        let Some(call) = self.calls.get_mut(index) else {
            return;
        };
        if call.result.is_some() {
            return;
        }
        let name = self.reading.own_name(&call.wire_name).to_owned();
        let read = match self.stop_reason {
            Some(StopReason::MaxTokens) => read_arguments_text(&call.raw_arguments),
            _ => read_ended_arguments_text(&call.raw_arguments),
        };
        let result = match read {
            Ok(_) if name.trim().is_empty() => Err("The call names no tool".to_owned()),
            other => other,
        };
        let id = call.id.clone();
        let result = match result {
            Ok((args, repairs)) => {
                for repair in repairs {
                    debug!(tool = name, %repair, "arguments mended");
                    mends.push(ChatChunk::Mended(repair.mend(&name)));
                }
                Ok(ToolCall { name, args, id })
            }
            Err(error) => Err(InvalidToolCall {
                name,
                args: call.raw_arguments.clone(),
                id,
                error,
            }),
        };
        call.result = Some(result.clone());
        if self.is_told(&result) {
            return;
        }
        self.announce_late(index);
        self.chunks.append(&mut mends);
        self.tell(index, result);
    }

    /// Tells how a call ended.
    fn tell(&mut self, index: usize, result: CallResult) {
        self.chunks.push(match result {
            Ok(call) => ChatChunk::CallEnd { index, call },
            Err(call) => ChatChunk::Invalid(call),
        });
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
        !self.heard && self.blocks.is_empty() && self.calls.is_empty()
    }

    /// The chunks since the last time.
    pub(crate) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        std::mem::take(&mut self.chunks)
    }

    /// Ends every open call and the reply; the last chunk is [`ChatChunk::Done`].
    pub(crate) fn finish(mut self) -> Vec<ChatChunk> {
        if let Some(extractor) = self.extractor.take() {
            extractor.finish(&mut |piece| self.piece(piece));
        }
        self.check_guess();
        for index in 0..self.calls.len() {
            self.end_call(index);
        }
        let written = self.written_calls();
        let mut message = AiMessage::new(content(self.blocks));
        let native = self.calls.into_iter().filter_map(|call| call.result);
        for result in native.chain(written) {
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

    /// Tells of a call once, as late as possible: by then its name is whole. Behind a printed call
    /// that was told of it waits for its end: it may be the same call.
    fn announce(&mut self, index: usize) {
        let may_be_told = !self.told.is_empty();
        if let Some(call) = self.calls.get_mut(index).filter(|call| !call.announced) {
            call.waits |= may_be_told;
            if !call.waits {
                self.announce_now(index);
            }
        }
    }

    /// Tells of a call that waited, with all of its arguments.
    fn announce_late(&mut self, index: usize) {
        let waited = self.calls.get(index).filter(|call| !call.announced);
        let Some(fragment) = waited.map(|call| call.raw_arguments.clone()) else {
            return;
        };
        self.announce_now(index);
        if !fragment.is_empty() {
            self.chunks.push(ChatChunk::CallArgs { index, fragment });
        }
    }

    fn announce_now(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(index).filter(|call| !call.announced) {
            call.announced = true;
            let name = self.reading.own_name(&call.wire_name).to_owned();
            let id = Some(call.id.clone());
            self.chunks.push(ChatChunk::CallStart { index, name, id });
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

/// An id that no other call has: 24 random characters, as long as OpenAI's own.
pub(crate) fn mint_id() -> String {
    let random: String = std::iter::repeat_with(fastrand::alphanumeric)
        .take(24)
        .collect();
    format!("call_{random}")
}

#[cfg(test)]
mod tests;
