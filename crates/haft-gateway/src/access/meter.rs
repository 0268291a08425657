//! Counts what is used with one key against its limits. `bucket` has the limits per minute.

use std::time::Duration;

use super::bucket::{Bucket, Division, Exchange, Exchanged, Taken};
use super::key::{KeyLimits, KeyUsage};

/// What was used with a key so far.
#[derive(Debug)]
pub(super) struct Meter {
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    division: Division,
    /// Used today by every gateway, as last read from the store.
    stored: KeyUsage,
    /// Used here and being written to the store.
    in_writing: KeyUsage,
    /// Used here and not written yet.
    pending: KeyUsage,
    /// Whether an exchange with the store is due.
    pub(super) is_due: bool,
}

/// Whether a request may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It is counted.
    Admitted,
    /// A limit is reached.
    Exceeded(Exceeded),
    /// Only the store knows.
    Ask,
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

impl Meter {
    pub(super) fn new(limits: &KeyLimits, stored: KeyUsage, division: Division) -> Self {
        let bucket = |most| Bucket::new(most, division);
        Self {
            requests: limits.requests_per_minute.map(u64::from).map(bucket),
            tokens: limits.tokens_per_minute.map(bucket),
            division,
            stored,
            in_writing: KeyUsage::default(),
            pending: KeyUsage::default(),
            is_due: false,
        }
    }

    /// Follows a change of the division.
    pub(super) fn divide(&mut self, division: Division) {
        if division != self.division {
            self.division = division;
            let buckets = [&mut self.requests, &mut self.tokens];
            let buckets = buckets.into_iter().flatten();
            buckets.for_each(|bucket| bucket.divide(division));
        }
    }

    /// Counts a request, unless a limit is reached. `until_tomorrow` is when the next day begins.
    pub(super) fn admit(&mut self, limits: &KeyLimits, until_tomorrow: Duration) -> Admission {
        let exceeded = |limit, retry_after| Admission::Exceeded(Exceeded { limit, retry_after });
        if limits
            .tokens_per_day
            .is_some_and(|most| self.is_spent(most))
        {
            return exceeded(LimitKind::TokensPerDay, until_tomorrow);
        }
        if let Some(wait) = self.tokens.as_mut().and_then(Bucket::is_empty) {
            return exceeded(LimitKind::TokensPerMinute, wait);
        }
        match self.requests.as_mut().map_or(Taken::Now, Bucket::take) {
            Taken::Ask => return Admission::Ask,
            Taken::After(wait) => return exceeded(LimitKind::RequestsPerMinute, wait),
            Taken::Now => {}
        }
        self.pending.requests += 1;
        Admission::Admitted
    }

    /// Whether the budget of a day is used up. While the store is not reached, each gateway has a
    /// part of what was left.
    fn is_spent(&self, most: u64) -> bool {
        let here = (self.in_writing.tokens()).saturating_add(self.pending.tokens());
        let left = most.saturating_sub(self.stored.tokens());
        match self.division {
            Division::Shared(_) => here >= left,
            Division::Divided(gateways) => here >= left.div_ceil(u64::from(gateways.max(1))),
        }
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
            tokens.used(input_tokens.saturating_add(output_tokens) as f64);
        }
    }

    /// One more request waits for a permit.
    pub(super) fn await_permit(&mut self) {
        if let Some(requests) = &mut self.requests {
            requests.await_permit();
        }
    }

    /// Whether permits should be taken from the store before they are needed.
    pub(super) fn is_low(&self) -> bool {
        self.requests.as_ref().is_some_and(Bucket::is_low)
    }

    /// Whether the store is to be told something.
    pub(super) fn has_news(&self) -> bool {
        let mut buckets = [&self.requests, &self.tokens].into_iter().flatten();
        buckets.any(Bucket::has_news)
    }

    /// What the store is told and asked about a limit per minute, if there is one.
    pub(super) fn begin_exchange(&mut self, limit: LimitKind) -> Option<Exchange> {
        let needs_permits = limit == LimitKind::RequestsPerMinute;
        Some(self.bucket(limit)?.begin_exchange(needs_permits))
    }

    /// What the store replied; `None` if it cannot be reached.
    pub(super) fn end_exchange(&mut self, limit: LimitKind, reply: Option<Exchanged>) {
        match (self.bucket(limit), reply) {
            (Some(bucket), Some(reply)) => bucket.exchanged(reply),
            (Some(bucket), None) => bucket.not_exchanged(),
            (None, _) => {}
        }
    }

    fn bucket(&mut self, limit: LimitKind) -> Option<&mut Bucket> {
        match limit {
            LimitKind::RequestsPerMinute => self.requests.as_mut(),
            LimitKind::TokensPerMinute => self.tokens.as_mut(),
            LimitKind::TokensPerDay => None,
        }
    }

    /// What is to be written to the store now; [`written`](Self::written) or
    /// [`not_written`](Self::not_written) follows.
    pub(super) fn begin_write(&mut self) -> KeyUsage {
        self.in_writing.add(std::mem::take(&mut self.pending));
        self.in_writing
    }

    /// The store has it.
    pub(super) fn written(&mut self) {
        self.stored.add(std::mem::take(&mut self.in_writing));
    }

    /// What the store says was used today by every gateway.
    pub(super) fn read(&mut self, stored: KeyUsage) {
        self.stored = stored;
    }

    /// The store could not be written.
    pub(super) fn not_written(&mut self) {
        self.pending.add(std::mem::take(&mut self.in_writing));
    }
}

#[cfg(test)]
mod tests;
