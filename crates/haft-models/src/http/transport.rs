//! One request from start to first frame: sent or looked up, recorded, and tried again.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use haft_core::{ModelError, ModelErrorKind};
use tracing::{debug, warn};

use super::client;
use super::incoming::Clock;
use super::status::refusal;
use super::{Frames, Incoming, Limits, Request, safe_url};
use crate::replay::{Cassette, Recorder};

/// The longest that an answer beside the conversation may take; a list is no work.
const FETCH: Duration = Duration::from_secs(10);

/// The most that is read of an error's body.
const ERROR_BYTES: usize = 64 << 10;

/// The way to a model server: over HTTP, or out of a recording. Cheap to clone.
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
    /// Real servers, with the default [`Limits`].
    #[must_use]
    pub fn http() -> Self {
        Self::default()
    }

    /// A recording in place of servers.
    pub(crate) fn replay(cassette: Arc<Cassette>) -> Self {
        Self {
            source: Source::Replay(cassette),
            ..Self::default()
        }
    }

    /// The same way with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same way, with every exchange added to a recording.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Sends `request` until a reply begins. Transient failures are tried again as long as the
    /// limits allow; after the first frame nothing is.
    ///
    /// # Errors
    ///
    /// Whatever the last attempt ended in.
    pub(crate) async fn open(&self, request: &Request) -> Result<Frames, ModelError> {
        let clock = Clock::start(&self.limits);
        self.tried(&clock, || self.attempt(request, &clock)).await
    }

    /// As [`open`](Self::open), but what begins is for `begin` to say, of the bytes.
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
        attempt: impl FnMut() -> Attempt,
    ) -> Result<T, ModelError>
    where
        Attempt: Future<Output = Result<T, ModelError>>,
    {
        let policy = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.limits.retry_wait)
            .with_max_times(self.limits.retries);
        let attempts = attempt
            .retry(policy)
            .when(ModelError::is_transient)
            .adjust(|error, wait| self.wait(error, wait))
            .notify(|error, wait| {
                warn!(%error, ?wait, "the model server is asked again");
            });
        // Large as it is, it is not moved about.
        clock.total(pin!(attempts.into_future())).await?
    }

    /// Sends `request` once and waits up to ten seconds for the whole reply, which is not
    /// recorded: for what is asked beside the conversation, such as the list of models.
    ///
    /// # Errors
    ///
    /// Like [`open`](Self::open).
    pub(crate) async fn fetch(&self, request: &Request) -> Result<String, ModelError> {
        if let Source::Replay(_) = self.source {
            return Err(ModelError::new(
                ModelErrorKind::Unsupported,
                "A recording holds nothing but conversations",
            ));
        }
        let unrecorded = Self {
            recorder: None,
            ..self.clone()
        };
        let limits = self.limits.clone().with_total(self.limits.total.min(FETCH));
        let mut frames = unrecorded.attempt(request, &Clock::start(&limits)).await?;
        Ok(frames
            .next()
            .await?
            .map(|frame| frame.data)
            .unwrap_or_default())
    }

    async fn attempt(&self, request: &Request, clock: &Clock) -> Result<Frames, ModelError> {
        let mut frames = Frames::new(self.answered(request, clock).await?, request.framing);
        match frames.next().await? {
            Some(frame) => frames.unread(frame),
            None => return Err(empty()),
        }
        Ok(frames)
    }

    /// The bytes of an answer whose status is good.
    async fn answered(&self, request: &Request, clock: &Clock) -> Result<Incoming, ModelError> {
        let clock = clock.attempt(request.framing);
        let api = request.api.as_str();
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
        let retry_after = response.retry_after;
        let mut incoming = Incoming::new(response.body, clock, recording);
        incoming.server = response.server;
        if !(200..300).contains(&status) {
            let body = incoming.text(ERROR_BYTES).await;
            return Err(refusal(request, status, retry_after.as_deref(), &body));
        }
        Ok(incoming)
    }

    /// How long to wait before the next attempt; none means that there is no next one.
    fn wait(&self, error: &ModelError, wait: Option<Duration>) -> Option<Duration> {
        let wait = wait?;
        match (error.retry_after(), &self.source) {
            (Some(asked), _) if asked > self.limits.retry_after => None,
            // A recorded server needs no rest.
            (_, Source::Replay(_)) => Some(Duration::ZERO),
            (Some(asked), Source::Http) => Some(asked.max(wait)),
            (None, Source::Http) => Some(wait),
        }
    }
}

/// The error of a reply that holds nothing.
pub(crate) fn empty() -> ModelError {
    ModelError::new(
        ModelErrorKind::EmptyBody,
        "The model server accepted the request and sent nothing",
    )
    .with_hint("look at the model server's log")
}
