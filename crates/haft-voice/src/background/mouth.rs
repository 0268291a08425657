//! Turns transcripts into spoken answers, one at a time; a newer utterance may interrupt.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::ears::Understood;
use super::{Events, UtteranceId};
use crate::assistant::Assistant;
use crate::error::{VoiceError, VoiceErrorKind};
use crate::event::VoiceEvent;
use crate::transcriber::Speech;

/// The capacity of the sentence queue; no answer has more sentences.
const MOST_SENTENCES: usize = 64;

/// The timeout for the speech to stop.
const LAST_WORD: Duration = Duration::from_secs(5);

pub(super) struct Mouth {
    pub(super) assistant: Assistant,
    pub(super) speech: Option<Arc<dyn Speech>>,
    pub(super) events: Events,
    pub(super) interrupt: bool,
    pub(super) limit: Duration,
}

impl Mouth {
    /// Runs until no more transcripts can arrive.
    pub(super) async fn answer(self, mut turns: mpsc::Receiver<Understood>) {
        let mut next = turns.recv().await;
        while let Some(turn) = next.take() {
            let id = turn.id;
            let end = self.turn_unless(turn, &mut turns).await;
            if let End::Interrupted(newer) = end {
                tracing::debug!(utterance = id.number(), "interrupted");
                self.fall_silent(id).await;
                self.events.emit(id, VoiceEvent::Cancelled).await;
                next = Some(newer);
                continue;
            }
            if matches!(end, End::Broken) {
                self.fall_silent(id).await;
                self.events.emit(id, VoiceEvent::Error(broken())).await;
            }
            next = turns.recv().await;
        }
    }

    /// Answers one utterance; a newer utterance cancels it if interruption is enabled. All work of
    /// the cancelled answer has ended when this returns.
    async fn turn_unless(&self, turn: Understood, turns: &mut mpsc::Receiver<Understood>) -> End {
        let turn = AssertUnwindSafe(self.turn(turn)).catch_unwind();
        let newer = async {
            match self.interrupt {
                true => turns.recv().await,
                false => None,
            }
        };
        tokio::select! {
            biased;
            end = turn => end.map_or(End::Broken, |()| End::Complete),
            Some(newer) = newer => End::Interrupted(newer),
        }
    }

    /// Answers one utterance, from the transcript to the last spoken sentence.
    async fn turn(&self, Understood { id, words }: Understood) {
        let (say, sentences) = mpsc::channel(MOST_SENTENCES);
        let thinking = async {
            match words {
                Err(error) => self.fail(id, error, &say).await,
                Ok(words) => self.think(id, &words, &say).await,
            }
            drop(say);
        };
        tokio::join!(thinking, self.speak(id, sentences));
    }

    async fn think(&self, id: UtteranceId, words: &str, say: &mpsc::Sender<String>) {
        let mut answer = self.assistant.answer(words);
        while let Some(event) = answer.next().await {
            match event {
                VoiceEvent::Error(error) => self.fail(id, error, say).await,
                VoiceEvent::Sentence(sentence) => {
                    // A sentence goes to the speech before it goes to observers.
                    let _ = say.send(sentence.clone()).await;
                    self.events.emit(id, VoiceEvent::Sentence(sentence)).await;
                }
                event => self.events.emit(id, event).await,
            }
        }
    }

    async fn fail(&self, id: UtteranceId, error: VoiceError, say: &mpsc::Sender<String>) {
        let _ = say.send(error.spoken().to_owned()).await;
        self.events.emit(id, VoiceEvent::Error(error)).await;
    }

    /// Speaks the sentences in order. After a failure, the remaining ones are not spoken and only
    /// sent as events.
    async fn speak(&self, id: UtteranceId, mut sentences: mpsc::Receiver<String>) {
        let mut speech = self.speech.as_deref();
        let mut has_spoken = false;
        while let Some(sentence) = sentences.recv().await {
            let Some(speaker) = speech else { continue };
            has_spoken = true;
            let spoken = timeout(self.limit, speaker.speak(&sentence)).await;
            if let Err(error) = spoken.unwrap_or_else(|_| Err(too_slow(self.limit))) {
                // Whatever failed, the text of the answer is complete; only the sound is missing.
                let error = error.of_kind(VoiceErrorKind::Speech);
                self.events.emit(id, VoiceEvent::Error(error)).await;
                speech = None;
            }
        }
        if has_spoken {
            self.fall_silent(id).await;
        }
    }

    async fn fall_silent(&self, id: UtteranceId) {
        let Some(speech) = &self.speech else { return };
        let finished = timeout(LAST_WORD, speech.finish()).await;
        if let Err(error) = finished.unwrap_or_else(|_| Err(too_slow(LAST_WORD))) {
            let detail = error.detail();
            tracing::warn!(utterance = id.number(), detail, "{error}");
        }
    }
}

/// How a turn ended.
enum End {
    Complete,
    /// The answering task panicked.
    Broken,
    Interrupted(Understood),
}

fn too_slow(limit: Duration) -> VoiceError {
    let seconds = limit.as_secs_f64();
    let message = format!("The speech took longer than {seconds} seconds");
    VoiceError::new(VoiceErrorKind::Speech, message)
}

fn broken() -> VoiceError {
    VoiceError::new(
        VoiceErrorKind::Agent,
        "The answer ended early because of an internal error",
    )
}
