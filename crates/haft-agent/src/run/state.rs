//! The state of a question, and the moves that the driver makes with it.

use std::sync::Arc;

use haft_core::{
    AiMessage, Answer, CallOptions, Content, Emitter, Event, Generation, Message, Outcome,
    StopReason, ToolChoice, ToolMessage,
};
use serde_json::Value;
use tokio::time::Instant;

use super::budget::RoundBudget;
use crate::attempts::recorder::AttemptRecorder;
use crate::client::Client;
use crate::context::{context_size, report_omitted};
use crate::conversation::Conversation;
use crate::error::AgentError;
use crate::model_requests::{ModelRequest, ModelRequests, is_cut};
use crate::outcome::Ending;
use crate::question::Question;
use crate::question_tools::QuestionTools;
use crate::recovery;
use crate::recovery::context::RecoveryContext;
use crate::recovery::state::RecoveryState;
use crate::shared::Shared;
use crate::verification::Unproven;

/// The answer's text when the model gave none.
pub(super) const APOLOGY: &str = "Sorry, the model gave no answer.";

/// The token limit of the first reply of a small model, if none is set and a call is due.
const FIRST_REPLY_TOKENS: u32 = 256;

/// A request to the model and its reply.
pub(super) struct Exchange {
    pub(super) request: ModelRequest,
    pub(super) reply: AiMessage,
}

/// A question that is being answered.
pub(super) struct RunState {
    /// The agent that was asked.
    pub(super) shared: Arc<Shared>,
    /// Where events go. Dropping the stream of events drops this state.
    pub(super) events: Emitter<Event>,
    pub(super) started: Instant,
    /// The messages so far. Only the driver adds to them.
    pub(super) conversation: Conversation,
    /// The latest message of the user, its words alone.
    pub(super) question: String,
    /// The tools as of the start of the question, and those that are offered now.
    pub(super) tools: QuestionTools,
    /// The rounds that are left.
    pub(super) budget: RoundBudget,
    /// The way to the model, with what its replies add up to.
    pub(super) requests: ModelRequests,
    /// The recovery steps taken so far, and what they need to remember.
    pub(super) recovery: RecoveryState,
    /// The record of the question for metrics, log and store.
    pub(super) record: AttemptRecorder,
    /// JSON Schema of the answer.
    pub(super) response_schema: Option<Arc<Value>>,
}

impl RunState {
    pub(super) fn new(shared: Arc<Shared>, events: Emitter<Event>, question: Question) -> Self {
        let options = &shared.options;
        let toolsets = shared.refresh_tools(question.first_query.is_ahead());
        let client = Client::new(question.client_turn, toolsets.executor.clone());
        let system = options.system.as_deref().map(Message::system);
        let metrics = shared.metrics.clone();
        let record = AttemptRecorder::new(&shared.recorded_name(), metrics, question.first_query);
        #[cfg(feature = "store")]
        let record = record.with_store(options.attempts.clone());
        let messages = system.into_iter().chain(question.messages).collect();
        let conversation = Conversation::new(messages);
        Self {
            started: Instant::now(),
            question: conversation
                .question()
                .map(Content::text)
                .unwrap_or_default(),
            conversation,
            tools: QuestionTools::new(toolsets),
            budget: RoundBudget::new(options.max_rounds),
            requests: ModelRequests::new(&shared, events.clone(), client),
            recovery: RecoveryState::default(),
            record,
            response_schema: question
                .response_schema
                .or_else(|| options.response_schema.clone()),
            shared,
            events,
        }
    }

    /// Selects the tools that the model is offered.
    pub(super) async fn choose_tools(&mut self) -> Result<(), AgentError> {
        let messages = self.conversation.messages();
        Ok(self.tools.choose(messages, &self.events).await?)
    }

    /// Whether the next round offers tools.
    pub(super) async fn offers_tools(&mut self) -> bool {
        recovery::offers_tools(&mut self.recovery_context()).await
    }

    /// Takes a round, and returns the model's reply after recovery, with the request for it.
    pub(super) async fn next_reply(
        &mut self,
        tool_choice: ToolChoice,
    ) -> Result<Exchange, AgentError> {
        let options = CallOptions {
            tool_choice,
            generation: Generation {
                max_tokens: self.first_reply_limit(),
                ..Generation::default()
            },
            ..CallOptions::default()
        };
        let Exchange { request, reply } = self.ask_model(options).await?;
        let is_draft = self.response_schema.is_some() && !reply.has_calls();
        let mut context = self.recovery_context();
        let reply = recovery::recover_reply(reply, &request, is_draft, &mut context).await;
        Ok(Exchange { request, reply })
    }

    /// The token limit of the next reply, where a small model should call a tool: a call that names
    /// a few values is short, and such a model may write on and on.
    fn first_reply_limit(&mut self) -> Option<u32> {
        let is_first = self.budget.used() == 0 && self.tools.all.is_small_model;
        let question = self.question.clone();
        (is_first && recovery::is_call_due(&question, &self.recovery_context()))
            .then_some(FIRST_REPLY_TOKENS)
    }

    /// Takes a round: sends the conversation with these options.
    pub(super) async fn ask_model(&mut self, options: CallOptions) -> Result<Exchange, AgentError> {
        self.budget.take();
        let messages = self.messages_to_send().await;
        let request = ModelRequest {
            tools: self.tools.offered.clone(),
            messages,
            options,
        };
        let reply = self.requests.send(&request, &mut self.record).await?;
        Ok(Exchange { request, reply })
    }

