//! Sends one request to an OpenAI-compatible server and reads the reply, with native tools or tools
//! as text.

use std::borrow::Cow;
use std::time::Instant;

use futures_util::StreamExt;
use haft_core::{
    CallOptions, ChatChunk, ChatStream, Emitter, Message, ModelError, ModelErrorKind, Usage,
    generate,
};
use tracing::debug;

use super::decode::{Decoder, Progress};
use super::document::Edit;
use super::dropped_tools::{HeldBack, dropped};
use super::wire::{self, ChatRequest};
use super::{ChatOpenAi, encode};
use crate::document::document_for;
use crate::emit::emit_all;
use crate::http::{Frames, Framing, Request, body_of, endpoint, name_models};
use crate::offered::offered;
use crate::reply::Reading;
use crate::schema_after_tools::schema_after_tools;
use crate::server_kind::ServerKind;
use crate::text_mode::{Teaching, written};
use crate::tool_mode::ToolProtocol;
use crate::wire_tools::WireTools;

/// How a request with native tools ended.
enum Native {
    /// The reply was emitted.
    Answered,
    /// The tools did not reach the model; the tokens that this took.
    Unsupported(Option<Usage>),
}

impl ChatOpenAi {
    /// Sends one request and streams its reply, without checking the tool choice. If the server
    /// turns out not to support tools, the same question goes out again with the tools as text.
    pub(super) fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let (this, messages, options) = (self.clone(), messages.to_vec(), options.clone());
        generate(|emitter| async move {
            let mut spent = None;
            if this.protocol(&options).await == ToolProtocol::Native {
                match this.ask_natively(&messages, &options, &emitter).await? {
                    Native::Answered => return Ok(()),
                    Native::Unsupported(usage) => spent = usage,
                }
            }
            let mut reply = this.ask_as_text(&messages, &options);
            while let Some(chunk) = reply.next().await {
                let mut chunk = chunk?;
                if let Some(notice) = this.route.notice() {
                    emitter.emit(notice).await;
                }
                if let (ChatChunk::Done(reply), Some(spent)) = (&mut chunk, spent) {
                    *reply.usage.get_or_insert_default() += spent;
                }
                emitter.emit(chunk).await;
            }
            Ok(())
        })
    }

    /// Sends a request with native tools and emits its reply, unless the tools did not reach the
    /// model.
    async fn ask_natively(
        &self,
        messages: &[Message],
        options: &CallOptions,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<Native, ModelError> {
        let in_one_piece = options.in_one_piece || !self.streaming;
        let may_hold_back = in_one_piece || !self.streams_at_once;
        let mut held_back = (may_hold_back && self.is_doubtful(options)).then(HeldBack::default);
        let mut reply = self.exchange(ToolProtocol::Native, messages, options);
        while let Some(chunk) = reply.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error)
                    if self
                        .route
                        .falls_back(ToolProtocol::Native, &self.id, &error) =>
                {
                    return Ok(Native::Unsupported(None));
                }
                Err(error) => return Err(error),
            };
            if let ChatChunk::Done(reply) = &chunk
                && self.is_doubtful(options)
                && self.dropped_tools(messages, options, reply).await
                && held_back.is_some()
            {
                return Ok(Native::Unsupported(reply.usage));
            }
            let Some(mut held) = held_back.take() else {
                emitter.emit(chunk).await;
                continue;
            };
            match held.keep(chunk) {
                None => held_back = Some(held),
                Some(chunk) => {
                    emit_all(emitter, held.into_chunks()).await;
                    emitter.emit(chunk).await;
                }
            }
        }
        Ok(Native::Answered)
    }

    /// Sends a request with tools as text. A response schema is applied in a second request,
    /// because it leaves no room for calls in the text.
    fn ask_as_text(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        schema_after_tools(
            &self.bound.tools,
            messages,
            options,
            move |messages, options| this.exchange(ToolProtocol::Text, messages, options),
        )
    }

    /// Sends one request and streams its reply.
    fn exchange(
        &self,
        protocol: ToolProtocol,
        messages: &[Message],
        options: &CallOptions,
    ) -> ChatStream {
        let request = self.request(protocol, messages, options);
        let reading = self.route.reading(protocol, &self.bound.tools, options);
        let quotations = reading
            .of_conversation(&self.bound.tools, messages, options)
            .quotations;
        let (this, options) = (self.clone(), options.clone());
        generate(|emitter| async move {
            let start = Instant::now();
            let reply = this.transport.open(&request?).await;
            let server = reply.as_ref().map(|frames| frames.server().to_owned());
            this.learn_after(&server.unwrap_or_default()).await;
            let is_dropped = reply.is_ok() && this.route.protocol() == ToolProtocol::Text;
            if protocol == ToolProtocol::Native && is_dropped {
                return Err(dropped());
            }
            let reading = this.route.reading(protocol, &this.bound.tools, &options);
            let reading = reading.for_client(&options, ServerKind::OpenAi);
            let decoder = Box::new(Decoder::new(Reading {
                quotations,
                ..reading
            }));
            let chunks = match reply {
                Ok(mut frames) => read(&mut frames, decoder, &emitter).await?,
                Err(error) if error.kind() == ModelErrorKind::ModelNotFound => {
                    let models = Box::pin(this.models()).await;
                    return Err(name_models(error, &this.model, models));
                }
                Err(error) => decoder.recovered(error)?,
            };
            if let Some(ChatChunk::Done(reply)) = chunks.last() {
                let (model, usage) = (&this.id, reply.usage.unwrap_or_default());
                debug!(model, duration = ?start.elapsed(), ?usage, "model reply");
            }
            emit_all(&emitter, chunks).await;
            Ok(())
        })
    }

    /// Builds the request.
    pub(super) fn request(
        &self,
        protocol: ToolProtocol,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<Request, ModelError> {
        let names = &self.bound.tools.names;
        let (tools, messages) = match protocol {
            ToolProtocol::Native => (self.offered_tools(options), Cow::Borrowed(messages)),
            ToolProtocol::Text => {
                let teaching = Teaching::of(self.route.format, &self.model);
                let messages = written(messages, &self.bound.tools, options, teaching);
                (WireTools::default(), Cow::Owned(messages))
            }
        };
        let own = self.own_request(tools, options);
        let streaming = own.stream;
        let body = match document_for(options, ServerKind::OpenAi) {
            Some(document) => Edit {
                document,
                options,
                names,
                messages: &messages,
            }
            .of(own)?,
            None => body_of(&ChatRequest {
                messages: encode::messages(&messages, names),
                ..own
            })?,
        };
        let framing = Framing::Sse.if_streamed(streaming);
        let url = endpoint(&self.base_url, "chat/completions")?;
        let request = Request::post(self.api(), url, body, framing);
        Ok(self.authorized(request.for_client(options.request_context.as_ref())))
    }

    pub(super) fn offered_tools(&self, options: &CallOptions) -> WireTools<wire::Tool> {
        let positions = offered(&self.bound.tools.tools, &options.tool_choice);
        self.bound.wire.at(&positions)
    }
}

/// Reads a reply to its end and emits its chunks; returns the last ones.
pub(super) async fn read(
    frames: &mut Frames,
    mut decoder: Box<Decoder>,
    emitter: &Emitter<ChatChunk>,
) -> Result<Vec<ChatChunk>, ModelError> {
    use ModelErrorKind::{CutStream, Timeout};
    while decoder.progress() != Progress::Closed {
        let frame = match frames.next().await {
            Ok(Some(frame)) => frame,
            // Some servers do not send an end marker or close the connection properly.
            Ok(None) => break,
            Err(error)
                if decoder.progress() == Progress::Finished
                    && matches!(error.kind(), CutStream | Timeout) =>
            {
                break;
            }
            Err(error) => return decoder.recovered(error),
        };
        let chunks = decoder.frame(&frame);
        let chunks = chunks.map_err(|error| frames.masked(error))?;
        emit_all(emitter, chunks).await;
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
        .with_hint("try again; if it happens often, check the model server's log")),
        Progress::Nothing => Err(ModelError::new(
            ModelErrorKind::EmptyBody,
            "The model server's reply holds nothing",
        )
        .with_hint("check the model server's log")),
    }
}
