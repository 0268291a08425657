//! Puts an agent together from names, tools and configuration files.

use std::fmt;
#[cfg(feature = "mcp")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use haft_core::{ChatModel, ModelError, Rung, Tool};
use haft_models::{ModelSettings, ModelSpec, choose_model, open_model};
use haft_tools::{Approve, ExecutorOptions, SEARCH_WEB, Synonym, ToolExecutor, ToolManager};
#[cfg(feature = "mcp")]
use haft_tools::{McpConfig, McpOptions, McpServers};
use serde_json::Value;

use crate::agent::{Agent, Parts};
#[cfg(feature = "store")]
use crate::attempts::AttemptStore;
use crate::error::AgentError;
use crate::options::AgentOptions;
use crate::recovery::CallDue;
use crate::selection::ToolSelection;
use crate::web_search::WebSearch;

/// A model by name or as an object.
#[derive(Clone, Debug)]
pub enum ModelSource {
    /// A name such as `ollama:qwen3:0.6b`; see [`ModelSpec`].
    Name(String),
    /// A model that is there already.
    Model(Arc<dyn ChatModel>),
}

impl From<&str> for ModelSource {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for ModelSource {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<Arc<dyn ChatModel>> for ModelSource {
    fn from(model: Arc<dyn ChatModel>) -> Self {
        Self::Model(model)
    }
}

impl<M: ChatModel + 'static> From<Arc<M>> for ModelSource {
    fn from(model: Arc<M>) -> Self {
        Self::Model(model)
    }
}

/// What an agent will be made of; see [`Agent::builder`].
#[derive(Default)]
#[must_use]
pub struct AgentBuilder {
    model: Option<ModelSource>,
    settings: Option<ModelSettings>,
    tools: Vec<Arc<dyn Tool>>,
    synonyms: Vec<Synonym>,
    #[cfg(feature = "mcp")]
    mcp_config: Option<PathBuf>,
    #[cfg(feature = "mcp")]
    mcp_options: McpOptions,
    executor: ExecutorOptions,
    approve: Option<Approve>,
    options: AgentOptions,
}

impl AgentBuilder {
    /// The model, by name or as an `Arc` of any [`ChatModel`]. Without this a local model is
    /// chosen, and `builtin` where there is none.
    pub fn model(mut self, model: impl Into<ModelSource>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Addresses, keys and limits of model servers; from the environment by default.
    pub fn model_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: impl Into<Arc<dyn Tool>>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// Adds several tools.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds another word for a parameter of one tool.
    pub fn synonym(mut self, synonym: Synonym) -> Self {
        self.synonyms.push(synonym);
        self
    }

    /// Adds the tools of the MCP servers in a `.mcp.json` file. A server that does not start is
    /// a warning; see [`Agent::mcp_servers`]. What becomes of their tools later holds from the
    /// next question on.
    #[cfg(feature = "mcp")]
    pub fn mcp_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.mcp_config = Some(path.into());
        self
    }

    /// How these servers are started and called. With a folder in [`McpOptions::cache`] those that
    /// are known from earlier are not waited for.
    #[cfg(feature = "mcp")]
    pub fn mcp_options(mut self, options: McpOptions) -> Self {
        self.mcp_options = options;
        self
    }

    /// Guidance that goes before every conversation; none by default.
    pub fn system(mut self, guidance: impl Into<String>) -> Self {
        self.options.system = Some(guidance.into());
        self
    }

    /// How many rounds one question may take: 10 by default, at least 1. The last one gets no
    /// tools.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.options.max_rounds = rounds;
        self
    }

