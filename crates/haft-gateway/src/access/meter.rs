//! Counts what is used with one key against its limits.
//!
//! Limits per minute are token buckets that hold one minute's worth: a client may use them at once
//! and then waits. A reply's tokens are known only at its end, so the bucket of tokens may go below
//! zero, and later requests wait for it.

use std::time::Duration;

use tokio::time::Instant;

use super::key::{KeyLimits, KeyUsage};

const MINUTE: Duration = Duration::from_secs(60);

/// What was used with a key so far.
#[derive(Debug)]
pub(super) struct Meter {
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    /// Used today by every gateway, as last read from the store.
    stored: KeyUsage,
    /// Used here and being written to the store.
    in_writing: KeyUsage,
    /// Used here and not written yet.
    pending: KeyUsage,
}

/// A limit that is reached, and when to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exceeded {
    pub(super) limit: LimitKind,
    pub(super) retry_after: Duration,
}

/// The limits of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitKind {
    RequestsPerMinute,
    TokensPerMinute,
    TokensPerDay,
}

/// An amount that refills to `per_minute` within a minute.
#[derive(Debug)]
struct Bucket {
    per_minute: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact up to 2^53 tokens a minute"
    )]
    fn new(per_minute: u64, now: Instant) -> Self {
        let per_minute = per_minute as f64;
        Self {
            per_minute,
            level: per_minute,
            at: now,
        }
    }

    fn refill(&mut self, now: Instant) {
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / MINUTE.as_secs_f64();
        self.level = (self.level + minutes * self.per_minute).min(self.per_minute);
        self.at = now;
    }

    /// The time until the level is `wanted`.
    fn wait(&self, wanted: f64) -> Duration {
        let minutes = ((wanted - self.level) / self.per_minute).max(0.0);
        Duration::try_from_secs_f64(minutes * MINUTE.as_secs_f64()).unwrap_or(Duration::MAX)
    }
}

impl Meter {
    pub(super) fn new(limits: &KeyLimits, stored: KeyUsage) -> Self {
        let now = Instant::now();
        let requests = limits.requests_per_minute.map(u64::from);
        Self {
            requests: requests.map(|most| Bucket::new(most, now)),
            tokens: limits.tokens_per_minute.map(|most| Bucket::new(most, now)),
            stored,
            in_writing: KeyUsage::default(),
            pending: KeyUsage::default(),
        }
    }

    /// Counts a request, unless a limit is reached. `until_tomorrow` is when the next day begins.
    pub(super) fn admit(
        &mut self,
        limits: &KeyLimits,
        until_tomorrow: Duration,
    ) -> Result<(), Exceeded> {
        let now = Instant::now();
        let exceeded = |limit, retry_after| Err(Exceeded { limit, retry_after });
        let parts = [self.stored, self.in_writing, self.pending];
        let used = parts
            .iter()
            .fold(0_u64, |sum, part| sum.saturating_add(part.tokens()));
        if limits.tokens_per_day.is_some_and(|most| used >= most) {
            return exceeded(LimitKind::TokensPerDay, until_tomorrow);
        }
        if let Some(tokens) = &mut self.tokens {
            tokens.refill(now);
            if tokens.level <= 0.0 {
                return exceeded(LimitKind::TokensPerMinute, tokens.wait(1.0));
            }
        }
        if let Some(requests) = &mut self.requests {
            requests.refill(now);
            if requests.level < 1.0 {
                return exceeded(LimitKind::RequestsPerMinute, requests.wait(1.0));
            }
            requests.level -= 1.0;
        }
        self.pending.requests += 1;
        Ok(())
    }

    /// Counts the tokens of a reply.
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact up to 2^53 tokens a reply"
    )]
    pub(super) fn used(&mut self, input_tokens: u64, output_tokens: u64) {
        self.pending.add(KeyUsage {
            requests: 0,
            input_tokens,
            output_tokens,
        });
        if let Some(tokens) = &mut self.tokens {
            tokens.refill(Instant::now());
            tokens.level -= input_tokens.saturating_add(output_tokens) as f64;
        }
    }

    /// What is to be written to the store now; [`written`](Self::written) or
    /// [`not_written`](Self::not_written) follows.
    pub(super) fn begin_write(&mut self) -> KeyUsage {
        self.in_writing.add(std::mem::take(&mut self.pending));
        self.in_writing
    }

    /// The store has it, and was read again.
    pub(super) fn written(&mut self, stored: KeyUsage) {
        self.in_writing = KeyUsage::default();
        self.stored = stored;
    }

    /// The store could not be written.
    pub(super) fn not_written(&mut self) {
        self.pending.add(std::mem::take(&mut self.in_writing));
    }
}

#[cfg(test)]
mod tests;
