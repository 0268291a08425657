//! The client of a turn: which calls it runs, and which it was sent already.
//!
//! A client that runs its own tools gets each call as soon as it is complete, while the rest of
//! the reply still streams. [`Client`] keeps what was sent, so that no call is sent twice and one
//! that the whole reply does not have is retracted.

use std::sync::Arc;

use haft_core::{
    AiMessage, ClientDocument, Emitter, Event, ModelError, ModelErrorKind, QueueShare,
    RequestContext, ToolCall, ToolChoice, ToolError,
};
use haft_tools::{CheckedCall, ToolExecutor};

use crate::options::client_turn::ClientTurn;

/// The client of a turn and the calls that it was sent.
#[derive(Debug)]
pub(crate) struct Client {
    /// What the client asked for; `None` if there is no client and the agent runs all tools.
    turn: Option<ClientTurn>,
    /// Validates the calls, and runs those of tools in this process.
    executor: ToolExecutor,
    /// The calls that the client was sent.
    calls: Vec<ToolCall>,
    /// How many of `calls` were sent before the model was asked again; a repetition of them is
    /// not sent twice.
    settled: usize,
    /// The calls that the current reply announced while it streamed.
    announced: Vec<Announced>,
}

/// A call as the model wrote it, complete before the reply is.
#[derive(Debug)]
struct Announced {
    call: ToolCall,
    /// Whether the client was sent it.
    is_sent: bool,
}

impl Client {
    pub(crate) fn new(turn: Option<ClientTurn>, executor: ToolExecutor) -> Self {
        Self {
            turn,
            executor,
            calls: Vec::new(),
            settled: 0,
            announced: Vec::new(),
        }
    }

