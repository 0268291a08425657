//! Sends one request to a server of the Anthropic API and reads the reply.

use haft_core::{
    CallOptions, ChatChunk, ChatStream, Emitter, Message, ModelError, ModelErrorKind, generate,
};
use tracing::debug;

use super::decode::Decoder;
use super::provider::API;
use super::{ChatAnthropic, DEFAULT_BASE_URL, Settings, encode};
use crate::document::document_for;
use crate::emit::emit_all;
use crate::http::{self, Frames, Framing, Request};
use crate::offered::offered;
use crate::reply::Reading;
use crate::server_kind::ServerKind;
use crate::tool_mode::ToolProtocol;

impl ChatAnthropic {
    /// Builds the request for the next reply; see [`Settings::define_tools`].
    pub(super) fn request(
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
        let is_streamed = self.settings.streaming && !options.in_one_piece;
        let framing = Framing::Sse.if_streamed(is_streamed);
        let request = Request::post(API, url, body, framing);
        let request = request.for_client(options.request_context.as_ref());
        let mut request = self.signed(request);
        if let Some(document) = document_for(options, ServerKind::Anthropic) {
            for header in &document.headers {
                request = request.with_only_header(header.name, header.value.as_str());
            }
        }
        Ok(request)
    }

    /// Sends one request and streams its reply, without checking the tool choice.
    pub(super) fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let is_anthropic = self.base_url.starts_with(DEFAULT_BASE_URL);
        let request = self.request(messages, options, is_anthropic);
        let offers_none = offered(&self.bound.tools.tools, &options.tool_choice).is_empty();
        let defining = (offers_none && !is_anthropic)
            .then(|| self.request(messages, options, true))
            .transpose();
        // Another server may run a model that writes its calls as text.
        let reading = if is_anthropic {
            Reading {
                raw: options.raw_reply(),
                ..Reading::native(&self.bound.tools)
            }
        } else {
            let reading = self
                .route
                .reading(ToolProtocol::Native, &self.bound.tools, options);
            reading.of_conversation(&self.bound.tools, messages, options)
        };
        let reading = reading.for_client(options, ServerKind::Anthropic);
        let this = self.clone();
        generate(|emitter| async move {
            let (request, defining) = (request?, defining?);
            let mut opened = this.transport.open(&request).await;
            // A proxy for Anthropic requires the tools just as Anthropic does.
            if let Err(error) = &opened
                && error.kind() == ModelErrorKind::BadRequest
                && let Some(defining) = defining.filter(|other| other.body != request.body)
            {
                debug!(%error, "retrying with the tools of the conversation");
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

/// Reads a reply up to its end marker and emits its chunks.
async fn read(
    mut frames: Frames,
    mut decoder: Decoder,
    emitter: &Emitter<ChatChunk>,
) -> Result<(), ModelError> {
    while !decoder.is_complete() {
        let Some(frame) = frames.next().await? else {
            break;
        };
        let pushed = decoder.push(&frame);
        pushed.map_err(|error| frames.masked(error))?;
        emit_all(emitter, decoder.take_chunks()).await;
    }
    let chunks = decoder.finish()?;
    frames.finish().await;
    emit_all(emitter, chunks).await;
    Ok(())
}
