//! Conversations with Ollama that pass as they are.

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind, Usage, estimated_tokens};
use haft_wire::ollama;

use super::context::{AROUND_MESSAGE, DEFAULT, REPLY};
use super::prompt::Prompt;
use super::{ChatOllama, catalog, for_ollama, to_qwen_tools};
use crate::Dialect;
use crate::http::{Api, Framing, Request, Transport, endpoint, not_of_api};
use crate::relay::{KnownTools, PassedRequest, Passing, Seen, Wire, session};
use crate::tool_mode::{ToolMode, Way};

/// What replies are watched for.
pub(crate) static WIRE: Wire = Wire {
    framing: Framing::Ndjson,
    event,
    whole,
    end: None,
};

// Ollama takes every name as it is.
static TOOLS: KnownTools = KnownTools::new(Dialect::Ollama, |tools, _| {
    let mut written = to_qwen_tools(Some(tools));
    for tool in &mut written {
        tool.function.parameters = for_ollama(&tool.function.parameters);
    }
    serde_json::to_value(written)
});

/// The request, if it may pass. Pictures, and what a client wishes of the context, are weighed
/// with care elsewhere.
pub(crate) fn passable(body: &Bytes) -> Option<PassedRequest> {
    let head = ollama::Request::read(body)?;
    let wishes = head.options.unwrap_or_default();
    let is_plain = head.format.is_none() && head.truncate.is_none() && wishes.num_ctx.is_none();
    if !is_plain || head.messages.is_empty() || !head.messages.iter().all(is_known) {
        return None;
    }
    let contents = head.messages.iter().filter_map(|said| said.content);
    let contents: Option<Vec<_>> = contents.map(haft_wire::text).collect();
    let reply = wishes.num_predict.and_then(|most| most.try_into().ok());
    let messages = u64::try_from(head.messages.len()).unwrap_or(u64::MAX);
    let tokens = estimated_tokens(std::str::from_utf8(body).ok()?)
        .saturating_add(messages.saturating_mul(AROUND_MESSAGE))
        .saturating_add(reply.unwrap_or(REPLY));
    let said = head.messages.iter();
    let said = said.map(|said| (&*said.role, said.content));
    let request = PassedRequest::new(Dialect::Ollama, &head.model, body).with_tools(head.tools);
    Some(PassedRequest {
        stream: head.stream.unwrap_or(true),
        prompt: Prompt::of_texts(contents?.iter().map(|text| &**text)),
        tokens,
        session: session(&head.model, said),
        ..request
    })
}

/// Whether it says all that Ollama needs.
fn is_known(said: &ollama::Message<'_>) -> bool {
    let is_role = match &*said.role {
        "system" | "user" | "assistant" => true,
        "tool" => said.tool_name.is_some(),
        _ => false,
    };
    is_role && said.images.is_none()
}

impl ChatOllama {
    /// Whether nothing would be said otherwise than the client says it: the model has tools, and
    /// every context that the server may have is large enough.
    pub(crate) fn passes(&self, request: &PassedRequest) -> bool {
        let adds_nothing = self.temperature.is_none()
            && self.num_predict.is_none()
            && self.num_ctx.is_none()
            && self.keep_alive.is_none()
            && self.think.is_none();
        let has_room = catalog::is_cloud_name(&self.model)
            || (request.tokens <= DEFAULT.into() && self.context.is_default());
        adds_nothing
            && has_room
            && self.streaming
            && request.tools.as_ref().is_none_or(|tools| {
                (self.route.mode == ToolMode::Native || self.asked.initialized())
                    && self.route.way() == Way::Native
                    && TOOLS.pass(tools)
            })
    }

    pub(crate) fn passed(
        &self,
        request: &PassedRequest,
    ) -> Result<(&Transport, Request), ModelError> {
        let url = endpoint(&self.base_url, "/api/chat")?;
        let framing = if request.stream {
            Framing::Ndjson
        } else {
            Framing::Whole
        };
        let body = request.with_fields("\"truncate\":false,");
        let request = Request::post(Api::Ollama, url, body, framing);
        let request = catalog::authorize(request, self.api_key.as_ref());
        Ok((&self.transport, request))
    }
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    line(&read(data)?, seen, false)
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let passing = line(&read(text)?, seen, true)?;
    if passing == Passing::End {
        return Ok(());
    }
    let message = "The model server loaded the model and gave no reply";
    Err(ModelError::new(ModelErrorKind::EmptyBody, message).with_hint("ask again"))
}

fn read(text: &str) -> Result<ollama::Line<'_>, ModelError> {
    ollama::Line::read(text).map_err(|error| not_of_api(text, &error))
}

fn line(line: &ollama::Line<'_>, seen: &mut Seen, is_whole: bool) -> Result<Passing, ModelError> {
    let calls = line.calls();
    let says = line.has_words() || calls > 0;
    seen.calls += calls;
    seen.is_begun |= says;
    if !line.done.unwrap_or(is_whole) {
        return Ok(if says { Passing::Says } else { Passing::Silent });
    }
    if line.done_reason.as_deref() == Some("load") && !seen.is_begun {
        return Ok(Passing::Silent);
    }
    if line.prompt_eval_count.is_some() || line.eval_count.is_some() {
        seen.usage = Usage {
            input_tokens: line.prompt_eval_count.unwrap_or_default(),
            output_tokens: line.eval_count.unwrap_or_default(),
            cached_input_tokens: 0,
        };
    }
    seen.prompt.check(line.prompt_eval_count)?;
    Ok(Passing::End)
}
