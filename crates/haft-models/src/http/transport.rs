//! Sends or replays one request up to the first frame, with recording and retries.

use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use haft_core::{ModelError, ModelErrorKind};
use http::header::RETRY_AFTER;
use serde::de::DeserializeOwned;
use tokio::time::sleep;
use tracing::{debug, warn};

use super::client::{self, header_text};
use super::incoming::Clock;
use super::status::refusal;
use super::{Frames, Incoming, Limits, Request, parse, safe_url};
use crate::replay::{Cassette, Recorder};

/// The timeout for requests outside of conversations, such as model lists.
const FETCH: Duration = Duration::from_secs(10);

/// The maximum size of an error body in bytes.
const ERROR_BYTES: usize = 64 << 10;

/// The transport to a model server: over HTTP, or from a recording. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Transport {
    source: Source,
    recorder: Option<Recorder>,
    limits: Limits,
}

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    Http,
    Replay(Arc<Cassette>),
}

impl Transport {
    /// Creates a transport to real servers, with the default [`Limits`].
    #[must_use]
    pub fn http() -> Self {
        Self::default()
    }

    /// Creates a transport that replays a recording.
    pub(crate) fn replay(cassette: Arc<Cassette>) -> Self {
        Self {
            source: Source::Replay(cassette),
            ..Self::default()
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds every exchange to a recording.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Sends `request` until a reply begins. Transient failures are retried as long as the limits
    /// allow, but not after the first frame.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub(crate) async fn open(&self, request: &Request) -> Result<Frames, ModelError> {
        let clock = Clock::start(&self.limits);
        self.tried(&clock, || self.attempt(request, &clock)).await
    }

    /// Like [`open`](Self::open), but `begin` decides from the bytes whether the reply has begun.
    pub(crate) async fn begun<T, Begun>(
        &self,
        request: &Request,
        begin: impl Fn(Incoming) -> Begun,
    ) -> Result<T, ModelError>
    where
        Begun: Future<Output = Result<T, ModelError>>,
    {
        let clock = Clock::start(&self.limits);
        let attempt = || async { begin(self.answered(request, &clock).await?).await };
        self.tried(&clock, attempt).await
    }

    async fn tried<T, Attempt>(
        &self,
        clock: &Clock,
        mut attempt: impl FnMut() -> Attempt,
    ) -> Result<T, ModelError>
    where
        Attempt: Future<Output = Result<T, ModelError>>,
    {
        let attempts = async {
            let mut waits = None;
            // What the server asks for is bounded in total: its client may ask again, too.
            let mut wait_left = self.limits.retry_after;
            loop {
                let error = match attempt().await {
                    Err(error) if error.is_transient() => error,
                    result => return result,
                };
                // Most requests need no waits.
                let waits = waits.get_or_insert_with(|| self.waits());
                let Some(wait) = waits.next().and_then(|wait| self.wait(&error, wait)) else {
                    return Err(error);
                };
                if error.retry_after().is_some() {
                    match wait_left.checked_sub(wait) {
                        Some(left) => wait_left = left,
                        None => return Err(error),
                    }
                }
                warn!(%error, ?wait, "retrying the request to the model server");
                sleep(wait).await;
            }
        };
        // The future is large, so it is pinned instead of moved.
        clock.total(pin!(attempts)).await?
    }

    /// The waits between attempts.
    fn waits(&self) -> ExponentialBackoff {
        ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.limits.retry_wait)
            .with_max_times(self.limits.retries)
            .build()
    }

    /// Sends `request` once and waits up to ten seconds for the whole response, which is not
    /// recorded: for requests outside of conversations, such as model lists.
    ///
    /// # Errors
    ///
    /// Like [`open`](Self::open), but nothing is retried.
    pub(crate) async fn fetch(&self, request: &Request) -> Result<String, ModelError> {
        self.fetch_within(request, FETCH).await
    }

    /// Like [`fetch`](Self::fetch), but with the time of a conversation: for requests that the
    /// server computes, such as embeddings.
    ///
    /// # Errors
    ///
    /// Those of `fetch`.
    pub(crate) async fn fetch_computed(&self, request: &Request) -> Result<String, ModelError> {
        self.fetch_within(request, Duration::MAX).await
    }

    async fn fetch_within(&self, request: &Request, time: Duration) -> Result<String, ModelError> {
        if let Source::Replay(_) = self.source {
            return Err(ModelError::new(
                ModelErrorKind::Unsupported,
                "A recording contains only conversations",
            ));
        }
        let unrecorded = Self {
            recorder: None,
            ..self.clone()
        };
        let limits = self.limits.clone().with_total(self.limits.total.min(time));
        let clock = Clock::start(&limits);
        let attempt = pin!(unrecorded.attempt(request, &clock));
        let mut frames = clock.total(attempt).await??;
        Ok(frames
            .next()
            .await?
            .map(|frame| frame.data)
            .unwrap_or_default())
    }

    /// Like [`fetch`](Self::fetch), but parses the response as JSON.
    ///
    /// # Errors
    ///
    /// Also if the response cannot be parsed.
    pub(crate) async fn fetch_as<T: DeserializeOwned>(
        &self,
        request: &Request,
    ) -> Result<T, ModelError> {
        let text = self.fetch(request).await?;
        parse(&text).map_err(|error| error.masked(&request.secrets()))
    }

    async fn attempt(&self, request: &Request, clock: &Clock) -> Result<Frames, ModelError> {
        let mut frames = Frames::new(self.answered(request, clock).await?, request.framing);
        match frames.next().await? {
            Some(frame) => frames.unread(frame),
            None => return Err(empty()),
        }
        Ok(frames)
    }

    /// The bytes of a response with a success status.
    async fn answered(&self, request: &Request, clock: &Clock) -> Result<Incoming, ModelError> {
        if let Some(recorder) = &self.recorder {
            recorder.check()?;
        }
        let clock = clock.attempt(request.framing);
        let api = request.api.name;
        debug!(api, url = safe_url(&request.url), "model request");
        let response = match &self.source {
            Source::Http => clock.first(pin!(client::send(request))).await??,
            Source::Replay(cassette) => cassette.answer(request)?,
        };
        let status = response.status;
        debug!(url = safe_url(&request.url), status, "model response");
        let recording = self
            .recorder
            .as_ref()
            .map(|recorder| recorder.begin(request, &response));
        let mut incoming = Incoming::new(response.body, clock, recording);
        incoming.headers = response.headers;
        incoming.address = Some(request.address());
        if !(200..300).contains(&status) {
            let headers = mem::take(&mut incoming.headers);
            let retry_after = header_text(&headers, RETRY_AFTER);
            let body = incoming.text(ERROR_BYTES).await;
            return Err(refusal(request, status, retry_after, &body));
        }
        Ok(incoming)
    }

    /// The delay before the next attempt; `None` if there is none.
    fn wait(&self, error: &ModelError, wait: Duration) -> Option<Duration> {
        match (error.retry_after(), &self.source) {
            (Some(asked), _) if asked > self.limits.retry_after => None,
            // A recorded server needs no delay.
            (_, Source::Replay(_)) => Some(Duration::ZERO),
            (Some(asked), Source::Http) => Some(asked.max(wait)),
            (None, Source::Http) => Some(wait),
        }
    }
}

/// The error for an empty response.
pub(crate) fn empty() -> ModelError {
    ModelError::new(
        ModelErrorKind::EmptyBody,
        "The model server sent an empty response",
    )
    .with_hint("check the model server's log")
}
