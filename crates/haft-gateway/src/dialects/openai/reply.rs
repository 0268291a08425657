//! Writes a chat completion: chunk by chunk (OpenAI's API reference, "The chat completion chunk
//! object"), or whole.

use haft_core::{AiMessage, ServerFields, StopReason, ToolCall, Usage};
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::format::{
    OpenCall, ReplyFormat, ReplyHead, arguments_text, complete, reasoning_text,
};
use super::super::frames::{Texts, event};
use super::functions::CallForm;

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
        let chunk = serde_json::to_value(self.chunk(delta, None)).unwrap_or_default();
        event(None, &with_fields(chunk, fields), out);
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
        let is_silent = text.is_empty() && !tool_calls.is_empty();
        let (tool_calls, function_call) = match self.calls {
            CallForm::Tools => (tool_calls, None),
            CallForm::Function => {
                let first = tool_calls.into_iter().next();
                (Vec::new(), first.map(|call| call.function))
            }
        };
        let message = WholeMessage {
            role: "assistant",
            content: (!is_silent).then_some(&text),
            reasoning_content: (!reasoning.is_empty()).then_some(&reasoning),
            tool_calls,
            function_call,
        };
        let whole = Whole {
            id: &self.head.id,
            object: "chat.completion",
            created: self.head.created.as_second(),
            model: &self.head.model,
            choices: [WholeChoice {
                index: 0,
                message,
                logprobs: (),
                finish_reason: self.finish_reason(reply),
            }],
            usage: token_count(reply.usage.unwrap_or_default()),
        };
        if self.head.fields.is_empty() {
            // Strings and numbers always serialize.
            return serde_json::to_vec(&whole).unwrap_or_default();
        }
        let whole = serde_json::to_value(&whole).unwrap_or_default();
        with_fields(whole, &self.head.fields)
            .to_string()
            .into_bytes()
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
                logprobs: (),
                finish_reason,
            }],
            haft: None,
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
            usage: token_count(usage),
        };
        if self.head.fields.usage.is_empty() {
            return event(None, &chunk, out);
        }
        let chunk = serde_json::to_value(&chunk).unwrap_or_default();
        event(None, &with_fields(chunk, &self.head.fields), out);
    }
}

/// A chunk or a whole reply with the fields of the model server's.
fn with_fields(mut reply: Value, fields: &ServerFields) -> Value {
    let is_refusal = |message: &Map<String, Value>| {
        let refusal = fields.message.get("refusal");
        refusal.is_some() && refusal == message.get("content")
    };
    if let Some(reply) = reply.as_object_mut() {
        complete(reply, &fields.reply);
        if let Some(usage) = reply.get_mut("usage").and_then(Value::as_object_mut) {
            complete(usage, &fields.usage);
        }
    }
    let Some(choice) = reply
        .pointer_mut("/choices/0")
        .and_then(Value::as_object_mut)
    else {
        return reply;
    };
    complete(choice, &fields.choice);
    if let Some(message) = choice.get_mut("message").and_then(Value::as_object_mut) {
        complete(message, &fields.message);
        if is_refusal(message) {
            message.insert("content".to_owned(), Value::Null);
        }
    }
    reply
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

fn token_count(usage: Usage) -> TokenCount {
    TokenCount {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens(),
        prompt_tokens_details: CachedTokens {
            cached_tokens: usage.cached_input_tokens,
        },
    }
}

/// A chunk of a streamed reply.
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

/// The delta of a chunk with a call.
#[derive(Serialize)]
struct Calls<'a> {
    tool_calls: [CallPart<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
}

/// The delta of a chunk with the only call of a reply, in the older form.
#[derive(Serialize)]
struct OneCall<'a> {
    function_call: Function<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
}

/// A part of a call, or the whole call.
#[derive(Serialize)]
struct CallPart<'a> {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    function: FunctionPart<'a>,
}

#[derive(Serialize)]
struct FunctionPart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    arguments: &'a str,
}

/// The chunk with the token counts.
#[derive(Serialize)]
struct UsageChunk<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [u8; 0],
    usage: TokenCount,
}

/// A reply in one piece.
#[derive(Serialize)]
struct Whole<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [WholeChoice<'a>; 1],
    usage: TokenCount,
}

#[derive(Serialize)]
struct WholeChoice<'a> {
    index: u8,
    message: WholeMessage<'a>,
    logprobs: (),
    finish_reason: &'static str,
}

#[derive(Serialize)]
struct WholeMessage<'a> {
    role: &'static str,
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<WholeCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<Function<'a>>,
}

#[derive(Serialize)]
struct WholeCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct TokenCount {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    prompt_tokens_details: CachedTokens,
}

#[derive(Serialize)]
struct CachedTokens {
    cached_tokens: u64,
}
