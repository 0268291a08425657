//! A circuit breaker: excludes an upstream while it fails, and includes it when it answers again.
//!
//! While closed, it lets all requests through. Several failures in a row open it. Once the upstream
//! answers a probe it is half open: one request may try, and its result decides.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};
use tokio::time::Instant;

/// The number of failures in a row that open it, as in the examples of most proxies: a single
/// failure may be chance.
const FAILURES: u32 = 3;

/// The pause before the first probe of an upstream; doubled after each one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The maximum pause between probes.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The pause after a server reported too many requests without a time to wait.
const REST: Duration = Duration::from_secs(5);

/// The maximum pause for such a server, even if it asked for more.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// What a reply, or its failure, shows about the upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The upstream works, even if it refused the request.
    Works,
    /// The upstream failed.
    Failed,
    /// Nothing listens at its address.
    Gone,
    /// The upstream has asked for no requests for this long.
    Busy(Duration),
    /// The reply says nothing about the upstream.
    Nothing,
}

impl Verdict {
    pub(super) fn of(error: &ModelError) -> Self {
        use ModelErrorKind as Kind;
        match error.kind() {
            Kind::Connect => Self::Gone,
            Kind::Server
            | Kind::Timeout
            | Kind::CutStream
            | Kind::EmptyBody
            | Kind::Unauthorized => Self::Failed,
            Kind::RateLimited => Self::Busy(error.retry_after().unwrap_or(REST).min(LONGEST_REST)),
            Kind::BadRequest | Kind::ContextOverflow | Kind::ToolsUnsupported => Self::Works,
            _ => Self::Nothing,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Closed,
    Open,
    HalfOpen,
    /// Half open, with one request running.
    Trying,
}

/// The breaker of one upstream.
#[derive(Debug)]
pub(super) struct Breaker {
    state: State,
    failures: u32,
    pause: Duration,
    rests_until: Option<Instant>,
    /// The number of times that it was opened.
    opened: u64,
}

/// The state when a request was let through: the result of a request from before the breaker opened
/// is outdated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entered(u64);

impl Default for Breaker {
    fn default() -> Self {
        Self {
            state: State::Closed,
            failures: 0,
            pause: FIRST_PAUSE,
            rests_until: None,
            opened: 0,
        }
    }
}

impl Breaker {
    /// Whether a request may be sent now.
    pub(super) fn allows(&self, now: Instant) -> bool {
        let rests = self.rests_until.is_some_and(|until| now < until);
        !rests && matches!(self.state, State::Closed | State::HalfOpen)
    }

    /// Whether the upstream works as far as is known.
    pub(super) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Records that a request is sent.
    pub(super) fn enter(&mut self) -> Entered {
        if self.state == State::HalfOpen {
            self.state = State::Trying;
        }
        self.entered()
    }

    /// The state for a request that is sent now.
    pub(super) fn entered(&self) -> Entered {
        Entered(self.opened)
    }

    /// The reply of a request begins: others may follow, but the next failure opens the breaker
    /// again.
    pub(super) fn began(&mut self, entered: Entered) {
        if self.state != State::Closed && entered.0 == self.opened {
            self.state = State::Closed;
            self.failures = FAILURES - 1;
        }
    }

    /// Evaluates the result of a request. Returns the pause before the first probe if this opened
    /// the breaker.
    pub(super) fn judge(
        &mut self,
        entered: Entered,
        verdict: Verdict,
        now: Instant,
    ) -> Option<Duration> {
        if entered.0 != self.opened {
            return None;
        }
        match verdict {
            Verdict::Works => {
                *self = Self {
                    opened: self.opened,
                    ..Self::default()
                };
                None
            }
            Verdict::Failed => self.failed(1),
            Verdict::Gone => self.failed(FAILURES),
            Verdict::Busy(rest) => {
                self.rests_until = Some(now + rest);
                self.let_go();
                None
            }
            Verdict::Nothing => {
                self.let_go();
                None
            }
        }
    }

    /// The trial request ended without a result.
    fn let_go(&mut self) {
        if self.state == State::Trying {
            self.state = State::HalfOpen;
        }
    }

    fn failed(&mut self, count: u32) -> Option<Duration> {
        self.failures = self.failures.saturating_add(count);
        let opens = match self.state {
            State::Closed => self.failures >= FAILURES,
            State::HalfOpen | State::Trying => true,
            // A probe is already scheduled.
            State::Open => false,
        };
        if !opens {
            return None;
        }
        self.state = State::Open;
        self.opened += 1;
        Some(self.next_pause())
    }

    /// The pause before the next probe.
    pub(super) fn next_pause(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        pause
    }

    /// True if it is open, so that the upstream must be probed.
    pub(super) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// A probe was answered.
    pub(super) fn answers(&mut self) {
        if self.state == State::Open {
            self.state = State::HalfOpen;
        }
    }
}

#[cfg(test)]
mod tests;
