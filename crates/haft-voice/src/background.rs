//! `BackgroundTranscriber`: what is said is taken at once, and answered behind the caller's back.
//!
//! ```text
//! hear() -> queue -> ears: gate, recogniser, wake phrase -> mouth: assistant, speech -> events
//! ```
//!
//! Ears and mouth are a task each, so that the next utterance is understood while the last answer
//! is spoken, and can interrupt it. `ears.rs` is the one, `mouth.rs` the other.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::assistant::Assistant;
use crate::error::{VoiceError, VoiceErrorKind};
use crate::event::VoiceEvent;
use crate::transcriber::{Speech, Transcriber};
use crate::utterance::Utterance;
use crate::wake::WakePhrase;

mod ears;
mod mouth;

use ears::Ears;
use mouth::Mouth;

/// Events that wait for whoever watches; then the work waits, too.
const MOST_EVENTS: usize = 256;

/// Which utterance, counted from 1 by each transcriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtteranceId(u64);

impl UtteranceId {
    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// How utterances are heard and answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BackgroundOptions {
    /// Utterances that may wait: 64, more than a household says in a minute. At least 1.
    pub waiting: usize,
    /// An utterance that was understood cancels the answer before it: off.
    pub interrupt: bool,
    /// Only what begins with this phrase is answered.
    pub wake: Option<WakePhrase>,
    /// How long the recogniser may take: 60 s, for a large model on a small machine.
    pub transcription_limit: Duration,
    /// How long one sentence may take to be spoken: 60 s.
    pub speech_limit: Duration,
}

impl Default for BackgroundOptions {
    fn default() -> Self {
        Self {
            waiting: 64,
            interrupt: false,
            wake: None,
            transcription_limit: Duration::from_secs(60),
            speech_limit: Duration::from_secs(60),
        }
    }
}

/// Hears utterances in the background. Its tasks end when it is dropped and everything that
/// waited is answered, or with the runtime.
///
/// ```
/// use futures_util::StreamExt;
/// use haft_agent::Agent;
/// use haft_voice::{Assistant, AssistantOptions, BackgroundTranscriber, VoiceEvent};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let agent = Agent::builder()
///     .model("builtin")
///     .tool(haft_tools::get_current_datetime())
///     .build()
///     .await?;
/// let assistant = Assistant::new(agent, AssistantOptions::default())?;
/// let (voice, mut events) =
///     BackgroundTranscriber::start(assistant, None, None, Default::default());
/// let asked = voice.hear("What time is it in Lima?")?;
/// drop(voice);
/// let mut answers = Vec::new();
/// while let Some((id, event)) = events.next().await {
///     if let VoiceEvent::Answer { text, .. } = event {
///         answers.push((id, text));
///     }
/// }
/// assert_eq!(answers.len(), 1);
/// assert_eq!(answers[0].0, asked);
/// # Ok::<_, haft_voice::VoiceError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct BackgroundTranscriber {
    queue: mpsc::Sender<(UtteranceId, Utterance)>,
    latest: AtomicU64,
}

impl BackgroundTranscriber {
    /// Begins to listen, in tasks of the runtime that this is called in. Without a transcriber
    /// only words are understood; without speech the events alone carry the answers.
    #[must_use]
    pub fn start(
        assistant: Assistant,
        transcriber: Option<Arc<dyn Transcriber>>,
        speech: Option<Arc<dyn Speech>>,
        options: BackgroundOptions,
    ) -> (Self, VoiceEvents) {
        let (queue, heard) = mpsc::channel(options.waiting.max(1));
        let (understood, turns) = mpsc::channel(1);
        let (events, receiver) = mpsc::channel(MOST_EVENTS);
        let events = Events(events);
        let mouth = Mouth {
            assistant,
            speech,
            events: events.clone(),
            interrupt: options.interrupt,
            limit: options.speech_limit,
        };
        let ears = Ears {
            transcriber,
            events,
            wake: options.wake,
            limit: options.transcription_limit,
        };
        tokio::spawn(ears.listen(heard, understood));
        tokio::spawn(mouth.answer(turns));
        let latest = AtomicU64::new(0);
        (Self { queue, latest }, VoiceEvents { receiver })
    }

    /// Takes an utterance, and never waits.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Full`] when too many utterances wait already: this one is not taken.
    /// [`VoiceErrorKind::Closed`] when the runtime has ended.
    pub fn hear(&self, utterance: impl Into<Utterance>) -> Result<UtteranceId, VoiceError> {
        let id = self.next();
        match self.queue.try_send((id, utterance.into())) {
            Ok(()) => Ok(id),
            Err(TrySendError::Full(_)) => {
                let message = "Too many utterances wait to be heard";
                tracing::warn!(waiting = self.queue.max_capacity(), "{message}");
                Err(VoiceError::new(VoiceErrorKind::Full, message)
                    .with_hint("wait for some answers, or use a faster recogniser or model"))
            }
            Err(TrySendError::Closed(_)) => Err(closed()),
        }
    }

    /// Takes an utterance as soon as there is room: for those who can wait, such as readers of
    /// files.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Closed`] when the runtime has ended.
    pub async fn hear_when_free(
        &self,
        utterance: impl Into<Utterance>,
    ) -> Result<UtteranceId, VoiceError> {
        let id = self.next();
        let sent = self.queue.send((id, utterance.into())).await;
        sent.map(|()| id).map_err(|_| closed())
    }

    fn next(&self) -> UtteranceId {
        UtteranceId(self.latest.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

fn closed() -> VoiceError {
    VoiceError::new(VoiceErrorKind::Closed, "Nobody listens any more")
}

/// What happens, in order for each utterance. Whoever holds it reads it: when many events wait,
/// the work waits for them. Dropped, the events go nowhere, and the work goes on.
#[derive(Debug)]
pub struct VoiceEvents {
    receiver: mpsc::Receiver<(UtteranceId, VoiceEvent)>,
}

impl Stream for VoiceEvents {
    type Item = (UtteranceId, VoiceEvent);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context)
    }
}

/// Where the tasks put their events.
#[derive(Clone, Debug)]
struct Events(mpsc::Sender<(UtteranceId, VoiceEvent)>);

impl Events {
    async fn emit(&self, id: UtteranceId, event: VoiceEvent) {
        if let VoiceEvent::Error(error) = &event {
            let detail = error.detail();
            tracing::warn!(utterance = id.0, kind = ?error.kind(), detail, "{error}");
        }
        // Nobody watches any more.
        let _ = self.0.send((id, event)).await;
    }
}
