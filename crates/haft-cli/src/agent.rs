//! Opens the agent of a command: its model, its tools and its approval policy.

use std::cell::Cell;
use std::fmt;

use haft::models::Recorder;
use haft::tools::{Approve, McpServers};
use haft::{Agent, AgentOptions};
use tokio::time::{Instant, timeout_at};

use crate::args::ToolArgs;
use crate::failure::Failure;
use crate::model::{self, CONNECT_HINT};
use crate::settings::Settings;
use crate::toolbox::Toolbox;
use crate::trace::Trace;

/// Shown where the model gets a router.
const ROUTED: &str = "the command engine reads questions first (--route=never switches it off)";

/// The parts that the agent is built from.
pub(crate) struct WantedAgent<'a> {
    pub(crate) settings: &'a Settings,
    /// The tools; `None` for an agent without tools.
    pub(crate) tools: Option<&'a ToolArgs>,
    /// Asks about calls that may do harm; without it all calls run.
    pub(crate) approve: Option<Approve>,
    /// The file that records the traffic with the model server.
    pub(crate) record: Option<Recorder>,
    pub(crate) options: AgentOptions,
}

/// An agent that is ready to answer.
pub(crate) struct OpenedAgent {
    pub(crate) agent: Agent,
    /// The MCP servers of its tools; their owner shuts them down.
    pub(crate) servers: McpServers,
}

impl WantedAgent<'_> {
    /// Opens the model and the tools, and shows them in the trace. That takes no longer than an
    /// answer may.
    pub(crate) async fn open(
        mut self,
        purpose: Purpose,
        trace: &Trace,
    ) -> Result<OpenedAgent, Failure> {
        let Some(limit) = self.options.timeout else {
            return self.open_now(trace, &Cell::default(), None).await;
        };
        let end = Instant::now() + limit;
        let stage = Cell::default();
        let once = Some(end).filter(|_| purpose == Purpose::OneQuestion);
        let opened = timeout_at(end, self.open_now(trace, &stage, once)).await;
        opened.unwrap_or_else(|_| {
            trace.clear();
            let (seconds, stage) = (limit.as_secs_f64(), stage.get());
            let message = format!("There was no answer within {seconds} seconds: {stage}");
            Err(Failure::new(message).with_hint(stage.hint()))
        })
    }

    /// Opens the agent; an answer has until `end`, if that is set.
    async fn open_now(
        &mut self,
        trace: &Trace,
        stage: &Cell<Stage>,
        end: Option<Instant>,
    ) -> Result<OpenedAgent, Failure> {
        let settings = self.settings;
        let opened = model::open(settings, self.record.take()).await?;
        stage.set(Stage::Tools);
        trace.clear();
        if let Err(problem) = settings.format() {
            trace.warning(&problem);
        }
        trace.model(opened.model.id(), &opened.reason);
        let toolbox = match self.tools {
            Some(tools) => {
                Toolbox::gather(tools, settings, &self.options.web_search, trace).await?
            }
            None => Toolbox::default(),
        };
        self.options.browser = toolbox.browser.clone();
        if let Some(home) = &toolbox.home {
            trace.home(home);
        }
        trace.tools(&toolbox.names());
        if opened.is_last_resort {
            trace.hint(CONNECT_HINT);
        }
        let executor = toolbox.executor(settings, self.approve.take())?;
        let mut options = self.options.clone();
        if let Some(end) = end {
            options.timeout = Some(end.saturating_duration_since(Instant::now()));
        }
        if let Some(store) = &options.attempts {
            let routing = options.routing.measured(opened.model.id(), store).await;
            options.routing = routing;
        }
        if options.routing.applies_to(opened.model.as_ref()) {
            trace.note("route", ROUTED);
        }
        let agent = Agent::new(opened.model, executor, options)?;
        Ok(OpenedAgent {
            agent,
            servers: toolbox.servers,
        })
    }
}

/// What an agent is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// One question; its answer has only the time that opening the agent left.
    OneQuestion,
    /// Many questions; each answer has the whole time.
    Session,
}

/// The current stage of opening an agent.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    #[default]
    Model,
    Tools,
}

impl Stage {
    fn hint(self) -> &'static str {
        match self {
            Self::Model => "allow more time with --timeout, or name a model with --model",
            Self::Tools => "allow more time with --timeout, or see `haft mcp test`",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Model => "no model was found in that time",
            Self::Tools => "the MCP servers were still starting",
        })
    }
}
