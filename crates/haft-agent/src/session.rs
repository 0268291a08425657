//! A conversation with an agent: its history, and the queue of its questions.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{FutureExt, StreamExt};
use haft_core::{Answer, Content, Event, Message};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::attempts::first_query::FirstQuery;
use crate::error::AgentError;
use crate::question::{EventStream, Question, collect, collect_as};
use crate::run::answer_events;
use crate::shared::Shared;

/// A conversation with an [`Agent`](crate::Agent); made by
/// [`Agent::session`](crate::Agent::session).
///
/// Each answered question is added to the history and sent along with the next one. A question
/// that fails, or whose stream is dropped, leaves the history unchanged. Clones share one
/// history. Questions asked at the same time are answered one after the other.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let agent = haft_agent::Agent::builder()
///     .model("builtin")
///     .tool(haft_tools::get_current_datetime())
///     .build()
///     .await?;
/// let session = agent.session();
/// session.ask("What time is it in Oslo?").await?;
/// session.ask("And in Lima?").await?;
/// let questions = session.history().into_iter().filter(|message| message.role() == haft_core::Role::User);
/// assert_eq!(questions.count(), 2);
/// # Ok::<_, haft_agent::AgentError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    shared: Arc<Shared>,
    state: Arc<State>,
}

/// What the clones of a session share.
#[derive(Debug, Default)]
struct State {
    /// Held while a question is answered.
    queue: Arc<tokio::sync::Mutex<()>>,
    history: Mutex<Vec<Message>>,
    first_query: FirstQuery,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            state: Arc::default(),
        }
    }

    /// This session with `messages` as its history, to continue a conversation that was kept.
    #[must_use]
    pub fn with_history(self, messages: Vec<Message>) -> Self {
        let state = State {
            first_query: FirstQuery::of(&messages),
            history: Mutex::new(messages),
            ..State::default()
        };
        Self {
            state: Arc::new(state),
            ..self
        }
    }

    /// Asks a question and waits for the answer.
    ///
    /// # Errors
    ///
    /// The error of the model, or [`AgentErrorKind::Timeout`](crate::AgentErrorKind::Timeout).
    /// A failed tool is not an error: the model reads the message and goes on.
    pub async fn ask(&self, question: impl Into<Content>) -> Result<Answer, AgentError> {
        collect(self.stream(question).await?).await
    }

    /// Asks a question and returns the answer as a `T`; see [`Agent::ask_as`](crate::Agent::ask_as).
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask), and [`AgentErrorKind::StructuredOutput`](crate::AgentErrorKind::StructuredOutput)
    /// when the answer does not fit `T`.
    pub async fn ask_as<T>(&self, question: impl Into<Content>) -> Result<T, AgentError>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let question = Question::new(vec![Message::user(question)]).expecting::<T>();
        collect_as(self.start(question)).await
    }

    /// Asks a question and returns the events of its answer. The first event comes after all
    /// earlier questions of the session have been answered or dropped: read or drop one stream
    /// before you wait for the next.
    ///
    /// # Errors
    ///
    /// None today; the stream itself reports what goes wrong.
    #[expect(
        clippy::unused_async,
        reason = "lazily started tool servers will be awaited here"
    )]
    pub async fn stream(&self, question: impl Into<Content>) -> Result<EventStream, AgentError> {
        Ok(self.start(Question::new(vec![Message::user(question)])))
    }

    /// The messages of all answered questions, without the system message.
    #[must_use]
    pub fn history(&self) -> Vec<Message> {
        let history = self.state.history.lock();
        history.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The events of a question, once it is its turn.
    fn start(&self, mut question: Question) -> EventStream {
        let session = self.clone();
        async move {
            let queue = Arc::clone(&session.state.queue);
            let mut turn = Some(queue.lock_owned().await);
            question.messages.splice(..0, session.history());
            question.first_query = session.state.first_query.clone();
            let events = answer_events(session.shared.clone(), question);
            events.inspect(move |event| match event {
                Ok(Event::Done(answer)) => {
                    session.remember(&answer.messages);
                    drop(turn.take());
                }
                Err(_) => drop(turn.take()),
                Ok(_) => {}
            })
        }
        .flatten_stream()
        .boxed()
    }

    fn remember(&self, messages: &[Message]) {
        let history = messages
            .iter()
            .filter(|message| !matches!(message, Message::System(_)))
            .cloned()
            .collect();
        let kept = self.state.history.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = history;
    }
}

#[cfg(test)]
mod tests;
