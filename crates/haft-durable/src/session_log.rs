//! The conversation of a run in a session, written as its steps are recorded.
//!
//! So a run that fails, is cancelled or waits for a person leaves in its session what was done.
//! The whole conversation takes the place of these messages when the run is answered.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use haft_core::{AiMessage, Message, ToolMessage};

use crate::format::InSession;
use crate::recorded_call::end_message;
use crate::recorded_reply::reply_message;
use crate::run::RecordedStep;
use crate::store::DurableStore;
use crate::store_sessions::Written;

/// What stands for the result of a call until it is recorded. Every call has a result, because
/// model servers refuse conversations in which one is missing.
const NO_RESULT: &str = "The result of this call is not known.";

/// The conversation of a run.
#[derive(Debug)]
pub(crate) struct SessionLog {
    pub(crate) store: DurableStore,
    pub(crate) place: InSession,
    pub(crate) run: String,
    pub(crate) model: String,
    pub(crate) conversation: Mutex<Conversation>,
}

/// The messages so far.
#[derive(Debug)]
pub(crate) struct Conversation {
    messages: Vec<Message>,
    /// The places of the calls whose result is not recorded, in the order of the calls.
    open: Vec<usize>,
}

impl Conversation {
    /// A conversation that a question continues.
    pub(crate) fn new(mut before: Vec<Message>, question: &str) -> Self {
        before.push(Message::user(question));
        Self {
            messages: before,
            open: Vec::new(),
        }
    }

    /// Adds what came of a step. False if the step is no part of the conversation.
    fn add(&mut self, step: &RecordedStep) -> bool {
        if let Some(reply) = reply_message(step) {
            return self.reply(reply);
        }
        let tool = step.name.strip_suffix(" ended");
        let Some((tool, end)) = tool.and_then(|tool| Some((tool, end_message(step)?))) else {
            return false;
        };
        // Calls run in order, but not all of them: a call with wrong arguments never begins.
        let open = self.open.iter().position(|place| {
            let message = self.messages.get(*place);
            matches!(message, Some(Message::Tool(result)) if result.name.as_deref() == Some(tool))
        });
        let place = open.map(|open| self.open.remove(open));
        let Some(Message::Tool(result)) = place.and_then(|place| self.messages.get_mut(place))
        else {
            return false;
        };
        result.content = end.content;
        result.status = end.status;
        true
    }

    /// Adds a reply with calls. The text of the answer comes with the end of the run.
    fn reply(&mut self, reply: AiMessage) -> bool {
        if reply.tool_calls.is_empty() {
            return false;
        }
        let calls = reply.tool_calls.clone();
        self.messages.push(Message::Ai(reply));
        self.open.clear();
        for call in calls {
            self.open.push(self.messages.len());
            let mut result = ToolMessage::success(NO_RESULT, call.id);
            result.name = Some(call.name);
            self.messages.push(Message::Tool(result));
        }
        true
    }
}

impl SessionLog {
    /// Adds a step, and writes the conversation if the step was done now.
    pub(crate) async fn add(&self, step: &RecordedStep, is_new: bool) {
        let messages = {
            let conversation = self.conversation.lock();
            let mut conversation = conversation.unwrap_or_else(PoisonError::into_inner);
            if !conversation.add(step) || !is_new {
                return;
            }
            conversation.messages.clone()
        };
        let written = Written {
            model: &self.model,
            messages: &messages,
            now: SystemTime::now(),
        };
        let sessions = self.store.sessions();
        if let Err(error) = sessions.write_run(&self.place, &self.run, &written).await {
            // The next step writes these messages too.
            tracing::warn!(error = error.detail(), "a session was not written");
        }
    }
}
