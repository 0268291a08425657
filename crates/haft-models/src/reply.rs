//! Assembles a reply from its decoded pieces, for every provider.
//!
//! Every decoder feeds one [`ReplyBuilder`], whether its server streams or not, so that ids,
//! arguments, order and stop reasons are equal for all providers. `reply/native.rs` assembles native
//! calls. `reply/written.rs` takes calls out of the model's text, and puts them back if they only
//! quote another text (`quoted.rs`); `reply/recovered.rs` reads those that the server could not
//! parse. `reply/guess.rs` handles replies that may begin inside reasoning. A [`Reading`] holds what
//! is known before the reply begins, and `reply/announce.rs` reports that a call begins.

mod announce;
mod guess;
mod native;
mod reading;
mod recovered;
mod written;

use std::collections::HashSet;

use haft_core::{
    AiMessage, CallRepair, ChatChunk, Content, ContentBlock, InvalidToolCall, QuotedCall,
    ServerFields, StopReason, ToolCall, Usage,
};
use haft_extract::{ExtractOptions, Extractor};
use tracing::warn;

use self::native::CallSlot;
pub(crate) use self::reading::Reading;

/// A valid or invalid call.
type CallResult = Result<ToolCall, InvalidToolCall>;

/// A reply that is being assembled.
#[derive(Debug)]
pub(crate) struct ReplyBuilder {
    reading: Reading,
    /// Extracts calls from the text; `None` if the text cannot contain calls.
    extractor: Option<Extractor>,
    /// The text so far of a reply that may have begun inside reasoning.
    guessed: Option<String>,
    /// Whether the model wrote anything, even only half a marker.
    heard: bool,
    /// Whether the server sends reasoning apart from the text.
    is_separated: bool,
    blocks: Vec<ContentBlock>,
    calls: Vec<CallSlot>,
    /// The calls in the text. They count if there are no native calls, which is known only at the
    /// end of the reply.
    written: Vec<Written>,
    /// Calls of the text that were reported before the end of the reply and have not been repeated
    /// natively since.
    reported: Vec<ToolCall>,
    /// Whether calls of the text are reported only at the end of the reply, because earlier replies
    /// of this model retracted some.
    waits: bool,
    /// Whether the text ends in a quoted call that was put back.
    ends_in_quote: bool,
    ids: HashSet<String>,
    usage: Option<Usage>,
    stop_reason: Option<StopReason>,
    chunks: Vec<ChatChunk>,
}

/// A call in the text.
#[derive(Debug)]
struct Written {
    result: CallResult,
    /// The repairs that were made to it.
    reports: Vec<CallRepair>,
    is_reported: bool,
    /// Whether it has no marker.
    is_bare: bool,
}

impl ReplyBuilder {
    /// Creates an empty reply.
    pub(crate) fn new(reading: Reading) -> Self {
        reading.raw.begin();
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
            is_separated: false,
            blocks: Vec::new(),
            calls: Vec::new(),
            written: Vec::new(),
            reported: Vec::new(),
            ends_in_quote: false,
            ids: HashSet::new(),
            usage: None,
            stop_reason: None,
            chunks: Vec::new(),
        }
    }

    /// Adds text, which may contain calls.
    pub(crate) fn text(&mut self, delta: &str) {
        self.reading.raw.text(delta);
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

    /// Adds text for the user.
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

    /// Adds a quoted call, which is text, on its own line.
    fn quote(&mut self, quoted: QuotedCall) {
        warn!(
            tool = quoted.call.name,
            source = quoted.source.name(),
            "a quoted call is not run"
        );
        let text = quoted.to_string();
        self.chunks.push(ChatChunk::Quoted(quoted));
        let is_open = match self.blocks.last() {
            Some(ContentBlock::Text { text }) => !text.ends_with(char::is_whitespace),
            _ => false,
        };
        self.say(if is_open { "\n" } else { "" });
        self.say(&text);
        self.ends_in_quote = true;
    }

    /// Starts a separate block of reasoning.
    pub(crate) fn start_thought(&mut self) {
        self.blocks.push(ContentBlock::Thinking {
            thinking: String::new(),
            signature: None,
        });
    }

    /// Adds reasoning that the server sends apart from the text.
    pub(crate) fn reasoning(&mut self, delta: &str) {
        self.reading.raw.reasoning(delta);
        if !delta.is_empty() {
            self.is_separated = true;
            self.start_outside();
        }
        self.think(delta);
    }

    /// Adds reasoning, from the server or extracted from the text.
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

    /// Adds to the provider's signature of the latest reasoning, which may be empty.
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

    /// Adds reasoning that the provider encrypts.
    pub(crate) fn redacted_thinking(&mut self, data: &str) {
        (self.chunks).push(ChatChunk::RedactedThinking(data.to_owned()));
        self.blocks.push(ContentBlock::RedactedThinking {
            data: data.to_owned(),
        });
    }

    /// Sets the token counts; a later report replaces an earlier one.
    pub(crate) fn usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// Sets the stop reason that the server reports. [`StopReason::ToolUse`] is derived from the
    /// calls instead, because servers report it inconsistently.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.stop_reason = Some(reason);
    }

    /// Adds fields of the reply that haft does not handle.
    pub(crate) fn server_fields(&mut self, fields: ServerFields) {
        if !fields.is_empty() {
            self.chunks.push(ChatChunk::ServerFields(Box::new(fields)));
        }
    }

    /// Whether fields of the reply that haft does not handle are wanted.
    pub(crate) fn keeps_fields(&self) -> bool {
        self.reading.keeps_fields
    }

    /// Whether nothing was received yet.
    pub(crate) fn is_empty(&self) -> bool {
        !self.heard && self.blocks.is_empty() && self.calls.is_empty()
    }

    /// Takes the chunks since the last call of this function.
    pub(crate) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        std::mem::take(&mut self.chunks)
    }

    /// Ends every open call and the reply; the last chunk is [`ChatChunk::Done`].
    pub(crate) fn finish(mut self) -> Vec<ChatChunk> {
        if let Some(extractor) = self.extractor.take() {
            self.end_text(extractor);
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
}

/// The content without blocks of reasoning that have neither text nor signature; plain text if only
/// text is left.
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

/// Creates a unique call id with 24 random characters, as many as in OpenAI's ids.
pub(crate) fn mint_id() -> String {
    let random: String = std::iter::repeat_with(fastrand::alphanumeric)
        .take(24)
        .collect();
    format!("call_{random}")
}

#[cfg(test)]
mod tests;
