//! `haft chat`: a conversation at a terminal, or a question per line from a pipe.
//!
//! [`run`] opens the model and the tools as `haft ask` does, then reads lines until the end.
//! `input.rs` reads them, `editor.rs` is the line editor of a terminal, `commands.rs` and
//! `apply.rs` have the commands that begin with a slash, `attach.rs` the files after an at sign,
//! `conversation.rs` asks the questions and keeps the conversation.

mod apply;
mod attach;
mod commands;
mod conversation;
mod editor;
mod input;

use std::sync::{Arc, Mutex};

use haft::AgentOptions;
use haft::tools::McpServers;

use self::conversation::Conversation;
use self::input::{Input, Line};
use crate::agent::{OpenedAgent, Purpose, WantedAgent};
use crate::approval::switchable;
use crate::args::{ChatArgs, Verbosity};
use crate::attempts::Recording;
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::say;
use crate::sessions::{Continued, Conversations};
use crate::settings::Settings;
use crate::trace::Trace;
use crate::trust::Trust;

const GREETING: &str =
    "Ask, or type /help for the commands. Ctrl-C stops an answer, Ctrl-D leaves.";

const LEAVE: &str = "(Ctrl-C again or Ctrl-D leaves)";

pub(crate) async fn run(
    mut arguments: ChatArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let settings =
        Settings::load(&arguments.model, arguments.tools.mcp.mcp.as_deref(), trust).await?;
    let settings = settings.in_role(arguments.role.as_deref(), &mut arguments.tools)?;
    let continued = Continued::of_flag(arguments.continued.as_ref())?;
    let mut options = options(&arguments, &settings);
    let recording = Recording::begin(&settings, &mut options, arguments.kept.address())?;
    let trace = Trace::new(verbosity);
    let store = match continued {
        Some(_) => Some(Conversations::open(&arguments.kept).await?),
        None => Conversations::wanted(&arguments.kept, &settings).await?,
    };
    let approval = Arc::new(Mutex::new(settings.approval(arguments.approve)));
    let mut interrupts = Interrupts::listen()?;
    let session = match (continued, &store) {
        (Some(continued), Some(store)) => Some(continued.find(store).await?),
        _ => None,
    };

    trace.wait("looking for a model");
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools).filter(|_| !arguments.no_tools),
        approve: Some(switchable(&approval, &trace)),
        record: None,
        options,
    };
    let opening = wanted.open(Purpose::Session, &trace);
    let OpenedAgent { agent, servers } = interrupts.unless(opening).await??;
    let mut conversation = Conversation::new(conversation::Parts {
        settings,
        agent,
        trace,
        store,
        approval,
    });
    let begun = match &session {
        Some(id) => conversation.load(id).await,
        None => Ok(()),
    };
    let chatted = match begun {
        Ok(()) => chat(&mut conversation, &servers, &mut interrupts).await,
        Err(failure) => Err(failure),
    };
    conversation.trace().clear();
    let ending = async {
        recording.finish(conversation.trace()).await;
        servers.shutdown().await;
    };
    let stopped = interrupts.unless(ending).await;
    let exit = chatted?;
    stopped?;
    Ok(exit)
}

fn options(arguments: &ChatArgs, settings: &Settings) -> AgentOptions {
    let mut options = settings.agent_options();
    options.selection = options.selection.filter(|_| !arguments.all_tools);
    if !arguments.no_tools {
        options.web_search = settings.web_search.search();
    }
    options
}

/// Reads lines and answers them until the input ends or the user leaves.
async fn chat(
    conversation: &mut Conversation,
    servers: &McpServers,
    interrupts: &mut Interrupts,
) -> Result<Exit, Failure> {
    let mut input = Input::open()?;
    if input.is_terminal() {
        say(GREETING);
    }
    let mut exit = Exit::Success;
    let mut is_leaving = false;
    loop {
        let line = match interrupts.unless(input.read()).await?? {
            Line::End => break,
            Line::Cleared if is_leaving => break,
            Line::Cleared => {
                say(LEAVE);
                is_leaving = true;
                continue;
            }
            Line::Text(line) => line,
        };
        is_leaving = false;
        let done = match commands::parse(&line) {
            Some(Ok(commands::Command::Exit)) => break,
            Some(Ok(command)) => apply::apply(command, conversation, servers, interrupts).await,
            Some(Err(failure)) => Err(failure),
            None => match attach::question(&line) {
                Ok(None) => continue,
                Ok(Some(question)) => conversation.ask(question, interrupts).await,
                Err(failure) => Err(failure),
            },
        };
        match done {
            Ok(Exit::Success) => {}
            Ok(other) => exit = other,
            Err(failure) if ends_chat(&failure) => return Err(failure),
            Err(failure) => {
                failure.say();
                exit = Exit::Failure;
            }
        }
    }
    // At a terminal the user has seen what went wrong.
    Ok(match input.is_terminal() {
        true => Exit::Success,
        false => exit,
    })
}

/// True for a signal that ends the program.
fn ends_chat(failure: &Failure) -> bool {
    matches!(failure.exit, Exit::Terminated | Exit::Quit | Exit::HungUp)
}
