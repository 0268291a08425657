//! The agent: a model, its tools, and the conversation so far.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use haft_core::{Answer, ChatModel, Content, Event, Message, ModelError, ModelErrorKind};
#[cfg(feature = "mcp")]
use haft_tools::McpServers;
use haft_tools::ToolExecutor;

use crate::attempts::{FirstQuery, Metrics};
use crate::builder::AgentBuilder;
use crate::error::{AgentError, AgentErrorKind};
use crate::options::AgentOptions;
use crate::run::Run;
use crate::tooling::Tooling;
use crate::turn::Turn;

/// What happens while a question is answered; the last item is [`Event::Done`] or an error.
/// Dropping the stream cancels the question and everything it started.
pub type EventStream = BoxStream<'static, Result<Event, AgentError>>;

/// A model that can use tools. Cheap to clone; all clones share one conversation.
///
/// [`ask`](Self::ask) and [`stream`](Self::stream) remember: each question continues the
/// conversation, until [`reset`](Self::reset). [`run`](Self::run) takes the whole conversation
/// from its caller and remembers nothing.
#[derive(Clone, Debug)]
pub struct Agent {
    shared: Arc<Shared>,
    conversation: Arc<Mutex<Conversation>>,
}

/// The conversation so far.
#[derive(Debug, Default)]
struct Conversation {
    messages: Vec<Message>,
    first_query: FirstQuery,
}

/// What belongs to an agent and not to one of its questions.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// Replaced where a server has other tools than before.
    tooling: Mutex<Arc<Tooling>>,
    pub(crate) options: AgentOptions,
    metrics: Mutex<Metrics>,
    /// Kept because the servers end with it.
    #[cfg(feature = "mcp")]
    pub(crate) servers: McpServers,
}

impl Shared {
    /// Changes the counters.
    pub(crate) fn count<T>(&self, change: impl FnOnce(&mut Metrics) -> T) -> T {
        let metrics = self.metrics.lock();
        change(&mut metrics.unwrap_or_else(PoisonError::into_inner))
    }

    /// The tools for a question: those that servers have by now. A conversation that goes on
    /// loses none.
    pub(crate) fn tooling(&self, begins: bool) -> Arc<Tooling> {
        let tooling = self.tooling.lock();
        let mut tooling = tooling.unwrap_or_else(PoisonError::into_inner);
        if let Some(now) = tooling.refreshed(&self.model, self.options.selection.as_ref(), begins) {
            *tooling = Arc::new(now);
        }
        Arc::clone(&tooling)
    }
}

impl Agent {
    /// Puts an agent together from names and files.
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// An agent over a model and an executor, whose tools are bound as the options say.
    ///
    /// # Errors
    ///
    /// [`AgentErrorKind::Configuration`] when the options make no sense, or the model's error
    /// when a tool cannot be expressed on its wire.
    pub fn new(
        model: Arc<dyn ChatModel>,
        executor: ToolExecutor,
        options: AgentOptions,
    ) -> Result<Self, AgentError> {
        let parts = Parts {
            model,
            executor,
            options,
        };
        #[cfg(feature = "mcp")]
        return Self::assemble(parts, McpServers::default());
        #[cfg(not(feature = "mcp"))]
        Self::assemble(parts)
    }

    pub(crate) fn assemble(
        parts: Parts,
        #[cfg(feature = "mcp")] servers: McpServers,
    ) -> Result<Self, AgentError> {
        let Parts {
            model,
            executor,
            options,
        } = parts;
        if options.max_rounds == 0 {
            let kind = AgentErrorKind::Configuration;
            return Err(AgentError::new(kind, "The model cannot answer in 0 rounds")
                .with_hint("allow at least 1 round"));
        }
        let tooling = Tooling::new(&model, executor, options.selection.as_ref())?;
        Ok(Self {
            shared: Arc::new(Shared {
                model,
                tooling: Mutex::new(Arc::new(tooling)),
                options,
                metrics: Mutex::default(),
                #[cfg(feature = "mcp")]
                servers,
            }),
            conversation: Arc::default(),
        })
    }

