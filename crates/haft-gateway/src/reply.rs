//! Hands an answer out, as it comes or in one piece; both are made of the same steps.
//!
//! Nothing goes out before there is something to say: until then a failure is a status.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use haft_agent::{AgentError, EventStream};
use haft_core::{AiMessage, Answer, ChatChunk, Content, ContentBlock, Event, Message};
use haft_models::{Dialect, ReplyWriter};
use tokio::sync::OwnedSemaphorePermit;

use crate::chat::{status, told};
use crate::routes::{json, refused};

/// An answer on its way.
pub(crate) struct Reply {
    events: EventStream,
    /// Its place among those that are answered, taken up to its end.
    _room: OwnedSemaphorePermit,
    writer: ReplyWriter,
    /// The answer has to be data: what is said before that is no part of it.
    is_data: bool,
    said: String,
    thought: String,
    /// The model has begun a call: the client learns that there will be an answer.
    has_begun: bool,
}

/// A step of the answer.
enum Step {
    /// More of it.
    Piece(ChatChunk),
    /// Its end.
    Done(Box<AiMessage>),
}

impl Reply {
    pub(crate) fn new(
        (events, room): (EventStream, OwnedSemaphorePermit),
        writer: ReplyWriter,
        is_data: bool,
    ) -> Self {
        Self {
            events,
            _room: room,
            writer,
            is_data,
            said: String::new(),
            thought: String::new(),
            has_begun: false,
        }
    }

    /// The next step; none after the end.
    async fn step(&mut self) -> Option<Result<Step, AgentError>> {
        loop {
            let event = match self.events.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            match event {
                Event::Chunk(_) if self.is_data => {}
                Event::Chunk(ChatChunk::Text(text)) => {
                    self.said.push_str(&text);
                    return Some(Ok(Step::Piece(ChatChunk::Text(text))));
                }
                Event::Chunk(ChatChunk::Reasoning(thought)) => {
                    self.thought.push_str(&thought);
                    return Some(Ok(Step::Piece(ChatChunk::Reasoning(thought))));
                }
                Event::Chunk(chunk @ ChatChunk::CallStart { .. }) if !self.has_begun => {
                    self.has_begun = true;
                    return Some(Ok(Step::Piece(chunk)));
                }
                Event::Done(answer) => return Some(Ok(Step::Done(Box::new(self.last(*answer))))),
                _ => {}
            }
        }
    }

    /// The whole reply: what was handed out piece by piece, and the calls.
    fn last(&self, mut answer: Answer) -> AiMessage {
        let last = answer.messages.pop();
        let mut reply = match last {
            Some(Message::Ai(reply)) => reply,
            _ => AiMessage::default(),
        };
        let text = if self.said.is_empty() {
            reply.content.text()
        } else {
            self.said.clone()
        };
        let mut blocks = Vec::new();
        if !self.thought.is_empty() {
            blocks.push(ContentBlock::Thinking {
                thinking: self.thought.clone(),
                signature: None,
            });
        }
        blocks.push(ContentBlock::Text { text });
        reply.content = Content::Blocks(blocks);
        reply.usage = Some(answer.usage);
        reply
    }

    /// What goes out for a step.
    fn bytes(&mut self, step: &Step) -> Vec<u8> {
        match step {
            Step::Piece(chunk) => self.writer.chunk(chunk),
            Step::Done(reply) => {
                let mut out = Vec::new();
                let text = reply.content.text();
                if self.said.is_empty() && !text.is_empty() {
                    out = self.writer.chunk(&ChatChunk::Text(text));
                }
                out.extend(self.writer.chunk(&ChatChunk::Done(*reply.clone())));
                out
            }
        }
    }
}

/// The answer as it comes.
pub(crate) async fn streamed(dialect: Dialect, mut reply: Reply) -> Response {
    let first = match reply.step().await {
        Some(Ok(step)) => reply.bytes(&step),
        Some(Err(error)) => return refused(dialect, status(&error), &told(&error)),
        None => return refused(dialect, 502, "The reply ended before it began"),
    };
    let kind = reply.writer.stream_type();
    let rest = stream::unfold(Some(reply), |reply| async {
        let mut reply = reply?;
        match reply.step().await? {
            Ok(step) => {
                let bytes = reply.bytes(&step);
                Some((bytes, Some(reply)))
            }
            Err(error) => {
                tracing::warn!(%error, detail = error.detail(), "a stream failed");
                Some((reply.writer.failed(status(&error), &told(&error)), None))
            }
        }
    });
    let pieces = stream::once(async { first }).chain(rest);
    let body = Body::from_stream(pieces.map(Ok::<_, std::convert::Infallible>));
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, body).into_response()
}

/// The answer in one piece.
pub(crate) async fn whole(dialect: Dialect, mut reply: Reply) -> Response {
    loop {
        match reply.step().await {
            Some(Ok(Step::Piece(_))) => {}
            Some(Ok(Step::Done(message))) => return json(&reply.writer.whole(&message)),
            Some(Err(error)) => return refused(dialect, status(&error), &told(&error)),
            None => return refused(dialect, 502, "The reply ended before it was complete"),
        }
    }
}
