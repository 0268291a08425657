//! The record of one request, for the metrics and the access log.
//!
//! The log has one line per request, without any content of the conversation and without secrets.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, header};
use axum::response::Response;
use haft_agent::AgentError;
use haft_core::Usage;
use tokio::sync::OwnedSemaphorePermit;

use crate::access::Caller;
use crate::activity::{Asked, Exchange, Finished, Outcome};
use crate::dialects::dialect::Dialect;
use crate::interventions::Interventions;
use crate::metrics::Answered;
use crate::refusal_log::RefusalKind;
use crate::respond::Refusal;
use crate::shared::Shared;
use crate::telemetry::{RequestEnd, RequestTrace};

/// The status of a request whose client disconnected before its answer was complete (as in nginx).
const CLIENT_LEFT: u16 = 499;

/// A running request. It is counted when it is dropped, however it ended.
#[derive(Debug)]
pub(crate) struct RequestLog {
    pub(crate) shared: Arc<Shared>,
    pub(crate) dialect: &'static dyn Dialect,
    pub(crate) caller: Caller,
    /// Its spans are entered while the request is worked on.
    pub(crate) trace: RequestTrace,
    /// Whether the request was counted against the limits of its key.
    is_admitted: bool,
    /// Whether it was refused before a model server was asked.
    is_refused: bool,
    /// The time until the first part of the reply.
    first_output: Option<Duration>,
    began: Instant,
    /// The permit for a running request, held until its end.
    room: Option<OwnedSemaphorePermit>,
    /// The model's name in the request.
    pub(crate) model: String,
    pub(crate) stream: bool,
    pub(crate) status: u16,
    /// The time in which haft itself worked so far.
    pub(crate) busy: Duration,
    pub(crate) calls: usize,
    pub(crate) usage: Usage,
    pub(crate) interventions: Interventions,
    /// The request on the page.
    pub(crate) exchange: Arc<Exchange>,
}

impl RequestLog {
    /// A request that begins now. On the heap, because it passes through many hands.
    pub(crate) fn open(
        shared: Arc<Shared>,
        dialect: &'static dyn Dialect,
        caller: Caller,
        trace: RequestTrace,
    ) -> Box<Self> {
        shared.metrics.in_flight.inc();
        let asked = Asked {
            dialect,
            id: trace.id.text().to_owned(),
            key: caller.key().cloned(),
            raw: trace.context.raw_reply().clone(),
        };
        let exchange = shared.activity.open(asked, shared.content_policy(&caller));
        Box::new(Self {
            exchange,
            shared,
            dialect,
            caller,
            trace,
            is_admitted: false,
            is_refused: false,
            first_output: None,
            began: Instant::now(),
            room: None,
            model: String::new(),
            stream: false,
            status: CLIENT_LEFT,
            busy: Duration::ZERO,
            calls: 0,
            usage: Usage::default(),
            interventions: Interventions::default(),
        })
    }

    /// Takes a permit for a running request; returns false if none is free.
    pub(crate) fn take_room(&mut self) -> bool {
        self.room = self.shared.room.clone().try_acquire_owned().ok();
        self.room.is_some()
    }

    /// Counts the request against the limits of its key, once its model is known. A second call
    /// does nothing.
    pub(crate) async fn admit(&mut self) -> Result<(), Refusal> {
        if !self.is_admitted {
            self.exchange.name(&self.model, self.stream);
            self.shared.activity.note(&self.exchange);
            self.caller.admit(Some(&self.model)).await?;
            self.is_admitted = true;
        }
        Ok(())
    }

    /// The name of the upstream that was asked last; `None` if none was asked.
    pub(crate) fn upstream(&self) -> Option<Arc<str>> {
        self.exchange.raw.server()
    }

    /// Records the time of the first part of the reply.
    pub(crate) fn note_output(&mut self) {
        if self.first_output.is_none() {
            let first = self.began.elapsed();
            self.first_output = Some(first);
            self.exchange.begin_output(first);
            self.shared.activity.note(&self.exchange);
        }
    }

