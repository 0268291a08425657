//! The events of a reply in the background. They follow from the state of its run, so that each has
//! the same number at every gateway, and a client that was cut off goes on with `starting_after`.

use std::convert::Infallible;
use std::mem;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use futures_util::stream::unfold;
use haft_durable::RunState;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::sleep;

use super::super::frames::event;
use super::background::BackgroundReply;
use super::object::State;
use crate::activity::Progress;
use crate::respond;
use crate::run_visitor::Visitor;
use crate::shared::Shared;

/// How often the state of a run is read.
const LOOK: Duration = Duration::from_millis(500);

/// After how many looks without news something is sent, so that proxies keep the connection.
const LOOKS: usize = 20;

/// A comment, which readers skip.
const ALIVE: &str = ":\n\n";

/// Which events the client has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Events {
    /// The number of the next event.
    next: usize,
}

impl Events {
    /// The events after the one with this number; all of them if there is none.
    pub(super) fn after(number: Option<usize>) -> Self {
        Self {
            next: number.map_or(0, |number| number.saturating_add(1)),
        }
    }

    /// The events that the client does not have.
    fn new_of(&mut self, reply: &BackgroundReply) -> String {
        let mut out = Vec::new();
        let events = events(reply);
        for (number, one) in events.iter().enumerate().skip(self.next) {
            one.write(number, &mut out);
        }
        self.next = self.next.max(events.len());
        String::from_utf8(out).unwrap_or_default()
    }
}

/// An event without its number.
struct ResponseEvent {
    kind: &'static str,
    fields: Value,
}

impl ResponseEvent {
    fn new(kind: &'static str, fields: Value) -> Self {
        Self { kind, fields }
    }

    fn write(&self, number: usize, out: &mut Vec<u8>) {
        let mut fields = self.fields.as_object().cloned().unwrap_or_default();
        fields.insert("type".to_owned(), self.kind.into());
        fields.insert("sequence_number".to_owned(), number.into());
        event(Some(self.kind), &fields, out);
    }
}

/// The events of a reply so far (OpenAI's API reference, "Streaming events").
fn events(reply: &BackgroundReply) -> Vec<ResponseEvent> {
    let whole = |kind, state: &State<'_>| {
        ResponseEvent::new(kind, json!({"response": reply.object_in(state)}))
    };
    let mut events = vec![
        whole("response.created", &State::Queued),
        whole("response.queued", &State::Queued),
    ];
    if matches!(
        reply.run_state(),
        RunState::Queued | RunState::Delayed { .. }
    ) {
        return events;
    }
    events.push(whole("response.in_progress", &State::InProgress));
    let last = match reply.run_state() {
        RunState::Answered { .. } => "response.completed",
        state if state.has_ended() => "response.failed",
        _ => return events,
    };
    for (index, item) in reply.items().into_iter().enumerate() {
        events.extend(item_events(index, &item));
    }
    events.push(ResponseEvent::new(
        last,
        json!({"response": reply.object()}),
    ));
    events
}

/// The events of a message with one text.
fn item_events(index: usize, item: &Value) -> [ResponseEvent; 6] {
    let part = item.pointer("/content/0").cloned().unwrap_or_default();
    let text = part.get("text").cloned().unwrap_or_default();
    let mut begun = item.clone();
    let mut empty = part.clone();
    if let (Some(begun), Some(empty)) = (begun.as_object_mut(), empty.as_object_mut()) {
        begun.insert("status".to_owned(), "in_progress".into());
        begun.insert("content".to_owned(), json!([]));
        empty.insert("text".to_owned(), "".into());
    }
    let of_text = |name: &str, value: Value| {
        json!({
            "item_id": item.get("id"), "output_index": index, "content_index": 0, name: value,
        })
    };
    let mut delta = of_text("delta", text.clone());
    let mut done = of_text("text", text);
    for fields in [&mut delta, &mut done] {
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("logprobs".to_owned(), json!([]));
        }
    }
    let of_item = |item: &Value| json!({"output_index": index, "item": item});
    [
        ResponseEvent::new("response.output_item.added", of_item(&begun)),
        ResponseEvent::new("response.content_part.added", of_text("part", empty)),
        ResponseEvent::new("response.output_text.delta", delta),
        ResponseEvent::new("response.output_text.done", done),
        ResponseEvent::new("response.content_part.done", of_text("part", part)),
        ResponseEvent::new("response.output_item.done", of_item(item)),
    ]
}

/// A client that reads the events.
struct Reader {
    visitor: Visitor,
    id: String,
    events: Events,
    /// What is sent first.
    first: String,
    /// Whether the client has the last event.
    is_over: bool,
    ending: watch::Receiver<Progress>,
}

/// The events of a reply until its end, without those that the client has.
pub(super) fn stream(
    visitor: Visitor,
    reply: &BackgroundReply,
    mut events: Events,
    shared: &Shared,
) -> Response {
    let reader = Reader {
        visitor,
        id: reply.id().to_owned(),
        first: events.new_of(reply),
        events,
        is_over: reply.run_state().has_ended(),
        ending: shared.activity.changed(),
    };
    let pieces = unfold(reader, |mut reader| async move {
        let piece = reader.piece().await?;
        Some((Ok::<_, Infallible>(piece), reader))
    });
    respond::stream("text/event-stream", Body::from_stream(pieces))
}

impl Reader {
    /// What is sent next; `None` at the end of the reply, or when the gateway ends.
    async fn piece(&mut self) -> Option<String> {
        if !self.first.is_empty() {
            return Some(mem::take(&mut self.first));
        }
        if self.is_over {
            return None;
        }
        for _ in 0..LOOKS {
            let ending = async {
                let _ = self.ending.wait_for(|progress| progress.is_ending).await;
            };
            tokio::select! {
                () = ending => return None,
                () = sleep(LOOK) => {}
            }
            match BackgroundReply::find(&self.visitor, &self.id).await {
                Ok(Some(reply)) => {
                    self.is_over = reply.run_state().has_ended();
                    let piece = self.events.new_of(&reply);
                    if self.is_over || !piece.is_empty() {
                        return Some(piece);
                    }
                }
                // It was erased.
                Ok(None) => return None,
                // The store is away for a while.
                Err(_) => {}
            }
        }
        Some(ALIVE.to_owned())
    }
}
