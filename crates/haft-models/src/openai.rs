//! Models behind an OpenAI-compatible server: OpenAI itself, llama.cpp, vLLM, LM Studio and many
//! services, all over `POST {base}/chat/completions`.
//!
//! `wire.rs` has the types of the wire, `encode.rs` writes requests, `decode.rs` and `calls.rs`
//! read replies, `catalog.rs` lists models. Sending, limits and retries are `http`'s, a demanded
//! call is `tool_choice`'s.

mod calls;
mod catalog;
mod decode;
mod encode;
mod wire;

use std::sync::Arc;
use std::time::Instant;

use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    Tool, ToolChoice, generate,
};
use tracing::debug;

use self::decode::{Decoder, Progress};
use self::wire::{ChatRequest, NamedSchema, ResponseFormat, StreamOptions};
use crate::http::{Api, Frames, Framing, Request, Secret, Transport, endpoint, name_models};
use crate::names::WireNames;
use crate::tool_choice::{enforced, offered};

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
    bound: Arc<Bound>,
}

/// The bound tools, ready for the wire.
#[derive(Debug, Default)]
struct Bound {
    tools: Vec<Arc<dyn Tool>>,
    names: Arc<WireNames>,
    wire: Arc<[wire::Tool]>,
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
            bound: Arc::default(),
        }
    }

    /// Asks the server at this address, which usually ends in `/v1`, instead of
    /// `https://api.openai.com/v1`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
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

    /// The request as the wire wants it.
    fn request(&self, messages: &[Message], options: &CallOptions) -> Result<Request, ModelError> {
        let tools = self.offered_tools(&options.tool_choice);
        let demanded = matches!(
            options.tool_choice,
            ToolChoice::Required | ToolChoice::Tool(_)
        );
        // OpenAI's newer models take only the new name, other servers often only the old one.
        let is_openai = self.base_url.starts_with(OPENAI);
        let body = ChatRequest {
            model: self.model.clone(),
            messages: encode::messages(messages, &self.bound.names),
            tool_choice: (demanded && !tools.is_empty())
                .then(|| wire::ToolChoice::Mode("required".to_owned())),
            tools,
            temperature: self.temperature,
            max_tokens: self.max_tokens.filter(|_| !is_openai),
            max_completion_tokens: self.max_tokens.filter(|_| is_openai),
            response_format: options.response_schema.as_ref().map(|schema| {
                ResponseFormat::JsonSchema {
                    json_schema: NamedSchema {
                        name: "reply".to_owned(),
                        schema: Arc::clone(schema),
                        strict: Some(false),
                    },
                }
            }),
            stream: self.streaming,
            stream_options: self.streaming.then_some(StreamOptions {
                include_usage: true,
            }),
        };
        let body = serde_json::to_value(body).map_err(|error| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "The request cannot be written as JSON",
            )
            .with_detail(error.to_string())
        })?;
        let framing = if self.streaming {
            Framing::Sse
        } else {
            Framing::Whole
        };
        let url = endpoint(&self.base_url, "chat/completions")?;
        Ok(self.authorized(Request::post(Api::OpenAi, url, body, framing)))
    }

    fn offered_tools(&self, choice: &ToolChoice) -> Arc<[wire::Tool]> {
        let wire = &self.bound.wire;
        let positions = offered(&self.bound.tools, choice);
        if positions.len() == wire.len() {
            return Arc::clone(wire);
        }
        let chosen = positions.iter().filter_map(|&position| wire.get(position));
        chosen.cloned().collect()
    }

    /// One request and its reply, whatever the reply calls.
    fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let request = self.request(messages, options);
        let this = self.clone();
        generate(|emitter| async move {
            let start = Instant::now();
            let frames = match this.transport.open(&request?).await {
                Ok(frames) => frames,
                Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
                    return Err(name_models(error, &this.model, this.models().await));
                }
                Err(error) => return Err(error),
            };
            let decoder = Decoder::new(&this.bound.names);
            let chunks = read(frames, decoder, &emitter).await?;
            for chunk in chunks {
                if let ChatChunk::Done(reply) = &chunk {
                    let (model, usage) = (&this.id, reply.usage.unwrap_or_default());
                    debug!(model, duration = ?start.elapsed(), ?usage, "model reply");
                }
                emitter.emit(chunk).await;
            }
            Ok(())
        })
    }
}

/// Reads a reply to its end, emitting what comes; returns the last chunks.
async fn read(
    mut frames: Frames,
    mut decoder: Decoder,
    emitter: &Emitter<ChatChunk>,
) -> Result<Vec<ChatChunk>, ModelError> {
    use ModelErrorKind::{CutStream, Timeout};
    while decoder.progress() != Progress::Closed {
        let frame = match frames.next().await {
            Ok(Some(frame)) => frame,
            // Not every server says that nothing follows, or says goodbye at all.
            Ok(None) => break,
            Err(error)
                if decoder.progress() == Progress::Finished
                    && matches!(error.kind(), CutStream | Timeout) =>
            {
                break;
            }
            Err(error) => return Err(error),
        };
        for chunk in decoder.frame(&frame)? {
            emitter.emit(chunk).await;
        }
    }
    match decoder.progress() {
        Progress::Finished | Progress::Closed => {
            frames.finish().await;
            Ok(decoder.finish())
        }
        Progress::Started => Err(ModelError::new(
            CutStream,
            "The reply ended before it was complete",
        )
        .with_hint("ask again; if it happens often, look at the model server's log")),
        Progress::Nothing => Err(ModelError::new(
            ModelErrorKind::EmptyBody,
            "The model server's reply holds nothing",
        )
        .with_hint("look at the model server's log")),
    }
}

#[async_trait::async_trait]
impl ChatModel for ChatOpenAi {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let names = WireNames::new(tools)?;
        let bound = Bound {
            wire: encode::tools(tools, &names).into(),
            names: Arc::new(names),
            tools: tools.to_vec(),
        };
        Ok(Arc::new(Self {
            bound: Arc::new(bound),
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
