//! Models behind an OpenAI-compatible server: OpenAI itself, llama.cpp, vLLM, LM Studio and many
//! services, all over `POST {base}/chat/completions`.
//!
//! `wire.rs` has the types of the wire, `encode.rs` writes requests, `decode.rs` and `calls.rs`
//! read replies, `exchange.rs` sends the one and takes in the other, `catalog.rs` lists models,
//! `template.rs` asks llama.cpp for the chat template.
//! Sending, limits and retries are `http`'s, a demanded call is `tool_choice`'s, the way of tools
//! is `tool_mode`'s.

mod calls;
mod catalog;
mod decode;
mod encode;
mod exchange;
mod relay;
mod template;
pub(crate) mod wire;

use std::sync::Arc;

use haft_core::{CallOptions, ChatModel, ChatStream, Message, ModelError, Tool};
use haft_extract::Format;
use tokio::sync::OnceCell;

use crate::bound::BoundTools;
use crate::http::{Request, Secret, Transport};
use crate::tool_choice::enforced;
use crate::tool_mode::{ToolMode, ToolRoute};
use crate::wire_tools::WireTools;
pub(crate) use relay::{WIRE, passable};

/// OpenAI's own address, the default.
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
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    streaming: bool,
    transport: Transport,
    route: ToolRoute,
    /// Whether the server was asked for the template.
    asked: Arc<OnceCell<()>>,
    bound: Arc<Bound>,
}

/// The bound tools, ready for the wire.
#[derive(Debug, Default)]
struct Bound {
    tools: BoundTools,
    wire: WireTools<wire::Tool>,
}

impl ChatOpenAi {
    /// The model of this name at OpenAI; see [`base_url`](Self::base_url) for other servers.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            id: format!("openai:{model}"),
            base_url: OPENAI.to_owned(),
            api_key: None,
            model,
            temperature: None,
            max_tokens: None,
            streaming: true,
            transport: Transport::http(),
            route: ToolRoute::default(),
            asked: Arc::default(),
            bound: Arc::default(),
        }
    }

    /// Asks the server at this address, which usually ends in `/v1`, instead of
    /// `https://api.openai.com/v1`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self.route.forget();
        self.asked = Arc::default();
        self
    }

    /// Sends this key. Without one none is sent, as local servers like it.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(key));
        self
    }

    /// How freely the model chooses its words, usually from 0 to 2. By default the server
    /// decides; some models refuse any value.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The most tokens that a reply may have. By default the server decides.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }

    /// Whether the server is asked to stream; yes by default. The reply is the same either way.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// How the model is told of its tools; [`ToolMode::Auto`] by default: natively until the
    /// server says that it takes none, then as text.
    #[must_use]
    pub fn tool_mode(mut self, mode: ToolMode) -> Self {
        self.route.mode = mode;
        self
    }

    /// The format in which the model writes calls into its text, where that is known better than
    /// by its name and by what it writes.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.route.format = format;
        self
    }

    /// Goes another way to the server: with other limits, or recorded.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// The same model under another full name.
    pub(crate) fn with_id(mut self, id: String) -> Self {
        self.id = id;
        self
    }

    fn authorized(&self, request: Request) -> Request {
        match &self.api_key {
            Some(key) => request.with_header("authorization", format!("Bearer {}", key.reveal())),
            None => request,
        }
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
            wire: (encode::tools(&tools.tools, &tools.names).into_iter()).collect(),
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
        enforced(tools, messages, options, move |messages, options| {
            this.ask(messages, options)
        })
    }
}

#[cfg(test)]
mod tests;