    /// The response to a refused request.
    pub(crate) fn refused(&mut self, refusal: &Refusal) -> Response {
        self.is_refused = true;
        self.status = refusal.status;
        self.exchange.fail(&refusal.message);
        self.dialect.refused(refusal)
    }

    /// Logs a failure and records its status. Returns the refusal for the client.
    pub(crate) fn note_failure(&mut self, error: &AgentError) -> Refusal {
        let refusal = Refusal::from(error);
        self.status = refusal.status;
        self.trace
            .in_scope(|| tracing::warn!(%error, detail = error.detail(), "a request failed"));
        self.exchange.fail(&refusal.message);
        refusal
    }

    /// The response to a request that fails before any part of the reply was sent.
    pub(crate) fn failed(&mut self, error: &AgentError) -> Response {
        let refusal = self.note_failure(error);
        let mut response = self.dialect.refused(&refusal);
        if let Some(wait) = error.retry_after() {
            let seconds = HeaderValue::from(wait.as_secs().max(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }

    fn outcome(&self) -> Outcome {
        match self.status {
            // A request that names no model could not be read.
            _ if self.is_refused || self.model.is_empty() => Outcome::Refused,
            CLIENT_LEFT => Outcome::ClientLeft,
            200 => Outcome::Answered,
            _ => Outcome::Failed,
        }
    }

    /// Runs a part of haft's own work and adds its duration.
    pub(crate) fn work<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = self.trace.in_scope(work);
        self.busy += began.elapsed();
        done
    }

    /// Awaits a future, and adds the time in which it is polled.
    pub(crate) async fn timed<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let began = Instant::now();
            let polled = self.trace.in_scope(|| work.as_mut().poll(context));
            self.busy += began.elapsed();
            polled
        })
        .await
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl RequestLog {
    /// Counts the finished request in the metrics, and ends its trace.
    fn count(&self, took: Duration) {
        let kind = |upstream: Arc<str>| self.shared.upstreams.kind_of(&upstream);
        self.trace.end(&RequestEnd {
            status: self.status,
            usage: self.usage,
            kind: self.upstream().and_then(kind),
        });
        self.shared.metrics.count(&Answered {
            dialect: self.dialect.name(),
            key: self.caller.key(),
            model: &self.model,
            upstream: self.upstream(),
            stream: self.stream,
            status: self.status,
            took,
            first_token: self.first_output.filter(|_| self.stream),
            busy: self.busy,
            calls: self.calls,
            usage: self.usage,
            interventions: &self.interventions,
        });
        let finished = Finished {
            outcome: self.outcome(),
            status: self.status,
            took,
            usage: self.usage,
            calls: self.calls,
            interventions: &self.interventions,
        };
        self.shared.activity.finish(&self.exchange, &finished);
    }

    /// Logs the finished request, or counts it if equal ones were logged just before.
    fn write(&self, took: Duration) {
        let kind = || RefusalKind {
            status: self.status,
            key: self.caller.key().cloned(),
            upstream: self.upstream(),
        };
        if self.is_refused {
            self.shared.refusals.note(&kind());
            return;
        }
        let and_before = match self.status {
            200 => Some(0),
            _ => self.shared.refusals.note_failure(&kind()),
        };
        let Some(and_before) = and_before else {
            return;
        };
        tracing::info!(
            target: "haft_gateway::access",
            dialect = self.dialect.name(),
            key = self.caller.key().map(|key| &**key),
            model = self.model,
            upstream = self.upstream().as_deref(),
            status = self.status,
            stream = self.stream,
            ms = milliseconds(took),
            first_ms = self.first_output.map(milliseconds),
            own_us = u64::try_from(self.busy.as_micros()).unwrap_or(u64::MAX),
            tokens_in = self.usage.input_tokens,
            tokens_out = self.usage.output_tokens,
            calls = self.calls,
            done = self.interventions.header().as_ref().and_then(|done| done.to_str().ok()).unwrap_or("-"),
            and_before = (and_before > 0).then_some(and_before),
        );
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        self.caller.used(self.usage);
        self.shared.metrics.in_flight.dec();
        self.count(took);
        self.trace.in_scope(|| self.write(took));
    }
}
