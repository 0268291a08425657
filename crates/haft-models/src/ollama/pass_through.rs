//! Pass-through of Ollama chat requests.

use super::wire::borrowed;
use crate::borrowed_text::{BorrowedText, parse_body};
use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind, Usage, estimated_tokens};

use super::context::{AROUND_MESSAGE, DEFAULT, REPLY};
use super::prompt::Prompt;
use super::provider::API;
use super::{ChatOllama, catalog, for_ollama, to_qwen_tools};
use crate::ClientRequest;
use crate::http::{Framing, Request, Transport, endpoint, parse_borrowed};
use crate::pass_through::{
    KnownTools, PassThroughApi, PassThroughModel, PassThroughRequest, Passing, Seen, Wire,
};
use crate::tool_mode::{ToolMode, ToolProtocol};

/// How replies are observed.
static WIRE: Wire = Wire {
    framing: Framing::Ndjson,
    event,
    whole,
    end: None,
};

// Ollama accepts every tool name unchanged.
static TOOLS: KnownTools = KnownTools::new(ClientRequest::from_ollama_chat, |tools, _| {
    let mut written = to_qwen_tools(Some(tools));
    for tool in &mut written {
        tool.function.parameters = for_ollama(&tool.function.parameters);
    }
    serde_json::to_value(written)
});

/// Parses a request that may pass through, else `None`. Requests with images or a context size are
/// never passed through, because they need more checks.
pub(crate) fn passable(body: &Bytes) -> Option<PassThroughRequest> {
    let head: borrowed::Request<'_> = parse_body(body)?;
    let wishes = head.options.unwrap_or_default();
    let is_plain = head.format.is_none() && head.truncate.is_none() && wishes.num_ctx.is_none();
    if !is_plain || head.messages.is_empty() || !head.messages.iter().all(is_known) {
        return None;
    }
    let contents = head.messages.iter().filter_map(|said| said.content);
    let contents: Option<Vec<_>> = contents.map(BorrowedText::of).collect();
    let reply = wishes.num_predict.and_then(|most| most.try_into().ok());
    let messages = u64::try_from(head.messages.len()).unwrap_or(u64::MAX);
    let tokens = estimated_tokens(std::str::from_utf8(body).ok()?)
        .saturating_add(messages.saturating_mul(AROUND_MESSAGE))
        .saturating_add(reply.unwrap_or(REPLY));
    let said = head.messages.iter();
    let said = said.map(|said| (&*said.role, said.content));
    let request = PassThroughRequest::new(PassThroughApi::OllamaChat, &head.model, body)
        .with_tools(head.tools)
        .with_messages(said);
    Some(PassThroughRequest {
        stream: head.stream.unwrap_or(true),
        prompt: Prompt::of_texts(contents?.iter().map(|text| &**text)),
        tokens,
        ..request
    })
}

/// Whether the message contains everything that Ollama needs.
fn is_known(said: &borrowed::Message<'_>) -> bool {
    let is_role = match &*said.role {
        "system" | "user" | "assistant" => true,
        "tool" => said.tool_name.is_some(),
        _ => false,
    };
    is_role && said.images.is_none()
}

impl PassThroughModel for ChatOllama {
    fn api(&self) -> PassThroughApi {
        PassThroughApi::OllamaChat
    }

    fn wire(&self) -> &'static Wire {
        &WIRE
    }

    fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Whether haft would send the request unchanged: the model supports tools, and the prompt fits
    /// every context that the server may use.
    fn passes(&self, request: &PassThroughRequest) -> bool {
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
                    && self.route.protocol() == ToolProtocol::Native
                    && TOOLS.pass(tools)
            })
    }

    fn request(&self, request: &PassThroughRequest) -> Result<Request, ModelError> {
        let url = endpoint(&self.base_url, "/api/chat")?;
        let framing = Framing::Ndjson.if_streamed(request.stream);
        let body = request.with_fields("\"truncate\":false,");
        let request = Request::post(API, url, body, framing);
        Ok(catalog::authorize(request, self.api_key.as_ref()))
    }
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    line(&parse_borrowed(data)?, seen, false)
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let passing = line(&parse_borrowed(text)?, seen, true)?;
    if passing == Passing::End {
        return Ok(());
    }
    let message = "The model server loaded the model and gave no reply";
    Err(ModelError::new(ModelErrorKind::EmptyBody, message).with_hint("try again"))
}

fn line(line: &borrowed::Line<'_>, seen: &mut Seen, is_whole: bool) -> Result<Passing, ModelError> {
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