    /// The model's full name, such as `ollama:qwen3:0.6b`.
    #[must_use]
    pub fn model_id(&self) -> &str {
        self.shared.model.id()
    }

    /// How often the first try was of use with this model, and each rung of the recovery ladder
    /// was needed, tried and of help, since the agent was made.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared.count(|metrics| metrics.clone())
    }

    /// All tools that there are, bound to a question or not, as of the last question: tools of
    /// servers may come and go from one question to the next.
    #[must_use]
    pub fn executor(&self) -> ToolExecutor {
        let tooling = self.shared.tooling.lock();
        let tooling = tooling.unwrap_or_else(PoisonError::into_inner);
        tooling.executor.clone()
    }

    /// The MCP servers behind the tools, failed ones included.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub fn mcp_servers(&self) -> &McpServers {
        &self.shared.servers
    }

    /// Asks a question and waits for the answer.
    ///
    /// # Errors
    ///
    /// Whatever kept the model from answering. A failed tool is not an error: the model reads
    /// about it and goes on.
    pub async fn ask(&self, question: impl Into<Content>) -> Result<Answer, AgentError> {
        answer_of(self.stream(question).await?).await
    }

    /// Asks a question and watches how it is answered.
    ///
    /// # Errors
    ///
    /// None today; the stream itself tells what goes wrong.
    #[expect(
        clippy::unused_async,
        reason = "lazily started tool servers will be awaited here"
    )]
    pub async fn stream(&self, question: impl Into<Content>) -> Result<EventStream, AgentError> {
        let (mut messages, first_query) = {
            let conversation = self.conversation.lock();
            let conversation = conversation.unwrap_or_else(PoisonError::into_inner);
            (
                conversation.messages.clone(),
                conversation.first_query.clone(),
            )
        };
        messages.push(Message::human(question));
        let conversation = self.conversation.clone();
        let remember = move |event: &Result<Event, AgentError>| {
            if let Ok(Event::Done(answer)) = event {
                let mut conversation = conversation.lock().unwrap_or_else(PoisonError::into_inner);
                conversation.messages = answer
                    .messages
                    .iter()
                    .filter(|message| !matches!(message, Message::System(_)))
                    .cloned()
                    .collect();
            }
        };
        Ok(self
            .start(messages, first_query, None)
            .inspect(remember)
            .boxed())
    }

    /// Continues `messages`, whose last one is the question, and remembers nothing.
    #[must_use]
    pub fn run(&self, messages: Vec<Message>) -> EventStream {
        let first_query = FirstQuery::of(&messages);
        self.start(messages, first_query, None)
    }

    /// One reply to `messages`, for a client who runs the tools. Each of its calls comes as an
    /// [`Event::CallAccepted`]; none of them is run. The ladder helps as far as that needs no tool.
    #[must_use]
    pub fn turn(&self, messages: Vec<Message>, turn: Turn) -> EventStream {
        let first_query = FirstQuery::of(&messages);
        self.start(messages, first_query, Some(turn))
    }

    fn start(
        &self,
        messages: Vec<Message>,
        first_query: FirstQuery,
        turn: Option<Turn>,
    ) -> EventStream {
        let shared = self.shared.clone();
        haft_core::generate(|events| async move {
            Run::new(shared, events, first_query)
                .finish(messages, turn)
                .await
        })
    }

    /// The conversation so far, without the system message.
    #[must_use]
    pub fn conversation(&self) -> Vec<Message> {
        self.conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .messages
            .clone()
    }

    /// Forgets the conversation; the next question opens a new one.
    pub fn reset(&self) {
        *self
            .conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Conversation::default();
    }

    /// Ends the MCP servers and waits until they are gone, at most some seconds. Does nothing
    /// while another clone of the agent, or a stream of it, still lives.
    #[cfg(feature = "mcp")]
    pub async fn shutdown(self) {
        if let Ok(shared) = Arc::try_unwrap(self.shared) {
            shared.servers.shutdown().await;
        }
    }
}

/// What every agent is made of.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) executor: ToolExecutor,
    pub(crate) options: AgentOptions,
}

async fn answer_of(mut events: EventStream) -> Result<Answer, AgentError> {
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
