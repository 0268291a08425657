//! Sends one request to an Ollama server and reads the reply, with native tools or tools as text.

use std::borrow::Cow;
use std::time::Instant;

use haft_core::{
    CallOptions, ChatChunk, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    ThinkingEffort, generate,
};
use serde_json::Value;
use tokio::time::timeout;
use tracing::{debug, warn};

use super::decode::ReplyDecoder;
use super::document::Edit;
use super::prompt::Prompt;
use super::provider::API;
use super::wire::{ChatRequest, ChatResponse, Options, QwenTool};
use super::{ChatOllama, HINT, catalog, context, encode};
use crate::description::ToolSupport;
use crate::document::document_for;
use crate::emit::emit_all;
use crate::http::{self, Frames, Framing, Request};
use crate::max_tokens::max_tokens_factor;
use crate::offered::offered;
use crate::server_kind::ServerKind;
use crate::text_mode::{Teaching, written};
use crate::tool_mode::{ToolMode, ToolProtocol};
use crate::wire_tools::WireTools;

/// Why a model gets no native tools if the server said so.
const NO_TOOLS: &str = "Ollama says that the model has none (/api/show)";

/// How many models a hint names.
const MODELS_NAMED: usize = 6;

impl ChatOllama {
    /// Sends one request and streams its reply, without checking the tool choice.
    pub(super) fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let (this, messages, options) = (self.clone(), messages.to_vec(), options.clone());
        generate(|emitter| async move { this.exchange(&messages, &options, &emitter).await })
    }

    async fn exchange(
        &self,
        asked: &[Message],
        options: &CallOptions,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<(), ModelError> {
        let start = Instant::now();
        let mut protocol = self.protocol().await;
        loop {
            let messages = self.conversation(protocol, asked, options);
            let mut body = self.body(protocol, &messages, options);
            let needed = context::needed(&body, max_tokens_factor(options));
            if self.is_sized() {
                let loaded = async { self.catalog().loaded_context(&self.model).await };
                self.context.wish(options.generation.context_tokens);
                body.options.num_ctx = self.context.holding(needed, loaded).await;
            }
            let tools = &self.bound.tools;
            let reading = self.route.reading(protocol, tools, options);
            let reading = reading
                .of_conversation(tools, asked, options)
                .for_client(options, ServerKind::Ollama);
            let decoder = ReplyDecoder::new(reading, Prompt::of(&body));
            let request = self.request(&body, &messages, options)?;
            let last = match self.transport.open(&request).await {
                Ok(frames) => {
                    if let Some(notice) = self.route.notice() {
                        emitter.emit(notice).await;
                    }
                    read(frames, decoder, emitter)
                        .await
                        .inspect_err(|error| self.learn_overflow(error, needed))?
                }
                Err(error) if self.is_overflow(&error) && self.context.grow(needed) => {
                    warn!(model = self.id, %error, "retrying with a larger context");
                    continue;
                }
                Err(error) if self.route.falls_back(protocol, &self.id, &error) => {
                    protocol = ToolProtocol::Text;
                    continue;
                }
                Err(error) => match decoder.recovered(error) {
                    Ok(last) => last,
                    // Boxed, because this rare path would enlarge every exchange; likewise below.
                    Err(error) => return Err(self.explained(error).await),
                },
            };
            if let Some(ChatChunk::Done(reply)) = last.last() {
                let (model, usage) = (&self.id, reply.usage.unwrap_or_default());
                debug!(model, duration = ?start.elapsed(), ?usage, "model reply");
            }
            emit_all(emitter, last).await;
            return Ok(());
        }
    }

    /// Whether haft chooses the context size. Models in Ollama's cloud always have their full
    /// context.
    fn is_sized(&self) -> bool {
        self.num_ctx.is_none() && !catalog::is_cloud_name(&self.model)
    }

    fn is_overflow(&self, error: &ModelError) -> bool {
        self.is_sized() && error.kind() == ModelErrorKind::ContextOverflow
    }

    /// Raises the context for later requests after this prompt was truncated.
    fn learn_overflow(&self, error: &ModelError, needed: u64) {
        if self.is_overflow(error) && self.context.grow(needed) {
            debug!(
                model = self.id,
                "the next request will use a larger context"
            );
        }
    }

    /// The tool protocol. The server is asked once what the model supports; without an answer,
    /// native tools are assumed.
    async fn protocol(&self) -> ToolProtocol {
        if self.route.mode == ToolMode::Auto && !self.bound.tools.tools.is_empty() {
            let ask = || async {
                let Ok(details) = self.catalog().show(&self.model).await else {
                    return;
                };
                if details.tools() == ToolSupport::Missing {
                    self.route.learn_text(&self.id, NO_TOOLS);
                }
                self.route.hint.learn(&self.id, &details.template);
            };
            if !self.asked.initialized() {
                self.asked.get_or_init(ask).await;
            }
        }
        self.route.protocol()
    }

    /// The conversation in the form that the protocol needs.
    fn conversation<'m>(
        &self,
        protocol: ToolProtocol,
        messages: &'m [Message],
        options: &CallOptions,
    ) -> Cow<'m, [Message]> {
        match protocol {
            ToolProtocol::Native => Cow::Borrowed(messages),
            ToolProtocol::Text => {
                let teaching = Teaching::of(self.route.format, &self.model);
                Cow::Owned(written(messages, &self.bound.tools, options, teaching))
            }
        }
    }

    /// The request body for a conversation in the form of the protocol.
    fn body(
        &self,
        protocol: ToolProtocol,
        messages: &[Message],
        options: &CallOptions,
    ) -> ChatRequest {
        let tools = match protocol {
            ToolProtocol::Native => self.offered_tools(options),
            ToolProtocol::Text => WireTools::default(),
        };
        let messages = encode::encode_messages(messages);
        let wished = &options.generation;
        let most = wished.max_tokens.map(i64::from).or(self.num_predict);
        let factor = i64::from(max_tokens_factor(options));
        let think = match wished.thinking {
            _ if options.without_thinking => Some(Value::Bool(false)),
            Some(effort) => Some(think(effort)),
            None => self.think.clone(),
        };
        ChatRequest {
            model: self.model.clone(),
            tools,
            messages,
            format: options.response_schema.as_deref().cloned(),
            options: Options {
                temperature: wished.temperature.or(self.temperature),
                top_p: wished.top_p,
                seed: wished.seed,
                stop: wished.stop.clone(),
                // -1, no limit, stays unchanged.
                num_predict: most.map(|most| most.saturating_mul(factor).max(-1)),
                num_ctx: self.num_ctx,
                top_k: wished.top_k,
                min_p: wished.min_p,
                repeat_penalty: wished.repeat_penalty,
                presence_penalty: wished.presence_penalty,
                frequency_penalty: wished.frequency_penalty,
                others: wished.ollama_options.clone(),
            },
            stream: Some(self.streaming && !options.in_one_piece),
            think,
            keep_alive: (self.keep_alive.clone().map(Value::from))
                .or_else(|| wished.keep_alive.clone()),
            truncate: Some(false),
        }
    }

    fn offered_tools(&self, options: &CallOptions) -> WireTools<QwenTool> {
        let positions = offered(&self.bound.tools.tools, &options.tool_choice);
        self.bound.wire.at(&positions)
    }

    fn request(
        &self,
        body: &ChatRequest,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<Request, ModelError> {
        let framing = Framing::Ndjson.if_streamed(body.stream == Some(true));
        let body = match document_for(options, ServerKind::Ollama) {
            Some(document) => Edit {
                document,
                options,
                messages,
            }
            .of(body)?,
            None => http::body_of(body)?,
        };
        let url = http::endpoint(&self.base_url, "/api/chat")?;
        let request =
            Request::post(API, url, body, framing).for_client(options.request_context.as_ref());
        Ok(catalog::authorize(request, self.api_key.as_ref()))
    }

    /// The error with a hint about what this server could do instead.
    async fn explained(&self, error: ModelError) -> ModelError {
        let model = &self.model;
        match error.kind() {
            ModelErrorKind::ModelNotFound => {
                http::name_models(error, model, self.catalog().names().await).with_hint(format!(
                    "install it with `ollama pull {model}`, or choose an installed one"
                ))
            }
            ModelErrorKind::ToolsUnsupported => {
                let capable = timeout(HINT, self.catalog().tool_callers()).await;
                let capable = capable.ok().and_then(Result::ok).unwrap_or_default();
                let message = format!("The model \"{model}\" cannot call tools natively");
                ModelError::new(ModelErrorKind::ToolsUnsupported, message)
                    .with_hint(tool_hint(&capable))
                    .with_status(error.status().unwrap_or(400))
                    .with_detail(error.detail())
            }
            ModelErrorKind::BadRequest if error.detail().contains("does not support thinking") => {
                let message = format!("The model \"{model}\" cannot think before it answers");
                ModelError::new(ModelErrorKind::Unsupported, message)
                    .with_hint("do not ask it to think, or use a reasoning model")
                    .with_status(error.status().unwrap_or(400))
                    .with_detail(error.detail())
            }
            _ => error,
        }
    }
}

