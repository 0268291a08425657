//! The permit of a request to use a slot, which tells the breaker what came of it.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Slots;
use crate::scheduler::breaker::{Breaker, Entered, Verdict};

/// A permit to use a slot at an upstream; dropping it frees the slot.
#[derive(Debug)]
pub(in crate::scheduler) struct Permit {
    slots: Arc<Slots>,
    pub(in crate::scheduler) upstream: usize,
    entered: Entered,
    verdict: Verdict,
}

impl Permit {
    pub(in crate::scheduler) fn new(slots: Arc<Slots>, upstream: usize, entered: Entered) -> Self {
        Self {
            slots,
            upstream,
            entered,
            verdict: Verdict::Nothing,
        }
    }

    /// The reply begins.
    pub(in crate::scheduler) fn began(&self) {
        let began = |breaker: &mut Breaker| breaker.began(self.entered);
        self.slots.with_breaker(self.upstream, began);
    }

    /// The reply ended. Frees the slot.
    pub(in crate::scheduler) fn done(mut self) {
        self.verdict = Verdict::Works;
    }

    /// The reply failed. Frees the slot. Returns the pause before the first probe if this opened
    /// the breaker.
    pub(in crate::scheduler) fn failed(mut self, verdict: Verdict) -> Option<Duration> {
        let mut state = self.slots.lock();
        let slot = state.slots.get_mut(self.upstream)?;
        if matches!(verdict, Verdict::Failed | Verdict::Gone) {
            slot.failures += 1;
        }
        let pause = slot.breaker.judge(self.entered, verdict, Instant::now());
        drop(state);
        self.verdict = Verdict::Nothing;
        pause
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        {
            let mut state = self.slots.lock();
            if let Some(slot) = state.slots.get_mut(self.upstream) {
                slot.in_flight = slot.in_flight.saturating_sub(1);
                slot.breaker
                    .judge(self.entered, self.verdict, Instant::now());
            }
        }
        self.slots.serve_waiting();
    }
}
