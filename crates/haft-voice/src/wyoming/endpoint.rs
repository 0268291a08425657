//! Detects the beginning and the end of speech in an audio stream (voice activity detection).
//!
//! It is based on loudness alone: sound well above the background counts as speech. A satellite
//! with a better detector reports the end itself; then this only ends utterances that are too long.

use std::time::Duration;

use crate::{Pcm, SAMPLE_RATE};

/// The number of samples that are judged at a time: 20 ms.
const FRAME: usize = SAMPLE_RATE as usize / 50;
/// The minimum energy of speech, where 1.0 is full scale: a quiet voice across a room.
const QUIETEST_SPEECH: f64 = 0.008;
/// The minimum ratio of the energy of speech to that of the background.
const ABOVE_BACKGROUND: f64 = 3.0;
/// The assumed energy of the background at the start.
const FIRST_BACKGROUND: f64 = 0.002;
/// The weight of each frame in the estimate of the background.
const FOLLOW: f64 = 0.05;
/// The duration of speech that begins an utterance; anything shorter is a click.
const BEGIN: Duration = Duration::from_millis(120);
/// The duration of silence that ends an utterance, as in Home Assistant's default.
const END: Duration = Duration::from_millis(700);
/// The duration of audio before the beginning that is included, because the first sounds of a word
/// are quiet.
const LEAD: Duration = Duration::from_millis(500);
/// The maximum duration of an utterance.
const LONGEST: Duration = Duration::from_secs(30);

/// Cuts one utterance out of an audio stream.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// Samples that are not judged yet, less than a frame.
    rest: Vec<i16>,
    heard: Vec<i16>,
    background: f64,
    /// Consecutive frames of speech before the beginning, of silence after it.
    streak: usize,
    begun: bool,
    frames: usize,
}

/// The change caused by the latest audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// No change.
    Same,
    /// Speech begins.
    Begun,
    /// The utterance has ended.
    Ended,
}

impl Endpoint {
    pub(super) fn new() -> Self {
        Self {
            rest: Vec::new(),
            heard: Vec::new(),
            background: FIRST_BACKGROUND,
            streak: 0,
            begun: false,
            frames: 0,
        }
    }

    /// Adds audio.
    pub(super) fn push(&mut self, samples: &[i16]) -> Progress {
        self.rest.extend_from_slice(samples);
        let rest = std::mem::take(&mut self.rest);
        let mut progress = Progress::Same;
        let mut frames = rest.chunks_exact(FRAME);
        for frame in &mut frames {
            match self.judge(frame) {
                Progress::Same => {}
                Progress::Begun => progress = Progress::Begun,
                Progress::Ended => {
                    progress = Progress::Ended;
                    break;
                }
            }
        }
        self.rest = frames.remainder().to_vec();
        progress
    }

    /// The duration of all audio, with and without speech.
    pub(super) fn length(&self) -> Duration {
        frame_time(self.frames)
    }

    /// True once speech has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// The utterance.
    pub(super) fn take(self) -> Pcm {
        Pcm::new(self.heard)
    }

    fn judge(&mut self, frame: &[i16]) -> Progress {
        self.frames = self.frames.saturating_add(1);
        self.heard.extend_from_slice(frame);
        let loudness = Pcm::new(frame.to_vec()).energy();
        let speech = loudness > QUIETEST_SPEECH.max(self.background * ABOVE_BACKGROUND);
        if !speech {
            self.background += (loudness - self.background) * FOLLOW;
        }
        if !self.begun {
            self.streak = if speech { self.streak + 1 } else { 0 };
            self.begun = frame_time(self.streak) >= BEGIN;
            if self.begun {
                self.streak = 0;
                return Progress::Begun;
            }
            self.forget();
            return Progress::Same;
        }
        self.streak = if speech { 0 } else { self.streak + 1 };
        let is_over = frame_time(self.streak) >= END;
        if is_over || frame_time(self.heard.len() / FRAME) >= LONGEST {
            return Progress::Ended;
        }
        Progress::Same
    }

    /// Drops audio that is too old to be part of an utterance.
    fn forget(&mut self) {
        let kept = usize::try_from(LEAD.as_millis()).unwrap_or(0) * SAMPLE_RATE as usize / 1000;
        let excess = self.heard.len().saturating_sub(kept);
        self.heard.drain(..excess);
    }
}

fn frame_time(frames: usize) -> Duration {
    Duration::from_millis(20).saturating_mul(u32::try_from(frames).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
