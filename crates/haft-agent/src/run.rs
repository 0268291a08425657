//! One question from beginning to end.
//!
//! ```text
//! messages -> model -> calls? -> executor -> messages -> model ... -> answer
//! ```
//!
//! This file is the driver: [`answer_question`] for a question, [`take_turn`] for a client that runs
//! its own tools. It alone adds to the conversation and decides what comes next; how the parts
//! work is elsewhere:
//!
//! * `run/state.rs`: the state of a question, and the moves that the driver makes with it
//! * `run/budget.rs`: how many rounds are left
//! * `conversation.rs`: the messages, and what a request omits of them
//! * `question_tools.rs`: the tools that the model is offered
//! * `model_requests.rs`: sends a request and counts it
//! * `recovery.rs`: what is done about replies and calls that are not usable
//! * `client.rs`: which calls a client was sent, if it runs the tools
//! * `verification.rs`: what is not an answer because nobody looked it up
//! * `structured.rs`, `web_search.rs`: two more ways to an answer
//! * `attempts/recorder.rs`: the record of the question

pub(crate) mod budget;
mod state;

use std::pin::pin;
use std::sync::Arc;

use haft_core::{AiMessage, Answer, Event, Message, Outcome, ToolChoice};
use serde_json::Value;
use tracing::Instrument;

use self::state::{Exchange, RunState};
use crate::context::cut_results;
use crate::error::AgentError;
use crate::model_requests::{ModelRequest, is_cut, without_calls};
use crate::question::{EventStream, Question};
use crate::recovery::situation::Situation;
use crate::selection::searches;
use crate::shared::Shared;
use crate::structured::{AnswerSchema, unusable_answer};
use crate::web_search::reading::ResultReader;
use crate::web_search::search::WebSearcher;
use crate::{recovery, trace, web_search};

/// Answers a question and returns what happens meanwhile.
pub(crate) fn answer_events(shared: Arc<Shared>, question: Question) -> EventStream {
    // Within the block, so that nothing begins before the stream is read.
    haft_core::generate(|events| async move {
        let run = RunState::new(shared, events, question);
        finish(run).await
    })
}

/// Answers the question within the time limit of the options, with all rounds or as one turn
/// for a client.
async fn finish(mut run: RunState) -> Result<(), AgentError> {
    let limit = run.shared.options.timeout;
    let span = trace::invoke_agent(run.shared.model.id());
    let answer = {
        // Pinned here, as a limit would move its state twice.
        let work = async {
            match run.requests.client.tool_choice() {
                None => Box::pin(answer_question(&mut run)).await,
                Some(choice) => take_turn(&mut run, choice).await,
            }
        };
        let work = pin!(work.instrument(span.clone()));
        match limit {
            None => work.await,
            Some(limit) => haft_tools::in_time(limit, work)
                .await
                .unwrap_or_else(|under_way| Err(AgentError::late(limit, under_way))),
        }
    };
    trace::end_run(&span, &answer);
    run.end_record(&answer).instrument(span).await;
    run.events.emit(Event::Done(Box::new(answer?))).await;
    Ok(())
}

/// Asks the model and answers its calls until it has none left.
async fn answer_question(run: &mut RunState) -> Result<Answer, AgentError> {
    run.choose_tools().await?;
    loop {
        let offers_tools = run.offers_tools().await;
        if let Some(schema) = run.response_schema.clone()
            && (!offers_tools || run.tools.offered.names.is_empty())
        {
            return structured_answer(run, schema).await;
        }
        let choice = if offers_tools {
            ToolChoice::Auto
        } else {
            ToolChoice::None
        };
        let reply = run.next_reply(choice).await?.reply;
        if !reply.has_calls() {
            return conclude(run, reply).await;
        }
        run.append(reply.clone()).await;
        if !offers_tools || run.budget.is_spent() {
            return Ok(stop_at_limit(run, &reply).await);
        }
        answer_calls(run, &reply).await?;
    }
}

/// Asks the model once, for a client that runs the tools. Only where tools run in this process
/// are there more rounds, which the client does not see.
async fn take_turn(run: &mut RunState, mut choice: ToolChoice) -> Result<Answer, AgentError> {
    run.choose_tools().await?;
    loop {
        let mut offers_tools = choice != ToolChoice::None && !run.tools.offered.names.is_empty();
        if offers_tools && run.requests.client.runs_anything_here() {
            offers_tools = run.offers_tools().await;
        }
        if let Some(schema) = run.response_schema.clone()
            && !offers_tools
        {
            return Box::pin(structured_answer(run, schema)).await;
        }
        if !offers_tools {
            choice = ToolChoice::None;
        }
        let Exchange { request, reply } = run.next_reply(std::mem::take(&mut choice)).await?;
        let reply = if offers_tools {
            with_valid_calls(run, reply, &request).await?
        } else {
            without_calls(reply)
        };
        if let Some(schema) = run.response_schema.clone()
            && !reply.has_calls()
        {
            return Box::pin(structured_answer(run, schema)).await;
        }
        let here = run.requests.client.own_calls(&reply);
        let text = reply.content.text();
        let outcome = if reply.is_blank() {
            Outcome::Empty
        } else {
            run.outcome_of(&reply)
        };
        run.append(reply).await;
        if here.has_calls() {
            answer_calls(run, &here).await?;
        }
        if !here.has_calls() || run.requests.client.has_calls() {
            return Ok(run.answer_as(text, outcome));
        }
    }
}

