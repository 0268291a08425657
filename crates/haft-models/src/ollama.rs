//! The client for Ollama models, always over Ollama's own `POST /api/chat`: its OpenAI-compatible
//! endpoint ignores the context size and more.
//!
//! `convert.rs` converts tools to the Qwen format, `schema.rs` rewrites schemas so that Ollama
//! loses nothing, `encode.rs` encodes messages, `decode.rs` decodes replies, `prompt.rs` detects a
//! truncated prompt, `context.rs` chooses the context size, `catalog.rs` lists models,
//! `document.rs` edits the document of a client of the same API,
//! `fields.rs` collects the fields of a reply that haft does not
//! handle, `exchange.rs` sends a request and reads the reply, `wire.rs` holds the wire types. `http` sends
//! and retries, `tool_choice` enforces demanded calls, `tool_mode` chooses the tool protocol.

mod catalog;
mod context;
mod convert;
mod decode;
mod document;
pub(crate) mod encode;
mod exchange;
mod fields;
mod host;
mod pass_through;
pub(crate) mod prompt;
mod provider;
pub(crate) mod schema;
pub(crate) mod wire;

use std::sync::Arc;
use std::time::Duration;

use haft_core::{CallOptions, ChatModel, ChatStream, Message, ModelError, Tool};
use haft_extract::{BareCalls, Format};
use serde_json::Value;
use tokio::sync::OnceCell;

pub(crate) use self::catalog::{Catalog, Installed, MAX_ASKED, ModelSupport};
use self::context::ContextSize;
pub use self::convert::{to_qwen_tools, validate_qwen_tool};
pub(crate) use self::pass_through::passable;
#[cfg(test)]
pub(crate) use self::provider::API;
pub(crate) use self::provider::Ollama;
pub(crate) use self::schema::for_ollama;
pub use self::wire::{QwenFunction, QwenTool, QwenToolType};
use crate::bound::BoundTools;
use crate::document::noticed;
use crate::http::{Limits, Secret, Transport};
use crate::schema_after_tools::schema_after_tools;
use crate::server_kind::ServerKind;
use crate::template_tokens::{without_template_tokens, without_tokens_in};
use crate::tool_choice::enforced;
use crate::tool_mode::{ToolMode, ToolRoute};
use crate::wire_tools::WireTools;

/// Ollama's default address.
pub(crate) const LOCAL: &str = "http://127.0.0.1:11434";

/// The timeout for the requests behind a hint.
const HINT: Duration = Duration::from_secs(3);

/// A model of an Ollama server.
///
/// ```
/// use haft_core::ChatModel;
/// use haft_models::ChatOllama;
///
/// let model = ChatOllama::new("qwen3:0.6b").temperature(0.2).num_ctx(8192);
/// assert_eq!(model.id(), "ollama:qwen3:0.6b");
/// ```
#[derive(Clone, Debug)]
pub struct ChatOllama {
    id: String,
    base_url: String,
    model: String,
    temperature: Option<f64>,
    num_predict: Option<i64>,
    num_ctx: Option<u32>,
    keep_alive: Option<String>,
    think: Option<Value>,
    streaming: bool,
    api_key: Option<Secret>,
    transport: Transport,
    route: ToolRoute,
    /// Whether the server was asked if the model supports native tools.
    asked: Arc<OnceCell<()>>,
    /// The context size to request if `num_ctx` is not set.
    context: Arc<ContextSize>,
    bound: Arc<Bound>,
}

/// The bound tools in wire format.
#[derive(Debug, Default)]
struct Bound {
    tools: BoundTools,
    wire: WireTools<QwenTool>,
}

