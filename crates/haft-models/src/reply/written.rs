//! Calls that a model wrote into its text or reasoning.
//!
//! The text is extracted while it streams, so that text is shown at once and calls are not shown as
//! text. A call is reported when it is complete. The end of the reply may retract it: if reasoning
//! ends that never began, everything before it was reasoning; and if the server sends native calls,
//! those count, and the others were only markup. A retracted call is missing in the final message,
//! and from then on calls in the text of this model are reported only at the end of the reply.

use haft_core::{CallRepair, ChatChunk, ContentBlock, InvalidToolCall, StopReason, ToolCall};
use haft_extract::{Extractor, Piece, extract};
use serde_json::Value;
use tracing::debug;

use super::native::CUT_OFF;
use super::{CallResult, ReplyBuilder, Written};

impl ReplyBuilder {
    /// Adds a piece of the extracted text.
    pub(super) fn piece(&mut self, piece: Piece<'_>) {
        // A call is shown before its end only if it may count.
        let shown = self.reading.allows_calls && !self.has_native_calls();
        match piece {
            Piece::Text(text) => {
                let follows = std::mem::take(&mut self.ends_in_quote);
                if follows && !text.starts_with(char::is_whitespace) {
                    self.say("\n");
                }
                self.say(text);
            }
            Piece::Reasoning(text) => self.think(text),
            Piece::ThinkingEnded => self.all_was_thinking(),
            Piece::CallStart { index, name } if shown => {
                let name = name.to_owned();
                self.chunks.push(ChatChunk::CallStart {
                    index,
                    name,
                    id: None,
                });
            }
            Piece::CallArgs { index, fragment } if shown => {
                let fragment = fragment.to_owned();
                self.chunks.push(ChatChunk::CallArgs { index, fragment });
            }
            Piece::CallEnd {
                call,
                repairs,
                format,
                is_bare,
                ..
            } => {
                if shown && let Some(quoted) = self.reading.quotations.quoted(&call) {
                    return self.quote(quoted);
                }
                debug!(tool = call.name, format, "a call in the text");
                let mut reports = vec![CallRepair {
                    tool: call.name.clone(),
                    kind: "found_in_text".to_owned(),
                    what: format!("the call stood in the text, as {format}"),
                }];
                for repair in repairs {
                    debug!(tool = call.name, %repair, "a call in the text was repaired");
                    reports.push(repair.report(&call.name));
                }
                self.written.push(Written {
                    reports,
                    is_bare,
                    ..Ok(call).into()
                });
                if shown && !self.waits {
                    self.report_last();
                }
            }
            Piece::Invalid { call, format, .. } => {
                debug!(tool = call.name, format, "a call in the text is invalid");
                self.written.push(Err(call).into());
            }
            _ => {}
        }
    }