    /// How long one question may take in all; unlimited by default.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.options.timeout = Some(limit);
        self
    }

    /// JSON Schema that the final answer must follow; the model is free before it.
    pub fn response_schema(mut self, schema: Value) -> Self {
        self.options.response_schema = Some(Arc::new(schema));
        self
    }

    /// Takes a rung off the recovery ladder; all are in use by default.
    pub fn without(mut self, rung: Rung) -> Self {
        self.options.recovery = self.options.recovery.without(rung);
        self
    }

    /// Chooses the tools of a question in this way; `None` binds all of them to every question.
    pub fn selection(mut self, selection: impl Into<Option<ToolSelection>>) -> Self {
        self.options.selection = selection.into();
        self
    }

    /// Tells which questions surely call for a tool, so that prose in place of the call is
    /// noticed; by default that is known of questions about devices, the time and the web.
    pub fn call_due(mut self, due: CallDue) -> Self {
        self.options.call_due = Some(due);
        self
    }

    /// How many tokens prompt and reply may have together, for models that do not tell, or fewer
    /// than they could.
    pub fn context(mut self, tokens: u32) -> Self {
        self.options.context = Some(tokens);
        self
    }

    /// Search on the web in place of a model that does not know: by default as soon as there is a
    /// Playwright server or a tool `search_web` to search with.
    pub fn web_search(mut self, search: WebSearch) -> Self {
        self.options.web_search = search;
        self
    }

    /// Keeps the record of every question there; nothing is kept by default.
    #[cfg(feature = "store")]
    pub fn attempts(mut self, store: AttemptStore) -> Self {
        self.options.attempts = Some(store);
        self
    }

    /// The limits of the tools.
    pub fn executor_options(mut self, options: ExecutorOptions) -> Self {
        self.executor = options;
        self
    }

    /// Whom to ask before a tool runs; nobody by default.
    pub fn approve(mut self, approve: Approve) -> Self {
        self.approve = Some(approve);
        self
    }

    /// Opens the model, starts the servers, and binds the tools.
    ///
    /// # Errors
    ///
    /// When the model's name makes no sense, a configuration file cannot be read, two tools
    /// have the same name, or the options contradict each other.
    pub async fn build(self) -> Result<Agent, AgentError> {
        self.assemble().await
    }

    /// Boxed, so that models and servers are compiled here, once, and not anew into every
    /// program that builds an agent.
    fn assemble(self) -> BoxFuture<'static, Result<Agent, AgentError>> {
        Box::pin(self.assemble_now())
    }

    async fn assemble_now(self) -> Result<Agent, AgentError> {
        let mut tools = ToolManager::new();
        for tool in self.tools {
            tools.add(tool)?;
        }
        if tools.find(SEARCH_WEB).is_none() {
            let mut search = self.options.web_search.search_tool().into_iter();
            search.try_for_each(|tool| tools.add(tool))?;
        }
        for synonym in self.synonyms {
            tools.add_synonym(synonym);
        }
        #[cfg(feature = "mcp")]
        let (model, servers, browser) = {
            let mut config = self
                .mcp_config
                .map(McpConfig::load)
                .transpose()?
                .unwrap_or_default();
            let browser = self.options.web_search.take_browser(&mut config)?;
            let starting = McpServers::start_with(&config, self.mcp_options);
            let (model, servers) = tokio::join!(open(self.model, self.settings), starting);
            tools.add_servers(&servers);
            (model, servers, browser)
        };
        #[cfg(not(feature = "mcp"))]
        let model = open(self.model, self.settings).await;
        let parts = Parts {
            model: model?,
            executor: ToolExecutor::with_options(tools, self.executor, self.approve),
            options: AgentOptions {
                #[cfg(feature = "mcp")]
                browser,
                ..self.options
            },
        };
        #[cfg(feature = "mcp")]
        return Agent::assemble(parts, servers);
        #[cfg(not(feature = "mcp"))]
        Agent::assemble(parts)
    }
}

/// The model itself. The environment is read only where it is needed.
async fn open(
    source: Option<ModelSource>,
    settings: Option<ModelSettings>,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    let settings = || settings.unwrap_or_else(ModelSettings::from_env);
    match source {
        Some(ModelSource::Model(model)) => Ok(model),
        Some(ModelSource::Name(name)) => open_model(&name.parse::<ModelSpec>()?, &settings()),
        None => {
            let settings = settings();
            let choice = choose_model(&settings).await;
            tracing::info!(model = %choice.spec, reason = choice.reason, "model chosen");
            open_model(&choice.spec, &settings)
        }
    }
}

impl fmt::Debug for AgentBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AgentBuilder")
            .field("model", &self.model)
            .field("tools", &self.tools)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
