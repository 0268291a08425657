//! When a server that failed to start is tried again.
//!
//! One start makes several attempts, as the options say, unless the failure cannot pass by itself.
//! After a start that failed altogether calls fail at once for a while, and longer each time, so
//! that a broken server does not slow down every call.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::config::endpoint::Endpoint;
use crate::failure::Problem;
use crate::options::McpOptions;
use crate::session::connect::{Connected, Knowledge, connect};

/// After a start that failed, calls fail at once for this time, then twice as long, and so on.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// A server that is there again is found within this time.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// What earlier starts have shown.
#[derive(Debug)]
pub(crate) struct StartRetry {
    knowledge: Knowledge,
    failed: Option<Failed>,
}

/// A start that failed, and until when no other is tried.
#[derive(Clone, Debug)]
struct Failed {
    problem: Problem,
    pause: Duration,
    until: Instant,
}

impl StartRetry {
    /// No start so far.
    pub(crate) fn with(knowledge: Knowledge) -> Self {
        Self {
            knowledge,
            failed: None,
        }
    }

    /// The failure of the last start, while it is too early for the next.
    pub(crate) fn may_be_tried(&self) -> Result<(), Problem> {
        match &self.failed {
            Some(failed) if failed.until > Instant::now() => Err(failed.problem.clone()),
            _ => Ok(()),
        }
    }

    /// Starts the server, and keeps in mind what that has shown.
    pub(crate) async fn start(
        &mut self,
        name: &str,
        endpoint: &Endpoint,
        options: &McpOptions,
    ) -> Result<Connected, Problem> {
        let started = attempts(name, endpoint, self.knowledge, options).await;
        match &started {
            Ok(connected) => {
                self.failed = None;
                self.knowledge = Knowledge::Remembered(connected.protocol);
            }
            Err(problem) => {
                // What was known may have been the reason.
                self.knowledge = Knowledge::Nothing;
                let earlier = self.failed.take();
                let pause = earlier.map_or(FIRST_PAUSE, |failed| failed.pause * 2);
                let pause = pause.min(LONGEST_PAUSE);
                self.failed = Some(Failed {
                    problem: problem.clone(),
                    pause,
                    until: Instant::now() + pause,
                });
            }
        }
        started
    }
}

/// Tries as often as it makes sense.
async fn attempts(
    name: &str,
    endpoint: &Endpoint,
    mut knowledge: Knowledge,
    options: &McpOptions,
) -> Result<Connected, Problem> {
    let mut last = Problem::new("it is never to be started");
    for (attempt, wait) in options.waits.iter().enumerate() {
        sleep(*wait).await;
        last = match connect(name, endpoint, knowledge, options).await {
            Ok(connected) => return Ok(connected),
            Err(problem) if !problem.may_pass => return Err(problem),
            Err(problem) => problem,
        };
        tracing::debug!(server = name, attempt, problem = last.message, "no start");
        knowledge = Knowledge::DoNotAsk;
    }
    if options.waits.len() > 1 {
        let attempts = options.waits.len();
        last.message = format!("failed after {attempts} attempts: {}", last.message);
    }
    Err(last)
}
