//! What the commands of the chat do.

use std::path::Path;

use haft::tools::McpServers;
use haft::types::ToolSource;

use super::commands::{self, Command};
use super::conversation::Conversation;
use crate::commands::sessions;
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::say;
use crate::terminal;
use crate::text::{fitted, one_line, plain};

/// The maximum length of a description in characters.
const DESCRIPTION: usize = 200;

/// The number of kept conversations that `/load` lists.
const LISTED: usize = 10;

/// Carries out a command.
pub(super) async fn apply(
    command: Command,
    conversation: &mut Conversation,
    servers: &McpServers,
    interrupts: &mut Interrupts,
) -> Result<Exit, Failure> {
    match command {
        Command::Tools => tools(conversation),
        Command::Model(None) => say(plain(conversation.agent().model_id())),
        Command::Model(Some(name)) => conversation.use_model(&name).await?,
        Command::Mcp => mcp(servers),
        Command::Approve(mode) => {
            if let Some(mode) = mode {
                conversation.set_approval(mode);
            }
            say(format_args!(
                "calls that need your approval: {}",
                conversation.approval()
            ));
        }
        Command::Reset => {
            conversation.reset();
            say("a new conversation");
        }
        Command::Save(None) => {
            return Err(Failure::usage("/save needs the name of a file").with_hint("/save talk.md"));
        }
        Command::Save(Some(name)) => {
            conversation.save(Path::new(&name))?;
            say(format_args!("saved in {}", plain(&name)));
        }
        Command::Load(name) => load(name, conversation).await?,
        Command::Retry => return conversation.retry(interrupts).await,
        Command::Expand(number) => conversation.expand(number)?,
        Command::Help => help(),
        // The chat has ended before.
        Command::Exit => {}
    }
    Ok(Exit::Success)
}

fn help() {
    let width = commands::HELP.iter().map(|(usage, _)| usage.len()).max();
    let width = width.unwrap_or_default();
    for (usage, meaning) in commands::HELP {
        say(format_args!("{usage:<width$}  {meaning}"));
    }
    say(commands::KEYS);
}

fn tools(conversation: &Conversation) {
    let executor = conversation.agent().executor();
    let tools = executor.tools().get_tools();
    if tools.is_empty() {
        say("no tools");
    }
    for tool in tools {
        let name = plain(tool.name());
        let origin = match tool.source() {
            ToolSource::Mcp { server } => format!(" ({})", one_line(&server, DESCRIPTION)),
            ToolSource::Custom => String::new(),
        };
        let line = format!(
            "{name}{origin}: {}",
            one_line(tool.description(), DESCRIPTION)
        );
        say(fitted(&line, terminal::width() - 1));
    }
}

fn mcp(servers: &McpServers) {
    if servers.statuses().is_empty() && servers.failures().is_empty() {
        say("no MCP servers; `haft mcp add` adds one");
    }
    for status in servers.statuses() {
        let name = one_line(&status.server, DESCRIPTION);
        say(format_args!(
            "{name}: {} tools, over {}",
            status.tools, status.transport
        ));
    }
    for failure in servers.failures() {
        say(one_line(&failure.to_string(), 2 * DESCRIPTION));
    }
}

async fn load(name: Option<String>, conversation: &mut Conversation) -> Result<(), Failure> {
    let Some(name) = name else {
        let listed = match conversation.store() {
            Some(store) => store.list().await?,
            None => Vec::new(),
        };
        say(sessions::table(listed.get(..LISTED).unwrap_or(&listed)));
        return Ok(());
    };
    if let Ok(id) = name.parse() {
        return conversation.load(&id).await;
    }
    let count = conversation.load_file(Path::new(&name))?;
    say(format_args!("{count} messages from {}", plain(&name)));
    Ok(())
}
