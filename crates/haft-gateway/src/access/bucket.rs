//! An amount that refills to its limit within a minute, and that all gateways with one store share.
//!
//! The store has one bucket for all. A gateway takes permits for requests from it in batches, before
//! they are needed, and tells it the tokens of replies afterwards, so a request seldom waits for the
//! store. While the store cannot be reached, each gateway has its part of the limit for itself. A
//! bucket holds one minute's worth: a client may use it at once and then waits. A reply's tokens are
//! known only at its end, so their bucket may go below zero, and later requests wait for it.

use std::time::Duration;

use tokio::time::Instant;

const MINUTE: Duration = Duration::from_secs(60);

/// All gateways together hold at most this part of a limit as unused permits, besides one each.
const HELD: f64 = 1.0 / 40.0;

/// How long a permit is held without being used. Then it goes back, for other gateways.
const IDLE: Duration = Duration::from_secs(1);

/// How long permits are valid: a gateway that was stopped meanwhile must not add old ones to new.
const LEASE: Duration = Duration::from_secs(3);

/// Among how many gateways a limit is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    /// The store is reached, so the bucket there is for all; the number of gateways that use it.
    Shared(u32),
    /// The store is not reached, so each of this many gateways has a part of the limit.
    Divided(u32),
}

/// What a gateway tells the shared bucket, and asks from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exchange {
    /// The maximum amount, which is also refilled in a minute.
    pub(super) per_minute: f64,
    /// What was used; negative for permits that go back.
    pub(super) used: f64,
    /// The permits that are wanted.
    pub(super) wanted: f64,
}

/// What the shared bucket replies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exchanged {
    /// The permits that were given.
    pub(super) granted: f64,
    /// What is left in the bucket.
    pub(super) level: f64,
}

/// Whether a permit can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It was taken.
    Now,
    /// Only the store knows.
    Ask,
    /// Not for so long.
    After(Duration),
}

/// This gateway's view of the bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    per_minute: f64,
    division: Division,
    /// What is in the bucket, as far as is known; in this gateway's part of it if it is divided.
    level: f64,
    /// When that was.
    at: Instant,
    /// The permits in hand.
    held: f64,
    /// When permits were last taken from the store.
    held_since: Instant,
    /// What the store was not told yet.
    untold: f64,
    /// What the store is being told.
    telling: f64,
    /// Requests that wait for a permit.
    waiting: f64,
    /// When a permit was last used.
    used_at: Instant,
}

