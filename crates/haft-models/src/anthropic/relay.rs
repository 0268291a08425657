//! Anthropic's messages that pass as they are.

use bytes::Bytes;
use haft_core::ModelError;
use haft_wire::anthropic;

use super::{ChatAnthropic, DEFAULT_MAX_TOKENS, convert};
use crate::Dialect;
use crate::http::{Api, Framing, Request, Transport, endpoint, not_of_api};
use crate::relay::{KnownTools, PassedRequest, Passing, Seen, Wire, is_free, session};

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

/// The request, if it may pass. A conversation that holds calls needs its tools.
pub(crate) fn passable(body: &Bytes) -> Option<PassedRequest> {
    let head = anthropic::Request::read(body)?;
    let is_free = is_free(head.tool_choice) || head.chooses_freely();
    let is_plain = is_free && head.output_config.is_none() && head.thread.is_none();
    let is_known = |said: &anthropic::Message<'_>| {
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

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    let event = anthropic::Event::read(data).map_err(|error| not_of_api(data, &error))?;
    seen.is_begun = true;
    if let Some(usage) = event.usage() {
        seen.usage = usage.over(seen.usage);
    }
    let says = match &*event.kind {
        "content_block_start" => event.content_block.is_some_and(|block| {
            seen.calls += usize::from(block.is_call());
            block.is_call() || block.has_words()
        }),
        "content_block_delta" => event.adds(),
        "message_delta" => true,
        "message_stop" => return Ok(Passing::End),
        _ => false,
    };
    Ok(if says { Passing::Says } else { Passing::Silent })
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let reply = anthropic::Whole::read(text).map_err(|error| not_of_api(text, &error))?;
    seen.usage = reply.usage.over(seen.usage);
    seen.calls = reply.calls();
    Ok(())
}
