//! Chat completions that pass as they are.

use bytes::Bytes;
use haft_core::ModelError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::decode::tokens;
use super::wire::{self, StreamOptions};
use super::{ChatOpenAi, OPENAI, encode};
use crate::Dialect;
use crate::http::{Api, Framing, Request, Transport, endpoint, malformed, parse};
use crate::relay::{
    KnownTools, PassedRequest, Passing, Says, Seen, Text, Wire, are_own, is_free, session,
};
use crate::tool_mode::{ToolMode, Way};

/// What replies are watched for.
pub(crate) static WIRE: Wire = Wire {
    framing: Framing::Sse,
    event,
    whole,
    end: Some("data: [DONE]\n\n"),
};

static TOOLS: KnownTools = KnownTools::new(Dialect::OpenAi, |tools, names| {
    serde_json::to_value(encode::tools(tools, names))
});

/// What matters of a request.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    messages: Vec<Said<'a>>,
    #[serde(borrow, default)]
    tools: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_choice: Option<&'a RawValue>,
    #[serde(default)]
    response_format: Option<IgnoredAny>,
    #[serde(default)]
    n: Option<u32>,
    #[serde(default)]
    max_tokens: Option<IgnoredAny>,
    #[serde(default)]
    max_completion_tokens: Option<IgnoredAny>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<Called<'a>>>,
    #[serde(borrow, default)]
    tool_call_id: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Called<'a> {
    #[serde(borrow, default)]
    id: Option<Text<'a>>,
}

/// The request, if it may pass. The newer name of the most tokens is not known to every server.
pub(crate) fn passable(body: &Bytes) -> Option<PassedRequest> {
    let head: Head<'_> = serde_json::from_slice(body).ok()?;
    let is_plain = head.n.is_none_or(|replies| replies == 1)
        && head.response_format.is_none()
        && head.max_completion_tokens.is_none()
        && is_free(head.tool_choice);
    let calls = head.messages.iter().flat_map(|said| &said.tool_calls);
    let ids = calls.flatten().map(|call| call.id.as_deref());
    if !is_plain || !head.messages.iter().all(Said::is_known) || !are_own(ids) {
        return None;
    }
    let stream = head.stream.unwrap_or(false);
    let leaves_out_usage = match head.stream_options {
        // Some servers send no other option than this.
        Some(StreamOptions { include_usage }) if stream && !include_usage => return None,
        Some(_) => false,
        None => stream,
    };
    let said = head.messages.iter();
    let said = said.map(|said| (&*said.role, said.content));
    let request = PassedRequest::new(Dialect::OpenAi, &head.model, body).with_tools(head.tools);
    Some(PassedRequest {
        stream,
        leaves_out_usage,
        is_bounded: head.max_tokens.is_some(),
        session: session(&head.model, said),
        ..request
    })
}

impl Said<'_> {
    /// Whether every server knows such a message.
    fn is_known(&self) -> bool {
        match &*self.role {
            "system" | "user" | "assistant" => true,
            "tool" => self.tool_call_id.is_some(),
            _ => false,
        }
    }
}

impl ChatOpenAi {
    /// Whether nothing would be said otherwise than the client says it.
    pub(crate) fn passes(&self, request: &PassedRequest) -> bool {
        let adds_nothing = self.temperature.is_none() && self.max_tokens.is_none();
        let is_openai = self.base_url.starts_with(OPENAI);
        adds_nothing
            && self.streaming
            && !(request.is_bounded && is_openai)
            && request.tools.as_ref().is_none_or(|tools| {
                self.route.mode != ToolMode::Text
                    && self.route.way() == Way::Native
                    && TOOLS.pass(tools)
            })
    }

    pub(crate) fn passed(
        &self,
        request: &PassedRequest,
    ) -> Result<(&Transport, Request), ModelError> {
        let url = endpoint(&self.base_url, "chat/completions")?;
        let (body, framing) = match (request.stream, request.leaves_out_usage) {
            (false, _) => (request.body.clone(), Framing::Whole),
            (true, false) => (request.body.clone(), Framing::Sse),
            (true, true) => {
                let counted = "\"stream_options\":{\"include_usage\":true},";
                (request.with_fields(counted), Framing::Sse)
            }
        };
        let request = self.authorized(Request::post(Api::OpenAi, url, body, framing));
        Ok((&self.transport, request))
    }
}

/// What matters of an event, or of a whole reply.
#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<wire::Usage>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: Option<u32>,
    #[serde(default)]
    delta: Option<Piece>,
    #[serde(default)]
    message: Option<Piece>,
    #[serde(default)]
    finish_reason: Says,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Piece {
    content: Says,
    reasoning_content: Says,
    reasoning: Says,
    refusal: Says,
    tool_calls: Option<Vec<Call>>,
    function_call: Says,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    id: Says,
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    if data.trim() == "[DONE]" {
        return Ok(if seen.is_begun {
            Passing::End
        } else {
            Passing::Silent
        });
    }
    let event: Event = parse(data)?;
    let choices = event.choices.unwrap_or_default();
    let is_count = choices.is_empty() && event.usage.is_some();
    if let Some(usage) = &event.usage {
        seen.usage = tokens(usage);
    }
    if is_count && seen.leaves_out_usage {
        return Ok(Passing::LeftOut);
    }
    let says = said(choices, seen).unwrap_or(false);
    Ok(if says { Passing::Says } else { Passing::Silent })
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let reply: Event = parse(text)?;
    if let Some(usage) = &reply.usage {
        seen.usage = tokens(usage);
    }
    match said(reply.choices.unwrap_or_default(), seen) {
        Some(_) => Ok(()),
        None => Err(malformed("The model server's reply holds no answer", text)),
    }
}

/// Takes note of the first alternative, the only one that was asked for, and tells whether it says
/// something.
fn said(choices: Vec<Choice>, seen: &mut Seen) -> Option<bool> {
    let mut choices = choices.into_iter();
    let choice = choices.find(|choice| choice.index.unwrap_or(0) == 0)?;
    seen.is_begun = true;
    seen.is_finished |= choice.finish_reason.0;
    let mut says = choice.finish_reason.0;
    for piece in [choice.delta, choice.message].into_iter().flatten() {
        let words = [
            piece.content,
            piece.reasoning_content,
            piece.reasoning,
            piece.refusal,
            piece.function_call,
        ];
        says |= words.contains(&Says(true));
        for call in piece.tool_calls.into_iter().flatten() {
            says = true;
            seen.calls = match call.index {
                Some(index) => seen.calls.max(index.saturating_add(1)),
                None => seen.calls + usize::from(call.id.0),
            };
        }
    }
    Some(says)
}
