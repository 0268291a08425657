//! Models of an Ollama server, always over its own `POST /api/chat`: the OpenAI-compatible
//! address of the same server drops the context size and more.
//!
//! `convert.rs` puts tools into the Qwen format, `schema.rs` keeps what Ollama would lose of
//! them, `encode.rs` writes messages, `decode.rs` reads replies, `prompt.rs` notices a prompt
//! that was cut, `catalog.rs` asks what is installed, `wire.rs` has the types. Sending, limits
//! and retries are `http`'s, a demanded call is `tool_choice`'s.

mod catalog;
mod convert;
mod decode;
mod encode;
mod prompt;
mod schema;
mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    Tool, ToolChoice, Usage, generate,
};
use serde_json::Value;
use tokio::time::timeout;
use tracing::debug;

pub(crate) use self::catalog::{Catalog, Installed, MAX_ASKED};
pub use self::convert::{to_qwen_tools, validate_qwen_tool};
use self::decode::ReplyDecoder;
use self::wire::{ChatRequest, ChatResponse, Options};
pub use self::wire::{QwenFunction, QwenTool, QwenToolType};
use crate::http::{self, Api, Framing, Limits, Request, Secret, Transport};
use crate::names::WireNames;
use crate::tool_choice::{enforced, offered};

/// Where Ollama listens unless told otherwise.
pub(crate) const LOCAL: &str = "http://127.0.0.1:11434";

/// How many models a hint names.
const MODELS_NAMED: usize = 6;

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
    bound: Arc<Bound>,
}

