//! Anthropic models, and servers that speak their dialect: the client.
//!
//! `anthropic/wire.rs` holds the types of the wire, `encode.rs` turns a conversation into a
//! request, `decode.rs` answers into a reply, `decide.rs` asks for a call or none, `convert.rs` tools into Anthropic's shape,
//! `schema.rs` the schema of a structured answer, `catalog.rs` lists the models of a server.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    Tool, ToolChoice, generate,
};
use tracing::debug;

use crate::bound::BoundTools;
use crate::http::{self, Api, Frames, Framing, Request, Secret, Transport};
use crate::reply::Reading;
use crate::tool_choice::{enforced, offered};
use crate::tool_mode::{ToolRoute, Way};
use decode::Decoder;
use encode::Bound;

mod catalog;
mod convert;
mod decide;
mod decode;
mod encode;
mod relay;
mod schema;
pub(crate) mod wire;

pub use convert::to_anthropic_tools;
pub(crate) use relay::{WIRE, passable};
pub use wire::AnthropicTool;

/// Where Anthropic's own API is.
const DEFAULT_BASE_URL: &str = "https://api.anthropic.com";

/// The version of the API that this module speaks; the only one since 2023.
const API_VERSION: &str = "2023-06-01";

/// Room for a long answer or a large call; the largest that every model takes which can call
/// tools, beginning with Claude 3.5.
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
    /// What is known of the replies of a server that is not Anthropic's.
    route: ToolRoute,
    bound: Arc<Bound>,
}

/// What every request of a model says, whatever the conversation.
#[derive(Clone, Debug)]
struct Settings {
    model: String,
    temperature: Option<f64>,
    max_tokens: u32,
    thinking: Option<u32>,
    streaming: bool,
    /// Whether a conversation that holds calls goes with tools even where none is allowed.
    /// Anthropic refuses it otherwise; llama-server takes it, but would go on to call them.
    define_tools: bool,
}

impl ChatAnthropic {
    /// The model called `model`, at Anthropic, without a key.
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

    /// Another server, by the address before `/v1/messages`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// The key to send as `x-api-key`.
    #[must_use]
    pub fn api_key(mut self, api_key: impl Into<String>) -> Self {
        self.api_key = Some(Secret::new(api_key));
        self
    }

    /// How far the choice of words is left to chance, from 0 to 1; the model's own default if
    /// not set. Not sent along with a thinking budget, which excludes it.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.settings.temperature = Some(temperature);
        self
    }

    /// The most tokens of an answer, calls included; 8192 if not set.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.settings.max_tokens = max_tokens;
        self
    }

    /// Lets the model think before it answers, for at most `budget` tokens on top of those of
    /// the answer. The API takes 1024 and more.
    ///
    /// A request that demands a tool goes out without, since the API refuses both together.
    #[must_use]
    pub fn thinking(mut self, budget: u32) -> Self {
        self.settings.thinking = Some(budget);
        self
    }

    /// Whether replies come in pieces (the default) or whole.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.settings.streaming = streaming;
        self
    }

    /// Another way to the server: other limits, a recording.
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

    /// The request that asks for the next reply; see [`Settings::define_tools`].
    fn request(
        &self,
        messages: &[Message],
        options: &CallOptions,
        define_tools: bool,
    ) -> Result<Request, ModelError> {
        let settings = Settings {
            define_tools,
            ..self.settings.clone()
        };
        let body = encode::body(&settings, &self.bound, messages, options)?;
        let url = http::endpoint(&self.base_url, "/v1/messages")?;
        let framing = if self.settings.streaming && !options.in_one_piece {
            Framing::Sse
        } else {
            Framing::Whole
        };
        Ok(self.signed(Request::post(Api::Anthropic, url, body, framing)))
    }

    /// `request` with the headers that every request has.
    fn signed(&self, request: Request) -> Request {
        let request = request.with_header("anthropic-version", API_VERSION);
        match &self.api_key {
            Some(key) => request.with_header("x-api-key", key.reveal()),
            None => request,
        }
    }

    /// One request and its reply, whatever the reply calls.
    fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let is_anthropic = self.base_url.starts_with(DEFAULT_BASE_URL);
        let request = self.request(messages, options, is_anthropic);
        let offers_none = offered(&self.bound.tools.tools, &options.tool_choice).is_empty();
        let defining = (offers_none && !is_anthropic)
            .then(|| self.request(messages, options, true))
            .transpose();
        // Behind another server stands another model, which may print its calls.
        let reading = if is_anthropic {
            Reading::native(&self.bound.tools)
        } else {
            self.route.reading(Way::Native, &self.bound.tools, options)
        };
        let this = self.clone();
        generate(|emitter| async move {
            let (request, defining) = (request?, defining?);
            let mut opened = this.transport.open(&request).await;
            // A service in front of Anthropic is as strict as Anthropic itself.
            if let Err(error) = &opened
                && error.kind() == ModelErrorKind::BadRequest
                && let Some(defining) = defining.filter(|other| other.body != request.body)
            {
                debug!(%error, "asked again with the tools of the conversation");
                opened = this.transport.open(&defining).await;
            }
            let frames = match opened {
                Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
                    let models = this.models().await;
                    return Err(http::name_models(error, &this.settings.model, models));
                }
                other => other?,
            };
            read(frames, Decoder::new(reading), &emitter).await
        })
    }
}

/// Reads a reply up to its end mark, and emits what comes.
async fn read(
    mut frames: Frames,
    mut decoder: Decoder,
    emitter: &Emitter<ChatChunk>,
) -> Result<(), ModelError> {
    while !decoder.is_complete() {
        let Some(frame) = frames.next().await? else {
            break;
        };
        decoder.push(&frame)?;
        for chunk in decoder.take_chunks() {
            emitter.emit(chunk).await;
        }
    }
    let chunks = decoder.finish()?;
    frames.finish().await;
    for chunk in chunks {
        emitter.emit(chunk).await;
    }
    Ok(())
}

#[async_trait]
impl ChatModel for ChatAnthropic {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let tools = BoundTools::new(tools)?;
        let bound = Bound {
            wire: convert::with_names(&tools.tools, &tools.names),
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
        enforced(tools, messages, options, move |messages, options| {
            this.ask(messages, options)
        })
    }
}

#[cfg(test)]
mod tests;
