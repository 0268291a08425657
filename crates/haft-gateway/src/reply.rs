//! Sends the answer to the client, streamed or whole; both consist of the same steps.
//!
//! Nothing is sent before there is content: until then a failure can be an HTTP status.

mod sent;

use std::mem;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use haft_agent::{AgentError, EventStream};
use haft_core::{
    AiMessage, Answer, ChatChunk, Event, Message, ModelError, ModelErrorKind, Outcome,
    ServerFields, StopReason,
};
use haft_models::ClientRequest;
use tokio::time::timeout;

use self::sent::Sent;
use crate::activity::Given;
use crate::batching::{MAX_LOOKS, MAX_PIECE, at_once};
use crate::chat::Turn;
use crate::dialects::writer::ReplyWriter;
use crate::request_log::RequestLog;
use crate::respond::{self, DROPPED, Refusal, json_bytes};

/// The header that reports the interventions in a whole reply.
const DONE: HeaderName = HeaderName::from_static("x-haft-done");

/// How long a reply that begins with a call waits before it announces the call. Short calls are
/// complete by then; after a longer wait, the client must see that the reply has begun, or it may
/// disconnect.
const CALL_DUE: Duration = Duration::from_secs(1);

/// An answer that is being sent.
pub(crate) struct Reply {
    events: EventStream,
    log: RequestLog,
    writer: ReplyWriter,
    delivery: Delivery,
    text: TextDelivery,
    calls: CallDelivery,
    /// The number of messages in the request's conversation.
    asked: usize,
    sent: Sent,
    /// Whether the client knows that a reply follows, because a call was announced.
    is_announced: bool,
    /// The end of the reply, while the rest before it is being sent.
    end: Option<Box<AiMessage>>,
    /// Fields of the model server's latest reply that are not sent yet.
    fields: ServerFields,
    /// Parts of the request that the model server was not sent.
    dropped: Vec<String>,
}

/// How the client wants the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// Streamed. Sent content cannot be taken back.
    Streamed,
    /// As a whole.
    Whole,
}

/// When the text of the answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextDelivery {
    /// While the model writes it.
    AsItComes,
    /// At the end: the answer must be data, and text before it is not part of it.
    AtTheEnd,
}

/// When a call is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallDelivery {
    /// In pieces, while the model writes it, because it is not repaired.
    InPieces,
    /// When it is complete and validated.
    Complete,
}

/// A step of the answer.
enum Step {
    /// A part of its text or reasoning.
    Piece(ChatChunk),
    /// A part of a call.
    Part(ChatChunk),
    /// The end of the reply.
    Done(Box<AiMessage>),
}

impl Reply {
    /// The answer to `request` from the events of this turn.
    pub(crate) fn new(
        request: &ClientRequest,
        log: RequestLog,
        writer: ReplyWriter,
        turn: Turn,
    ) -> Self {
        let is_data = request.options.response_schema.is_some();
        Self {
            writer,
            events: turn.events,
            log,
            delivery: if request.stream {
                Delivery::Streamed
            } else {
                Delivery::Whole
            },
            text: if is_data {
                TextDelivery::AtTheEnd
            } else {
                TextDelivery::AsItComes
            },
            calls: turn.calls,
            asked: request.messages.len(),
            sent: Sent::default(),
            is_announced: false,
            end: None,
            fields: ServerFields::default(),
            dropped: Vec::new(),
        }
    }

    /// Reports these parts of the request as dropped.
    pub(crate) fn without(mut self, dropped: Vec<String>) -> Self {
        self.dropped = dropped;
        self
    }

    /// Several requests to model servers may drop the same fields.
    fn note_dropped(&mut self, names: Vec<String>) {
        for name in names {
            if !self.dropped.contains(&name) {
                self.dropped.push(name);
            }
        }
    }

