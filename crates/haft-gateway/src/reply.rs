//! The steps of which an answer to the client consists, streamed or whole: what is sent of the
//! events of a turn, and when. `reply/delivery.rs` sends them; `reply/sent.rs` knows what was sent.

mod delivery;
mod sent;

use std::mem;

use futures_util::StreamExt;
use haft_agent::{AgentError, EventStream};
use haft_core::{
    AiMessage, Answer, ChatChunk, Event, Message, ModelError, ModelErrorKind, Outcome,
    ServerFields, StopReason,
};
use haft_models::ClientRequest;

use self::sent::Sent;
use crate::activity::Given;
use crate::chat::Turn;
use crate::dialects::writer::ReplyWriter;
use crate::request_log::RequestLog;

/// An answer that is being sent.
pub(crate) struct Reply {
    events: EventStream,
    log: Box<RequestLog>,
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
        log: Box<RequestLog>,
        writer: ReplyWriter,
        turn: Turn,
    ) -> Self {
        let is_data = request.options.response_schema.is_some();
        Self {
            writer,
            events: turn.events,
            log,
            delivery: match request.stream {
                true => Delivery::Streamed,
                false => Delivery::Whole,
            },
            text: match is_data {
                true => TextDelivery::AtTheEnd,
                false => TextDelivery::AsItComes,
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

    /// The next step; `None` after the end.
    async fn step(&mut self) -> Option<Result<Step, AgentError>> {
        if let Some(fields) = self.sendable_fields() {
            return Some(Ok(fields));
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
                    if let Some(fields) = self.sendable_fields() {
                        return Some(Ok(fields));
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

    /// The fields of the model server's reply, if they may be sent: in a stream, after content,
    /// before which a failure can still be an HTTP status. A refusal is content.
    fn sendable_fields(&mut self) -> Option<Step> {
        let is_refusal = self.fields.message.contains_key("refusal");
        let has_begun = self.is_announced || self.sent.has_begun() || is_refusal;
        let may_go = self.delivery == Delivery::Streamed && !self.fields.is_empty() && has_begun;
        let fields = may_go.then(|| Box::new(mem::take(&mut self.fields)))?;
        Some(Step::Piece(ChatChunk::ServerFields(fields)))
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
        let unsaid = (!unsaid.is_empty()).then_some(ChatChunk::Text(unsaid));
        if let Some(unsaid) = &unsaid {
            self.sent.note(unsaid);
        }
        // The page shows the whole reply.
        self.log.exchange.give(|| Given::of(&self.sent.message));
        let message = Box::new(mem::take(&mut self.sent.message));
        match unsaid {
            None => Step::Done(message),
            Some(unsaid) => {
                self.end = Some(message);
                Step::Piece(unsaid)
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