/// Runs the calls of a reply and appends one result per call.
async fn answer_calls(run: &mut RunState, reply: &AiMessage) -> Result<(), AgentError> {
    let results = recovery::answer_calls(reply, &mut run.recovery_context()).await;
    let results = cut_results(results, run.context_size(), &run.events).await;
    run.append_all(results).await;
    if searches(reply) {
        run.choose_tools().await?;
    }
    Ok(())
}

/// The reply with the calls that the client was sent and those of tools that run here. Invalid
/// calls are asked for again.
async fn with_valid_calls(
    run: &mut RunState,
    reply: AiMessage,
    request: &ModelRequest,
) -> Result<AiMessage, AgentError> {
    let errors = run.requests.client.errors(&reply);
    let Some(first) = errors.first() else {
        return Ok(run.requests.client.with_accepted(reply));
    };
    let calls = Situation::ClientCalls {
        reply: &reply,
        request,
        errors: &errors,
    };
    let again = recovery::recover_client_calls(&calls, &mut run.recovery_context()).await;
    let client = &run.requests.client;
    match again {
        Some(again) => Ok(client.with_accepted(again)),
        None => Ok(client.without_invalid(reply, first)?),
    }
}

/// Ends the question with a reply that has no calls.
async fn conclude(run: &mut RunState, reply: AiMessage) -> Result<Answer, AgentError> {
    if let Some(schema) = run.response_schema.clone() {
        return structured_answer(run, schema).await;
    }
    if let Some(answer) = answer_from_web(run, &reply).await {
        return Ok(answer);
    }
    if let Some(answer) = run.withdrawn(&reply).await {
        return Ok(answer);
    }
    let outcome = run.outcome_of_end(&reply);
    run.append(reply.clone()).await;
    Ok(run.answer(&reply.content, outcome))
}

/// Asks for an answer that follows the schema, and once more if it does not.
async fn structured_answer(run: &mut RunState, schema: Arc<Value>) -> Result<Answer, AgentError> {
    let schema = AnswerSchema::new(schema)?;
    let mut is_first = true;
    let mut raise_max_tokens = false;
    loop {
        let may_retry = std::mem::take(&mut is_first) && !run.budget.is_last();
        let asked = run.ask_model(schema.options(raise_max_tokens));
        let reply = asked.await?.reply;
        recovery::settle(&reply, &mut run.recovery_context()).await;
        let fitting = schema.read(&reply);
        run.record.judge_first_reply(fitting.is_ok());
        raise_max_tokens = is_cut(&reply);
        match fitting {
            Ok(value) => {
                run.append_refusing(&reply, "only the answer is wanted now")
                    .await;
                let outcome = run.outcome_of(&reply);
                let mut answer = run.answer(&reply.content, outcome);
                answer.structured = Some(value);
                return Ok(answer);
            }
            Err(problem) if may_retry => {
                run.append_refusing(&reply, "only the answer is wanted now")
                    .await;
                let request = format!("{problem}. Answer again with JSON that fits the schema.");
                run.append(Message::human(request)).await;
            }
            Err(problem) => return Err(unusable_answer(problem, &reply)),
        }
    }
}

/// Searches the web and returns the answer, if `reply` is not an answer and the search helps.
async fn answer_from_web(run: &mut RunState, reply: &AiMessage) -> Option<Answer> {
    let searcher = WebSearcher {
        options: &run.shared.options,
        executor: &run.tools.all.executor,
        events: &run.events,
    };
    let question = run.conversation.question()?;
    let query = web_search::query_for(question, reply).filter(|_| searcher.can_search())?;
    let question = question.clone();
    let found = searcher.search(&query).await?;
    let messages = run.messages_to_send().await;
    let mut reader = ResultReader {
        shared: &run.shared,
        tools: &run.tools.offered,
        requests: &mut run.requests,
        record: &mut run.record,
        events: &run.events,
    };
    let answered = reader.ask_about(&found, messages, &question).await;
    let sources = found.sources();
    found.close().await;
    let answered = answered.filter(|after| web_search::is_better(after, reply))?;
    run.append(answered.clone()).await;
    let outcome = if is_cut(&answered) {
        Outcome::Truncated
    } else {
        Outcome::WebSearched
    };
    let mut answer = run.answer(&answered.content, outcome);
    answer.sources = sources;
    Some(answer)
}

/// Ends the question because the model called a tool although none was offered.
async fn stop_at_limit(run: &mut RunState, reply: &AiMessage) -> Answer {
    let (turns, limit) = (run.budget.used(), run.budget.limit());
    tracing::warn!(turns, "the model still asks for tools in its last turn");
    let reason = if run.budget.is_spent() {
        format!("the limit of {limit} rounds is reached")
    } else {
        "this turn offers no tools".to_owned()
    };
    run.refuse_calls(reply, &reason).await;
    run.recovery_context().give_up_pending().await;
    if let Some(answer) = answer_from_web(run, reply).await {
        return answer;
    }
    run.answer(&reply.content, Outcome::RoundLimit)
}

#[cfg(test)]
mod tests;
