//! `haft work`: answers runs until it is stopped.

use haft::durable::{Worker, WorkerOptions};
use haft::tools::calls_under_way;
use haft::{AgentOptions, WebSearch};

use crate::agent::{Purpose, WantedAgent};
use crate::args::{Verbosity, WorkArgs};
use crate::failure::{Exit, Failure};
use crate::interrupts::{Interrupts, under_way};
use crate::settings::Settings;
use crate::store::open;
use crate::trace::Trace;
use crate::trust::Trust;

/// Works on the runs of the store. After Ctrl-C it waits for the calls under way; what is unfinished
/// then goes back into its queue. A second Ctrl-C ends it at once.
pub(super) async fn work(
    arguments: WorkArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let mcp = arguments.tools.mcp.mcp.as_deref();
    let settings = Settings::load(&arguments.model, mcp, trust).await?;
    let store = open(&arguments.store).await?;
    let mut interrupts = Interrupts::listen()?;
    let trace = Trace::new(verbosity);
    trace.wait("looking for a model");
    let mut options = WorkerOptions::default();
    options.slots = arguments.slots.into();
    options.queue = arguments.queue;
    options.approval = settings.approval(arguments.approve);
    options.grace = arguments.grace;
    options.keep = arguments.keep;
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools),
        // The worker asks for approval through the store.
        approve: None,
        record: None,
        options: agent_options(&settings),
    };
    let opening = wanted.open(Purpose::Session, &trace);
    let opened = interrupts.unless(opening).await??;
    trace.clear();
    let worker = Worker::new(opened.agent, store, options)?;
    trace.note("work", "waiting for runs; Ctrl-C ends");
    let ending = || trace.note("ending", "as soon as the calls under way have ended");
    let stopped = interrupts.end_well(|end| worker.work(end), ending).await;
    if let Some(cut_off) = under_way(&calls_under_way()) {
        trace.warning(&cut_off);
    }
    opened.servers.shutdown().await;
    stopped?;
    Ok(Exit::Success)
}

fn agent_options(settings: &Settings) -> AgentOptions {
    let mut options = settings.agent_options();
    // A run may wait for days.
    options.timeout = None;
    // A browser would not be recorded.
    options.web_search = WebSearch::off();
    options
}
