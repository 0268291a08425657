//! Pass-through of OpenAI's Responses API to servers that have it (OpenAI's API reference,
//! "Responses" and "Streaming events").
//!
//! Many servers of chat completions have it, and none says so beforehand. The first request
//! decides: after a 404, a 405 or an answer that is no response, requests are converted to chat
//! completions.

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{ChatOpenAi, OPENAI};
use crate::borrowed_text::{BorrowedText, parse_body};
use crate::http::{Framing, Request, Transport, endpoint, malformed, parse};
use crate::lenient::null_as_default;
use crate::non_empty::NonEmpty;
use crate::pass_through::{
    PassThroughApi, PassThroughModel, PassThroughRequest, Passing, Seen, Wire,
};

/// How replies are observed.
static WIRE: Wire = Wire {
    framing: Framing::Sse,
    event,
    whole,
    end: None,
};

/// The statuses of servers that do not have the API.
const LACKS_API: [u16; 2] = [404, 405];

/// A model whose server may have the Responses API beside chat completions.
#[derive(Debug)]
pub(super) struct ResponsesPassThrough {
    model: ChatOpenAi,
}

/// The body of a request.
#[derive(Deserialize)]
struct ResponsesRequest<'a> {
    #[serde(borrow)]
    model: BorrowedText<'a>,
    #[serde(borrow)]
    instructions: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    stream: Option<bool>,
    previous_response_id: Option<String>,
    /// Present if the server keeps the conversation.
    conversation: Option<IgnoredAny>,
    /// Whether the reply is made after the request has been answered.
    background: Option<bool>,
}

#[derive(Deserialize)]
struct ResponsesTool<'a> {
    #[serde(borrow, rename = "type")]
    kind: BorrowedText<'a>,
}

/// An event of a stream.
#[derive(Deserialize)]
struct StreamEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    delta: NonEmpty,
    item: Option<OutputItem>,
    response: Option<ResponseObject>,
}

/// A reply, which is complete in the last event of a stream.
#[derive(Deserialize)]
struct ResponseObject {
    output: Option<Vec<OutputItem>>,
    usage: Option<TokenCounts>,
    error: Option<ResponseError>,
}

#[derive(Deserialize)]
struct OutputItem {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct ResponseError {
    #[serde(default, deserialize_with = "null_as_default")]
    message: String,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct TokenCounts {
    #[serde(deserialize_with = "null_as_default")]
    input_tokens: u64,
    #[serde(deserialize_with = "null_as_default")]
    output_tokens: u64,
    input_tokens_details: Option<InputDetails>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct InputDetails {
    #[serde(deserialize_with = "null_as_default")]
    cached_tokens: u64,
}

/// Parses a request that may pass through, else `None`.
pub(crate) fn passable(body: &Bytes) -> Option<PassThroughRequest> {
    let head: ResponsesRequest<'_> = parse_body(body)?;
    if head.conversation.is_some() || head.background == Some(true) {
        return None;
    }
    // The first item identifies a conversation that the client sends whole each time.
    let first = head.input.map(|input| {
        let items: Vec<&RawValue> = serde_json::from_str(input.get()).unwrap_or_default();
        items.first().copied().unwrap_or(input)
    });
    let beginning = [("system", head.instructions), ("user", first)];
    let request = PassThroughRequest::new(PassThroughApi::Responses, &head.model, body);
    Some(PassThroughRequest {
        stream: head.stream.unwrap_or(false),
        previous_response: head.previous_response_id,
        ..request
            .with_tools(head.tools)
            .with_messages(beginning.into_iter())
    })
}

impl ResponsesPassThrough {
    pub(super) fn new(model: ChatOpenAi) -> Self {
        Self { model }
    }

    /// Whether the server can be expected to know all of these tools. Only OpenAI's own has tools of
    /// other types than `function`.
    fn knows(&self, tools: &Bytes) -> bool {
        let tools: Option<Vec<ResponsesTool<'_>>> = parse_body(tools);
        self.model.base_url.starts_with(OPENAI)
            || tools.is_some_and(|tools| tools.iter().all(|tool| &*tool.kind == "function"))
    }
}

#[async_trait::async_trait]
impl PassThroughModel for ResponsesPassThrough {
    fn api(&self) -> PassThroughApi {
        PassThroughApi::Responses
    }

    fn wire(&self) -> &'static Wire {
        &WIRE
    }

    fn transport(&self) -> &Transport {
        &self.model.transport
    }

    fn passes(&self, request: &PassThroughRequest) -> bool {
        let tools = request.tools.as_ref();
        self.model.adds_nothing()
            && tools.is_none_or(|tools| self.model.sends_tools() && self.knows(tools))
    }

    async fn learn(&self) {
        self.model.learn_before().await;
    }

    fn lacks_api(&self, error: &ModelError) -> bool {
        let status = error.status();
        error.kind() == ModelErrorKind::Malformed
            || status.is_some_and(|status| LACKS_API.contains(&status))
    }

    fn request(&self, request: &PassThroughRequest) -> Result<Request, ModelError> {
        let url = endpoint(&self.model.base_url, "responses")?;
        let framing = Framing::Sse.if_streamed(request.stream);
        let request = Request::post(self.model.api(), url, request.body.clone(), framing);
        Ok(self.model.authorized(request))
    }
}

fn event(data: &str, seen: &mut Seen) -> Result<Passing, ModelError> {
    let event: StreamEvent = parse(data)?;
    seen.is_begun = true;
    match event.kind.as_str() {
        "response.completed" | "response.incomplete" => {
            let usage = event.response.and_then(|response| response.usage);
            seen.usage = usage.map_or(seen.usage, TokenCounts::usage);
            seen.is_finished = true;
            Ok(Passing::End)
        }
        "response.failed" => {
            let error = event.response.and_then(|response| response.error);
            Err(failed(
                &error.map(|error| error.message).unwrap_or_default(),
            ))
        }
        "response.output_item.added" if event.item.is_some_and(|item| item.is_call()) => {
            seen.calls += 1;
            Ok(Passing::Says)
        }
        kind if kind.ends_with(".delta") && event.delta == NonEmpty(true) => Ok(Passing::Says),
        _ => Ok(Passing::Silent),
    }
}

fn whole(text: &str, seen: &mut Seen) -> Result<(), ModelError> {
    let response: ResponseObject = parse(text)?;
    let Some(output) = response.output else {
        return Err(malformed("The model server's reply holds no answer", text));
    };
    seen.usage = response.usage.map_or(seen.usage, TokenCounts::usage);
    seen.calls = output.iter().filter(|item| item.is_call()).count();
    Ok(())
}

fn failed(reason: &str) -> ModelError {
    let message = format!("The model server failed: {reason}");
    ModelError::new(ModelErrorKind::Server, message)
        .with_hint("try again, or check the model server's log")
}

impl OutputItem {
    /// Whether it is a call, of a tool of the client or of the server: `function_call`,
    /// `custom_tool_call`, `web_search_call` ...
    fn is_call(&self) -> bool {
        self.kind.ends_with("_call")
    }
}

impl TokenCounts {
    fn usage(self) -> Usage {
        Usage {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_input_tokens: self.input_tokens_details.unwrap_or_default().cached_tokens,
        }
    }
}

#[cfg(test)]
mod tests;