impl Bucket {
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact up to 2^53 tokens a minute"
    )]
    pub(super) fn new(per_minute: u64, division: Division) -> Self {
        let now = Instant::now();
        let mut bucket = Self {
            per_minute: per_minute as f64,
            division,
            level: 0.0,
            at: now,
            held: 0.0,
            held_since: now,
            untold: 0.0,
            telling: 0.0,
            waiting: 0.0,
            used_at: now,
        };
        bucket.level = bucket.capacity();
        bucket
    }

    /// Follows a change of the division.
    pub(super) fn divide(&mut self, division: Division) {
        self.refill();
        match (self.division, division) {
            (Division::Shared(_), Division::Divided(gateways)) => {
                self.division = division;
                let part = self.level / f64::from(gateways.max(1));
                self.level = (part + self.held).min(self.capacity());
                self.held = 0.0;
                self.untold = 0.0;
            }
            (Division::Divided(_), Division::Shared(_)) => {
                // What was used of this part and has not been refilled is missing in the whole. The
                // other parts are probably as full as this one.
                self.untold = self.capacity() - self.level;
                self.level *= self.per_minute / self.capacity();
                self.division = division;
            }
            (Division::Shared(_), Division::Shared(_)) => self.division = division,
            // A part stays as it is until the store is back.
            (Division::Divided(_), Division::Divided(_)) => {}
        }
    }

    /// Takes a permit.
    pub(super) fn take(&mut self) -> Taken {
        self.refill();
        if let Division::Divided(_) = self.division {
            if self.level < 1.0 {
                return Taken::After(self.wait(1.0));
            }
            self.level -= 1.0;
            return Taken::Now;
        }
        self.used_at = self.at;
        if self.at.saturating_duration_since(self.held_since) > LEASE {
            self.untold -= self.held;
            self.held = 0.0;
        }
        if self.held >= 1.0 {
            self.held -= 1.0;
            return Taken::Now;
        }
        if self.level < self.worthwhile() {
            return Taken::After(self.wait(self.worthwhile()));
        }
        Taken::Ask
    }

    /// One more request waits for a permit.
    pub(super) fn await_permit(&mut self) {
        self.waiting += 1.0;
    }

    /// Whether there is anything left, and if not, when there is.
    pub(super) fn is_empty(&mut self) -> Option<Duration> {
        self.refill();
        (self.level <= 0.0).then(|| self.wait(1.0))
    }

    /// Records what was used.
    pub(super) fn used(&mut self, amount: f64) {
        self.refill();
        self.level -= amount;
        if let Division::Shared(_) = self.division {
            self.untold += amount;
        }
    }

    /// Whether permits should be taken before they are needed.
    pub(super) fn is_low(&self) -> bool {
        matches!(self.division, Division::Shared(_))
            && self.held < (self.batch() / 2.0).ceil()
            && self.level >= self.worthwhile()
    }

    /// Whether the store is to be told something, though nothing is needed from it.
    pub(super) fn has_news(&self) -> bool {
        let is_idle = self.used_at.elapsed() > IDLE;
        self.untold != 0.0 || (is_idle && self.held > 0.0)
    }

    /// What is told and asked now; [`exchanged`](Self::exchanged) or
    /// [`not_exchanged`](Self::not_exchanged) follows.
    pub(super) fn begin_exchange(&mut self, needs_permits: bool) -> Exchange {
        let is_idle = self.waiting == 0.0 && self.used_at.elapsed() > IDLE;
        let wanted = if needs_permits && !is_idle {
            (self.batch() - self.held).max(self.waiting).max(0.0)
        } else {
            0.0
        };
        if is_idle {
            self.untold -= self.held;
            self.held = 0.0;
        }
        self.waiting = 0.0;
        self.telling = std::mem::take(&mut self.untold);
        Exchange {
            per_minute: self.per_minute,
            used: self.telling,
            wanted,
        }
    }

    /// The store has replied.
    pub(super) fn exchanged(&mut self, reply: Exchanged) {
        self.telling = 0.0;
        if let Division::Divided(_) = self.division {
            self.level += reply.granted;
            return;
        }
        let now = Instant::now();
        if reply.granted > 0.0 {
            self.held += reply.granted;
            self.held_since = now;
        }
        self.level = reply.level - self.untold;
        self.at = now;
    }

    /// The store has not replied.
    pub(super) fn not_exchanged(&mut self) {
        let telling = std::mem::take(&mut self.telling);
        if let Division::Shared(_) = self.division {
            self.untold += telling;
        }
    }

    /// What the bucket holds at most.
    fn capacity(&self) -> f64 {
        match self.division {
            Division::Shared(_) => self.per_minute,
            Division::Divided(gateways) => {
                (self.per_minute / f64::from(gateways.max(1))).max(self.per_minute.min(1.0))
            }
        }
    }

    /// How many permits are taken from the store at once.
    fn batch(&self) -> f64 {
        let (Division::Shared(gateways) | Division::Divided(gateways)) = self.division;
        (self.per_minute * HELD / f64::from(gateways.max(1)))
            .floor()
            .max(1.0)
    }

    /// Below this level, the store is not asked: a limit that is reached must not cost a query for
    /// each request that it refuses.
    fn worthwhile(&self) -> f64 {
        (self.batch() / 4.0).max(1.0)
    }

    fn refill(&mut self) {
        let now = Instant::now();
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / MINUTE.as_secs_f64();
        let capacity = self.capacity();
        self.level = (self.level + minutes * capacity).min(capacity);
        self.at = now;
    }

    /// The time until the level is `wanted`.
    fn wait(&self, wanted: f64) -> Duration {
        let minutes = ((wanted - self.level) / self.capacity()).max(0.0);
        Duration::try_from_secs_f64(minutes * MINUTE.as_secs_f64()).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests;
