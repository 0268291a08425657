//! Decides when a server that failed to start is started again.
//!
//! One start consists of several attempts, as set in the options, unless the failure is permanent.
//! After a failed start, calls fail at once for a pause, which grows with each failure, so that a
//! broken server does not delay every call.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::config::endpoint::Endpoint;
use crate::failure::Problem;
use crate::options::McpOptions;
use crate::session::connect::{Connected, Knowledge, connect};

/// The pause after the first failed start; doubled after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// The maximum pause, within which a repaired server is found again.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// The results of earlier starts.
#[derive(Debug)]
pub(crate) struct StartRetry {
    knowledge: Knowledge,
    failed: Option<Failed>,
}

/// A failed start, and the end of the pause after it.
#[derive(Clone, Debug)]
struct Failed {
    problem: Problem,
    pause: Duration,
    until: Instant,
}

impl StartRetry {
    /// The state before the first start.
    pub(crate) fn with(knowledge: Knowledge) -> Self {
        Self {
            knowledge,
            failed: None,
        }
    }

    /// The failure of the last start, during the pause after it.
    pub(crate) fn may_be_tried(&self) -> Result<(), Problem> {
        match &self.failed {
            Some(failed) if failed.until > Instant::now() => Err(failed.problem.clone()),
            _ => Ok(()),
        }
    }

    /// Starts the server, and records the result.
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
                // The remembered protocol may have been the cause.
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

/// Makes as many attempts as the options allow and the failure permits.
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