    /// Sends the answer in the way that the client requested.
    pub(crate) async fn response(self) -> Response {
        match self.delivery {
            Delivery::Streamed => self.streamed().await,
            Delivery::Whole => self.whole().await,
        }
    }

    /// The next step; `None` after the end.
    async fn step(&mut self) -> Option<Result<Step, AgentError>> {
        if self.may_send_fields() {
            let fields = Box::new(mem::take(&mut self.fields));
            return Some(Ok(Step::Piece(ChatChunk::ServerFields(fields))));
        }
        if let Some(end) = self.end.take() {
            return Some(Ok(Step::Done(end)));
        }
        loop {
            let event = match self.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            self.log.interventions.note(&event);
            match event {
                Event::Chunk(ChatChunk::AnsweredBy(model)) => self.writer.answered_by(model),
                Event::Chunk(ChatChunk::FieldsDropped(names)) => self.note_dropped(names),
                Event::Chunk(ChatChunk::ServerFields(fields)) => {
                    self.fields.extend(*fields);
                    if self.may_send_fields() {
                        let fields = Box::new(mem::take(&mut self.fields));
                        return Some(Ok(Step::Piece(ChatChunk::ServerFields(fields))));
                    }
                }
                // The reply of the last request counts.
                Event::RoundStarted { .. } => self.fields = ServerFields::default(),
                Event::Chunk(chunk) if self.goes_out_in_pieces(&chunk) => {
                    return Some(Ok(Step::Part(chunk)));
                }
                Event::Chunk(chunk @ ChatChunk::CallStart { .. }) if !self.is_announced => {
                    self.is_announced = true;
                    return Some(Ok(Step::Piece(chunk)));
                }
                Event::Chunk(chunk)
                    if self.text == TextDelivery::AsItComes && self.sent.note(&chunk) =>
                {
                    return Some(Ok(Step::Piece(chunk)));
                }
                Event::CallAccepted { call, .. } => {
                    if self.sent.is_out_in_pieces(&call.id) {
                        self.sent.message.tool_calls.push(call);
                        continue;
                    }
                    let index = self.sent.message.tool_calls.len();
                    let id = call.id.clone();
                    let call = self.writer.with_own_id(call);
                    self.sent.call(id, call.clone());
                    return Some(Ok(Step::Piece(ChatChunk::CallEnd { index, call })));
                }
                Event::CallRetracted { .. } if self.delivery == Delivery::Streamed => {
                    return Some(Err(retracted().into()));
                }
                Event::CallRetracted { place } => self.sent.retract(place),
                Event::Done(answer) if self.is_unfilled(&answer) => {
                    return Some(Err(unfilled().into()));
                }
                Event::Done(answer) => return Some(Ok(self.last(*answer))),
                _ => {}
            }
        }
    }

    /// Whether fields of the model server's reply may be sent: in a stream, after content, before
    /// which a failure can still be an HTTP status. A refusal is content.
    fn may_send_fields(&self) -> bool {
        let is_refusal = self.fields.message.contains_key("refusal");
        let has_begun = self.is_announced || self.sent.has_begun() || is_refusal;
        self.delivery == Delivery::Streamed && !self.fields.is_empty() && has_begun
    }

    /// True for a chunk of a call that is sent before the call is complete. A call whose id is
    /// already used waits for its end, because it gets another id; so does every call after one
    /// that was sent whole.
    fn goes_out_in_pieces(&mut self, chunk: &ChatChunk) -> bool {
        if self.calls == CallDelivery::Complete {
            return false;
        }
        match chunk {
            ChatChunk::CallStart { id: Some(id), .. }
                if self.sent.is_all_in_pieces() && self.writer.takes(id) =>
            {
                self.sent.in_pieces.push(id.clone());
                true
            }
            ChatChunk::CallArgs { .. } => !self.sent.in_pieces.is_empty(),
            _ => false,
        }
    }

