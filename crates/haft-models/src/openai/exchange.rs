//! One request to an OpenAI-compatible server and its reply, natively or with tools as text.

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use haft_core::{
    CallOptions, ChatChunk, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    ThinkingEffort, ToolChoice, generate,
};
use tracing::{debug, warn};

use super::decode::{Decoder, Progress};
use super::wire::{self, ChatRequest, NamedSchema, ResponseFormat, Stop, StreamOptions};
use super::{ChatOpenAi, OPENAI, encode};
use crate::http::{Api, Frames, Framing, Request, body_of, endpoint, name_models, unread_output};
use crate::room::{ROOM, room_of};
use crate::text_mode::{Style, written};
use crate::tool_choice::offered;
use crate::tool_mode::Way;
use crate::two_turns::in_two_turns;
use crate::wire_tools::WireTools;

impl ChatOpenAi {
    /// One reply, whatever it calls.
    pub(super) fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        if self.route.way() == Way::Text {
            return self.ask_as_text(messages, options);
        }
        let (this, messages, options) = (self.clone(), messages.to_vec(), options.clone());
        generate(|emitter| async move {
            let mut way = Way::Native;
            let mut reply = this.exchange(way, &messages, &options);
            while let Some(chunk) = reply.next().await {
                match chunk {
                    Ok(chunk) => emitter.emit(chunk).await,
                    Err(error) if this.route.falls_back(way, &this.id, &error) => {
                        way = Way::Text;
                        reply = this.ask_as_text(&messages, &options);
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        })
    }

    /// One reply to a request with tools as text. A server that makes the text follow a schema
    /// leaves no room for calls in it.
    fn ask_as_text(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        in_two_turns(
            &self.bound.tools,
            messages,
            options,
            move |messages, options| this.exchange(Way::Text, messages, options),
        )
    }

    /// One request and its reply.
    fn exchange(&self, way: Way, messages: &[Message], options: &CallOptions) -> ChatStream {
        let request = self.request(way, messages, options);
        let (this, options) = (self.clone(), options.clone());
        generate(|emitter| async move {
            let start = Instant::now();
            let reply = this.transport.open(&request?).await;
            let server = reply.as_ref().map(|frames| frames.server().to_owned());
            this.learn_template(&server.unwrap_or_default()).await;
            let reading = this.route.reading(way, &this.bound.tools, &options);
            let decoder = Decoder::new(reading);
            let chunks = match reply {
                Ok(frames) => read(frames, decoder, &emitter).await?,
                Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
                    // What is rarely asked takes no room in each exchange.
                    let models = Box::pin(this.models()).await;
                    return Err(name_models(error, &this.model, models));
                }
                Err(error) => recovered(decoder, error)?,
            };
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

    /// The request as the wire wants it.
    pub(super) fn request(
        &self,
        way: Way,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<Request, ModelError> {
        let names = &self.bound.tools.names;
        let (tools, messages) = match way {
            Way::Native => (
                self.offered_tools(options),
                encode::messages(messages, names),
            ),
            Way::Text => {
                let style = Style::of(self.route.format, &self.model);
                let messages = written(messages, &self.bound.tools, options, style);
                (WireTools::default(), encode::messages(&messages, names))
            }
        };
        let demanded = matches!(
            options.tool_choice,
            ToolChoice::Required | ToolChoice::Tool(_)
        );
        let wished = &options.generation;
        let field = |name| wished.openai_fields.get(name).cloned();
        let has_tools = !tools.is_empty();
        let max_tokens = match wished.max_tokens.or(self.max_tokens) {
            None if options.more_room => Some(ROOM),
            tokens => tokens.map(|tokens| tokens.saturating_mul(room_of(options))),
        };
        let streaming = self.streaming && !options.in_one_piece;
        // OpenAI's newer models take only the new name, other servers often only the old one.
        let is_openai = self.base_url.starts_with(OPENAI);
        let body = ChatRequest {
            model: self.model.clone(),
            messages,
            tool_choice: (demanded && !tools.is_empty())
                .then(|| wire::ToolChoice::Mode("required".to_owned())),
            tools,
            temperature: wished.temperature.or(self.temperature),
            top_p: wished.top_p,
            seed: wished.seed,
            stop: (!wished.stop.is_empty()).then(|| Stop::Several(wished.stop.clone())),
            reasoning_effort: wished.thinking.and_then(effort),
            max_tokens: max_tokens.filter(|_| !is_openai),
            max_completion_tokens: max_tokens.filter(|_| is_openai),
            response_format: options.response_schema.as_ref().map(|schema| {
                ResponseFormat::JsonSchema {
                    json_schema: NamedSchema {
                        name: "reply".to_owned(),
                        schema: Arc::clone(schema),
                        strict: Some(false),
                    },
                }
            }),
            stream: streaming,
            stream_options: streaming.then_some(StreamOptions {
                include_usage: true,
            }),
            presence_penalty: wished.presence_penalty,
            frequency_penalty: wished.frequency_penalty,
            top_k: wished.top_k.filter(|_| !is_openai),
            min_p: wished.min_p.filter(|_| !is_openai),
            repeat_penalty: wished.repeat_penalty.filter(|_| !is_openai),
            repetition_penalty: wished.repeat_penalty.filter(|_| !is_openai),
            n: None,
            parallel_tool_calls: field("parallel_tool_calls").filter(|_| has_tools),
            logit_bias: field("logit_bias"),
            chat_template_kwargs: field("chat_template_kwargs"),
            user: field("user"),
            service_tier: field("service_tier"),
        };
        let body = body_of(&body)?;
        let framing = if streaming {
            Framing::Sse
        } else {
            Framing::Whole
        };
        let url = endpoint(&self.base_url, "chat/completions")?;
        Ok(self.authorized(Request::post(Api::OpenAi, url, body, framing)))
    }

    fn offered_tools(&self, options: &CallOptions) -> WireTools<wire::Tool> {
        let positions = offered(&self.bound.tools.tools, &options.tool_choice);
        self.bound.wire.at(&positions)
    }
}

/// The word for it. There is none for "as the server finds right".
fn effort(thinking: ThinkingEffort) -> Option<String> {
    let word = match thinking {
        ThinkingEffort::Off => Some("none"),
        effort => effort.word(),
    };
    word.map(str::to_owned)
}

/// Reads a reply to its end, emitting what comes; returns the last chunks.
pub(super) async fn read(
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
            Err(error) => return recovered(decoder, error),
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

/// The end of a reply that the server itself could not read; any other error stays one.
fn recovered(decoder: Decoder, error: ModelError) -> Result<Vec<ChatChunk>, ModelError> {
    let Some(output) = unread_output(&error) else {
        return Err(error);
    };
    warn!(%error, bytes = output.len(), "the reply is read from the server's error");
    Ok(decoder.recover(output))
}
