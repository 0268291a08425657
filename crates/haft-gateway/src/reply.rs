//! Hands an answer out, as it comes or in one piece; both are made of the same steps.
//!
//! Nothing goes out before there is something to say: until then a failure is a status.

use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use haft_agent::{AgentError, EventStream};
use haft_core::{
    AiMessage, Answer, ChatChunk, Content, ContentBlock, Event, Message, ModelError, ModelErrorKind,
};
use haft_models::{Dialect, ReplyWriter};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::account::Account;
use crate::chat::{status, told};
use crate::routes::{refused, written};

/// Tells what was done to a reply that goes out in one piece.
const DONE: HeaderName = HeaderName::from_static("x-haft-done");

/// So many bytes of a stream go out in one piece at most, where so much is there already: as much
/// as hyper writes at once.
pub(crate) const AT_ONCE: usize = 16 * 1024;

/// How long a reply that begins with a call waits for the call before it says that there will be
/// one: a short call is made in that time, and a client that shows what comes, or may leave, does
/// not notice it.
const CALL_DUE: Duration = Duration::from_secs(1);

/// So many times more is looked for before what there is goes out: whoever sends without a pause
/// must not keep it back.
pub(crate) const LOOKS: usize = 32;

/// An answer on its way.
pub(crate) struct Reply {
    pub(crate) dialect: Dialect,
    pub(crate) events: EventStream,
    /// Its place among those that are answered, taken up to its end.
    pub(crate) _room: OwnedSemaphorePermit,
    pub(crate) account: Account,
    pub(crate) writer: ReplyWriter,
    /// The answer has to be data: what is said before that is no part of it.
    pub(crate) is_data: bool,
    /// It goes out as it comes: what is out cannot be taken back.
    pub(crate) is_streamed: bool,
    /// How many messages the conversation had.
    pub(crate) asked: usize,
    /// What went out so far.
    pub(crate) sent: AiMessage,
    /// The model has begun a call: the client learns that there will be an answer.
    pub(crate) has_begun: bool,
    /// Calls go out piece by piece, as they are made.
    pub(crate) flows: bool,
    /// The ids of calls that went out like that, in order.
    pub(crate) flowed: Vec<String>,
    /// Ids of calls that the conversation had already, and those that went out in their place.
    pub(crate) renamed: Vec<(String, String)>,
    /// The end, while what comes before it goes out.
    pub(crate) end: Option<Box<AiMessage>>,
}

/// A step of the answer.
enum Step {
    /// More of it.
    Piece(ChatChunk),
    /// A piece of a call.
    Part(ChatChunk),
    /// Its end.
    Done(Box<AiMessage>),
}

impl Reply {
    /// The next step; none after the end.
    async fn step(&mut self) -> Option<Result<Step, AgentError>> {
        if let Some(end) = self.end.take() {
            return Some(Ok(Step::Done(end)));
        }
        loop {
            let event = match self.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            self.account.deeds.note(&event);
            match event {
                Event::Chunk(ChatChunk::AnsweredBy(model)) => self.writer.answered_by(model),
                Event::Chunk(chunk) if self.flows && self.is_part(&chunk) => {
                    return Some(Ok(Step::Part(chunk)));
                }
                Event::Chunk(chunk @ ChatChunk::CallStart { .. }) if !self.has_begun => {
                    self.has_begun = true;
                    return Some(Ok(Step::Piece(chunk)));
                }
                Event::Chunk(chunk) if !self.is_data && self.says(&chunk) => {
                    return Some(Ok(Step::Piece(chunk)));
                }
                Event::CallAccepted { call, .. } => {
                    if self.flowed.contains(&call.id) {
                        self.sent.tool_calls.push(call);
                        continue;
                    }
                    let index = self.sent.tool_calls.len();
                    let id = call.id.clone();
                    let call = self.writer.with_own_id(call);
                    if call.id != id {
                        self.renamed.push((id, call.id.clone()));
                    }
                    self.sent.tool_calls.push(call.clone());
                    return Some(Ok(Step::Piece(ChatChunk::CallEnd { index, call })));
                }
                Event::CallTakenBack { .. } if self.is_streamed => {
                    return Some(Err(taken_back().into()));
                }
                Event::CallTakenBack { place } if place < self.sent.tool_calls.len() => {
                    self.sent.tool_calls.remove(place);
                }
                Event::Done(answer) => return Some(Ok(self.last(*answer))),
                _ => {}
            }
        }
    }

