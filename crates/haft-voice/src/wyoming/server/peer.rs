//! Serves one connection: reads requests and sends events.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::Shared;
use super::conversations::Conversation;
use crate::wyoming::protocol::Event;
use crate::wyoming::protocol::{EventReader, EventWriter, halves};
use crate::{VoiceError, VoiceEvent};

/// A connection without requests is closed after this time.
const IDLE: Duration = Duration::from_secs(600);
/// The timeout of sending an event.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// The maximum length of a text in bytes, longer than anyone speaks in one breath.
const MAX_TEXT: usize = 8 * 1024;

struct Peer<'a> {
    shared: &'a Shared,
    writer: EventWriter,
    /// The conversation for requests that name none.
    own: Option<Arc<Conversation>>,
}

/// Serves requests until the peer closes the connection, or until `ended` and no answer is running.
pub(super) async fn serve(stream: TcpStream, shared: &Shared, mut ended: watch::Receiver<bool>) {
    let (mut reader, writer) = halves(stream);
    let mut peer = Peer {
        shared,
        writer,
        own: None,
    };
    loop {
        let next = tokio::select! {
            biased;
            next = next(&mut reader) => next,
            _ = ended.wait_for(|ended| *ended) => return,
        };
        let done = match next {
            Ok(Some(event)) => peer.answer(&event).await,
            Ok(None) => return,
            Err(error) => {
                tracing::debug!(reason = error.detail(), "a Wyoming client broke the rules");
                // The peer may be gone, so sending the error is best effort.
                let _ = peer.send(problem(&error.to_string())).await;
                return;
            }
        };
        if let Err(error) = done {
            tracing::debug!(reason = error.detail(), "a Wyoming client left early");
            return;
        }
    }
}

/// The next event; `None` when the peer was idle for too long.
async fn next(reader: &mut EventReader) -> Result<Option<Event>, VoiceError> {
    match timeout(IDLE, reader.next()).await {
        Ok(next) => Ok(next?),
        Err(_) => Ok(None),
    }
}

impl Peer<'_> {
    async fn answer(&mut self, event: &Event) -> Result<(), VoiceError> {
        match event.kind.as_str() {
            "describe" => self.send(self.shared.info.clone()).await,
            "ping" => {
                let mut pong = Event::new("pong");
                pong.data.clone_from(&event.data);
                self.send(pong).await
            }
            "transcript" | "recognize" => match event.text() {
                None => {
                    let missing = format!("`{}` has no `text`", event.kind);
                    self.send(problem(&missing)).await
                }
                Some(text) if text.len() > MAX_TEXT => {
                    let kind = match event.kind.as_str() {
                        "recognize" => "not-recognized",
                        _ => "not-handled",
                    };
                    let sorry = "Sorry, that is too long.";
                    self.send(Event::new(kind).with("text", sorry)).await
                }
                Some(text) if event.kind == "transcript" => {
                    let context = event.data.get("context");
                    self.handle(text, context).await
                }
                Some(text) => {
                    for event in self.shared.intents.recognize(text).await {
                        self.send(event).await?;
                    }
                    Ok(())
                }
            },
            // Unknown events are ignored, because the protocol is extended over time.
            _ => Ok(()),
        }
    }

    /// Answers `text`: sentence by sentence, then as a whole. Clients that do not support streamed
    /// sentences ignore them.
    async fn handle(&mut self, text: &str, context: Option<&Value>) -> Result<(), VoiceError> {
        let conversation = self.conversation(context);
        let _turn = conversation.turn.lock().await;
        // For the observer this is the transcript.
        let heard = VoiceEvent::Transcription {
            text: text.to_owned(),
            took: Duration::ZERO,
        };
        self.observe(&heard);
        let mut events = conversation.assistant.answer(text);
        let with_context = |event: Event| match context {
            Some(context) => event.with("context", context.clone()),
            None => event,
        };
        let mut is_streaming = false;
        let last = loop {
            let Some(event) = events.next().await else {
                break not_handled("Sorry, there is no answer.");
            };
            self.observe(&event);
            match event {
                VoiceEvent::Sentence(text) => {
                    let text = match is_streaming {
                        true => format!(" {text}"),
                        false => {
                            self.send(with_context(Event::new("handled-start"))).await?;
                            text
                        }
                    };
                    is_streaming = true;
                    let chunk = Event::new("handled-chunk").with("text", text);
                    self.send(chunk).await?;
                }
                VoiceEvent::Answer { text, .. } => break Event::new("handled").with("text", text),
                VoiceEvent::Error(error) => break not_handled(error.spoken()),
                VoiceEvent::Dropped(_) => break not_handled("Sorry, I heard no words."),
                VoiceEvent::Cancelled => break not_handled("Never mind."),
                _ => {}
            }
        };
        self.send(with_context(last)).await?;
        if is_streaming {
            self.send(Event::new("handled-stop")).await?;
        }
        Ok(())
    }

    fn conversation(&mut self, context: Option<&Value>) -> Arc<Conversation> {
        let name = context.and_then(|context| context.get("conversation_id"));
        let named = name.and_then(Value::as_str);
        let conversations = &self.shared.conversations;
        match named.and_then(|name| conversations.named(name)) {
            Some(conversation) => conversation,
            None => Arc::clone(self.own.get_or_insert_with(|| conversations.begin())),
        }
    }

    fn observe(&self, event: &VoiceEvent) {
        if let Some(observer) = &self.shared.observer {
            observer(event);
        }
    }

    async fn send(&mut self, event: Event) -> Result<(), VoiceError> {
        match timeout(SEND_LIMIT, self.writer.send(&event)).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(VoiceError::new(
                crate::VoiceErrorKind::Timeout,
                "The client takes nothing",
            )),
        }
    }
}

fn not_handled(text: &str) -> Event {
    Event::new("not-handled").with("text", text)
}

fn problem(text: &str) -> Event {
    Event::new("error").with("text", text)
}