/// The bound tools, ready for the wire.
#[derive(Debug, Default)]
struct Bound {
    tools: Vec<Arc<dyn Tool>>,
    wire: Vec<QwenTool>,
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
            bound: Arc::default(),
        }
    }

    /// Asks the server at this address instead of `http://127.0.0.1:11434`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
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
    /// memory; a change makes it load the model again.
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

    /// The body for a conversation.
    fn body(&self, messages: &[Message], options: &CallOptions) -> ChatRequest {
        let schema = options.response_schema.as_deref().cloned();
        ChatRequest {
            model: self.model.clone(),
            tools: self.offered_tools(&options.tool_choice),
            messages: encode::encode_messages(messages),
            format: schema,
            options: Options {
                temperature: self.temperature,
                num_predict: self.num_predict,
                num_ctx: self.num_ctx,
            },
            stream: Some(self.streaming),
            think: self.think.clone(),
            keep_alive: self.keep_alive.clone().map(Value::from),
            truncate: Some(false),
        }
    }

    fn offered_tools(&self, choice: &ToolChoice) -> Vec<QwenTool> {
        let positions = offered(&self.bound.tools, choice).into_iter();
        let chosen = positions.filter_map(|position| self.bound.wire.get(position));
        chosen.cloned().collect()
    }

    /// One reply, whatever it calls.
    fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let body = self.body(messages, options);
        let this = self.clone();
        generate(|emitter| async move {
            if body.format.is_none() || body.tools.is_empty() {
                return this.reply(&body, None, &emitter).await;
            }
            this.reply_in_two(body, &emitter).await
        })
    }

    /// With a schema to follow, a model behind Ollama calls no tools. So it is first asked
    /// without the schema, and if it calls nothing, again without the tools.
    async fn reply_in_two(
        &self,
        mut body: ChatRequest,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<(), ModelError> {
        let format = body.format.take();
        let (this, first) = (self.clone(), body.clone());
        let held = generate(|held| async move { this.reply(&first, None, &held).await });
        let chunks: Vec<ChatChunk> = held.try_collect().await?;
        let spent = match chunks.last() {
            Some(ChatChunk::Done(reply)) if !reply.has_calls() => reply.usage,
            _ => {
                for chunk in chunks {
                    emitter.emit(chunk).await;
                }
                return Ok(());
            }
        };
        body.tools.clear();
        body.format = format;
        self.reply(&body, spent, emitter).await
    }

    /// One request and its reply; the tokens `spent` before are added to its own.
    async fn reply(
        &self,
        body: &ChatRequest,
        spent: Option<Usage>,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<(), ModelError> {
        let start = Instant::now();
        let mut decoder = ReplyDecoder::new(prompt::fewest_tokens(&body.messages));
        let mut frames = match self.transport.open(&self.request(body)?).await {
            Ok(frames) => frames,
            Err(error) => return Err(self.explained(error).await),
        };
        while !decoder.is_complete() {
            let Some(frame) = frames.next().await? else {
                break;
            };
            let piece: ChatResponse = http::parse(&frame.data)?;
            decoder.push(&piece, frame.whole)?;
            for chunk in decoder.take_chunks() {
                emitter.emit(chunk).await;
            }
        }
        let chunks = decoder.finish()?;
        frames.finish().await;
        for mut chunk in chunks {
            if let ChatChunk::Done(reply) = &mut chunk {
                if let Some(spent) = spent {
                    *reply.usage.get_or_insert_default() += spent;
                }
                let (model, usage) = (&self.id, reply.usage.unwrap_or_default());
                debug!(model, duration = ?start.elapsed(), ?usage, "model reply");
            }
            emitter.emit(chunk).await;
        }
        Ok(())
    }

    fn request(&self, body: &ChatRequest) -> Result<Request, ModelError> {
        let body = serde_json::to_value(body).map_err(|error| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "The request cannot be written as JSON",
            )
            .with_detail(error.to_string())
        })?;
        let framing = if self.streaming {
            Framing::Ndjson
        } else {
            Framing::Whole
        };
        let url = http::endpoint(&self.base_url, "/api/chat")?;
        let request = Request::post(Api::Ollama, url, body, framing);
        Ok(catalog::authorize(request, self.api_key.as_ref()))
    }

    /// The error with what this server could do instead.
    async fn explained(&self, error: ModelError) -> ModelError {
        let model = &self.model;
        match error.kind() {
            ModelErrorKind::ModelNotFound => {
                http::name_models(error, model, self.catalog().names().await).with_hint(format!(
                    "install it with `ollama pull {model}`, or name one that is there"
                ))
            }
            ModelErrorKind::BadRequest if error.detail().contains("does not support tools") => {
                let capable = timeout(HINT, self.catalog().tool_callers()).await;
                let capable = capable.ok().and_then(Result::ok).unwrap_or_default();
                ModelError::new(
                    ModelErrorKind::ToolsUnsupported,
                    format!("The model \"{model}\" cannot call tools"),
                )
                .with_hint(tool_hint(&capable))
                .with_status(error.status().unwrap_or(400))
                .with_detail(error.detail())
            }
            ModelErrorKind::BadRequest if error.detail().contains("does not support thinking") => {
                ModelError::new(
                    ModelErrorKind::Unsupported,
                    format!("The model \"{model}\" cannot think before it answers"),
                )
                .with_hint("do not ask it to think, or use a reasoning model")
                .with_status(error.status().unwrap_or(400))
                .with_detail(error.detail())
            }
            _ => error,
        }
    }
}

fn tool_hint(capable: &[String]) -> String {
    let named: Vec<_> = capable
        .iter()
        .take(MODELS_NAMED)
        .map(String::as_str)
        .collect();
    if named.is_empty() {
        return "install one that can, for example with `ollama pull qwen3:0.6b`".to_owned();
    }
    format!("installed models that can: {}", named.join(", "))
}

#[async_trait::async_trait]
impl ChatModel for ChatOllama {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        // Ollama takes any name, but not the same one twice.
        WireNames::new(tools)?;
        let mut wire = to_qwen_tools(Some(tools));
        for tool in &mut wire {
            tool.function.parameters = schema::for_ollama(&tool.function.parameters);
        }
        let tools = tools.to_vec();
        Ok(Arc::new(Self {
            bound: Arc::new(Bound { tools, wire }),
            ..self.clone()
        }))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        enforced(
            &self.bound.tools,
            messages,
            options,
            move |messages, options| this.ask(messages, options),
        )
    }
}

#[cfg(test)]
mod tests;
