//! Asking the person at the terminal whether a call may run.
//!
//! Where no person sits, calls that need one are refused, with a reason that says how they can
//! be allowed.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Arc;

use haft::core::ToolSource;
use haft::tools::{
    Approval, ApprovalMode, ApprovalRequest, Approve, capped, escape_unseen, refuse,
};

use crate::text::one_line;
use crate::trace::Trace;

/// In characters. Whoever needs more to decide should say no.
const ARGUMENTS_LIMIT: usize = 4000;

/// In bytes: the longest line that a terminal hands over.
const LONGEST_LINE: u64 = 4096;

/// In characters: a reason that the model reads.
const REASON_LIMIT: usize = 300;

/// What can be done where nobody can be asked.
const REMEDY: &str = "Nobody can be asked here, because this is no terminal. Calls like this \
    one can be allowed with --approve never.";

/// Whom `haft ask` asks, and about what.
pub(crate) fn approver(mode: ApprovalMode, trace: &Trace) -> Option<Approve> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return mode.approver(refuse(REMEDY));
    }
    let hide_spinner = trace.hider();
    mode.approver(Arc::new(move |request| {
        hide_spinner();
        Box::pin(ask(request))
    }))
}

async fn ask(request: ApprovalRequest) -> Approval {
    let name = request.tool.name().to_owned();
    forget_typed();
    anstream::eprint!("{}", question(&request));
    // A thread of its own: whoever interrupts does not wait until the line is read.
    let line = tokio::task::spawn_blocking(read_line).await;
    match line {
        Ok(Ok(Some(line))) => decision(&name, &line),
        Ok(Ok(None) | Err(_)) | Err(_) => {
            anstream::eprintln!();
            Approval::Denied(format!("Nobody said whether {name} may run."))
        }
    }
}

/// What the person reads. Nothing in it is taken as the terminal's commands, and the arguments
/// are those that the tool will get.
fn question(request: &ApprovalRequest) -> String {
    let name = escape_unseen(request.tool.name());
    let arguments = serde_json::to_string(&request.call.args).unwrap_or_default();
    let arguments = escape_unseen(&arguments);
    let arguments = capped(arguments, ARGUMENTS_LIMIT);
    let origin = match request.tool.source() {
        ToolSource::Mcp { server } => {
            format!("a tool of the MCP server {}", escape_unseen(&server))
        }
        ToolSource::Custom => "a tool of haft".to_owned(),
    };
    let effect = if request.annotations.destructive {
        "may have serious effects"
    } else if request.annotations.read_only {
        "says that it changes nothing"
    } else {
        "may change something"
    };
    format!(
        "approve {name} {arguments}\n        {origin}; {effect}\n        \
         run it? [y/N, or say why not] "
    )
}

/// What was typed before the question was there is no answer to it.
fn forget_typed() {
    #[cfg(unix)]
    if let Err(error) =
        rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush)
    {
        tracing::debug!(%error, "what was typed ahead is not forgotten");
    }
}

fn read_line() -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = io::stdin().lock().take(LONGEST_LINE).read_line(&mut line)?;
    Ok((length > 0).then_some(line))
}

fn decision(name: &str, line: &str) -> Approval {
    let said = one_line(line, REASON_LIMIT);
    match said.to_lowercase().as_str() {
        "y" | "yes" => Approval::Allowed,
        "" | "n" | "no" => Approval::Denied(format!("The user did not allow {name}.")),
        _ => Approval::Denied(format!("The user did not allow {name}, and says: {said}")),
    }
}

#[cfg(test)]
mod tests;
