//! Asking the person at the terminal whether a call may run.
//!
//! Without a terminal, calls that need approval are refused, with a reason that says how to
//! allow them.

use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

use haft::tools::{
    Approval, ApprovalMode, ApprovalRequest, Approve, capped, escape_unseen, refuse,
};
use haft::types::ToolSource;

use crate::terminal;
use crate::text::one_line;
use crate::trace::Trace;

/// The maximum length of the question, in characters.
const ARGUMENTS_LIMIT: usize = 4000;

/// The maximum length of the user's reason for the model, in characters.
const REASON_LIMIT: usize = 300;

/// The hint when there is no terminal to ask at.
const REMEDY: &str = "Nobody can be asked here, because this is no terminal. Calls like this \
    one can be allowed with --approve never.";

/// The approval policy of `haft ask`.
pub(crate) fn approver(mode: ApprovalMode, trace: &Trace) -> Option<Approve> {
    mode.approver(asking(trace))
}

/// The approval policy of a chat, whose mode may change while it goes on.
pub(crate) fn switchable(mode: &Arc<Mutex<ApprovalMode>>, trace: &Trace) -> Approve {
    let (mode, ask) = (mode.clone(), asking(trace));
    Arc::new(move |request| {
        let mode = *mode.lock().unwrap_or_else(PoisonError::into_inner);
        match mode.approver(ask.clone()) {
            Some(approve) => approve(request),
            None => Box::pin(ready(Approval::Allowed)),
        }
    })
}

/// Asks at the terminal, or refuses where there is none.
fn asking(trace: &Trace) -> Approve {
    if !terminal::is_there() {
        return refuse(REMEDY);
    }
    let hide_spinner = trace.hider();
    Arc::new(move |request| {
        hide_spinner();
        Box::pin(ask(request))
    })
}

async fn ask(request: ApprovalRequest) -> Approval {
    let name = request.tool.name().to_owned();
    match terminal::ask(&question(&request)).await {
        Some(line) => decision(&name, &line),
        None => Approval::Denied(format!("Nobody said whether {name} may run.")),
    }
}

/// The question for the user: what would happen, the call, and the source of its tool. Control
/// characters are escaped, and the arguments are the repaired ones that the tool will get.
fn question(request: &ApprovalRequest) -> String {
    let name = escape_unseen(request.tool.name());
    let arguments = serde_json::to_string(&request.call.args).unwrap_or_default();
    let arguments = escape_unseen(&arguments);
    let arguments = capped(arguments, ARGUMENTS_LIMIT);
    let effect = escape_unseen(&request.effect);
    let origin = match request.tool.source() {
        ToolSource::Mcp { server } => {
            format!("a tool of the MCP server {}", escape_unseen(&server))
        }
        ToolSource::Custom => "a tool of haft".to_owned(),
    };
    let weight = if request.annotations.destructive {
        "may have serious effects"
    } else if request.annotations.read_only {
        "says that it changes nothing"
    } else {
        "may change something"
    };
    format!(
        "approve {effect}\n        {name} {arguments}\n        {origin}; {weight}\n        \
         run it? [y/N, or say why not] "
    )
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