    /// True for what goes out of a call before its end. A call whose id is taken waits for its end,
    /// as its id will be another one; so does each that follows one which went out whole.
    fn is_part(&mut self, chunk: &ChatChunk) -> bool {
        let mut out = self.sent.tool_calls.iter();
        let all_flowed = out.all(|call| self.flowed.contains(&call.id));
        match chunk {
            ChatChunk::CallStart { id: Some(id), .. } if all_flowed && self.writer.takes(id) => {
                self.flowed.push(id.clone());
                true
            }
            ChatChunk::CallArgs { .. } => !self.flowed.is_empty(),
            _ => false,
        }
    }

    /// The next event. The stream works only while it is polled; between that, the model server
    /// does.
    async fn next(&mut self) -> Option<Result<Event, AgentError>> {
        self.account.timed(self.events.next()).await
    }

    /// Takes note of what goes out; false for a chunk that does not.
    fn says(&mut self, chunk: &ChatChunk) -> bool {
        let Content::Blocks(blocks) = &mut self.sent.content else {
            return false;
        };
        match (chunk, blocks.last_mut()) {
            (ChatChunk::Text(more), Some(ContentBlock::Text { text })) => text.push_str(more),
            (ChatChunk::Text(text), _) => blocks.push(ContentBlock::Text { text: text.clone() }),
            (
                ChatChunk::Reasoning(more),
                Some(ContentBlock::Thinking {
                    thinking,
                    signature: None,
                }),
            ) => thinking.push_str(more),
            (ChatChunk::Reasoning(thinking), _) => blocks.push(ContentBlock::Thinking {
                thinking: thinking.clone(),
                signature: None,
            }),
            (ChatChunk::Signature(more), Some(ContentBlock::Thinking { signature, .. })) => {
                signature.get_or_insert_default().push_str(more);
            }
            (ChatChunk::Signature(seal), _) => blocks.push(ContentBlock::Thinking {
                thinking: String::new(),
                signature: Some(seal.clone()),
            }),
            (ChatChunk::RedactedThinking(data), _) => {
                blocks.push(ContentBlock::RedactedThinking { data: data.clone() });
            }
            _ => return false,
        }
        true
    }

    /// The end: the whole reply as it was handed out piece by piece, or first what was not said
    /// yet, such as an answer that had to be data.
    fn last(&mut self, answer: Answer) -> Step {
        let new = answer.messages.get(self.asked..).unwrap_or_default();
        let mut replies = new.iter().rev().filter_map(|message| match message {
            Message::Ai(reply) => Some(reply),
            _ => None,
        });
        let last = replies.next();
        let unsaid = match last {
            _ if !self.sent.content.text().is_empty() => String::new(),
            Some(reply) => reply.content.text(),
            None => answer.text,
        };
        self.sent.usage = Some(answer.usage);
        self.sent.stop_reason = last.and_then(|reply| reply.stop_reason);
        self.account.usage = answer.usage;
        self.account.calls = self.sent.tool_calls.len();
        self.account.status = 200;
        if let Some(call) = self.sent.tool_calls.first().filter(|_| new.len() > 1) {
            let rounds = renamed(new, &self.renamed);
            self.account.shared.kept.keep(&call.id, rounds);
        }
        if let Some(report) = self.account.deeds.report() {
            self.writer.report(report);
        }
        if unsaid.is_empty() {
            return Step::Done(Box::new(mem::take(&mut self.sent)));
        }
        let unsaid = ChatChunk::Text(unsaid);
        self.says(&unsaid);
        self.end = Some(Box::new(mem::take(&mut self.sent)));
        Step::Piece(unsaid)
    }

    /// Writes a step and, in the same go, those that are there already; true when nothing comes
    /// after them.
    async fn write(&mut self, first: Result<Step, AgentError>, out: &mut Vec<u8>) -> bool {
        let mut step = first;
        let mut looks = 0;
        loop {
            match step {
                Ok(step) => out.append(&mut self.bytes(step)),
                Err(error) => {
                    note(&error, &mut self.account);
                    let status = self.account.status;
                    out.append(&mut self.dialect.failed(status, &told(&error)));
                    return true;
                }
            }
            if out.len() >= AT_ONCE {
                return false;
            }
            if looks >= LOOKS {
                return false;
            }
            looks += 1;
            // A step keeps nothing to itself: one that is not there now is begun again later.
            step = match at_once(self.step()).await {
                Some(Some(step)) => step,
                Some(None) => return true,
                None => return false,
            };
        }
    }

