//! The agent that a command works with: its model, its tools, and who is asked about them.

use std::path::PathBuf;

use haft::tools::{Approve, McpServers};
use haft::{Agent, AgentOptions};

use crate::args::ToolArgs;
use crate::failure::Failure;
use crate::model::{self, CONNECT_HINT};
use crate::settings::Settings;
use crate::toolbox::Toolbox;
use crate::trace::Trace;

/// What the agent will be made of.
pub(crate) struct WantedAgent<'a> {
    pub(crate) settings: &'a Settings,
    /// No tools at all for none.
    pub(crate) tools: Option<&'a ToolArgs>,
    /// Who is asked about calls that may do harm; all run where there is nobody.
    pub(crate) approve: Option<Approve>,
    /// Where the traffic with the model server is recorded.
    pub(crate) record: Option<PathBuf>,
    pub(crate) options: AgentOptions,
}

impl WantedAgent<'_> {
    /// Opens the model and gathers the tools, and says which.
    pub(crate) async fn open(mut self, trace: &Trace) -> Result<(Agent, McpServers), Failure> {
        let settings = self.settings;
        let opened = model::open(settings, self.record).await?;
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
        let executor = toolbox.executor(settings, self.approve)?;
        let agent = Agent::new(opened.model, executor, self.options)?;
        Ok((agent, toolbox.servers))
    }
}
