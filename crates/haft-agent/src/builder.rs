//! Builds an agent from a model's name, tools and configuration files.

mod model_source;

use std::fmt;
#[cfg(feature = "mcp")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use haft_core::{ChatModel, ModelError, RecoveryStep, Tool};
#[cfg(feature = "mcp")]
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_models::{ModelSettings, ModelSpec, choose_model};
use haft_tools::{Approve, ExecutorOptions, SEARCH_WEB, Synonym, ToolExecutor, ToolManager};
use serde_json::Value;

pub use self::model_source::ModelSource;
use crate::agent::{Agent, Parts};
#[cfg(feature = "store")]
use crate::attempts::store::AttemptStore;
use crate::error::AgentError;
use crate::model::open_model;
use crate::options::AgentOptions;
use crate::options::routing::Routing;
use crate::options::tool_need::ToolNeedDetector;
use crate::options::tool_selection::ToolSelection;
use crate::options::web_search::WebSearch;

/// The settings of an agent to build; see [`Agent::builder`].
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
    /// Sets the model, by name or as an `Arc` of any [`ChatModel`]. By default a local model is
    /// chosen, or `builtin` if there is none.
    pub fn model(mut self, model: impl Into<ModelSource>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets addresses, keys and limits of model servers; by default from the environment.
    pub fn model_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Adds a tool: a function tool, a type that implements [`Tool`], or an `Arc` of one.
    ///
    /// ```
    /// use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
    /// use serde_json::Value;
    ///
    /// #[derive(Debug)]
    /// struct Ping;
    ///
    /// #[async_trait::async_trait]
    /// impl Tool for Ping {
    ///     fn name(&self) -> &str {
    ///         "ping"
    ///     }
    ///     fn description(&self) -> &str {
    ///         "Check the connection"
    ///     }
    ///     fn schema(&self) -> &Value {
    ///         &Value::Null // no arguments
    ///     }
    ///     async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
    ///         Ok("pong".into())
    ///     }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let agent = haft_agent::Agent::builder().model("builtin").tool(Ping).build().await?;
    /// assert!(agent.executor().tools().find("ping").is_some());
    /// # Ok::<_, haft_agent::AgentError>(())
    /// # }).unwrap();
    /// ```
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Adds several tools.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds a synonym for a parameter of one tool.
    pub fn synonym(mut self, synonym: Synonym) -> Self {
        self.synonyms.push(synonym);
        self
    }

    /// Adds the tools of the MCP servers in a `.mcp.json` file. A server that does not start is
    /// logged as a warning; see [`Agent::mcp_servers`]. Later changes of their tools apply from
    /// the next question on.
    #[cfg(feature = "mcp")]
    pub fn mcp_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.mcp_config = Some(path.into());
        self
    }

    /// Sets how MCP servers are started and called. With a folder in [`McpOptions::cache`] the
    /// agent does not wait for servers whose tools are cached.
    #[cfg(feature = "mcp")]
    pub fn mcp_options(mut self, options: McpOptions) -> Self {
        self.mcp_options = options;
        self
    }

    /// Sets the system message of every conversation; none by default.
    pub fn system(mut self, guidance: impl Into<String>) -> Self {
        self.options.system = Some(guidance.into());
        self
    }

    /// Sets the maximum number of rounds of one question: at least 1, by default 10. The last
    /// round offers no tools.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.options.max_rounds = rounds;
        self
    }

    /// Sets the time limit of one question; unlimited by default.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.options.timeout = Some(limit);
        self
    }

    /// Sets the JSON Schema of every final answer; see also [`Agent::ask_as`].
    pub fn response_schema(mut self, schema: Value) -> Self {
        self.options.response_schema = Some(Arc::new(schema));
        self
    }

    /// Switches a recovery step off; all are on by default.
    pub fn without(mut self, step: RecoveryStep) -> Self {
        self.options.recovery = self.options.recovery.without(step);
        self
    }

    /// Sets whether the local command engine reads a question before the model: by default for
    /// models that are too small to choose tools.
    pub fn routing(mut self, routing: Routing) -> Self {
        self.options.routing = routing;
        self
    }

    /// Sets how the tools of a question are chosen; `None` binds all tools to every question.
    pub fn selection(mut self, selection: impl Into<Option<ToolSelection>>) -> Self {
        self.options.selection = selection.into();
        self
    }

    /// Sets how to detect questions that need a tool call, so that an answer in prose is asked
    /// again. By default these are questions about devices, the time and the web.
    pub fn tool_need(mut self, due: ToolNeedDetector) -> Self {
        self.options.tool_need = Some(due);
        self
    }

    /// Sets the context size in tokens, prompt and reply together, for models that do not report
    /// it or should use less.
    pub fn context(mut self, tokens: u32) -> Self {
        self.options.context = Some(tokens);
        self
    }

    /// Sets whether the web is searched when the model cannot answer: by default if there is a
    /// Playwright server or a tool `search_web`.
    pub fn web_search(mut self, search: WebSearch) -> Self {
        self.options.web_search = search;
        self
    }

    /// Records every question in this store; none by default.
    #[cfg(feature = "store")]
    pub fn attempts(mut self, store: AttemptStore) -> Self {
        self.options.attempts = Some(store);
        self
    }

    /// Sets the limits of tool calls.
    pub fn executor_options(mut self, options: ExecutorOptions) -> Self {
        self.executor = options;
        self
    }

    /// Sets the approval of calls before they run; by default none is needed.
    pub fn approve(mut self, approve: Approve) -> Self {
        self.approve = Some(approve);
        self
    }

    /// Opens the model, starts the MCP servers, and binds the tools.
    ///
    /// # Errors
    ///
    /// When the model's name is invalid, a configuration file cannot be read, two tools have the
    /// same name, or the options contradict each other.
    pub async fn build(self) -> Result<Agent, AgentError> {
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

/// Opens the model. The environment is read only if needed.
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