    /// What goes out for a step.
    fn bytes(&mut self, step: Step) -> Vec<u8> {
        let writer = &mut self.writer;
        self.account.work(|| match step {
            Step::Piece(chunk) => writer.chunk(&chunk),
            Step::Part(chunk) => writer.part(&chunk),
            Step::Done(reply) => writer.chunk(&ChatChunk::Done(*reply)),
        })
    }
}

/// What `next` gives, if it is there already: at once, or when those had their turn who are about
/// to hand it on. What the connection to the model server has received comes from there event by
/// event.
pub(crate) async fn at_once<F: Future>(next: F) -> Option<F::Output> {
    let mut had_their_turn = false;
    let mut next = pin!(next);
    poll_fn(|context| match next.as_mut().poll(context) {
        Poll::Ready(next) => Poll::Ready(Some(next)),
        Poll::Pending if had_their_turn => Poll::Ready(None),
        Poll::Pending => {
            had_their_turn = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await
}

/// Takes note of a failure.
pub(crate) fn note(error: &AgentError, account: &mut Account) {
    account.status = status(error);
    tracing::warn!(%error, detail = error.detail(), "a request failed");
}

/// A call went out that the model did not make, as the reply's end tells.
fn taken_back() -> ModelError {
    let message = "A call went out that the model only thought of: the thought ended without \
        having begun, or the model server told of other calls";
    ModelError::new(ModelErrorKind::Malformed, message)
        .with_hint("do not run it, and ask again: from now on such calls wait for the end")
}

/// A reply that ended before it was complete.
fn ended(dialect: Dialect, account: &mut Account) -> Response {
    account.status = 502;
    refused(
        dialect,
        account.status,
        "The reply ended before it was complete",
    )
}

/// A failure before anything was said.
pub(crate) fn failed(dialect: Dialect, error: &AgentError, account: &mut Account) -> Response {
    note(error, account);
    let mut response = refused(dialect, account.status, &told(error));
    if let Some(wait) = error.retry_after() {
        let seconds = HeaderValue::from(wait.as_secs().max(1));
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// The messages with the ids that went out.
fn renamed(messages: &[Message], ids: &[(String, String)]) -> Vec<Message> {
    let mut messages = messages.to_vec();
    for message in &mut messages {
        if let Message::Ai(reply) = message {
            for call in &mut reply.tool_calls {
                if let Some((_, id)) = ids.iter().find(|(id, _)| *id == call.id) {
                    call.id.clone_from(id);
                }
            }
        }
    }
    messages
}

/// The answer as it comes.
pub(crate) async fn streamed(dialect: Dialect, mut reply: Reply) -> Response {
    let mut first = match reply.step().await {
        Some(Ok(step)) => step,
        Some(Err(error)) => return failed(dialect, &error, &mut reply.account),
        None => return ended(dialect, &mut reply.account),
    };
    let kind = dialect.stream_type();
    // The head goes out together with it.
    let mut begin = Vec::new();
    if matches!(first, Step::Piece(ChatChunk::CallStart { .. }))
        && let Ok(next) = timeout(CALL_DUE, reply.step()).await
    {
        // A call that stays wrong can be a status still.
        let next = match next {
            Some(Ok(next)) => next,
            Some(Err(error)) => return failed(dialect, &error, &mut reply.account),
            None => return ended(dialect, &mut reply.account),
        };
        begin = reply.bytes(mem::replace(&mut first, next));
    }
    let is_over = reply.write(Ok(first), &mut begin).await;
    let rest = stream::unfold((!is_over).then_some(reply), |reply| async {
        let mut reply = reply?;
        let step = reply.step().await?;
        let mut out = Vec::new();
        let is_over = reply.write(step, &mut out).await;
        Some((out, (!is_over).then_some(reply)))
    });
    let pieces = stream::once(std::future::ready(begin)).chain(rest);
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
            Some(Ok(Step::Piece(_) | Step::Part(_))) => {}
            Some(Ok(Step::Done(message))) => {
                let Reply {
                    writer, account, ..
                } = &mut reply;
                let body = account.work(|| writer.whole(&message));
                let mut response = written(body);
                if let Some(done) = account.deeds.header() {
                    response.headers_mut().insert(DONE, done);
                }
                return response;
            }
            Some(Err(error)) => return failed(dialect, &error, &mut reply.account),
            None => return ended(dialect, &mut reply.account),
        }
    }
}
