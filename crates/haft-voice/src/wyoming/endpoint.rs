//! Where in a stream of sound somebody begins to speak, and where they end.
//!
//! By loudness alone: what is well above the background is taken for speech. A satellite that
//! knows better says so itself, and then this only cuts off what never ends.

use std::time::Duration;

use crate::{Pcm, SAMPLE_RATE};

/// Judged at a time: 20 ms.
const FRAME: usize = SAMPLE_RATE as usize / 50;
/// Speech is at least so loud, where 1.0 is full scale: a quiet voice across a room.
const QUIETEST_SPEECH: f64 = 0.008;
/// And so many times as loud as the background.
const ABOVE_BACKGROUND: f64 = 3.0;
/// The background before any was heard.
const FIRST_BACKGROUND: f64 = 0.002;
/// How fast the background follows what is heard, per frame.
const FOLLOW: f64 = 0.05;
/// So much speech begins an utterance; less is a click.
const BEGIN: Duration = Duration::from_millis(120);
/// So much silence ends one: what Home Assistant waits by default.
const END: Duration = Duration::from_millis(700);
/// Audio included from before the beginning: the first sounds of a word are quiet.
const LEAD: Duration = Duration::from_millis(500);
/// The longest utterance.
const LONGEST: Duration = Duration::from_secs(30);

/// Cuts one utterance out of a stream of sound.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// Not judged yet: less than a frame.
    rest: Vec<i16>,
    heard: Vec<i16>,
    background: f64,
    /// Consecutive frames of speech before the beginning, of silence after it.
    streak: usize,
    begun: bool,
    frames: usize,
}

/// What became of the utterance with the latest sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing that was not so before.
    Same,
    /// Somebody begins to speak.
    Begun,
    /// They have spoken.
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

    /// More of the sound.
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

    /// How much sound there was, spoken or not.
    pub(super) fn length(&self) -> Duration {
        frame_time(self.frames)
    }

    /// True once somebody speaks.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// What was spoken.
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

    /// Leaves only as much as the beginning of an utterance may need.
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
