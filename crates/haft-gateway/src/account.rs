//! One request from beginning to end: for the counters and for the access log.
//!
//! The log has a line for each, without a word of the conversation and without a secret.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use haft_core::Usage;
use haft_models::Dialect;

use crate::deeds::Deeds;
use crate::gateway::Shared;
use crate::metrics::Answered;

/// The status of a request whose client left before its answer was complete (nginx's number).
const CLIENT_LEFT: u16 = 499;

/// A request under way. It is counted when it is dropped, however it ended.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) shared: Arc<Shared>,
    dialect: Dialect,
    began: Instant,
    /// As the client names it.
    pub(crate) model: String,
    pub(crate) stream: bool,
    pub(crate) status: u16,
    /// What haft itself needed so far.
    pub(crate) busy: Duration,
    pub(crate) calls: usize,
    pub(crate) usage: Usage,
    pub(crate) deeds: Deeds,
}

impl Account {
    pub(crate) fn open(shared: Arc<Shared>, dialect: Dialect) -> Self {
        shared.metrics.in_flight.inc();
        Self {
            shared,
            dialect,
            began: Instant::now(),
            model: String::new(),
            stream: false,
            status: CLIENT_LEFT,
            busy: Duration::ZERO,
            calls: 0,
            usage: Usage::default(),
            deeds: Deeds::default(),
        }
    }

    /// Does something of haft's own work.
    pub(crate) fn work<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.busy += began.elapsed();
        done
    }

    /// Waits for something, and counts the time in which it is worked on.
    pub(crate) async fn timed<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let began = Instant::now();
            let polled = work.as_mut().poll(context);
            self.busy += began.elapsed();
            polled
        })
        .await
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        let (took, dialect) = (self.began.elapsed(), name(self.dialect));
        self.shared.metrics.in_flight.dec();
        self.shared.metrics.count(&Answered {
            dialect,
            stream: self.stream,
            status: self.status,
            took,
            busy: self.busy,
            calls: self.calls,
            usage: self.usage,
            deeds: &self.deeds,
        });
        let done = self.deeds.header();
        tracing::info!(
            target: "haft_gateway::access",
            dialect,
            model = self.model,
            status = self.status,
            stream = self.stream,
            ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            own_us = u64::try_from(self.busy.as_micros()).unwrap_or(u64::MAX),
            tokens_in = self.usage.input_tokens,
            tokens_out = self.usage.output_tokens,
            calls = self.calls,
            done = done.as_ref().and_then(|done| done.to_str().ok()).unwrap_or("-"),
        );
    }
}

fn name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "openai",
        Dialect::Ollama => "ollama",
        Dialect::OllamaGenerate => "ollama_generate",
        Dialect::Anthropic => "anthropic",
    }
}