/// Reads a reply up to its end marker and emits its chunks; returns the last ones.
async fn read(
    mut frames: Frames,
    mut decoder: ReplyDecoder,
    emitter: &Emitter<ChatChunk>,
) -> Result<Vec<ChatChunk>, ModelError> {
    while !decoder.is_complete() {
        let frame = match frames.next().await {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            Err(error) => return decoder.recovered(error),
        };
        let piece: ChatResponse = http::parse(&frame.data).map_err(|error| frames.masked(error))?;
        decoder
            .push(&piece, frame.whole)
            .map_err(|error| frames.masked(error))?;
        decoder.note_fields(&frame.data);
        emit_all(emitter, decoder.take_chunks()).await;
    }
    let last = decoder.finish()?;
    frames.finish().await;
    Ok(last)
}

/// The thinking effort as a level or a boolean (`ollama/ollama: docs/api.md`).
fn think(effort: ThinkingEffort) -> Value {
    match effort.word() {
        Some(word) => word.into(),
        None => (effort != ThinkingEffort::Off).into(),
    }
}

fn tool_hint(capable: &[String]) -> String {
    let named = capable.get(..MODELS_NAMED).unwrap_or(capable);
    let others = if named.is_empty() {
        "install one that can, for example with `ollama pull qwen3:0.6b`".to_owned()
    } else {
        format!("installed models that can: {}", named.join(", "))
    };
    format!("use the tool mode `auto` or `text`; {others}")
}
