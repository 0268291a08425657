//! The state shared by all requests of a gateway. It knows nothing about requests itself.

use std::sync::{Arc, Mutex, PoisonError};

use haft_agent::{AttemptStore, Routing, ToolNeedDetector, ToolSelection};
use haft_core::Tool;
use haft_select::ToolChooser;
use haft_tools::{ApprovalMode, ToolManager};
use tokio::sync::Semaphore;

use crate::access::Caller;
use crate::activity::{Activity, ContentPolicy};
use crate::agents::Agents;
use crate::closing::Closing;
use crate::guard::Guard;
use crate::hidden_rounds::HiddenRounds;
use crate::kept_replies::KeptReplies;
use crate::live_settings::LiveSettings;
use crate::metrics::Metrics;
use crate::options::GatewayOptions;
use crate::refusal_log::RefusalLog;
use crate::scheduler::Upstreams;

/// The state shared by all requests.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) upstreams: Upstreams,
    pub(crate) admin: bool,
    pub(crate) guard: Guard,
    /// The permits for running requests.
    pub(crate) room: Arc<Semaphore>,
    /// Whether running replies must end.
    pub(crate) closing: Arc<Closing>,
    pub(crate) metrics: Metrics,
    pub(crate) refusals: RefusalLog,
    tools: Mutex<ToolManager>,
    pub(crate) approval: ApprovalMode,
    pub(crate) selection: ToolSelection,
    /// Detects questions that surely need a tool.
    pub(crate) tool_need: ToolNeedDetector,
    /// Whether the command engine reads requests before the model.
    pub(crate) routing: Routing,
    pub(crate) hidden_rounds: HiddenRounds,
    pub(crate) kept_replies: Arc<KeptReplies>,
    pub(crate) agents: Agents,
    pub(crate) live: LiveSettings,
    pub(crate) activity: Arc<Activity>,
    /// See [`GatewayOptions::attempts`].
    pub(crate) attempts: Option<AttemptStore>,
    /// See [`GatewayOptions::runs`].
    #[cfg(feature = "durable")]
    pub(crate) runs: Option<haft_durable::DurableStore>,
    /// See [`GatewayOptions::page_content`].
    page_content: Option<bool>,
    is_loopback: bool,
}

impl Shared {
    /// The state of a gateway with these options before its first request.
    pub(crate) fn new(
        upstreams: Upstreams,
        options: GatewayOptions,
        guard: Guard,
        live: LiveSettings,
    ) -> Self {
        Self {
            metrics: Metrics::new(upstreams.clone()),
            refusals: RefusalLog::default(),
            upstreams,
            admin: options.admin,
            closing: Arc::default(),
            guard,
            room: Arc::new(Semaphore::new(options.limits.conversations)),
            tools: Mutex::new(options.tools),
            approval: options.approval,
            tool_need: tool_need(&options.selection),
            selection: options.selection,
            routing: options.routing,
            hidden_rounds: HiddenRounds::default(),
            #[cfg(feature = "durable")]
            kept_replies: Arc::new(KeptReplies::in_store(options.runs.clone())),
            #[cfg(not(feature = "durable"))]
            kept_replies: Arc::default(),
            agents: Agents::default(),
            live,
            activity: Arc::default(),
            attempts: options.attempts,
            #[cfg(feature = "durable")]
            runs: options.runs,
            page_content: options.page_content,
            is_loopback: options.listen.ip().is_loopback(),
        }
    }

    /// Whether there are durable runs.
    pub(crate) fn has_runs(&self) -> bool {
        #[cfg(feature = "durable")]
        return self.runs.is_some();
        #[cfg(not(feature = "durable"))]
        false
    }

    /// Whether the texts in a request of this caller are kept for the page.
    pub(crate) fn content_policy(&self, caller: &Caller) -> ContentPolicy {
        let default = self.is_loopback && caller.key().is_none();
        if self.page_content.unwrap_or(default) {
            ContentPolicy::Kept
        } else {
            ContentPolicy::Left
        }
    }

    /// The gateway's tools, with the current tools of its servers.
    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        // Clients keep their conversations themselves, so removed tools are left out at once.
        if let Some(now) = tools.refreshed(true) {
            *tools = now;
        }
        tools.get_tools().to_vec()
    }
}

/// The detector classifies a question only if the model replied with text instead of a call.
fn tool_need(selection: &ToolSelection) -> ToolNeedDetector {
    let tool_groups = selection.tool_groups.clone();
    ToolNeedDetector::new(move |question, tools| {
        ToolChooser::new(tool_groups.clone(), tools.to_vec()).is_call_due(question)
    })
}
