//! One request to an Ollama server and its reply, natively or with tools as text.

use std::time::Instant;

use haft_core::{
    CallOptions, ChatChunk, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    ThinkingEffort, generate,
};
use serde_json::Value;
use tokio::time::timeout;
use tracing::{debug, warn};

use super::decode::ReplyDecoder;
use super::prompt::Prompt;
use super::wire::{ChatRequest, ChatResponse, Options, QwenTool};
use super::{ChatOllama, HINT, catalog, context, encode};
use crate::http::{self, Api, Frames, Framing, Request};
use crate::room::room_of;
use crate::text_mode::{Style, written};
use crate::tool_choice::offered;
use crate::tool_mode::{ToolMode, Way};
use crate::wire_tools::WireTools;

/// How many models a hint names.
const MODELS_NAMED: usize = 6;

impl ChatOllama {
    /// One reply, whatever it calls.
    pub(super) fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let (this, messages, options) = (self.clone(), messages.to_vec(), options.clone());
        generate(|emitter| async move { this.exchange(&messages, &options, &emitter).await })
    }

    async fn exchange(
        &self,
        messages: &[Message],
        options: &CallOptions,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<(), ModelError> {
        let start = Instant::now();
        let mut way = self.way().await;
        loop {
            let mut body = self.body(way, messages, options);
            let needed = context::needed(&body, room_of(options));
            if self.is_sized() {
                let loaded = async { Box::pin(self.catalog().loaded_context(&self.model)).await };
                self.context.wish(options.generation.context_tokens);
                body.options.num_ctx = self.context.holding(needed, loaded).await;
            }
            let reading = self.route.reading(way, &self.bound.tools, options);
            let decoder = ReplyDecoder::new(reading, Prompt::of(&body));
            let last = match self.transport.open(&self.request(&body)?).await {
                Ok(frames) => read(frames, decoder, emitter)
                    .await
                    .inspect_err(|error| self.learn_overflow(error, needed))?,
                Err(error) if self.is_overflow(&error) && self.context.grow(needed) => {
                    warn!(model = self.id, %error, "the model gets a larger context");
                    continue;
                }
                Err(error) if self.route.falls_back(way, &self.id, &error) => {
                    way = Way::Text;
                    continue;
                }
                Err(error) => match recovered(decoder, error) {
                    Ok(last) => last,
                    // What is rarely asked takes no room in each exchange; here as below.
                    Err(error) => return Err(Box::pin(self.explained(error)).await),
                },
            };
            for chunk in last {
                if let ChatChunk::Done(reply) = &chunk {
                    let (model, usage) = (&self.id, reply.usage.unwrap_or_default());
                    debug!(model, duration = ?start.elapsed(), ?usage, "model reply");
                }
                emitter.emit(chunk).await;
            }
            return Ok(());
        }
    }

    /// True where the context is ours to choose. What runs in Ollama's cloud has all of it.
    fn is_sized(&self) -> bool {
        self.num_ctx.is_none() && !catalog::is_cloud_name(&self.model)
    }

    fn is_overflow(&self, error: &ModelError) -> bool {
        self.is_sized() && error.kind() == ModelErrorKind::ContextOverflow
    }

    /// A prompt that was cut is lost, but not the next one.
    fn learn_overflow(&self, error: &ModelError, needed: u64) {
        if self.is_overflow(error) && self.context.grow(needed) {
            debug!(model = self.id, "the next request gets a larger context");
        }
    }

    /// The way that the tools go. The server is asked once what the model can; one that does not
    /// say so is believed to have native tools.
    async fn way(&self) -> Way {
        if self.route.mode == ToolMode::Auto && !self.bound.tools.tools.is_empty() {
            let ask = || async {
                let told = self.catalog().tool_support(&self.model).await;
                let Some((lacks_tools, template)) = told else {
                    return;
                };
                if lacks_tools {
                    self.route.learn_text(&self.id, "by /api/show");
                }
                self.route.hint.learn(&self.id, &template);
            };
            if !self.asked.initialized() {
                Box::pin(self.asked.get_or_init(ask)).await;
            }
        }
        self.route.way()
    }

    /// The body for a conversation.
    fn body(&self, way: Way, messages: &[Message], options: &CallOptions) -> ChatRequest {
        let (tools, messages) = match way {
            Way::Native => (
                self.offered_tools(options),
                encode::encode_messages(messages),
            ),
            Way::Text => {
                let style = Style::of(self.route.format, &self.model);
                let messages = written(messages, &self.bound.tools, options, style);
                (WireTools::default(), encode::encode_messages(&messages))
            }
        };
        let wished = &options.generation;
        let most = wished.max_tokens.map(i64::from).or(self.num_predict);
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
                // No limit, -1, stays none.
                num_predict: most.map(|most| most.saturating_mul(room_of(options).into()).max(-1)),
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

    fn request(&self, body: &ChatRequest) -> Result<Request, ModelError> {
        let framing = if body.stream == Some(true) {
            Framing::Ndjson
        } else {
            Framing::Whole
        };
        let body = http::body_of(body)?;
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
            ModelErrorKind::ToolsUnsupported => {
                let capable = timeout(HINT, self.catalog().tool_callers()).await;
                let capable = capable.ok().and_then(Result::ok).unwrap_or_default();
                ModelError::new(
                    ModelErrorKind::ToolsUnsupported,
                    format!("The model \"{model}\" cannot call tools natively"),
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

/// Reads a reply up to its end mark, and emits what comes; returns the last chunks.
async fn read(
    mut frames: Frames,
    mut decoder: ReplyDecoder,
    emitter: &Emitter<ChatChunk>,
) -> Result<Vec<ChatChunk>, ModelError> {
    while !decoder.is_complete() {
        let frame = match frames.next().await {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            Err(error) => return recovered(decoder, error),
        };
        let piece: ChatResponse = http::parse(&frame.data)?;
        decoder.push(&piece, frame.whole)?;
        for chunk in decoder.take_chunks() {
            emitter.emit(chunk).await;
        }
    }
    let last = decoder.finish()?;
    frames.finish().await;
    Ok(last)
}

/// The end of a reply that the server itself could not read; any other error stays one.
fn recovered(decoder: ReplyDecoder, error: ModelError) -> Result<Vec<ChatChunk>, ModelError> {
    let Some(output) = http::unread_output(&error) else {
        return Err(error);
    };
    warn!(%error, bytes = output.len(), "the reply is read from the server's error");
    Ok(decoder.recover(output))
}

/// How hard a model thinks, as a word or yes or no (`ollama/ollama: docs/api.md`).
fn think(effort: ThinkingEffort) -> Value {
    match effort.word() {
        Some(word) => word.into(),
        None => (effort != ThinkingEffort::Off).into(),
    }
}

fn tool_hint(capable: &[String]) -> String {
    let named: Vec<_> = capable
        .iter()
        .take(MODELS_NAMED)
        .map(String::as_str)
        .collect();
    let others = if named.is_empty() {
        "install one that can, for example with `ollama pull qwen3:0.6b`".to_owned()
    } else {
        format!("installed models that can: {}", named.join(", "))
    };
    format!("use the tool mode `auto` or `text`; {others}")
}
