//! What happens in a run, as it happens, for whoever watches it on any machine.
//!
//! Each event has an id that names everything up to it, so a reader that was cut off goes on where
//! it was. The recorded steps are the truth; the text of a reply comes before its step, and is
//! retracted when another attempt takes its place.

mod id;

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::broadcast;
use tokio::time::{Instant, sleep, timeout};

use self::id::After;
pub use self::id::RunEventId;
use crate::chunks::ChunkId;
use crate::error::DurableError;
use crate::run::{Pending, RecordedStep, RunState};
use crate::store::DurableStore;

/// How often the text of a reply is looked for, where the database does not announce it.
const TEXT: Duration = Duration::from_millis(100);

/// How often steps and states are looked for.
const LOOK: Duration = Duration::from_millis(300);

/// How often a reader says that it still watches.
const WATCHING: Duration = Duration::from_secs(4);

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum RunEvent {
    /// A step was recorded. It replaces the text of its reply, and an earlier step with its number.
    Step {
        /// The number of the step, from 1.
        number: usize,
        /// What was done, such as `reply` or `pay begun`.
        name: String,
        /// What came of it in words; it is untrusted text.
        text: String,
    },
    /// More text of a reply that is not recorded yet.
    Text {
        /// The text.
        text: String,
    },
    /// The text of the current reply so far does not count.
    Retracted {},
    /// The run waits for a person.
    Waiting(Pending),
    /// The run has ended.
    Ended(RunState),
}

impl RunEvent {
    /// The name of the event in a stream of server-sent events.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Step { .. } => "step",
            Self::Text { .. } => "text.delta",
            Self::Retracted {} => "reply.retracted",
            Self::Waiting(_) => "waiting",
            Self::Ended(_) => "ended",
        }
    }
}

/// The events of a run, from [`DurableStore::events`].
#[derive(Debug)]
pub struct RunEvents {
    store: DurableStore,
    run: String,
    /// Announcements of runs with news, where the database makes them.
    news: Option<broadcast::Receiver<String>>,
    seen: RunEventId,
    /// The text of the current reply that was sent; `None` where another reader was sent a part.
    text: Option<String>,
    ready: VecDeque<(RunEventId, RunEvent)>,
    said_to_watch: Option<Instant>,
    looked: Option<Instant>,
    /// Whether the last look found the run at work.
    is_working: bool,
    has_ended: bool,
}

impl DurableStore {
    /// What happens in a run, from its beginning or after an event that was seen.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`](crate::DurableErrorKind::UnknownRun) or
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn events(
        &self,
        run: &str,
        after: Option<RunEventId>,
    ) -> Result<RunEvents, DurableError> {
        self.chain(run).await?;
        let mut events = RunEvents {
            store: self.clone(),
            run: run.to_owned(),
            news: self.news.listen(&self.database),
            seen: after.unwrap_or(RunEventId::BEGIN),
            text: Some(String::new()),
            ready: VecDeque::new(),
            said_to_watch: None,
            looked: None,
            is_working: false,
            has_ended: false,
        };
        if let After::Text(_) = events.seen.after {
            events.text = None;
        }
        Ok(events)
    }
}

impl RunEvents {
    /// The next event, once there is one; `None` after the end of the run.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database); another attempt goes on where this one stopped.
    pub async fn next(&mut self) -> Result<Option<(RunEventId, RunEvent)>, DurableError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            if self.has_ended {
                return Ok(None);
            }
            self.wait().await;
            if self.looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
                self.look().await?;
                self.looked = Some(Instant::now());
            }
            if self.is_working {
                self.read_text().await?;
            }
        }
    }

    /// Waits until there may be something new.
    async fn wait(&mut self) {
        if self.looked.is_none() {
            return;
        }
        let Some(news) = &mut self.news else {
            return sleep(TEXT).await;
        };
        let mine = async {
            loop {
                match news.recv().await {
                    Ok(run) if run != self.run => {}
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                    Err(broadcast::error::RecvError::Closed) => return sleep(TEXT).await,
                }
            }
        };
        if timeout(LOOK, mine).await.is_ok() {
            // Whatever changed, a step may have been recorded.
            self.looked = self.looked.and_then(|looked| looked.checked_sub(LOOK));
        }
    }

    /// Reads the state and the steps. The state first: what is recorded before the end is then
    /// among the steps.
    async fn look(&mut self) -> Result<(), DurableError> {
        let seen = self.store.progress(&self.run, self.seen.steps).await?;
        if seen.stretch != self.seen.stretch {
            // A retry drops steps that failed.
            let counted = seen.steps_until(self.seen.stretch);
            if let Some(counted) = counted.filter(|counted| *counted < self.seen.steps) {
                self.seen.steps = counted;
                self.seen.after = After::Nothing;
                self.seen.stretch = seen.stretch;
                return Box::pin(self.look()).await;
            }
            self.seen.stretch = seen.stretch;
            if !matches!(self.seen.after, After::Text(_)) {
                self.seen.after = After::Nothing;
            }
        }
        for step in seen.steps {
            self.step(&step);
        }
        self.is_working = matches!(seen.state, RunState::Working);
        match seen.state {
            RunState::Waiting(pending) if self.seen.after != After::Waiting => {
                self.retract();
                self.send(After::Waiting, RunEvent::Waiting(pending));
            }
            state if state.has_ended() => {
                self.has_ended = true;
                if self.seen.after != After::Ended {
                    self.retract();
                    self.send(After::Ended, RunEvent::Ended(state));
                }
            }
            _ => {}
        }
        if self.is_working
            && self
                .said_to_watch
                .is_none_or(|said| said.elapsed() >= WATCHING)
        {
            self.store.watch(&self.run).await?;
            self.said_to_watch = Some(Instant::now());
        }
        Ok(())
    }

    fn step(&mut self, step: &RecordedStep) {
        let text = step.text();
        let is_continued = self
            .text
            .as_ref()
            .is_some_and(|sent| text.starts_with(sent));
        if !is_continued {
            self.retract();
        }
        self.seen.steps += 1;
        self.text = Some(String::new());
        let event = RunEvent::Step {
            number: self.seen.steps,
            name: step.name.clone(),
            text,
        };
        self.send(After::Nothing, event);
    }

    /// Reads the new text of the current reply.
    async fn read_text(&mut self) -> Result<(), DurableError> {
        let last = match self.seen.after {
            After::Text(id) => id,
            _ => ChunkId::default(),
        };
        let chunks = self.store.chunks(&self.run, self.seen.steps, last).await?;
        for chunk in chunks {
            if let After::Text(last) = self.seen.after
                && last.attempt != chunk.id.attempt
            {
                self.retract();
            }
            if let Some(text) = &mut self.text {
                text.push_str(&chunk.text);
            }
            self.send(After::Text(chunk.id), RunEvent::Text { text: chunk.text });
        }
        Ok(())
    }

    /// Takes back the text of the current reply, if any was sent.
    fn retract(&mut self) {
        if let After::Text(_) = self.seen.after {
            self.text = Some(String::new());
            self.send(After::Nothing, RunEvent::Retracted {});
        }
    }

    fn send(&mut self, after: After, event: RunEvent) {
        self.seen.after = after;
        self.ready.push_back((self.seen, event));
    }
}
