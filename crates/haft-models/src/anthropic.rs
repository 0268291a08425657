//! The client for Anthropic models and for servers with the same API.
//!
//! `wire.rs` holds the wire types, `encode.rs` builds a request from a conversation, `decode.rs`
//! reads responses, `exchange.rs` sends a request and reads the reply, `decide.rs` asks for a tool
//! call or none, `convert.rs` converts tools, `document.rs` edits the document of a client of the
//! same API, `fields.rs` collects the fields of a reply that haft does not handle, `schema.rs`
//! adapts the schema of structured output, `catalog.rs` lists the models of a server.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{CallOptions, ChatModel, ChatStream, Message, ModelError, Tool, ToolChoice};
use haft_extract::BareCalls;

use crate::bound::BoundTools;
use crate::document::noticed;
use crate::http::{Request, Secret, Transport};
use crate::server_kind::ServerKind;
use crate::tool_choice::enforced;
use crate::tool_mode::ToolRoute;
use encode::Bound;

mod catalog;
mod convert;
mod decide;
mod decode;
mod document;
mod encode;
mod exchange;
mod fields;
mod pass_through;
mod provider;
mod schema;
pub(crate) mod wire;

pub use convert::to_anthropic_tools;
pub(crate) use pass_through::passable;
pub(crate) use provider::Anthropic;
pub use wire::AnthropicTool;

const DEFAULT_BASE_URL: &str = "https://api.anthropic.com";

/// The API version that this module implements; the only one since 2023.
const API_VERSION: &str = "2023-06-01";

/// Enough for a long answer or a large call; the largest value that every model with tool calling
/// accepts, from Claude 3.5 on.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// A model behind the Anthropic Messages API.
///
/// ```
/// use haft_core::ChatModel;
/// use haft_models::ChatAnthropic;
///
/// let model = ChatAnthropic::new("claude-sonnet-4-5").api_key("sk-ant-1234");
/// assert_eq!(model.id(), "anthropic:claude-sonnet-4-5");
/// assert!(!format!("{model:?}").contains("1234"));
/// ```
#[derive(Clone, Debug)]
pub struct ChatAnthropic {
    id: String,
    base_url: String,
    api_key: Option<Secret>,
    transport: Transport,
    settings: Settings,
    /// What is known about the replies of a server that is not Anthropic's.
    route: ToolRoute,
    bound: Arc<Bound>,
}

/// The settings that every request of a model shares.
#[derive(Clone, Debug)]
struct Settings {
    model: String,
    temperature: Option<f64>,
    max_tokens: u32,
    thinking: Option<u32>,
    streaming: bool,
    /// Whether to send tools with a conversation that contains calls, even if no tool is allowed.
    /// Anthropic refuses the conversation otherwise; llama-server accepts it without tools, but
    /// would keep calling them.
    define_tools: bool,
}

impl ChatAnthropic {
    /// Creates a client for the model `model` at Anthropic, without a key.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            id: format!("anthropic:{model}"),
            base_url: DEFAULT_BASE_URL.to_owned(),
            api_key: None,
            transport: Transport::http(),
            settings: Settings {
                model,
                temperature: None,
                max_tokens: DEFAULT_MAX_TOKENS,
                thinking: None,
                streaming: true,
                define_tools: true,
            },
            route: ToolRoute::default(),
            bound: Arc::default(),
        }
    }

    /// Sets the base URL of another server: the part before `/v1/messages`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Sets the key, sent as `x-api-key`.
    #[must_use]
    pub fn api_key(mut self, api_key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(api_key));
        self
    }

    /// Sets the sampling temperature, from 0 to 1; the model's own default if not set. Not sent
    /// together with a thinking budget, because the API refuses both.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.settings.temperature = Some(temperature);
        self
    }

    /// Sets the maximum number of tokens of an answer, calls included; 8192 if not set.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.settings.max_tokens = max_tokens;
        self
    }

    /// Lets the model think before it answers, for at most `budget` tokens in addition to those of
    /// the answer. The API requires at least 1024.
    ///
    /// A request that demands a tool is sent without thinking, because the API refuses both
    /// together.
    #[must_use]
    pub fn thinking(mut self, budget: u32) -> Self {
        self.settings.thinking = Some(budget);
        self
    }

    /// Sets whether replies are streamed (the default) or sent whole.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.settings.streaming = streaming;
        self
    }

    /// Sets how calls without a marker in the model's text are handled; [`BareCalls::Judged`] by
    /// default. Text from Anthropic itself is never searched for calls.
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

    /// Adds the headers that every request needs.
    fn signed(&self, request: Request) -> Request {
        let request = request.with_header("anthropic-version", API_VERSION);
        match &self.api_key {
            Some(key) => request.with_header("x-api-key", key.reveal()),
            None => request,
        }
    }
}

#[async_trait]
impl ChatModel for ChatAnthropic {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let tools = BoundTools::new(tools)?;
        let bound = Bound {
            wire: convert::harmless(convert::with_names(&tools.tools, &tools.names)),
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
        if options.tool_choice == ToolChoice::OneOrNone && !tools.is_empty() {
            return decide::decided(self, messages, options);
        }
        let reply = enforced(tools, messages, options, move |messages, options| {
            this.ask(messages, options)
        });
        noticed(options, ServerKind::Anthropic, reply)
    }
}

#[cfg(test)]
mod tests;
