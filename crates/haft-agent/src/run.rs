//! One question from beginning to end.
//!
//! ```text
//! messages -> model -> calls? -> executor -> messages -> model ... -> answer
//! ```
//!
//! Every exit goes through [`Run::answer`], so whatever must happen before an answer is handed
//! out has one place. A single exchange with the model is in `round.rs`, what is done about
//! replies and calls that are no use in `recovery.rs`, what the web says in place of a model that does not know in `web_search.rs`,
//! what the model is shown of a conversation
//! too long for it in `context.rs`, the turn that follows a schema in `structured.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use haft_core::{AiMessage, Answer, Content, Emitter, Event, Message, Outcome, ToolMessage, Usage};
use tokio::time::Instant;
use tracing::Instrument;

use crate::agent::Shared;
use crate::attempts::{Attempt, FirstQuery};
use crate::error::{AgentError, AgentErrorKind};
use crate::recovery::Ladder;
use crate::selection::{Toolset, searches};
use crate::tooling::Tooling;
use crate::turn::{Client, Turn};

/// What a user is told when there is nothing else to tell.
const APOLOGY: &str = "Sorry, the model gave no answer.";

/// The state of one question.
pub(crate) struct Run {
    pub(crate) shared: Arc<Shared>,
    /// All tools, as they were when the question came.
    pub(crate) tooling: Arc<Tooling>,
    pub(crate) events: Emitter<Event>,
    pub(crate) messages: Vec<Message>,
    /// The tools that the model is offered.
    pub(crate) toolset: Arc<Toolset>,
    /// How many times the model was asked.
    pub(crate) rounds: u32,
    /// How many of these were the loop's own rounds.
    pub(crate) turns: u32,
    /// When the model was asked the last time.
    pub(crate) asked: Instant,
    /// How long the latest reply took.
    pub(crate) took: Duration,
    pub(crate) usage: Usage,
    pub(crate) ladder: Ladder,
    /// Whose turn it is, if it is a client's.
    pub(crate) client: Client,
    /// Results that the model is not shown any more, by their place.
    pub(crate) left_out: BTreeSet<usize>,
    /// Whether this is the first question of its conversation.
    pub(crate) first_query: FirstQuery,
    /// How it goes, for the record.
    pub(crate) attempt: Attempt,
    pub(crate) is_first_reply_judged: bool,
    started: Instant,
}

impl Run {
    pub(crate) fn new(
        shared: Arc<Shared>,
        events: Emitter<Event>,
        first_query: FirstQuery,
    ) -> Self {
        let tooling = shared.tooling(first_query.is_ahead());
        let attempt = Attempt::new(shared.model.id());
        Self {
            toolset: tooling.toolsets.whole.clone(),
            tooling,
            shared,
            events,
            first_query,
            attempt,
            is_first_reply_judged: false,
            messages: Vec::new(),
            rounds: 0,
            turns: 0,
            asked: Instant::now(),
            took: Duration::ZERO,
            usage: Usage::default(),
            ladder: Ladder::default(),
            client: Client::default(),
            left_out: BTreeSet::new(),
            started: Instant::now(),
        }
    }

