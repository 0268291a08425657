//! Takes an upstream out of the choice while it fails, and back in when it answers again.
//!
//! Closed, it lets everything through. Failures in a row open it. Once the upstream answers a
//! question again it is half open: one request may try, and decides.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};
use tokio::time::Instant;

/// The number of failures in a row that open it, as in the examples of most proxies: a single one
/// may be chance.
const FAILURES: u32 = 3;

/// How long an upstream is left alone before it is asked whether it is back; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The rest of a server that has had too many requests and does not say how long.
const REST: Duration = Duration::from_secs(5);

/// The longest rest that is kept; a server that asks for more is asked before that.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// What a reply, or its failure, says about the upstream.
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
    /// Half open, and one request tries.
    Trying,
}

/// The breaker of one upstream.
#[derive(Debug)]
pub(super) struct Breaker {
    state: State,
    failures: u32,
    pause: Duration,
    rests_until: Option<Instant>,
    /// How often it has opened.
    opened: u64,
}

/// When a request went through: what comes of one from before the breaker opened tells nothing
/// about what is now.
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
    /// Whether a request may go through.
    pub(super) fn allows(&self, now: Instant) -> bool {
        let rests = self.rests_until.is_some_and(|until| now < until);
        !rests && matches!(self.state, State::Closed | State::HalfOpen)
    }

    /// Whether the upstream works as far as is known.
    pub(super) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// A request goes through.
    pub(super) fn enter(&mut self) -> Entered {
        if self.state == State::HalfOpen {
            self.state = State::Trying;
        }
        self.entered()
    }

    /// As of a request that goes through now.
    pub(super) fn entered(&self) -> Entered {
        Entered(self.opened)
    }

    /// Its reply begins: others may follow, but the next failure counts as the last one did.
    pub(super) fn began(&mut self, entered: Entered) {
        if self.state != State::Closed && entered.0 == self.opened {
            self.state = State::Closed;
            self.failures = FAILURES - 1;
        }
    }

    /// What came of a request. Returns how long to wait before the upstream is asked whether it
    /// is back, when this is what opened the breaker.
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

    /// The one that tried has told nothing.
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
            // Whoever asks whether it is back is under way.
            State::Open => false,
        };
        if !opens {
            return None;
        }
        self.state = State::Open;
        self.opened += 1;
        Some(self.next_pause())
    }

    /// How long to wait before the upstream is asked once more.
    pub(super) fn next_pause(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        pause
    }

    /// Whether it is open, so that somebody has to find out when the upstream is back.
    pub(super) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// The upstream answers questions again.
    pub(super) fn answers(&mut self) {
        if self.state == State::Open {
            self.state = State::HalfOpen;
        }
    }
}

#[cfg(test)]
mod tests;