    /// True when there is a client.
    pub(crate) fn is_there(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether the client wants a call; `None` if there is no client.
    pub(crate) fn tool_choice(&self) -> Option<ToolChoice> {
        self.turn.as_ref().map(|turn| turn.tool_choice.clone())
    }

    /// The client's share of model servers that several clients wait for.
    pub(crate) fn queue_share(&self) -> Option<QueueShare> {
        self.turn.as_ref()?.queue_share.clone()
    }

    /// The client's request as the client wrote it.
    pub(crate) fn document(&self) -> Option<Arc<ClientDocument>> {
        self.turn.as_ref()?.document.clone()
    }

    /// What is known about the client's request beside its content.
    pub(crate) fn context(&self) -> Option<Arc<RequestContext>> {
        self.turn.as_ref()?.context.clone()
    }

    /// True when the client set a limit on the tokens of the reply, which is never exceeded.
    pub(crate) fn limits_tokens(&self) -> bool {
        let document = self.turn.as_ref().and_then(|turn| turn.document.as_ref());
        document.is_some_and(|document| document.generation.max_tokens.is_some())
    }

    /// True when some tools run in this process.
    pub(crate) fn runs_anything_here(&self) -> bool {
        let turn = self.turn.as_ref();
        turn.is_some_and(|turn| !turn.runs_here.is_empty())
    }

    /// True when the client was sent a call.
    pub(crate) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Marks all calls so far as sent, so that repetitions in the next reply are skipped.
    pub(crate) fn asks_again(&mut self) {
        self.settled = self.calls.len();
    }

    /// Only the calls of the reply whose tools run in this process.
    pub(crate) fn own_calls(&self, reply: &AiMessage) -> AiMessage {
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

    /// The reply with what is left of its calls: those of tools that run here, and all that the
    /// client was sent.
    pub(crate) fn with_accepted(&self, reply: AiMessage) -> AiMessage {
        let here = self.own_calls(&reply);
        let sent = self.calls.iter().cloned();
        AiMessage {
            tool_calls: here.tool_calls.into_iter().chain(sent).collect(),
            invalid_tool_calls: here.invalid_tool_calls,
            ..reply
        }
    }

    /// The reply without the calls that cannot be used, the first of which has this error.
    ///
    /// Without a call that is left it is an error, and so it is where calls are not checked: what
    /// cannot be used may have been sent already.
    pub(crate) fn without_invalid(
        &self,
        reply: AiMessage,
        error: &str,
    ) -> Result<AiMessage, ModelError> {
        let reply = self.with_accepted(reply);
        if reply.tool_calls.is_empty() || !self.checks() {
            let message = format!("The model made a call that cannot be used: {error}");
            return Err(ModelError::new(ModelErrorKind::Malformed, message)
                .with_hint("ask again, or use a larger model"));
        }
        tracing::warn!(error, "a call that cannot be used is left out");
        Ok(reply)
    }

    /// What is wrong with the calls of a reply that the client runs. Calls that it was sent were
    /// checked then.
    pub(crate) fn errors(&self, reply: &AiMessage) -> Vec<String> {
        let clients = reply.tool_calls.iter();
        let clients = clients
            .filter(|call| !self.runs_here(&call.name))
            .filter(|call| !self.calls.contains(call) && !self.has_its_call());
        let invalid = clients.filter_map(|call| self.checked(call).err());
        let unread = reply.invalid_tool_calls.iter();
        let unread = unread.filter(|call| !self.runs_here(&call.name) && !self.has_its_call());
        invalid
            .map(|error| error.to_string())
            .chain(unread.map(|call| call.error.clone()))
            .collect()
    }

    /// Expects a new reply; calls that an unfinished one announced are forgotten.
    pub(crate) fn begin_reply(&mut self) {
        self.announced.clear();
    }

    /// Sends a complete call of the reply that streams now to the client, if the client runs its
    /// tool and the call is valid.
    pub(crate) async fn announce(&mut self, call: ToolCall, events: &Emitter<Event>) {
        let is_sent = self.send(&call, events).await;
        self.announced.push(Announced { call, is_sent });
    }

    /// Compares the calls of the whole reply with those announced while it streamed: sends the
    /// missing ones to the client and retracts the others.
    pub(crate) async fn complete(&mut self, calls: &[ToolCall], events: &Emitter<Event>) {
        let mut rest: Vec<&ToolCall> = calls.iter().collect();
        let announced = std::mem::take(&mut self.announced);
        let sent = announced.iter().filter(|call| call.is_sent).count();
        let mut place = self.calls.len() - sent;
        for Announced { call, is_sent } in announced {
            let is_it = |whole: &&ToolCall| whole.name == call.name && whole.args == call.args;
            if let Some(found) = rest.iter().position(is_it) {
                rest.remove(found);
                place += usize::from(is_sent);
            } else if is_sent && place < self.calls.len() {
                self.calls.remove(place);
                events.emit(Event::CallRetracted { place }).await;
            }
        }
        for call in rest {
            self.send(call, events).await;
        }
    }

    /// Sends a call to the client; false for one that it does not run, has already, or that is
    /// not valid.
    async fn send(&mut self, call: &ToolCall, events: &Emitter<Event>) -> bool {
        let Ok(CheckedCall { call, repairs, .. }) = self.checked(call) else {
            return false;
        };
        let mut settled = self.calls.iter().take(self.settled);
        let is_known = settled.any(|known| known.name == call.name && known.args == call.args);
        let is_new = !is_known && !self.runs_here(&call.name);
        if is_new && self.has_its_call() {
            tracing::debug!(
                tool = call.name,
                "a further call is left out: the client wants one"
            );
            return false;
        }
        if is_new {
            self.calls.push(call.clone());
            events.emit(Event::CallAccepted { call, repairs }).await;
        }
        is_new
    }

    /// True when the client was sent the only call that it allows.
    fn has_its_call(&self) -> bool {
        let turn = self.turn.as_ref();
        !self.calls.is_empty() && turn.is_some_and(|turn| !turn.parallel_calls)
    }

    fn runs_here(&self, name: &str) -> bool {
        let turn = self.turn.as_ref();
        turn.is_some_and(|turn| turn.runs_here.contains(name))
    }

    /// True when calls are repaired and validated before they are sent.
    fn checks(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.checks)
    }

    /// The repaired and validated call, with its repairs.
    fn checked(&self, call: &ToolCall) -> Result<CheckedCall, ToolError> {
        if self.checks() {
            self.executor.check(call)
        } else {
            Ok(CheckedCall::unchanged(call.clone()))
        }
    }
}

#[cfg(test)]
mod tests;
