//! One reply for a client whose tools run elsewhere.
//!
//! The reply goes up the recovery ladder as far as that works without running a tool, and its
//! calls come out mended and checked against their schemas; as they were made where the rung for
//! invalid calls is off.

use haft_core::{
    AiMessage, Answer, CallOptions, Message, ModelError, ModelErrorKind, Outcome, Rung, ToolCall,
    ToolChoice, ToolError, ToolMessage,
};

use crate::error::AgentError;
use crate::recovery::Reask;
use crate::run::Run;

/// The calls of a reply: those that may run, and what is wrong with the others.
#[derive(Debug, Default)]
struct Sorted {
    valid: Vec<ToolCall>,
    errors: Vec<String>,
}

impl Run {
    /// Asks for the reply.
    pub(crate) async fn turn(&mut self, choice: ToolChoice) -> Result<Answer, AgentError> {
        self.choose_tools().await?;
        let wants_structure = self.shared.options.response_schema.is_some();
        let offers_none = choice == ToolChoice::None || self.toolset.names.is_empty();
        if wants_structure && offers_none {
            return self.structured_answer().await;
        }
        let reply = self
            .exchange(CallOptions {
                tool_choice: choice,
                ..CallOptions::default()
            })
            .await?;
        let withheld = offers_none.then_some(Rung::RoundLimit);
        let reply = self.recovered(reply, withheld).await;
        let reply = self.with_valid_calls(reply).await?;
        if wants_structure && !reply.has_calls() {
            return self.structured_answer().await;
        }
        self.append(reply.clone().into()).await;
        let outcome = if reply.is_blank() {
            Outcome::Empty
        } else {
            self.outcome()
        };
        Ok(self.answer_as(reply.content.text(), outcome))
    }

    /// The reply with its calls mended, or the one to which the model got when it read what was
    /// wrong with them.
    async fn with_valid_calls(&mut self, reply: AiMessage) -> Result<AiMessage, AgentError> {
        let sorted = self.sorted(&reply);
        let Some(first) = sorted.errors.first().cloned() else {
            return Ok(with_calls(reply, sorted.valid));
        };
        if self.sees(Rung::InvalidCalls) {
            let mut messages = self.shown().await;
            messages.extend(answered(&reply, &sorted.errors));
            let asked = Reask {
                rung: Rung::InvalidCalls,
                reason: "the model reads what is wrong with its calls",
                messages,
                options: CallOptions::default(),
            };
            let executor = self.shared.executor.clone();
            let is_of_use = |again: &AiMessage| {
                let mut calls = again.tool_calls.iter();
                again.invalid_tool_calls.is_empty()
                    && !again.is_blank()
                    && calls.all(|call| executor.check(call).is_ok())
            };
            if let Ok(again) = self.reask(asked, is_of_use).await {
                let sorted = self.sorted(&again);
                return Ok(with_calls(again, sorted.valid));
            }
        }
        if sorted.valid.is_empty() {
            let message = format!("The model made a call that cannot be used: {first}");
            let error = ModelError::new(ModelErrorKind::Malformed, message)
                .with_hint("ask again, or use a larger model");
            return Err(error.into());
        }
        tracing::warn!(error = first, "a call that cannot be used is left out");
        Ok(with_calls(reply, sorted.valid))
    }

    /// Where nothing is done about calls that do not fit, all that can be read are as they should
    /// be.
    fn sorted(&self, reply: &AiMessage) -> Sorted {
        let mut sorted = Sorted::default();
        if !self.shared.options.recovery.has(Rung::InvalidCalls) {
            sorted.valid.clone_from(&reply.tool_calls);
        }
        let checked = reply.tool_calls.iter().skip(sorted.valid.len());
        for call in checked {
            match self.shared.executor.check(call) {
                Ok(call) => sorted.valid.push(call),
                Err(error) => sorted.errors.push(ToolError::to_string(&error)),
            }
        }
        let unread = reply.invalid_tool_calls.iter();
        sorted.errors.extend(unread.map(|call| call.error.clone()));
        sorted
    }
}

fn with_calls(reply: AiMessage, calls: Vec<ToolCall>) -> AiMessage {
    AiMessage {
        tool_calls: calls,
        invalid_tool_calls: Vec::new(),
        ..reply
    }
}

/// The reply, and to each of its calls what was wrong.
fn answered(reply: &AiMessage, errors: &[String]) -> Vec<Message> {
    let error = errors.join("; ");
    let results = reply.tool_calls.iter().map(|_| {
        let message = format!("{error}. Call again with arguments that fit the schema.");
        Some(ToolMessage::error(&message, ""))
    });
    let results = haft_tools::answer_calls(reply, results);
    std::iter::once(reply.clone().into())
        .chain(results.into_iter().map(Message::from))
        .collect()
}

#[cfg(test)]
mod tests;