    /// The conversation as the model reads it, shortened to the context.
    pub(super) async fn messages_to_send(&mut self) -> Vec<Message> {
        if let Some(context) = self.context_size() {
            let omitted = self.conversation.fit(context, self.tools.offered.tokens);
            report_omitted(omitted, &self.events).await;
        }
        self.conversation.to_send()
    }

    pub(super) fn context_size(&self) -> Option<u64> {
        context_size(&self.shared.options, &*self.tools.offered.model)
    }

    pub(super) async fn append_refusing(&mut self, reply: &AiMessage, reason: &str) {
        self.append(reply.clone()).await;
        self.refuse_calls(reply, reason).await;
    }

    /// Answers the calls of a reply that was offered no tools. Model servers reject a
    /// conversation in which a call has no result.
    pub(super) async fn refuse_calls(&mut self, reply: &AiMessage, reason: &str) {
        let refusal = ToolMessage::error(&format!("Not run: {reason}"), "");
        let refusals = reply.tool_calls.iter().map(|_| Some(refusal.clone()));
        self.append_all(haft_tools::answer_calls(reply, refusals))
            .await;
    }

    pub(super) async fn append_all(&mut self, messages: Vec<ToolMessage>) {
        for message in messages {
            self.append(message).await;
        }
    }

    pub(super) async fn append(&mut self, message: impl Into<Message>) {
        let message = message.into();
        self.conversation.push(message.clone());
        self.events.emit(Event::Message(message)).await;
    }

    /// The outcome of a question that this reply, which the conversation does not have yet, ends. A
    /// reply that the token limit cut off is truncated, even after a recovery step.
    pub(super) fn outcome_of_end(&self, reply: &AiMessage) -> Outcome {
        let is_routed_refusal =
            self.shared.is_routed && reply.stop_reason == Some(StopReason::Refusal);
        if is_routed_refusal || self.requests.is_quoting {
            return self.outcome_of(reply);
        }
        let ending = Ending {
            conversation: self.conversation.messages(),
            tools: self.tools.all.executor.tools().get_tools(),
            answered: self.recovery.outcome(),
        };
        ending.outcome(reply)
    }

    /// The outcome of one reply to a client that runs the tools.
    pub(super) fn outcome_of(&self, reply: &AiMessage) -> Outcome {
        if is_cut(reply) {
            Outcome::Truncated
        } else if self.shared.is_routed && reply.stop_reason == Some(StopReason::Refusal) {
            // The router's own refusal to let the model guess.
            Outcome::Unverified
        } else {
            self.recovery.outcome()
        }
    }

    /// Builds the answer; a blank text becomes an apology.
    pub(super) fn answer(&mut self, content: &Content, outcome: Outcome) -> Answer {
        match content.text().trim() {
            "" => self.answer_as(APOLOGY.to_owned(), Outcome::Empty),
            text => self.answer_as(text.to_owned(), outcome),
        }
    }

    /// The answer in place of a reply that states what nobody looked up or did, if it is one.
    pub(super) async fn withdrawn(&mut self, reply: &AiMessage) -> Option<Answer> {
        let stated = reply.content.text();
        let unproven = Unproven {
            conversation: self.conversation.messages(),
            tools: self.tools.all.executor.tools().get_tools(),
        };
        let is_refusal = reply.stop_reason == Some(StopReason::Refusal);
        if reply.content.is_blank() || is_refusal || self.requests.is_quoting {
            return None;
        }
        let text = unproven.answer(&stated)?;
        tracing::warn!(stated, "the model states what no tool reported");
        self.events
            .emit(Event::TextWithdrawn {
                text: stated.clone(),
            })
            .await;
        // The next question of the conversation is not to take it for a fact.
        self.append(AiMessage {
            content: Content::from(text),
            ..reply.clone()
        })
        .await;
        self.recovery.withdrawn_text = Some(stated);
        Some(self.answer_as(text.to_owned(), Outcome::Unverified))
    }

    pub(super) fn answer_as(&mut self, text: String, outcome: Outcome) -> Answer {
        let mut answer = Answer::new(self.shared.model.id(), text, outcome);
        answer.messages = self.conversation.take_messages();
        answer.tools_bound = self.tools.offered.names.clone();
        answer.rounds = self.requests.count;
        answer.usage = self.requests.usage;
        answer.recovery = std::mem::take(&mut self.recovery.reports);
        answer.quoted_calls = std::mem::take(&mut self.requests.quoted);
        answer.withdrawn_text = self.recovery.withdrawn_text.take();
        answer.duration = self.started.elapsed();
        answer
    }

    /// Ends the record of the question, with or without an answer.
    pub(super) async fn end_record(&mut self, answer: &Result<Answer, AgentError>) {
        if let Ok(answer) = answer {
            let retries = answer.recovery.clone();
            self.record.finish(Some(answer.outcome), retries);
            return;
        }
        self.record.judge_first_reply(false);
        self.recovery_context().give_up_pending().await;
        let retries = std::mem::take(&mut self.recovery.reports);
        self.record.finish(None, retries);
    }

    /// What recovery works with.
    pub(super) fn recovery_context(&mut self) -> RecoveryContext<'_> {
        RecoveryContext {
            options: &self.shared.options,
            budget: &self.budget,
            tools: &self.tools,
            question: &self.question,
            requests: &mut self.requests,
            record: &mut self.record,
            state: &mut self.recovery,
            events: &self.events,
        }
    }
}
