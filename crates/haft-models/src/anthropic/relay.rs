//! Anthropic's messages that pass as they are.

use bytes::Bytes;
use haft_core::{ModelError, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::wire;
use super::{ChatAnthropic, DEFAULT_MAX_TOKENS, convert};
use crate::Dialect;
use crate::http::{Api, Framing, Request, Transport, endpoint, parse};
use crate::relay::{KnownTools, PassedRequest, Passing, Says, Seen, Text, Wire, is_free, session};

/// What replies are watched for.
pub(crate) static WIRE: Wire = Wire {
    framing: Framing::Sse,
    event,
    whole,
    end: None,
};

static TOOLS: KnownTools = KnownTools::new(Dialect::Anthropic, |tools, names| {
    serde_json::to_value(convert::with_names(tools, names))
});

/// What matters of a request.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(rename = "max_tokens")]
    _max_tokens: u64,
    #[serde(borrow)]
    messages: Vec<Said<'a>>,
    #[serde(borrow, default)]
    tools: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_choice: Option<&'a RawValue>,
    #[serde(default)]
    output_config: Option<IgnoredAny>,
    #[serde(default)]
    thread: Option<IgnoredAny>,
    #[serde(default)]
    stream: Option<bool>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: &'a RawValue,
}

/// The request, if it may pass. A conversation that holds calls needs its tools.
pub(crate) fn passable(body: &Bytes) -> Option<PassedRequest> {
    let head: Head<'_> = serde_json::from_slice(body).ok()?;
    let is_free = is_free(head.tool_choice)
        || head.tool_choice.is_some_and(|choice| {
            serde_json::from_str(choice.get()).is_ok_and(|choice: Choice<'_>| choice.kind == "auto")
        });
    let is_plain = is_free && head.output_config.is_none() && head.thread.is_none();
    let is_known = |said: &Said<'_>| {
        let has_calls = || said.content.get().contains("\"tool_use\"");
        match &*said.role {
            "user" => true,
            "assistant" => head.tools.is_some() || !has_calls(),
            _ => false,
        }
    };
    if !is_plain || !head.messages.iter().all(is_known) {
        return None;
    }
    let said = head.messages.iter();
    let said = said.map(|said| (&*said.role, Some(said.content)));
    let request = PassedRequest::new(Dialect::Anthropic, &head.model, body).with_tools(head.tools);
    Some(PassedRequest {
        stream: head.stream.unwrap_or(false),
        session: session(&head.model, said),
        ..request
    })
}

impl ChatAnthropic {
    /// Whether nothing would be said otherwise than the client says it.
    pub(crate) fn passes(&self, request: &PassedRequest) -> bool {
        let settings = &self.settings;
        settings.temperature.is_none()
            && settings.max_tokens == DEFAULT_MAX_TOKENS
            && settings.thinking.is_none()
            && settings.streaming
            && (request.tools.as_ref()).is_none_or(|tools| TOOLS.pass(tools))
    }

    pub(crate) fn passed(
        &self,
        request: &PassedRequest,
    ) -> Result<(&Transport, Request), ModelError> {
        let url = endpoint(&self.base_url, "/v1/messages")?;
        let framing = if request.stream {
            Framing::Sse
        } else {
            Framing::Whole
        };
        let body = request.body.clone();
        let request = self.signed(Request::post(Api::Anthropic, url, body, framing));
        Ok((&self.transport, request))
    }
}

/// A choice of which nothing more is said.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
}

/// What matters of an event.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(default)]
    message: Option<Start>,
    #[serde(borrow, default)]
    content_block: Option<Block<'a>>,
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default)]
    usage: Option<wire::Usage>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    usage: wire::Usage,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(default)]
    text: Says,
    #[serde(default)]
    thinking: Says,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Delta {
    text: Says,
    thinking: Says,
    signature: Says,
    partial_json: Says,
}

/// A whole reply.
#[derive(Deserialize)]
struct Whole<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
    #[serde(default)]
    usage: wire::Usage,
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    let event: Event<'_> = parse(data)?;
    seen.is_begun = true;
    if let Some(usage) = event.message.map(|message| message.usage).or(event.usage) {
        count(usage, seen);
    }
    let says = match &*event.kind {
        "content_block_start" => event.content_block.is_some_and(|block| {
            let is_call = block.kind == "tool_use";
            seen.calls += usize::from(is_call);
            is_call || block.text.0 || block.thinking.0
        }),
        "content_block_delta" => event.delta.is_some_and(|delta| {
            let words = [
                delta.text,
                delta.thinking,
                delta.signature,
                delta.partial_json,
            ];
            words.contains(&Says(true))
        }),
        "message_delta" => true,
        "message_stop" => return Ok(Passing::End),
        _ => false,
    };
    Ok(if says { Passing::Says } else { Passing::Silent })
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let reply: Whole<'_> = parse(text)?;
    count(reply.usage, seen);
    let calls = reply
        .content
        .iter()
        .filter(|block| block.kind == "tool_use");
    seen.calls = calls.count();
    Ok(())
}

/// Takes what a report says over what an earlier one said.
fn count(report: wire::Usage, seen: &mut Seen) {
    let usage = &mut seen.usage;
    let read = report.cache_read_input_tokens;
    let prompt = [
        report.input_tokens,
        report.cache_creation_input_tokens,
        read,
    ];
    let told = prompt.iter().flatten().copied().reduce(u64::saturating_add);
    *usage = Usage {
        input_tokens: told.unwrap_or(usage.input_tokens),
        output_tokens: report.output_tokens.unwrap_or(usage.output_tokens),
        cached_input_tokens: read.unwrap_or(usage.cached_input_tokens),
    };
}