    /// The next event, or an error when the gateway ends. The stream makes progress only while it is
    /// polled; in between, only the model server works.
    async fn next(&mut self) -> Option<Result<Event, AgentError>> {
        let closing = self.log.shared.closing.clone();
        tokio::select! {
            biased;
            event = self.log.timed(self.events.next()) => event,
            error = closing.closed() => Some(Err(error.into())),
        }
    }

    /// Whether the answer is still empty after the model was asked again. An answer that reached its
    /// limit of tokens or was refused says so by its stop reason.
    fn is_unfilled(&self, answer: &Answer) -> bool {
        let was_asked_again = !self.log.interventions.recovery.is_empty();
        let replies = answer.messages.iter().rev();
        let last = replies.map_while(|message| match message {
            Message::Ai(reply) => reply.stop_reason,
            _ => None,
        });
        let is_plain = last
            .take(1)
            .all(|reason| !matches!(reason, StopReason::MaxTokens | StopReason::Refusal));
        let message = &self.sent.message;
        let is_silent = message.tool_calls.is_empty() && message.content.text().trim().is_empty();
        was_asked_again && is_plain && is_silent && answer.outcome == Outcome::Empty
    }

    /// The end: the whole reply as it was sent in pieces, or first the text that was not sent yet,
    /// such as an answer that had to be data.
    fn last(&mut self, answer: Answer) -> Step {
        let new = answer.messages.get(self.asked..).unwrap_or_default();
        let mut replies = new.iter().rev().filter_map(|message| match message {
            Message::Ai(reply) => Some(reply),
            _ => None,
        });
        let last = replies.next();
        let sent = &mut self.sent.message;
        let unsaid = match last {
            _ if !sent.content.text().is_empty() => String::new(),
            Some(reply) => reply.content.text(),
            None => answer.text,
        };
        sent.usage = Some(answer.usage);
        sent.stop_reason = last.and_then(|reply| reply.stop_reason);
        self.log.usage = answer.usage;
        self.log.calls = sent.tool_calls.len();
        self.log.status = 200;
        let calls = &self.sent.message.tool_calls;
        if let Some(call) = calls.first().filter(|_| new.len() > 1) {
            let rounds = self.sent.as_sent(new);
            self.log.shared.hidden_rounds.keep(&call.id, rounds);
        }
        if let Some(report) = self.log.interventions.report() {
            self.writer.report(report);
        }
        if self.delivery == Delivery::Whole {
            self.writer.fields(mem::take(&mut self.fields));
        }
        if unsaid.is_empty() {
            self.show_given();
            return Step::Done(Box::new(mem::take(&mut self.sent.message)));
        }
        let unsaid = ChatChunk::Text(unsaid);
        self.sent.note(&unsaid);
        self.show_given();
        self.end = Some(Box::new(mem::take(&mut self.sent.message)));
        Step::Piece(unsaid)
    }

    /// Shows the whole reply on the page.
    fn show_given(&self) {
        let given = || Given::of(&self.sent.message);
        self.log.exchange.give(given);
    }

    /// Writes a step and all that are already available; returns true if no more follow.
    async fn write(&mut self, first: Result<Step, AgentError>, out: &mut Vec<u8>) -> bool {
        let mut step = first;
        let mut looks = 0;
        loop {
            match step {
                Ok(step) => out.append(&mut self.bytes(step)),
                Err(error) => {
                    let refusal = self.log.note_failure(&error);
                    let failed = self.writer.failed(&refusal);
                    let failed = failed.unwrap_or_else(|| self.log.dialect.stream_error(&refusal));
                    out.extend(failed);
                    return true;
                }
            }
            if out.len() >= MAX_PIECE || looks >= MAX_LOOKS {
                return false;
            }
            looks += 1;
            // A step has no state of its own: if it is not available now, polling can start again
            // later.
            step = match at_once(self.step()).await {
                Some(Some(step)) => step,
                Some(None) => return true,
                None => return false,
            };
        }
    }