impl ChatOllama {
    /// Creates a client for the model `model` of the server on this machine; see
    /// [`base_url`](Self::base_url) for others.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            id: format!("ollama:{model}"),
            base_url: LOCAL.to_owned(),
            model,
            temperature: None,
            num_predict: None,
            num_ctx: None,
            keep_alive: None,
            think: None,
            streaming: true,
            api_key: None,
            transport: Transport::http(),
            route: ToolRoute::default(),
            asked: Arc::default(),
            context: Arc::default(),
            bound: Arc::default(),
        }
    }

    /// Sets the server's address; `http://127.0.0.1:11434` by default.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self.route.forget();
        self.asked = Arc::default();
        self.context = Arc::default();
        self
    }

    /// Sets the sampling temperature, usually from 0 to 2. By default the model's own settings
    /// apply.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the maximum number of tokens of a reply; -1 for no limit. By default the server
    /// decides.
    #[must_use]
    pub fn num_predict(mut self, tokens: i64) -> Self {
        self.num_predict = Some(tokens);
        self
    }

    /// Sets the context size in tokens, for prompt and reply together. By default the server
    /// decides by its memory, and a prompt that may not fit requests 8,192, 16,384 or 32,768. The
    /// server reloads the model when the size changes.
    #[must_use]
    pub fn num_ctx(mut self, tokens: u32) -> Self {
        self.num_ctx = Some(tokens);
        self
    }

    /// Sets how long the model stays loaded after a reply: a duration such as `30m`, `0s` to unload
    /// it at once, `-1m` to keep it. By default the server decides.
    #[must_use]
    pub fn keep_alive(mut self, duration: impl Into<String>) -> Self {
        self.keep_alive = Some(duration.into());
        self
    }

    /// Sets whether the model thinks before it answers: `true`, `false`, or for some models a level
    /// such as `"low"`. By default the server decides. Models without reasoning accept only
    /// `false`.
    #[must_use]
    pub fn think(mut self, think: impl Into<Value>) -> Self {
        self.think = Some(think.into());
        self
    }

    /// Sets whether replies are streamed; true by default, which also lets the server notice a
    /// disconnected client. The reply is the same either way.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Sets a key, for a proxy before the server. By default none is sent.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(key));
        self
    }

    /// Sets how tools are offered to the model; [`ToolMode::Auto`] by default: natively if the
    /// server reports that the model supports tools, else as text.
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

    fn catalog(&self) -> Catalog {
        let limits = Limits::default().with_total(HINT);
        Catalog {
            transport: self.transport.clone().with_limits(limits),
            base_url: self.base_url.clone(),
            api_key: self.api_key.clone(),
        }
    }
}

/// The tools as a chat template takes them: without its special tokens, and without references.
pub(crate) fn fitting_tools(tools: &[Arc<dyn Tool>]) -> Vec<QwenTool> {
    let fitting = |mut tool: QwenTool| {
        let function = &mut tool.function;
        function.parameters = without_tokens_in(for_ollama(&function.parameters));
        // The model sees the name without template tokens, which is no other tool's name.
        function.name = without_template_tokens(&function.name).into_owned();
        function.description = without_template_tokens(&function.description).into_owned();
        tool
    };
    let tools = to_qwen_tools(Some(tools)).into_iter();
    tools.map(fitting).collect()
}

#[async_trait::async_trait]
impl ChatModel for ChatOllama {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let wire = fitting_tools(tools).into_iter().collect();
        // Ollama accepts any name, but no duplicates.
        let tools = BoundTools {
            names: Arc::default(),
            ..BoundTools::new(tools)?
        };
        Ok(Arc::new(Self {
            bound: Arc::new(Bound { tools, wire }),
            ..self.clone()
        }))
    }

    fn context(&self) -> Option<u64> {
        if catalog::is_cloud_name(&self.model) {
            return self.num_ctx.map(u64::from);
        }
        Some(self.num_ctx.unwrap_or_else(|| self.context.most()).into())
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        let tools = &self.bound.tools.tools;
        let reply = enforced(tools, messages, options, move |messages, options| {
            let asked = this.clone();
            // With a response schema, a model behind Ollama calls no tools.
            schema_after_tools(
                &this.bound.tools,
                messages,
                options,
                move |messages, options| asked.ask(messages, options),
            )
        });
        noticed(options, ServerKind::Ollama, reply)
    }
}

#[cfg(test)]
mod tests;
