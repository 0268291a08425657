//! The client for OpenAI-compatible servers: OpenAI itself, llama.cpp, vLLM, LM Studio and many
//! services, over `POST {base}/chat/completions`.
//!
//! `wire.rs` holds the wire types, `own_request.rs` and `encode.rs` write requests, `decode.rs` and
//! `calls.rs` read replies, `exchange.rs` sends a request and reads the reply, `catalog.rs` lists
//! models, `document.rs` edits the document of a client of the same API, `fields.rs` collects the
//! fields of a reply that haft does not handle, `facts.rs` asks what the server knows about a model, `dropped_tools.rs` notices
//! servers that drop tools. `pass_through.rs` and `responses.rs` are for requests that pass through
//! unchanged. `http` sends and retries, `tool_choice` enforces demanded calls, `tool_mode` chooses the
//! tool protocol.

mod calls;
mod catalog;
mod decode;
mod document;
mod dropped_tools;
mod encode;
mod exchange;
mod facts;
mod fields;
mod llama_cpp;
mod own_request;
mod pass_through;
pub(crate) mod provider;
pub(crate) mod responses;
pub(crate) mod wire;

use std::sync::Arc;

use haft_core::{CallOptions, ChatModel, ChatStream, Message, ModelError, Tool};
use haft_extract::{BareCalls, Format};

use self::dropped_tools::Asked;
use crate::bound::BoundTools;
use crate::document::noticed;
use crate::http::{Api, Request, Secret, Transport};
use crate::provider::Provider;
use crate::server_kind::ServerKind;
use crate::tool_choice::enforced;
use crate::tool_mode::{ToolMode, ToolRoute};
use crate::wire_tools::WireTools;
pub(crate) use pass_through::passable;
#[cfg(test)]
pub(crate) use provider::API;
pub(crate) use provider::OpenAi;

/// OpenAI's base URL, the default.
const OPENAI: &str = "https://api.openai.com/v1";

/// A model of an OpenAI-compatible server.
///
/// ```
/// use haft_core::ChatModel;
/// use haft_models::ChatOpenAi;
///
/// let model = ChatOpenAi::new("qwen3").base_url("http://127.0.0.1:8080/v1").temperature(0.0);
/// assert_eq!(model.id(), "openai:qwen3");
/// ```
#[derive(Clone, Debug)]
pub struct ChatOpenAi {
    id: String,
    base_url: String,
    api_key: Option<Secret>,
    model: String,
    /// The provider of the server, which decides about the header with the key and about hints.
    provider: &'static dyn Provider,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    streaming: bool,
    /// Whether no text of a streamed reply may be held back.
    streams_at_once: bool,
    transport: Transport,
    route: ToolRoute,
    /// What the server was asked about the model.
    asked: Arc<Asked>,
    bound: Arc<Bound>,
}

/// The bound tools in wire format.
#[derive(Debug, Default)]
struct Bound {
    tools: BoundTools,
    wire: WireTools<wire::Tool>,
}

impl ChatOpenAi {
    /// Creates a client for the model `model` at OpenAI; see [`base_url`](Self::base_url) for other
    /// servers.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            id: format!("openai:{model}"),
            base_url: OPENAI.to_owned(),
            api_key: None,
            model,
            provider: &OpenAi,
            temperature: None,
            max_tokens: None,
            streaming: true,
            streams_at_once: false,
            transport: Transport::http(),
            route: ToolRoute::default(),
            asked: Arc::default(),
            bound: Arc::default(),
        }
    }

    /// Sets the server's base URL, which usually ends in `/v1`; `https://api.openai.com/v1` by
    /// default.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self.route.forget();
        self.asked = Arc::default();
        self
    }

    /// Sets the API key. By default none is sent, as local servers expect.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(key));
        self
    }

    /// Sets the sampling temperature, usually from 0 to 2. By default the server decides; some
    /// models refuse any value.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the maximum number of tokens of a reply. By default the server decides.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }

    /// Sets whether replies are streamed; true by default. The reply is the same either way.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Sets how tools are offered to the model; [`ToolMode::Auto`] by default: natively unless the
    /// server says that it does not support them, refuses them or drops them, then as text.
    #[must_use]
    pub fn tool_mode(mut self, mode: ToolMode) -> Self {
        self.route.mode = mode;
        self
    }

    /// Sets the format of calls in the model's text. By default it is detected from the model's
    /// name and replies.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.route.format = format;
        self
    }

    /// Sets how calls without a marker in the model's text are handled; [`BareCalls::Judged`] by
    /// default. If tools are taught as text, such calls always count.
    #[must_use]
    pub fn bare_calls(mut self, bare_calls: BareCalls) -> Self {
        self.route.bare_calls = bare_calls;
        self
    }

    /// Sets the transport, for example one with other timeouts or a recording.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// Makes this a model of another provider whose servers have the same API.
    pub(crate) fn of_provider(mut self, provider: &'static dyn Provider) -> Self {
        self.id = format!("{}:{}", provider.about().name, self.model);
        self.provider = provider;
        self
    }

    fn api(&self) -> &'static Api {
        &self.provider.about().api
    }

    fn authorized(&self, request: Request) -> Request {
        let Some(key) = &self.api_key else {
            return request;
        };
        let (name, value) = self.provider.key_header(key.reveal());
        request.with_header(name, value)
    }
}

#[async_trait::async_trait]
impl ChatModel for ChatOpenAi {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let tools = BoundTools::new(tools)?;
        let bound = Bound {
            wire: encode::harmless(encode::tools(&tools.tools, &tools.names)).collect(),
            tools,
        };
        Ok(Arc::new(Self {
            bound: Arc::new(bound),
            ..self.clone()
        }))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        let tools = &self.bound.tools.tools;
        let reply = enforced(tools, messages, options, move |messages, options| {
            this.ask(messages, options)
        });
        noticed(options, ServerKind::OpenAi, reply)
    }
}

#[cfg(test)]
mod tests;