    /// The bytes of a step.
    fn bytes(&mut self, step: Step) -> Vec<u8> {
        let writer = &mut self.writer;
        self.log.note_output();
        self.log.work(|| match step {
            Step::Piece(chunk) => writer.chunk(&chunk),
            Step::Part(chunk) => writer.part(&chunk),
            Step::Done(reply) => writer.chunk(&ChatChunk::Done(*reply)),
        })
    }

    /// Sends the answer as a stream.
    async fn streamed(mut self) -> Response {
        let mut first = match self.first_step().await {
            Ok(step) => step,
            Err(response) => return *response,
        };
        let content_type = self.log.dialect.framing().content_type();
        let dropped = self.dropped_header();
        // The head is sent together with it.
        let mut begin = Vec::new();
        if matches!(first, Step::Piece(ChatChunk::CallStart { .. }))
            && let Ok(next) = timeout(CALL_DUE, self.first_step()).await
        {
            // An answer whose calls stay invalid can still be reported as a status.
            let next = match next {
                Ok(next) => next,
                Err(response) => return *response,
            };
            begin = self.bytes(mem::replace(&mut first, next));
        }
        let is_over = self.write(Ok(first), &mut begin).await;
        let rest = stream::unfold((!is_over).then_some(self), |reply| async {
            let mut reply = reply?;
            let step = reply.step().await?;
            let mut out = Vec::new();
            let is_over = reply.write(step, &mut out).await;
            Some((out, (!is_over).then_some(reply)))
        });
        let pieces = stream::once(std::future::ready(begin)).chain(rest);
        let body = Body::from_stream(pieces.map(Ok::<_, std::convert::Infallible>));
        let mut response = respond::stream(content_type, body);
        response.headers_mut().extend(dropped);
        response
    }

    /// The header that names the fields of the request that the model server was not sent.
    fn dropped_header(&self) -> Option<(HeaderName, HeaderValue)> {
        let names = self.dropped.join(", ");
        let value = HeaderValue::from_str(&names).ok();
        let value = value.filter(|value| !value.is_empty())?;
        Some((DROPPED, value))
    }

    /// The first step, before which a failure is reported as a status.
    async fn first_step(&mut self) -> Result<Step, Box<Response>> {
        match self.step().await {
            Some(Ok(step)) => Ok(step),
            Some(Err(error)) => Err(Box::new(self.log.failed(&error))),
            None => Err(Box::new(self.log.refused(&incomplete()))),
        }
    }

    /// Sends the whole answer.
    async fn whole(mut self) -> Response {
        loop {
            match self.first_step().await {
                Ok(Step::Piece(_) | Step::Part(_)) => {}
                Ok(Step::Done(message)) => {
                    let dropped = self.dropped_header();
                    let Self { writer, log, .. } = &mut self;
                    let body = log.work(|| writer.whole(&message));
                    let mut response = json_bytes(body);
                    response.headers_mut().extend(dropped);
                    if let Some(done) = log.interventions.header() {
                        response.headers_mut().insert(DONE, done);
                    }
                    return response;
                }
                Err(response) => return *response,
            }
        }
    }
}

/// The error after a call was sent that the end of the reply shows to be none.
fn retracted() -> ModelError {
    let message = "A call went out that the model only thought of: the thought ended without \
        having begun, or the model server reported other calls";
    ModelError::new(ModelErrorKind::Malformed, message)
        .with_hint("do not run it, and ask again: from now on such calls wait for the end")
}

/// The error of an answer that stayed empty.
fn unfilled() -> ModelError {
    let message = "The model gave no answer, even when it was asked again";
    ModelError::new(ModelErrorKind::EmptyBody, message)
        .with_hint("ask in other words, or use a larger model")
}

/// The error of a reply that ended before it was complete.
fn incomplete() -> Refusal {
    Refusal::new(502, "The reply ended before it was complete")
}
