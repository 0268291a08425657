//! The agent: a model and its tools.

use std::sync::{Arc, Mutex};

use haft_core::{Answer, ChatModel, Content, Message};
#[cfg(feature = "mcp")]
use haft_mcp::McpServers;
use haft_models::is_small;
use haft_tools::{ToolExecutor, ToolManager};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::attempts::metrics::{Metrics, SharedMetrics};
use crate::builder::AgentBuilder;
use crate::error::{AgentError, AgentErrorKind};
use crate::options::AgentOptions;
use crate::options::client_turn::ClientTurn;
use crate::question::{EventStream, Question, collect, collect_as};
use crate::router::Router;
use crate::run::answer_events;
use crate::selection::Toolsets;
use crate::session::Session;
use crate::shared::Shared;

/// A model that can use tools. Cheap to clone; clones share the model, the tools and the metrics.
///
/// An agent has no memory: each [`ask`](Self::ask) is a conversation of its own. For a
/// conversation that goes on, use a [`session`](Self::session), which keeps the history, or
/// [`run`](Self::run), which takes the history from its caller.
#[derive(Clone, Debug)]
pub struct Agent {
    shared: Arc<Shared>,
}

impl Agent {
    /// Builds an agent from a model's name, tools and configuration files.
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// Builds an agent from a model and an executor whose tools it binds.
    ///
    /// # Errors
    ///
    /// [`AgentErrorKind::Configuration`] when an option is invalid, or the model's error when a
    /// tool cannot be expressed in its wire format.
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
        let is_routed = options.routing.applies_to(model.as_ref());
        let model: Arc<dyn ChatModel> = if is_routed {
            Arc::new(Router::new(model))
        } else {
            model
        };
        let is_small = !is_routed && is_small(model.as_ref());
        let toolsets = Toolsets::new(&model, executor, options.selection.as_ref(), is_small)?;
        Ok(Self {
            shared: Arc::new(Shared {
                model,
                is_routed,
                toolsets: Mutex::new(Arc::new(toolsets)),
                options,
                metrics: SharedMetrics::default(),
                #[cfg(feature = "mcp")]
                servers,
            }),
        })
    }

    /// The model's full name, such as `ollama:qwen3:0.6b`.
    #[must_use]
    pub fn model_id(&self) -> &str {
        self.shared.model.id()
    }

    /// Counters since the agent was built: how often the first reply was usable, and how often
    /// each recovery step was needed, tried and successful.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared.metrics.update(|metrics| metrics.clone())
    }

    /// The executor with all tools of the agent, as of the last question: MCP servers may add and
    /// remove tools between questions.
    #[must_use]
    pub fn executor(&self) -> ToolExecutor {
        self.shared.tools().executor.clone()
    }

    /// The MCP servers of the agent, including those that failed to start.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub fn mcp_servers(&self) -> &McpServers {
        &self.shared.servers
    }

    /// Asks a question in a conversation of its own and waits for the answer.
    ///
    /// # Errors
    ///
    /// The error of the model, or [`AgentErrorKind::Timeout`]. A failed tool is not an error: the
    /// model reads the message and goes on.
    pub async fn ask(&self, question: impl Into<Content>) -> Result<Answer, AgentError> {
        collect(self.stream(question).await?).await
    }

    /// Asks a question in a conversation of its own and returns the answer as a `T`.
    ///
    /// The model calls its tools first; then it is asked for JSON that follows the schema of `T`,
    /// once more if the first reply does not fit.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # let model = Arc::new(haft_testing::ScriptedModel::saying([
    /// #     haft_core::AiMessage::new(r#"{"city": "Oslo", "population": 709000}"#)]));
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City {
    ///     city: String,
    ///     population: u32,
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let agent = haft_agent::Agent::builder().model(model).build().await?;
    /// let city: City = agent.ask_as("What is the largest city in Norway?").await?;
    /// assert_eq!(city.city, "Oslo");
    /// assert_eq!(city.population, 709_000);
    /// # Ok::<_, haft_agent::AgentError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask), and [`AgentErrorKind::StructuredOutput`] when the answer does not
    /// fit `T`.
    pub async fn ask_as<T>(&self, question: impl Into<Content>) -> Result<T, AgentError>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let question = Question::new(vec![Message::user(question)]).expecting::<T>();
        collect_as(self.start(question)).await
    }

    /// Asks a question in a conversation of its own and returns the events of its answer.
    ///
    /// # Errors
    ///
    /// None today; the stream itself reports what goes wrong.
    #[expect(
        clippy::unused_async,
        reason = "lazily started tool servers will be awaited here"
    )]
    pub async fn stream(&self, question: impl Into<Content>) -> Result<EventStream, AgentError> {
        Ok(self.run(vec![Message::user(question)]))
    }

    /// Starts a conversation whose history is kept from question to question.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(self.shared.clone())
    }

    /// Continues the conversation `messages`, whose last message is the question, and returns
    /// the events of its answer.
    #[must_use]
    pub fn run(&self, messages: Vec<Message>) -> EventStream {
        self.start(Question::new(messages))
    }

    /// Returns one reply to `messages`, for a client that runs the tools itself. Each of its calls
    /// is an [`Event::CallAccepted`](haft_core::Event::CallAccepted); none is run. Recovery steps
    /// that need no tool are taken.
    #[must_use]
    pub fn turn(&self, messages: Vec<Message>, turn: ClientTurn) -> EventStream {
        self.start(Question {
            client_turn: Some(turn),
            ..Question::new(messages)
        })
    }

    /// The model; with the router in front of it, if there is one.
    #[must_use]
    pub fn model(&self) -> Arc<dyn ChatModel> {
        self.shared.model.clone()
    }

    /// The tools that the agent was given, as of the last question.
    #[must_use]
    pub fn tools(&self) -> ToolManager {
        self.shared.tools().given.tools().clone()
    }

    /// An agent with the same options and tools over another model. The MCP servers stay with this
    /// agent, so it must outlive the new one.
    ///
    /// # Errors
    ///
    /// The model's error when a tool cannot be expressed in its wire format.
    pub fn with_model(&self, model: Arc<dyn ChatModel>) -> Result<Self, AgentError> {
        let executor = self.shared.tools().given.clone();
        Self::new(model, executor, self.shared.options.clone())
    }

    /// An agent with the same options over another model and executor, which usually wrap those of
    /// this agent, for example to record what they do. It adds no router, has no time limit, and
    /// keeps no attempts. The MCP servers stay with this agent, so it must outlive the new one.
    ///
    /// # Errors
    ///
    /// The model's error when a tool cannot be expressed in its wire format.
    pub fn over(
        &self,
        model: Arc<dyn ChatModel>,
        executor: ToolExecutor,
    ) -> Result<Self, AgentError> {
        let shared = &self.shared;
        let options = AgentOptions {
            timeout: None,
            // The browser is not one of the tools.
            #[cfg(feature = "mcp")]
            browser: None,
            #[cfg(feature = "store")]
            attempts: None,
            ..shared.options.clone()
        };
        let is_small = shared.tools().is_small_model;
        let toolsets = Toolsets::new(&model, executor, options.selection.as_ref(), is_small)?;
        Ok(Self {
            shared: Arc::new(Shared {
                model,
                is_routed: shared.is_routed,
                toolsets: Mutex::new(Arc::new(toolsets)),
                options,
                metrics: shared.metrics.clone(),
                #[cfg(feature = "mcp")]
                servers: McpServers::default(),
            }),
        })
    }

    #[cfg(test)]
    pub(crate) fn recorded_name(&self) -> String {
        self.shared.recorded_name()
    }

    fn start(&self, question: Question) -> EventStream {
        answer_events(self.shared.clone(), question)
    }

    /// Ends the MCP servers and waits until they are gone, a few seconds at most. Does nothing
    /// while another clone, a session or a stream of the agent is alive.
    #[cfg(feature = "mcp")]
    pub async fn shutdown(self) {
        if let Ok(shared) = Arc::try_unwrap(self.shared) {
            shared.servers.shutdown().await;
        }
    }
}

/// The parts that an agent is built from.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) executor: ToolExecutor,
    pub(crate) options: AgentOptions,
}
