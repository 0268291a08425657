//! Writes a chat completion: chunk by chunk (OpenAI's API reference, "The chat completion chunk
//! object"), or whole.

use haft_core::{AiMessage, ServerFields, StopReason, ToolCall, Usage};
use serde::Serialize;
use serde_json::Value;

use super::super::format::{OpenCall, ReplyFormat, ReplyHead, arguments_text, reasoning_text};
use super::super::frames::{Texts, event};
use super::functions::CallForm;
use super::objects::{
    CallPart, Calls, Choice, Chunk, Function, FunctionPart, OneCall, OtherFields, PromptTokens,
    TokenCount, UsageChunk, Whole, WholeCall, WholeChoice, WholeMessage,
};

/// A chat completion that is being written.
#[derive(Debug)]
pub(super) struct ChatCompletion {
    head: ReplyHead,
    calls: CallForm,
    has_begun: bool,
    /// The text of a refusal that was written and not yet repeated as text.
    refused: String,
}

impl ReplyFormat for ChatCompletion {
    fn head(&mut self) -> &mut ReplyHead {
        &mut self.head
    }

    fn call_announced(&mut self, out: &mut Vec<u8>) {
        if !self.has_begun {
            self.delta("content", "", out);
        }
    }

    fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        // The text of a refusal was written as one.
        if !self.refused.is_empty()
            && let Some(rest) = self.refused.strip_prefix(text)
        {
            self.refused = rest.to_owned();
            return;
        }
        self.delta("content", text, out);
    }

    fn reasoning(&mut self, reasoning: &str, out: &mut Vec<u8>) {
        self.delta("reasoning_content", reasoning, out);
    }

    fn call(&mut self, place: usize, call: &ToolCall, out: &mut Vec<u8>) {
        let (id, name) = (&call.id, &call.name);
        let arguments = arguments_text(call);
        if self.calls == CallForm::Function {
            let function_call = Function {
                name,
                arguments: &arguments,
            };
            let role = self.role();
            return self.choice(
                OneCall {
                    function_call,
                    role,
                },
                out,
            );
        }
        self.call_part(begun(OpenCall { place, id, name }, &arguments), out);
    }

    fn streams_calls(&self) -> bool {
        self.calls == CallForm::Tools
    }

    fn open_call(&mut self, call: OpenCall<'_>, out: &mut Vec<u8>) {
        self.call_part(begun(call, ""), out);
    }

    fn call_arguments(&mut self, place: usize, fragment: &str, out: &mut Vec<u8>) {
        let part = CallPart {
            index: place,
            id: None,
            kind: None,
            function: FunctionPart {
                name: None,
                arguments: fragment,
            },
        };
        self.call_part(part, out);
    }

    fn server_fields(&mut self, fields: &ServerFields, out: &mut Vec<u8>) {
        let mut delta = fields.message.clone();
        if let Some(role) = self.role() {
            delta.insert("role".to_owned(), role.into());
        }
        if let Some(refusal) = fields.message.get("refusal").and_then(Value::as_str) {
            self.refused.push_str(refusal);
        }
        let mut chunk = self.chunk(delta, None);
        chunk.more = Some(&fields.reply);
        let [choice] = &mut chunk.choices;
        choice.logprobs = fields.choice.get("logprobs");
        choice.more = OtherFields::of(Some(&fields.choice), &["logprobs"]);
        event(None, &chunk, out);
    }

    fn end(&mut self, reply: &AiMessage, out: &mut Vec<u8>) {
        let mut last = self.chunk(Texts(&[]), Some(self.finish_reason(reply)));
        last.haft = self.head.report.as_ref();
        event(None, &last, out);
        if self.head.wants_usage {
            self.usage(reply.usage.unwrap_or_default(), out);
        }
        out.extend_from_slice(b"data: [DONE]\n\n");
    }

    fn whole(&self, reply: &AiMessage) -> Vec<u8> {
        let text = reply.content.text();
        let reasoning = reasoning_text(reply);
        let arguments: Vec<String> = reply.tool_calls.iter().map(arguments_text).collect();
        let calls = reply.tool_calls.iter().zip(&arguments);
        let tool_calls: Vec<WholeCall<'_>> = calls
            .map(|(call, arguments)| WholeCall {
                id: &call.id,
                r#type: "function",
                function: Function {
                    name: &call.name,
                    arguments,
                },
            })
            .collect();
        let fields = &self.head.fields;
        let is_silent = text.is_empty() && !tool_calls.is_empty();
        let refusal = fields.message.get("refusal").and_then(Value::as_str);
        let is_refusal = refusal.is_some_and(|refusal| refusal == text);
        let (tool_calls, function_call) = match self.calls {
            CallForm::Tools => (tool_calls, None),
            CallForm::Function => {
                let first = tool_calls.into_iter().next();
                (Vec::new(), first.map(|call| call.function))
            }
        };
        let message = WholeMessage {
            role: "assistant",
            content: (!is_silent && !is_refusal).then_some(&text),
            reasoning_content: (!reasoning.is_empty()).then_some(&reasoning),
            tool_calls,
            function_call,
            more: &fields.message,
        };
        let whole = Whole {
            id: &self.head.id,
            object: "chat.completion",
            created: self.head.created.as_second(),
            model: &self.head.model,
            choices: [WholeChoice {
                index: 0,
                message,
                logprobs: fields.choice.get("logprobs"),
                finish_reason: self.finish_reason(reply),
                more: OtherFields::of(Some(&fields.choice), &["logprobs"]),
            }],
            usage: self.token_count(reply.usage.unwrap_or_default()),
            more: &fields.reply,
        };
        // Strings and numbers always serialize.
        serde_json::to_vec(&whole).unwrap_or_default()
    }
}

