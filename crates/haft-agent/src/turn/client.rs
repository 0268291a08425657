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

    pub(crate) fn is_there(&self) -> bool {
        self.is_there
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

    /// Whether this very call went out.
    pub(super) fn has(&self, call: &ToolCall) -> bool {
        self.calls.contains(call)
    }

    /// From now on a call that went out already is not another one.
    pub(super) fn asks_again(&mut self) {
        self.settled = self.calls.len();
    }

    /// The calls of the reply whose tools run here, alone.
    pub(super) fn own_calls(&self, reply: &AiMessage) -> AiMessage {
        let calls = reply.tool_calls.iter();
        let unread = reply.invalid_tool_calls.iter();
        let calls = calls.filter(|call| self.runs_here(&call.name));
        let unread = unread.filter(|call| self.runs_here(&call.name));
        AiMessage {
            tool_calls: calls.cloned().collect(),
            invalid_tool_calls: unread.cloned().collect(),
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
    /// A call is complete: the client gets it at once if it is for him and fits. True if he did.
    pub(crate) async fn accept(&mut self, call: &ToolCall) -> bool {
        let Ok((call, mends)) = self.client.checked(&self.tooling.executor, call) else {
            return false;
        };
        let mut settled = self.client.calls.iter().take(self.client.settled);
        let is_known = settled.any(|known| known.name == call.name && known.args == call.args);
        let is_new = !is_known && !self.client.runs_here(&call.name);
        if is_new {
            self.client.calls.push(call.clone());
            self.events.emit(Event::CallAccepted { call, mends }).await;
        }
        is_new
    }

    /// The reply is whole: the client gets those of its calls that were not told of one by one, and
    /// learns which of those that he got it takes back. `told` are the former calls, and whether he
    /// got them.
    pub(crate) async fn accept_rest(&mut self, told: Vec<(ToolCall, bool)>, calls: &[ToolCall]) {
        let mut rest: Vec<&ToolCall> = calls.iter().collect();
        let out = told.iter().filter(|(_, is_out)| *is_out).count();
        let mut place = self.client.calls.len() - out;
        for (told, is_out) in told {
            let same = |call: &&ToolCall| call.name == told.name && call.args == told.args;
            if let Some(found) = rest.iter().position(same) {
                rest.remove(found);
                place += usize::from(is_out);
            } else if is_out && place < self.client.calls.len() {
                self.client.calls.remove(place);
                self.events.emit(Event::CallTakenBack { place }).await;
            }
        }
        for call in rest {
            self.accept(call).await;
        }
    }
}
