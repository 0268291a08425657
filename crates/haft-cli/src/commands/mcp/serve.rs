//! `haft mcp serve`: haft's own tools for other programs, over stdin and stdout or over HTTP.
//!
//! Tools of MCP servers are not offered: a host has its own servers, and a configuration that
//! contains this command would start itself.

use haft::WebSearch;
use haft::gateway::Gateway;
use haft::tools::ToolServer;

use crate::args::{HomeSpec, McpServeArgs, ModelArgs, ServedTools, ToolArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::settings::Settings;
use crate::toolbox::Toolbox;
use crate::trace::Trace;
use crate::trust::Trust;

/// The source of the clock and the search, as named by the toolbox.
const BUILT_IN: &str = "built in";

pub(crate) async fn run(
    arguments: McpServeArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let mut settings = Settings::load(&ModelArgs::default(), None, trust).await?;
    settings.mcp.value = None;
    let mut interrupts = Interrupts::listen()?;
    let trace = Trace::new(verbosity);
    let gathering = own_tools(&arguments, &settings, &trace);
    let toolbox = interrupts.unless(gathering).await??;
    if let Some(home) = &toolbox.home {
        trace.home(home);
    }
    trace.tools(&toolbox.names());
    // The host asks for approval; it has a user.
    let server = ToolServer::new(toolbox.executor(&settings, None)?);
    let ending = || trace.note("ending", "as soon as what is under way is answered");
    let Some(address) = arguments.http else {
        trace.note("listens", "stdin, for an MCP host");
        let serve = |end| server.serve_stdio(end);
        interrupts.end_well(serve, ending).await??;
        return Ok(Exit::Success);
    };
    let token = arguments.token.or(settings.token.value);
    let gateway = Gateway::bind_tools(server, address, token).await?;
    let address = gateway.address()?;
    trace.note("listens", &format!("http://{address}/mcp"));
    let serve = |end| gateway.serve(end);
    interrupts.end_well(serve, ending).await?;
    Ok(Exit::Success)
}

/// The tools that belong to haft itself, or those of the home alone.
async fn own_tools(
    arguments: &McpServeArgs,
    settings: &Settings,
    trace: &Trace,
) -> Result<Toolbox, Failure> {
    let mut wanted = ToolArgs {
        home: arguments.home.clone(),
        ..ToolArgs::default()
    };
    let search = match arguments.only {
        None => settings.web_search.search_without_fallback(),
        Some(ServedTools::Zwave) => {
            wanted.home.get_or_insert(HomeSpec::Demo);
            WebSearch::default()
        }
    };
    let mut toolbox = Toolbox::gather(&wanted, settings, &search, trace).await?;
    if arguments.only == Some(ServedTools::Zwave) {
        toolbox.entries.retain(|entry| entry.origin != BUILT_IN);
    }
    Ok(toolbox)
}
