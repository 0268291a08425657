//! Models of an Ollama server, always over its own `POST /api/chat`: the OpenAI-compatible
//! address of the same server drops the context size and more.
//!
//! `convert.rs` puts tools into the Qwen format, `schema.rs` keeps what Ollama would lose of
//! them, `encode.rs` writes messages, `decode.rs` reads replies, `prompt.rs` notices a prompt
//! that was cut, `context.rs` asks for a context that holds it, `catalog.rs` asks what is installed, `exchange.rs` sends a request and takes the
//! reply in, `wire.rs` has the types. Sending, limits and retries are `http`'s, a demanded call
//! is `tool_choice`'s, the way of tools is `tool_mode`'s.

mod catalog;
mod context;
mod convert;
mod decode;
mod encode;
mod exchange;
mod prompt;
mod relay;
mod schema;
pub(crate) mod wire;

use std::sync::Arc;
use std::time::Duration;

use haft_core::{CallOptions, ChatModel, ChatStream, Message, ModelError, Tool};
use haft_extract::Format;
use serde_json::Value;
use tokio::sync::OnceCell;

pub(crate) use self::catalog::{Catalog, Installed, MAX_ASKED};
use self::context::ContextSize;
pub use self::convert::{to_qwen_tools, validate_qwen_tool};
pub(crate) use self::prompt::Prompt;
pub(crate) use self::relay::{WIRE, passable};
pub(crate) use self::schema::for_ollama;
pub use self::wire::{QwenFunction, QwenTool, QwenToolType};
use crate::bound::BoundTools;
use crate::http::{Limits, Secret, Transport};
use crate::tool_choice::enforced;
use crate::tool_mode::{ToolMode, ToolRoute};
use crate::two_turns::in_two_turns;
use crate::wire_tools::WireTools;

/// Where Ollama listens unless told otherwise.
pub(crate) const LOCAL: &str = "http://127.0.0.1:11434";

/// How long is looked for what a hint could name.
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
    /// Whether the server was asked if the model takes native tools.
    asked: Arc<OnceCell<()>>,
    /// The context to ask for where `num_ctx` does not fix it.
    context: Arc<ContextSize>,
    bound: Arc<Bound>,
}

/// The bound tools, ready for the wire.
#[derive(Debug, Default)]
struct Bound {
    tools: BoundTools,
    wire: WireTools<QwenTool>,
}

impl ChatOllama {
    /// The model of this name on this machine's server; see [`base_url`](Self::base_url) for
    /// others.
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

    /// Asks the server at this address instead of `http://127.0.0.1:11434`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self.route.forget();
        self.asked = Arc::default();
        self.context = Arc::default();
        self
    }

    /// How freely the model chooses its words, usually from 0 to 2. By default the model's own
    /// settings decide.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The most tokens that a reply may have; -1 for no limit. By default the server decides.
    #[must_use]
    pub fn num_predict(mut self, tokens: i64) -> Self {
        self.num_predict = Some(tokens);
        self
    }

    /// The context in tokens, prompt and reply together. By default the server decides, by its
    /// memory, and a prompt that may not fit asks for 8,192, 16,384 or 32,768; a change makes the
    /// server load the model again.
    #[must_use]
    pub fn num_ctx(mut self, tokens: u32) -> Self {
        self.num_ctx = Some(tokens);
        self
    }

    /// How long the model stays loaded after a reply: a duration such as `30m`, `0s` to unload
    /// it at once, `-1m` to keep it. By default the server decides.
    #[must_use]
    pub fn keep_alive(mut self, duration: impl Into<String>) -> Self {
        self.keep_alive = Some(duration.into());
        self
    }

    /// Whether the model thinks before it answers: `true` or `false`, or with some models a level
    /// such as `"low"`. By default the server decides; models that cannot think refuse anything
    /// but `false`.
    #[must_use]
    pub fn think(mut self, think: impl Into<Value>) -> Self {
        self.think = Some(think.into());
        self
    }

    /// Whether the server is asked to stream; yes by default, which also lets it notice when
    /// nobody listens any more. The reply is the same either way.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Sends this key, as a proxy before the server may want it. By default none is sent.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(key));
        self
    }

    /// How the model is told of its tools; [`ToolMode::Auto`] by default: natively if the server
    /// says that the model can, else as text.
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

    fn catalog(&self) -> Catalog {
        let limits = Limits::default().with_total(HINT);
        Catalog {
            transport: self.transport.clone().with_limits(limits),
            base_url: self.base_url.clone(),
            api_key: self.api_key.clone(),
        }
    }
}

#[async_trait::async_trait]
impl ChatModel for ChatOllama {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let fitting = |mut tool: QwenTool| {
            tool.function.parameters = for_ollama(&tool.function.parameters);
            tool
        };
        let wire = to_qwen_tools(Some(tools))
            .into_iter()
            .map(fitting)
            .collect();
        // Ollama takes any name as it is, but not the same one twice.
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
        enforced(tools, messages, options, move |messages, options| {
            let asked = this.clone();
            // With a schema to follow, a model behind Ollama calls no tools.
            in_two_turns(
                &this.bound.tools,
                messages,
                options,
                move |messages, options| asked.ask(messages, options),
            )
        })
    }
}

#[cfg(test)]
mod tests;
