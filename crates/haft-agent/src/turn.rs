//! One reply for a client whose tools run elsewhere.
//!
//! The reply goes up the recovery ladder as far as that works without running the client's tools.
//! Each of its calls goes out as soon as it is complete, mended and checked; a call that does not
//! fit is asked for again. Tools that run here are run in between, and the client hears nothing
//! of their calls.

mod client;

use std::collections::BTreeSet;

use haft_core::{
    AiMessage, Answer, CallOptions, Message, ModelError, ModelErrorKind, Outcome, Rung, ToolChoice,
    ToolMessage,
};

pub(crate) use self::client::Client;
use crate::error::AgentError;
use crate::recovery::Reask;
use crate::run::Run;
use crate::selection::searches;

/// What a client wants of its turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// Whether the reply has to call a tool.
    pub tool_choice: ToolChoice,
    /// Names of the tools that run here; all others run at the client.
    pub runs_here: BTreeSet<String>,
    /// Whether calls are mended and checked; yes by default. Otherwise they go out as they were
    /// made.
    pub checks: bool,
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            tool_choice: ToolChoice::Auto,
            runs_here: BTreeSet::new(),
            checks: true,
        }
    }
}

impl Run {
    /// Takes the turn.
    pub(crate) async fn turn(&mut self, mut choice: ToolChoice) -> Result<Answer, AgentError> {
        self.choose_tools().await?;
        let wants_structure = self.shared.options.response_schema.is_some();
        loop {
            let withheld = if choice == ToolChoice::None || self.toolset.names.is_empty() {
                Some(Rung::RoundLimit)
            } else if self.client.runs_anything_here() {
                self.withhold_tools().await
            } else {
                None
            };
            if wants_structure && withheld.is_some() {
                return self.structured_answer().await;
            }
            if withheld.is_some() {
                choice = ToolChoice::None;
            }
            let options = CallOptions {
                tool_choice: std::mem::take(&mut choice),
                ..CallOptions::default()
            };
            let reply = self.exchange(options).await?;
            let reply = self.recovered(reply, withheld).await;
            let reply = match withheld {
                Some(_) => with_calls(reply, Vec::new()),
                None => self.with_valid_calls(reply).await?,
            };
            if wants_structure && !reply.has_calls() {
                return self.structured_answer().await;
            }
            let here = self.client.own_calls(&reply);
            let (text, is_blank) = (reply.content.text(), reply.is_blank());
            self.append(reply.into()).await;
            if here.has_calls() {
                self.answer_calls(&here).await;
                if searches(&here) {
                    self.choose_tools().await?;
                }
            }
            if !here.has_calls() || self.client.has_calls() {
                let outcome = if is_blank {
                    Outcome::Empty
                } else {
                    self.outcome()
                };
                return Ok(self.answer_as(text, outcome));
            }
        }
    }

    /// The reply with the calls that went out and those of tools that run here, or the one to
    /// which the model got when it read what was wrong with its calls.
    async fn with_valid_calls(&mut self, reply: AiMessage) -> Result<AiMessage, AgentError> {
        let errors = self.errors(&reply);
        let Some(first) = errors.first() else {
            return Ok(self.with_accepted(reply));
        };
        if self.sees(Rung::InvalidCalls) {
            let mut messages = self.shown().await;
            messages.extend(answered(&reply, &errors));
            let asked = Reask {
                rung: Rung::InvalidCalls,
                reason: "the model reads what is wrong with its calls",
                messages,
                options: CallOptions::default(),
            };
            let executor = self.tooling.executor.clone();
            let is_of_use = |again: &AiMessage| {
                let mut calls = again.tool_calls.iter();
                again.invalid_tool_calls.is_empty()
                    && !again.is_blank()
                    && calls.all(|call| executor.check(call).is_ok())
            };
            self.client.asks_again();
            if let Ok(again) = self.reask(asked, is_of_use).await {
                return Ok(self.with_accepted(again));
            }
        }
        let reply = self.with_accepted(reply);
        // What is not checked may have gone out already, a call that nobody can read too.
        if reply.tool_calls.is_empty() || !self.client.checks() {
            let message = format!("The model made a call that cannot be used: {first}");
            let error = ModelError::new(ModelErrorKind::Malformed, message)
                .with_hint("ask again, or use a larger model");
            return Err(error.into());
        }
        tracing::warn!(error = first, "a call that cannot be used is left out");
        Ok(reply)
    }

    /// The reply with what is left of its calls: those of tools that run here, and all that went
    /// out.
    fn with_accepted(&self, reply: AiMessage) -> AiMessage {
        let here = self.client.own_calls(&reply);
        let calls = here.tool_calls.into_iter().chain(self.client.calls());
        let calls = calls.collect();
        AiMessage {
            invalid_tool_calls: here.invalid_tool_calls,
            ..with_calls(reply, calls)
        }
    }

    /// What is wrong with the calls for the client. What went out as it is was checked then.
    fn errors(&self, reply: &AiMessage) -> Vec<String> {
        let is_clients = |name: &str| !self.client.runs_here(name);
        let calls = reply
            .tool_calls
            .iter()
            .filter(|call| is_clients(&call.name) && !self.client.has(call));
        let checked =
            calls.filter_map(|call| self.client.checked(&self.tooling.executor, call).err());
        let unread = reply.invalid_tool_calls.iter();
        let unread = unread.filter(|call| is_clients(&call.name));
        checked
            .map(|error| error.to_string())
            .chain(unread.map(|call| call.error.clone()))
            .collect()
    }
}

fn with_calls(reply: AiMessage, calls: Vec<haft_core::ToolCall>) -> AiMessage {
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