    /// Answers `messages` within the time of the options: goes on until there is an answer, or
    /// takes the turn of a client.
    pub(crate) async fn finish(
        mut self,
        messages: Vec<Message>,
        turn: Option<Turn>,
    ) -> Result<(), AgentError> {
        let limit = self.shared.options.timeout;
        if let Some(system) = &self.shared.options.system {
            self.messages.push(Message::system(system.as_str()));
        }
        self.messages.extend(messages);
        let span = tracing::info_span!("invoke_agent", model = self.shared.model.id());
        let work = async {
            match turn {
                None => self.loop_rounds().await,
                Some(turn) => {
                    self.client = Client::of(&turn);
                    self.turn(turn.tool_choice).await
                }
            }
        }
        .instrument(span.clone());
        let answer = match limit {
            None => work.await,
            Some(limit) => tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
                let seconds = limit.as_secs_f64();
                let message = format!("There was no answer within {seconds} seconds");
                Err(AgentError::new(AgentErrorKind::Timeout, message)
                    .with_hint("allow more time, or ask a smaller model"))
            }),
        };
        self.end_attempt(&answer).instrument(span).await;
        self.events.emit(Event::Done(Box::new(answer?))).await;
        Ok(())
    }

    /// Asks the model and answers its calls until it has none left.
    async fn loop_rounds(&mut self) -> Result<Answer, AgentError> {
        let wants_structure = self.shared.options.response_schema.is_some();
        self.choose_tools().await?;
        loop {
            let withheld = self.withhold_tools().await;
            if wants_structure && (withheld.is_some() || self.toolset.names.is_empty()) {
                return self.structured_answer().await;
            }
            let reply = self.ask_model(withheld.is_none()).await?;
            let reply = self.recovered(reply, withheld).await;
            if wants_structure && !reply.has_calls() {
                return self.structured_answer().await;
            }
            if !reply.has_calls()
                && let Some(answer) = self.answer_from_web(&reply).await
            {
                return Ok(answer);
            }
            self.append(reply.clone().into()).await;
            if !reply.has_calls() {
                return Ok(self.answer(&reply.content, self.outcome()));
            }
            if withheld.is_some() || self.turns >= self.shared.options.max_rounds {
                return Ok(self.stop_at_limit(&reply).await);
            }
            self.answer_calls(&reply).await;
            if searches(&reply) {
                self.choose_tools().await?;
            }
        }
    }

    /// True when the next round is the last one that the options allow.
    pub(crate) fn is_last_round(&self) -> bool {
        self.turns + 1 >= self.shared.options.max_rounds
    }

    /// Ends with what there is: the model asks for tools though it was offered none.
    async fn stop_at_limit(&mut self, reply: &AiMessage) -> Answer {
        tracing::warn!(
            turns = self.turns,
            "the model still asks for tools in its last turn"
        );
        let limit = self.shared.options.max_rounds;
        let reason = if self.turns >= limit {
            format!("the limit of {limit} rounds is reached")
        } else {
            "this turn offers no tools".to_owned()
        };
        self.refuse_calls(reply, &reason).await;
        if let Some(answer) = self.answer_from_web(reply).await {
            return answer;
        }
        self.answer(&reply.content, Outcome::RoundLimit)
    }

    /// Answers the calls of a reply that was offered no tools: a call without an answer would
    /// spoil the conversation.
    pub(crate) async fn refuse_calls(&mut self, reply: &AiMessage, reason: &str) {
        let refusal = ToolMessage::error(&format!("Not run: {reason}"), "");
        let refusals = reply.tool_calls.iter().map(|_| Some(refusal.clone()));
        self.append_all(haft_tools::answer_calls(reply, refusals))
            .await;
    }

    pub(crate) async fn append(&mut self, message: Message) {
        self.messages.push(message.clone());
        self.events.emit(Event::Message(message)).await;
    }

    pub(crate) async fn append_all(&mut self, messages: Vec<ToolMessage>) {
        for message in messages {
            self.append(message.into()).await;
        }
    }

    /// The answer, never with a blank text.
    pub(crate) fn answer(&mut self, content: &Content, outcome: Outcome) -> Answer {
        match content.text().trim() {
            "" => self.answer_as(APOLOGY.to_owned(), Outcome::Empty),
            text => self.answer_as(text.to_owned(), outcome),
        }
    }

    pub(crate) fn answer_as(&mut self, text: String, outcome: Outcome) -> Answer {
        let mut answer = Answer::new(self.shared.model.id(), text, outcome);
        answer.messages = std::mem::take(&mut self.messages);
        answer.tools_bound = self.toolset.names.clone();
        answer.rounds = self.rounds;
        answer.usage = self.usage;
        answer.recovery = std::mem::take(&mut self.ladder.steps);
        answer.duration = self.started.elapsed();
        answer
    }
}

#[cfg(test)]
mod tests;