    /// Ends the text. If the token limit cut it off, a call that ends with it is incomplete, and
    /// calls without a marker do not count: the text that would follow them is unknown.
    pub(super) fn end_text(&mut self, extractor: Extractor) {
        let is_cut = self.stop_reason == Some(StopReason::MaxTokens);
        if is_cut {
            // These were recognized by the text behind them.
            self.written.retain(|call| !call.is_bare);
        }
        let before = self.written.len();
        self.waits |= is_cut;
        // Text behind the last call shows that the call is complete.
        let mut is_followed = false;
        let mut take = |piece: Piece<'_>| {
            is_followed = match &piece {
                Piece::CallEnd { .. } => false,
                Piece::Text(text) => is_followed || !text.trim().is_empty(),
                _ => is_followed,
            };
            self.piece(piece);
        };
        match is_cut {
            true => extractor.finish_cut(&mut take),
            false => extractor.finish(&mut take),
        }
        let is_unfinished = is_cut && !is_followed;
        if let (true, Some(last)) = (is_unfinished, self.written.get_mut(before..))
            && let Some(last) = last.last_mut()
            && let Ok(call) = &last.result
        {
            *last = Err(InvalidToolCall {
                name: call.name.clone(),
                args: Value::Object(call.args.clone()).to_string(),
                id: call.id.clone(),
                error: CUT_OFF.to_owned(),
            })
            .into();
        }
    }

    /// Turns the text so far, with its calls, into reasoning.
    fn all_was_thinking(&mut self) {
        self.reading
            .hint
            .learn_to_wait("closes thoughts that it never opened");
        self.waits = false;
        self.written.clear();
        let mut thought = String::new();
        let mut others = Vec::new();
        for block in std::mem::take(&mut self.blocks) {
            match block {
                ContentBlock::Text { text }
                | ContentBlock::Thinking {
                    thinking: text,
                    signature: None,
                } => thought.push_str(&text),
                other => others.push(other),
            }
        }
        self.blocks = others;
        self.blocks.push(ContentBlock::Thinking {
            thinking: thought,
            signature: None,
        });
    }

    /// Reports the latest call, which is complete.
    fn report_last(&mut self) {
        let Some(index) = self.written.len().checked_sub(1) else {
            return;
        };
        // A call outside of reasoning shows that the guessed reasoning has ended.
        self.guessed = None;
        self.report_written(index);
        if let Some(Written {
            result: Ok(call), ..
        }) = self.written.last()
        {
            self.reported.push(call.clone());
        }
    }

    /// Reports a call of the text, unless it was reported before.
    fn report_written(&mut self, index: usize) {
        let Some(call) = self.written.get_mut(index).filter(|call| !call.is_reported) else {
            return;
        };
        call.is_reported = true;
        let (result, reports) = (call.result.clone(), std::mem::take(&mut call.reports));
        if !self.is_reported(&result) {
            self.chunks
                .extend(reports.into_iter().map(ChatChunk::Repaired));
            self.tell(index, result);
        }
    }

    /// Whether the call was already reported as a call of the text, so that it is not reported
    /// again.
    pub(super) fn is_reported(&mut self, call: &CallResult) -> bool {
        let Ok(call) = call else {
            return false;
        };
        let same = |reported: &ToolCall| reported.name == call.name && reported.args == call.args;
        let place = self.reported.iter().position(same);
        place.map(|place| self.reported.remove(place)).is_some()
    }

    /// Whether the server sent a call; one without a name does not count.
    pub(super) fn has_native_calls(&self) -> bool {
        let mut names = self.calls.iter().map(|call| call.wire_name.trim());
        names.any(|name| !name.is_empty())
    }

    /// Reports the calls of the text and returns them, if they count.
    pub(super) fn written_calls(&mut self) -> Vec<CallResult> {
        if self.written.is_empty() && !self.has_native_calls() {
            self.written = self.calls_in_thinking();
        }
        let ignored = if self.has_native_calls() {
            Some("there are native ones")
        } else if self.reading.allows_calls {
            None
        } else {
            Some("none was asked for")
        };
        if let (Some(reason), false) = (ignored, self.written.is_empty()) {
            let count = self.written.len();
            debug!(count, reason, "calls in the text are ignored");
            self.written.clear();
            if !self.reported.is_empty() {
                self.reading
                    .hint
                    .learn_to_wait("calls natively after it printed another call");
            }
        }
        for index in 0..self.written.len() {
            self.report_written(index);
        }
        let written = std::mem::take(&mut self.written).into_iter();
        written.map(|call| call.result).collect()
    }

    /// The calls in reasoning that the server sends apart. Without any text, the model made them in
    /// the wrong place, as a thought that was never closed would be read. Not in reasoning that the
    /// token limit cut off, because it was not complete, and none of a tool that may do harm. A thought
    /// that the text closes is the extractor's.
    fn calls_in_thinking(&mut self) -> Vec<Written> {
        if !self.is_separated || self.stop_reason == Some(StopReason::MaxTokens) {
            return Vec::new();
        }
        let Some(options) = self.reading.text else {
            return Vec::new();
        };
        let mut thought = String::new();
        for block in &self.blocks {
            match block {
                ContentBlock::Text { text } if !text.trim().is_empty() => return Vec::new(),
                ContentBlock::Thinking { thinking, .. } => thought.push_str(thinking),
                _ => {}
            }
        }
        let mut inside = options;
        inside.starts_thinking = true;
        inside.thought_calls = false;
        let mut found = extract(&self.reading.tools, inside, &thought);
        let is_harmful = |call: &ToolCall| {
            let definition = self.reading.tools.definition(&call.name);
            definition.is_none_or(|tool| tool.destructive)
        };
        if found.calls.iter().any(is_harmful) {
            return Vec::new();
        }
        let quotations = self.reading.quotations.clone();
        found.calls.retain(|call| match quotations.quoted(call) {
            Some(quoted) => {
                self.chunks.push(ChatChunk::Quoted(quoted));
                false
            }
            None => true,
        });
        self.announce_all(&found.calls);
        let calls = found.calls.into_iter();
        calls.map(|call| Ok(call).into()).collect()
    }
}

impl From<CallResult> for Written {
    fn from(result: CallResult) -> Self {
        Self {
            result,
            reports: Vec::new(),
            is_reported: false,
            is_bare: false,
        }
    }
}
