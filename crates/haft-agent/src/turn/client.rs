//! The client of a turn: which calls are its own, and which of them went out already.

use std::collections::BTreeSet;

use haft_core::{AiMessage, Event, Mend, ToolCall, ToolError};
use haft_tools::ToolExecutor;

use super::Turn;
use crate::run::Run;

/// The client of a turn; nobody in the loop of an agent.
#[derive(Debug, Default)]
pub(crate) struct Client {
    is_there: bool,
    runs_here: BTreeSet<String>,
    checks: bool,
    /// The calls that went out.
    calls: Vec<ToolCall>,
    /// How many of them the model need not make again: those before it was asked again.
    settled: usize,
}

impl Client {
    pub(crate) fn of(turn: &Turn) -> Self {
        Self {
            is_there: true,
            runs_here: turn.runs_here.clone(),
            checks: turn.checks,
            ..Self::default()
        }
    }

    pub(super) fn checks(&self) -> bool {
        self.checks
    }

    pub(super) fn runs_anything_here(&self) -> bool {
        !self.runs_here.is_empty()
    }

    pub(super) fn runs_here(&self, name: &str) -> bool {
        self.runs_here.contains(name)
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = ToolCall> {
        self.calls.iter().cloned()
    }

    /// From now on a call that went out already is not another one.
    pub(super) fn asks_again(&mut self) {
        self.settled = self.calls.len();
    }

    /// The calls of the reply whose tools run here, alone.
    pub(super) fn own_calls(&self, reply: &AiMessage) -> AiMessage {
        let calls = reply.tool_calls.iter().cloned();
        let unread = reply.invalid_tool_calls.iter().cloned();
        AiMessage {
            tool_calls: calls.filter(|call| self.runs_here(&call.name)).collect(),
            invalid_tool_calls: unread.filter(|call| self.runs_here(&call.name)).collect(),
            ..AiMessage::default()
        }
    }

    /// The call as it may go out, with what was mended.
    pub(super) fn checked(
        &self,
        executor: &ToolExecutor,
        call: &ToolCall,
    ) -> Result<(ToolCall, Vec<Mend>), ToolError> {
        if self.checks {
            executor.check_and_tell(call)
        } else {
            Ok((call.clone(), Vec::new()))
        }
    }
}

impl Run {
    /// A call is complete; true where there is a client, who gets it at once if it is for him and
    /// fits.
    pub(crate) async fn accept(&mut self, call: &ToolCall) -> bool {
        if !self.client.is_there {
            return false;
        }
        let Ok((call, mends)) = self.client.checked(&self.tooling.executor, call) else {
            return true;
        };
        let mut settled = self.client.calls.iter().take(self.client.settled);
        let is_known = settled.any(|known| known.name == call.name && known.args == call.args);
        if !is_known && !self.client.runs_here(&call.name) {
            self.client.calls.push(call.clone());
            self.events.emit(Event::CallAccepted { call, mends }).await;
        }
        true
    }
}