impl ChatCompletion {
    pub(super) fn new(head: ReplyHead, calls: CallForm) -> Self {
        Self {
            head,
            calls,
            has_begun: false,
            refused: String::new(),
        }
    }

    fn finish_reason(&self, reply: &AiMessage) -> &'static str {
        match reply.stop_reason {
            _ if !reply.tool_calls.is_empty() => match self.calls {
                CallForm::Tools => "tool_calls",
                CallForm::Function => "function_call",
            },
            Some(StopReason::MaxTokens) => "length",
            Some(StopReason::Refusal) => "content_filter",
            _ => "stop",
        }
    }

    /// Writes a chunk with this text. The first chunk also carries the role.
    fn delta(&mut self, field: &str, text: &str, out: &mut Vec<u8>) {
        match self.role() {
            Some(role) => self.choice(Texts(&[(field, text), ("role", role)]), out),
            None => self.choice(Texts(&[(field, text)]), out),
        }
    }

    fn call_part(&mut self, part: CallPart<'_>, out: &mut Vec<u8>) {
        let role = self.role();
        let tool_calls = [part];
        self.choice(Calls { tool_calls, role }, out);
    }

    /// The role, which only the first chunk carries.
    fn role(&mut self) -> Option<&'static str> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        is_first.then_some("assistant")
    }

    fn choice(&self, delta: impl Serialize, out: &mut Vec<u8>) {
        event(None, &self.chunk(delta, None), out);
    }

    fn chunk<'a, D>(&'a self, delta: D, finish_reason: Option<&'a str>) -> Chunk<'a, D> {
        Chunk {
            id: &self.head.id,
            object: "chat.completion.chunk",
            created: self.head.created.as_second(),
            model: &self.head.model,
            choices: [Choice {
                index: 0,
                delta,
                logprobs: None,
                finish_reason,
                more: OtherFields::of(None, &[]),
            }],
            haft: None,
            more: None,
        }
    }

    /// Writes a chunk that only contains token counts.
    fn usage(&self, usage: Usage, out: &mut Vec<u8>) {
        let chunk = UsageChunk {
            id: &self.head.id,
            object: "chat.completion.chunk",
            created: self.head.created.as_second(),
            model: &self.head.model,
            choices: [],
            usage: self.token_count(usage),
        };
        event(None, &chunk, out);
    }

    /// The token counts, with those of the model server that haft does not count.
    fn token_count(&self, usage: Usage) -> TokenCount<'_> {
        let counts = &self.head.fields.usage;
        let details = counts.get("prompt_tokens_details");
        TokenCount {
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            total_tokens: usage.total_tokens(),
            prompt_tokens_details: PromptTokens {
                cached_tokens: usage.cached_input_tokens,
                more: OtherFields::of(details.and_then(Value::as_object), &["cached_tokens"]),
            },
            more: OtherFields::of(Some(counts), &TokenCount::OWN),
        }
    }
}

/// The first part of a call, with its id, its name and the given arguments.
fn begun<'a>(call: OpenCall<'a>, arguments: &'a str) -> CallPart<'a> {
    CallPart {
        index: call.place,
        id: Some(call.id),
        kind: Some("function"),
        function: FunctionPart {
            name: Some(call.name),
            arguments,
        },
    }
}
