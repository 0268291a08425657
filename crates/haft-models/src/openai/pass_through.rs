//! Pass-through of chat completion requests.

use super::wire::{StreamOptions, borrowed};
use bytes::Bytes;
use haft_core::ModelError;

use super::{ChatOpenAi, OPENAI, encode};
use crate::ClientRequest;
use crate::borrowed_text::parse_body;
use crate::http::{Framing, Request, Transport, endpoint, malformed, parse};
use crate::pass_through::{
    KnownTools, PassThroughApi, PassThroughModel, PassThroughRequest, Passing, Seen, Wire, are_own,
    is_free,
};
use crate::tool_mode::{ToolMode, ToolProtocol};

/// How replies are observed.
static WIRE: Wire = Wire {
    framing: Framing::Sse,
    event,
    whole,
    end: Some("data: [DONE]\n\n"),
};

static TOOLS: KnownTools = KnownTools::new(ClientRequest::from_openai, |tools, names| {
    serde_json::to_value(encode::tools(tools, names))
});

/// Parses a request that may pass through, else `None`. `max_completion_tokens` prevents it,
/// because not every server supports it, and so do `functions` and a limit of one call, which haft enforces.
pub(crate) fn passable(body: &Bytes) -> Option<PassThroughRequest> {
    let head: borrowed::Request<'_> = parse_body(body)?;
    let is_plain = head.n.is_none_or(|replies| replies == 1)
        && head.response_format.is_none()
        && head.functions.is_none()
        && head.max_completion_tokens.is_none()
        && head.parallel_tool_calls != Some(false)
        && is_free(head.tool_choice);
    let calls = head.messages.iter().flat_map(|said| &said.tool_calls);
    let ids = calls.flatten().map(|call| call.id.as_deref());
    if !is_plain || !head.messages.iter().all(is_known) || !are_own(ids) {
        return None;
    }
    let stream = head.stream.unwrap_or(false);
    let leaves_out_usage = match head.stream_options {
        // Some servers send token counts only with this option.
        Some(StreamOptions { include_usage }) if stream && !include_usage => {
            return None;
        }
        Some(_) => false,
        None => stream,
    };
    let said = head.messages.iter();
    let said = said.map(|said| (&*said.role, said.content));
    let request = PassThroughRequest::new(PassThroughApi::ChatCompletions, &head.model, body)
        .with_tools(head.tools)
        .with_messages(said);
    Some(PassThroughRequest {
        stream,
        leaves_out_usage,
        is_bounded: head.max_tokens.is_some(),
        ..request
    })
}

/// Whether every server supports such a message.
fn is_known(said: &borrowed::Message<'_>) -> bool {
    match &*said.role {
        "system" | "user" | "assistant" => true,
        "tool" => said.tool_call_id.is_some(),
        _ => false,
    }
}

impl ChatOpenAi {
    /// Whether no setting of the model changes a request or its reply.
    pub(super) fn adds_nothing(&self) -> bool {
        self.temperature.is_none() && self.max_tokens.is_none() && self.streaming
    }

    /// Whether the server is sent tools in its own form.
    pub(super) fn sends_tools(&self) -> bool {
        self.route.mode != ToolMode::Text && self.route.protocol() == ToolProtocol::Native
    }
}

#[async_trait::async_trait]
impl PassThroughModel for ChatOpenAi {
    fn api(&self) -> PassThroughApi {
        PassThroughApi::ChatCompletions
    }

    fn wire(&self) -> &'static Wire {
        &WIRE
    }

    fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Whether haft would send the request unchanged.
    fn passes(&self, request: &PassThroughRequest) -> bool {
        let is_openai = self.base_url.starts_with(OPENAI);
        self.adds_nothing()
            && !(request.is_bounded && is_openai)
            && request
                .tools
                .as_ref()
                .is_none_or(|tools| self.sends_tools() && TOOLS.pass(tools))
    }

    async fn learn(&self) {
        self.learn_before().await;
    }

    fn request(&self, request: &PassThroughRequest) -> Result<Request, ModelError> {
        let url = endpoint(&self.base_url, "chat/completions")?;
        let (body, framing) = match (request.stream, request.leaves_out_usage) {
            (false, _) => (request.body.clone(), Framing::Whole),
            (true, false) => (request.body.clone(), Framing::Sse),
            (true, true) => {
                let counted = "\"stream_options\":{\"include_usage\":true},";
                (request.with_fields(counted), Framing::Sse)
            }
        };
        Ok(self.authorized(Request::post(self.api(), url, body, framing)))
    }
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    if data.trim() == "[DONE]" {
        return Ok(if seen.is_begun {
            Passing::End
        } else {
            Passing::Silent
        });
    }
    let event: borrowed::Event = parse(data)?;
    let choices = event.choices.as_deref().unwrap_or_default();
    let usage = event.usage();
    let is_count = choices.is_empty() && usage.is_some();
    seen.usage = usage.unwrap_or(seen.usage);
    if is_count && seen.leaves_out_usage {
        return Ok(Passing::LeftOut);
    }
    let says = said(choices, seen).unwrap_or(false);
    Ok(if says { Passing::Says } else { Passing::Silent })
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let reply: borrowed::Event = parse(text)?;
    seen.usage = reply.usage().unwrap_or(seen.usage);
    match said(reply.choices.as_deref().unwrap_or_default(), seen) {
        Some(_) => Ok(()),
        None => Err(malformed("The model server's reply holds no answer", text)),
    }
}

/// Records the first choice, the only one that was requested, and returns whether it has content.
fn said(choices: &[borrowed::Choice], seen: &mut Seen) -> Option<bool> {
    let mut choices = choices.iter();
    let choice = choices.find(|choice| choice.index.unwrap_or(0) == 0)?;
    seen.is_begun = true;
    seen.is_finished |= choice.finish_reason.0;
    let mut says = choice.finish_reason.0;
    for piece in [&choice.delta, &choice.message].into_iter().flatten() {
        says |= piece.has_words();
        for call in piece.tool_calls.iter().flatten() {
            says = true;
            seen.calls = match call.index {
                Some(index) => seen.calls.max(index.saturating_add(1)),
                None => seen.calls + usize::from(call.id.0),
            };
        }
    }
    Some(says)
}
