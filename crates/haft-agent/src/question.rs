//! One question to an agent: what is asked, and how its answer is collected.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use haft_core::{Answer, Event, Message, ModelError, ModelErrorKind};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::attempts::first_query::FirstQuery;
use crate::error::{AgentError, AgentErrorKind};
use crate::options::client_turn::ClientTurn;

/// The events of one question; the last item is [`Event::Done`] or an error. Dropping the stream
/// cancels the question with its request and its tools.
pub type EventStream = BoxStream<'static, Result<Event, AgentError>>;

/// A conversation that ends with a question, and the settings of this question alone.
pub(crate) struct Question {
    /// The conversation; its last message is the question.
    pub(crate) messages: Vec<Message>,
    /// Whether the conversation has had its first question.
    pub(crate) first_query: FirstQuery,
    /// JSON Schema of the answer, instead of the schema in the agent's options.
    pub(crate) response_schema: Option<Arc<Value>>,
    /// Set when the client runs the tools.
    pub(crate) client_turn: Option<ClientTurn>,
}

impl Question {
    /// A question with the agent's own settings.
    pub(crate) fn new(messages: Vec<Message>) -> Self {
        Self {
            first_query: FirstQuery::of(&messages),
            messages,
            response_schema: None,
            client_turn: None,
        }
    }

    /// Asks for an answer that a `T` can be read from.
    pub(crate) fn expecting<T: JsonSchema>(mut self) -> Self {
        self.response_schema = Some(Arc::new(haft_tools::schema_of::<T>()));
        self
    }
}

/// Reads a stream of events to its end and returns the answer.
pub(crate) async fn collect(mut events: EventStream) -> Result<Answer, AgentError> {
    while let Some(event) = events.next().await {
        if let Event::Done(answer) = event? {
            return Ok(*answer);
        }
    }
    let cut = ModelError::new(
        ModelErrorKind::CutStream,
        "The answer ended before it was complete",
    );
    Err(cut.into())
}

/// Reads a stream of events to its end and returns the structured answer as a `T`.
pub(crate) async fn collect_as<T: DeserializeOwned>(events: EventStream) -> Result<T, AgentError> {
    let answer = collect(events).await?;
    serde_json::from_value(answer.structured.unwrap_or_default()).map_err(|error| {
        let kind = AgentErrorKind::StructuredOutput;
        AgentError::new(kind, "The answer does not fit the requested type")
            .with_hint("try a larger model or a simpler type")
            .with_detail(format!("{error}: {}", answer.text))
    })
}
