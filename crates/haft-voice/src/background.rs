//! `BackgroundTranscriber`: accepts utterances without blocking, and answers them in the background.
//!
//! ```text
//! hear() -> queue -> ears: gate, speech-to-text, wake phrase -> mouth: assistant, speech -> events
//! ```
//!
//! `ears.rs` (transcription) and `mouth.rs` (answers) run as separate tasks, so that the next
//! utterance is transcribed while the last answer is spoken, and can interrupt it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::{AbortHandle, yield_now};

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

/// The capacity of the event queue; when it is full, the work waits.
const MOST_EVENTS: usize = 256;

/// The number of an utterance, counted from 1 by each transcriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtteranceId(u64);

impl UtteranceId {
    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// Options of a background transcriber.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BackgroundOptions {
    /// The maximum number of waiting utterances, at least 1. Default: 64.
    pub waiting: usize,
    /// Whether a new transcribed utterance cancels the previous answer. Default: false.
    pub interrupt: bool,
    /// The phrase that an utterance must begin with to be answered.
    pub wake: Option<WakePhrase>,
    /// The timeout of speech-to-text. Default: 60 s, for a large model on a small machine.
    pub transcription_limit: Duration,
    /// The timeout for speaking one sentence. Default: 60 s.
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

/// Transcribes and answers utterances in the background. Its tasks end after it is dropped and all
/// waiting utterances are answered, or with the runtime.
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
    /// The tasks for transcription and for answers.
    tasks: [AbortHandle; 2],
}

/// Cancels the work of a [`BackgroundTranscriber`] from outside, for a program that exits while an
/// answer is in progress.
#[derive(Clone, Debug)]
pub struct Canceller {
    tasks: [AbortHandle; 2],
}

impl Canceller {
    /// Cancels the answer in progress and all waiting utterances. When it returns, running tools
    /// are cancelled as well.
    pub async fn cancel(&self) {
        for task in &self.tasks {
            task.abort();
        }
        while self.tasks.iter().any(|task| !task.is_finished()) {
            yield_now().await;
        }
    }
}

impl BackgroundTranscriber {
    /// Starts the tasks on the current runtime. Without a transcriber only text utterances are
    /// accepted; without speech the answers are only sent as events.
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
        let ears = tokio::spawn(ears.listen(heard, understood));
        let mouth = tokio::spawn(mouth.answer(turns));
        let voice = Self {
            queue,
            latest: AtomicU64::new(0),
            tasks: [ears.abort_handle(), mouth.abort_handle()],
        };
        (voice, VoiceEvents { receiver })
    }

    /// A handle that cancels the work before it is done.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller {
            tasks: self.tasks.clone(),
        }
    }

    /// Queues an utterance without waiting.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Full`] when the queue is full; the utterance is dropped.
    /// [`VoiceErrorKind::Closed`] when the runtime has ended.
    pub fn hear(&self, utterance: impl Into<Utterance>) -> Result<UtteranceId, VoiceError> {
        let id = self.next();
        match self.queue.try_send((id, utterance.into())) {
            Ok(()) => Ok(id),
            Err(TrySendError::Full(_)) => {
                let message = "Too many utterances are waiting";
                tracing::warn!(waiting = self.queue.max_capacity(), "{message}");
                Err(VoiceError::new(VoiceErrorKind::Full, message).with_hint(
                    "wait for some answers, or use a faster speech-to-text or language model",
                ))
            }
            Err(TrySendError::Closed(_)) => Err(closed()),
        }
    }

    /// Queues an utterance, waiting for space in the queue. For callers that can wait, such as
    /// readers of files.
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
    VoiceError::new(VoiceErrorKind::Closed, "The voice service has ended")
}

/// The stream of events, in order for each utterance. When the queue is full, the work waits for
/// the reader. After it is dropped, events are discarded and the work continues.
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

/// The sender of the tasks' events.
#[derive(Clone, Debug)]
struct Events(mpsc::Sender<(UtteranceId, VoiceEvent)>);

impl Events {
    async fn emit(&self, id: UtteranceId, event: VoiceEvent) {
        if let VoiceEvent::Error(error) = &event {
            let detail = error.detail();
            tracing::warn!(utterance = id.0, kind = ?error.kind(), detail, "{error}");
        }
        // The receiver was dropped.
        let _ = self.0.send((id, event)).await;
    }
}
