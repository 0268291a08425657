//! Calls that a model wrote into its text, or into its thinking, or that its server choked on.
//!
//! The text is read as it comes, so that it flows on at once and nothing of a call is shown as
//! text. A call in it is told of when it is complete. The end may take it back: where a thought
//! ends that never began, all before it was thought; and where the server tells of calls itself,
//! those are the model's calls, and the others were mere markup. Whoever handed a call on finds it
//! missing in the whole reply then, and from then on the calls of this model wait until they are
//! sure to count.

use haft_core::{ChatChunk, ContentBlock, InvalidToolCall, Mend, ToolCall};
use haft_extract::{Extraction, Piece, extract, match_arguments_text};
use serde_json::Value;
use tracing::debug;

use super::{CallResult, CallSlot, ReplyBuilder, Written, mint_id};

/// How much of an unreadable call a model is shown again, in characters.
const SHOWN: usize = 300;

impl ReplyBuilder {
    /// Takes in a piece of the text.
    pub(super) fn piece(&mut self, piece: Piece<'_>) {
        // Before its end a call is only shown, and only as long as it may count.
        let shown = self.reading.allows_calls && !self.has_native_calls();
        match piece {
            Piece::Text(text) => self.say(text),
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
                ..
            } => {
                debug!(tool = call.name, format, "a call in the text");
                let mut mends = vec![Mend {
                    tool: call.name.clone(),
                    kind: "found_in_text".to_owned(),
                    what: format!("the call stood in the text, as {format}"),
                }];
                for repair in repairs {
                    debug!(tool = call.name, %repair, "a call in the text was mended");
                    mends.push(repair.mend(&call.name));
                }
                self.written.push(Written {
                    mends,
                    ..Ok(call).into()
                });
                if shown && !self.waits {
                    self.tell_last();
                }
            }
            Piece::Invalid { call, format, .. } => {
                debug!(tool = call.name, format, "a call in the text is invalid");
                self.written.push(Err(call).into());
            }
            _ => {}
        }
    }

    /// What passed for text, and for calls in it, was thought.
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

    /// Tells of the latest call, which is complete.
    fn tell_last(&mut self) {
        let Some(index) = self.written.len().checked_sub(1) else {
            return;
        };
        // Its place shows that a thought that was guessed at is over.
        self.guessed = None;
        self.tell_written(index);
        if let Some(Written {
            result: Ok(call), ..
        }) = self.written.last()
        {
            self.told.push(call.clone());
        }
    }

    /// Tells of a call in the text, unless it was told of.
    fn tell_written(&mut self, index: usize) {
        let Some(call) = self.written.get_mut(index).filter(|call| !call.is_told) else {
            return;
        };
        call.is_told = true;
        let (result, mends) = (call.result.clone(), std::mem::take(&mut call.mends));
        if !self.is_told(&result) {
            self.chunks.extend(mends.into_iter().map(ChatChunk::Mended));
            self.tell(index, result);
        }
    }

    /// Whether the call is one that was told of and taken for something else since: it is not told
    /// of again.
    pub(super) fn is_told(&mut self, call: &CallResult) -> bool {
        let Ok(call) = call else {
            return false;
        };
        let same = |told: &ToolCall| told.name == call.name && told.args == call.args;
        let place = self.told.iter().position(same);
        place.map(|place| self.told.remove(place)).is_some()
    }

    /// True when the server told of a call. What has no name is none.
    pub(super) fn has_native_calls(&self) -> bool {
        let mut names = self.calls.iter().map(|call| call.wire_name.trim());
        names.any(|name| !name.is_empty())
    }

    /// The calls of the text, if they are the reply's calls, told to whoever watches.
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
            if !self.told.is_empty() {
                self.reading
                    .hint
                    .learn_to_wait("calls natively after it printed another call");
            }
        }
        for index in 0..self.written.len() {
            self.tell_written(index);
        }
        let written = std::mem::take(&mut self.written).into_iter();
        written.map(|call| call.result).collect()
    }

    /// The calls in a thought that never ended, of a server that tells thinking apart: where
    /// there is no text, the model made them in the wrong place.
    fn calls_in_thinking(&mut self) -> Vec<Written> {
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
        let found = extract(&self.reading.tools, inside, &thought);
        for (index, call) in found.calls.iter().enumerate() {
            let name = call.name.clone();
            self.chunks.push(ChatChunk::CallStart {
                index,
                name,
                id: None,
            });
        }
        let calls = found.calls.into_iter();
        calls.map(|call| Ok(call).into()).collect()
    }

    /// Reads what a server could not read itself and reported: `output`, the model's own words
    /// of a native call, or of its arguments alone.
    pub(crate) fn recover(&mut self, output: &str) {
        let options = self.reading.text.unwrap_or_default();
        let found = extract(&self.reading.tools, options, output);
        if !found.calls.is_empty() {
            return self.recovered(found);
        }
        // Thoughts may have slipped in before the arguments.
        let object = output.find('{').and_then(|at| output.split_at_checked(at));
        let (thought, arguments) = object.unwrap_or(("", output));
        let call = match_arguments_text(&self.reading.tools, arguments);
        if let Some((name, arguments)) = call {
            let (name, arguments) = (name.to_owned(), Value::Object(arguments));
            self.reasoning(thought);
            return self.native_call(Ok(ToolCall::new(name, arguments, mint_id())));
        }
        self.native_call(Err(InvalidToolCall {
            name: String::new(),
            args: output.to_owned(),
            id: mint_id(),
            error: format!(
                "The call could not be read; call a tool with a JSON object as arguments. This \
                 arrived: {}",
                output.chars().take(SHOWN).collect::<String>()
            ),
        }));
    }

    /// Takes in what was recovered, as the native calls that they are.
    fn recovered(&mut self, found: Extraction) {
        self.reasoning(&found.reasoning);
        self.say(&found.content);
        for mut call in found.calls {
            call.id = mint_id();
            self.native_call(Ok(call));
        }
        for mut call in found.invalid {
            call.id = mint_id();
            self.native_call(Err(call));
        }
    }

    /// A native call that is read already.
    fn native_call(&mut self, result: CallResult) {
        let (Ok(ToolCall { name, id, .. }) | Err(InvalidToolCall { name, id, .. })) = &result;
        let (name, id) = (name.clone(), id.clone());
        let index = self.calls.len();
        self.calls.push(CallSlot {
            id,
            wire_name: name.clone(),
            raw_arguments: String::new(),
            announced: true,
            waits: false,
            result: Some(result.clone()),
        });
        self.chunks.push(ChatChunk::CallStart {
            index,
            name,
            id: None,
        });
        self.tell(index, result);
    }
}

impl From<CallResult> for Written {
    fn from(result: CallResult) -> Self {
        Self {
            result,
            mends: Vec::new(),
            is_told: false,
        }
    }
}
