//! Pass-through of Anthropic messages requests.

use super::wire::borrowed::{self, EventKind};
use bytes::Bytes;
use haft_core::ModelError;
use serde_json::value::RawValue;

use super::provider::API;
use super::{ChatAnthropic, DEFAULT_MAX_TOKENS, convert};
use crate::ClientRequest;
use crate::borrowed_text::parse_body;
use crate::http::{Framing, Request, Transport, endpoint, parse};
use crate::pass_through::{
    KnownTools, PassThroughApi, PassThroughModel, PassThroughRequest, Passing, Seen, Wire, is_free,
};

/// How replies are observed.
static WIRE: Wire = Wire {
    framing: Framing::Sse,
    event,
    whole,
    end: None,
};

static TOOLS: KnownTools = KnownTools::new(ClientRequest::from_anthropic, |tools, names| {
    serde_json::to_value(convert::with_names(tools, names))
});

/// Parses a request that may pass through, else `None`. A conversation that contains calls needs
/// its tools.
pub(crate) fn passable(body: &Bytes) -> Option<PassThroughRequest> {
    let head: borrowed::Request<'_> = parse_body(body)?;
    let is_free = is_free(head.tool_choice) || head.chooses_freely();
    // haft enforces a limit of one call.
    let allows = |choice: &RawValue| !choice.get().contains("disable_parallel_tool_use");
    let is_free = is_free && head.tool_choice.is_none_or(allows);
    let is_plain = is_free && head.output_config.is_none() && head.thread.is_none();
    let is_known = |said: &borrowed::Message<'_>| {
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
    let request = PassThroughRequest::new(PassThroughApi::Messages, &head.model, body)
        .with_tools(head.tools)
        .with_messages(said);
    Some(PassThroughRequest {
        stream: head.stream.unwrap_or(false),
        ..request
    })
}

impl PassThroughModel for ChatAnthropic {
    fn api(&self) -> PassThroughApi {
        PassThroughApi::Messages
    }

    fn wire(&self) -> &'static Wire {
        &WIRE
    }

    fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Whether haft would send the request unchanged.
    fn passes(&self, request: &PassThroughRequest) -> bool {
        let settings = &self.settings;
        settings.temperature.is_none()
            && settings.max_tokens == DEFAULT_MAX_TOKENS
            && settings.thinking.is_none()
            && settings.streaming
            && (request.tools.as_ref()).is_none_or(|tools| TOOLS.pass(tools))
    }

    fn request(&self, request: &PassThroughRequest) -> Result<Request, ModelError> {
        let url = endpoint(&self.base_url, "/v1/messages")?;
        let framing = Framing::Sse.if_streamed(request.stream);
        let body = request.body.clone();
        Ok(self.signed(Request::post(API, url, body, framing)))
    }
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    let event: borrowed::Event = parse(data)?;
    seen.is_begun = true;
    if let Some(usage) = event.usage() {
        seen.usage = usage.over(seen.usage);
    }
    let says = match event.kind {
        EventKind::ContentBlockStart => event.content_block.is_some_and(|block| {
            seen.calls += usize::from(block.is_call());
            block.is_call() || block.has_words()
        }),
        EventKind::ContentBlockDelta => event.adds(),
        EventKind::MessageDelta => true,
        EventKind::MessageStop => return Ok(Passing::End),
        EventKind::Other => false,
    };
    Ok(if says { Passing::Says } else { Passing::Silent })
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let reply: borrowed::Whole = parse(text)?;
    seen.usage = reply.usage.over(seen.usage);
    seen.calls = reply.calls();
    Ok(())
}
