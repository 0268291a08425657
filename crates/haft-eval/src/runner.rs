//! Runs cases through the agent, several at a time.
//!
//! Each case has a separate conversation and separate tools. The successful calls are scored; a
//! call repeated in a later round counts once, and repetitions are counted separately.

mod seen;

use std::sync::Arc;
use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use haft_agent::{Agent, AgentError, AgentErrorKind, AgentOptions};
use haft_core::{Answer, ChatModel, Event, ModelErrorKind, Outcome, ToolCall};
use haft_tools::{ExecutorOptions, Synonym, ToolExecutor, ToolManager};

use self::seen::Seen;
use crate::case::Case;
use crate::chance::chance;
use crate::error::EvalError;
use crate::flaky::Flaky;
use crate::recording_model::FirstReply;
use crate::result::{CaseResult, Verdict};
use crate::score::score;

/// The model under test.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A real model.
    Model(Arc<dyn ChatModel>),
    /// A simulated model, which knows the gold answers and injects faults.
    Flaky(Flaky),
}

impl Subject {
    /// The model's full name.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Model(model) => model.id().to_owned(),
            Self::Flaky(flaky) => flaky.to_string(),
        }
    }

    /// True for a simulated model.
    #[must_use]
    pub fn is_simulation(&self) -> bool {
        matches!(self, Self::Flaky(_))
    }
}

/// Options of an evaluation run.
#[derive(Clone, Debug)]
pub struct EvalOptions {
    /// The options of the agent.
    pub agent: AgentOptions,
    /// The limits of tool execution.
    pub executor: ExecutorOptions,
    /// Configured synonyms of parameter names.
    pub synonyms: Vec<Synonym>,
    /// The number of cases that run at once; at least 1.
    pub jobs: usize,
}

impl Default for EvalOptions {
    fn default() -> Self {
        Self {
            agent: AgentOptions::default(),
            executor: ExecutorOptions::default(),
            synonyms: Vec::new(),
            jobs: 1,
        }
    }
}

/// Runs `cases` and passes each result to `done` as soon as it is available. Dropping the future
/// cancels the running cases.
///
/// # Errors
///
/// When the model cannot be used at all (no connection, wrong key, no such model), when the
/// tools of a case cannot be bound, or when `done` fails. A failure of the model in one case makes
/// that case wrong, and the run continues.
pub async fn evaluate(
    cases: &[&Case],
    subject: &Subject,
    options: &EvalOptions,
    mut done: impl FnMut(CaseResult) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let running = cases.iter().map(|case| run(case, subject, options));
    let mut results = stream::iter(running).buffer_unordered(options.jobs.max(1));
    while let Some(result) = results.try_next().await? {
        done(result)?;
    }
    Ok(())
}

async fn run(
    case: &Case,
    subject: &Subject,
    options: &EvalOptions,
) -> Result<CaseResult, EvalError> {
    match subject {
        Subject::Model(model) => {
            let mut result = run_with(case, model.clone(), options).await?;
            if options.agent.routing.applies_to(model.as_ref()) {
                result.chance = Some(chance(case, model.as_ref(), options).await?);
            }
            Ok(result)
        }
        Subject::Flaky(flaky) => run_with(case, flaky.model(case), options).await,
    }
}

/// Runs a case with this model.
pub(crate) async fn run_with(
    case: &Case,
    model: Arc<dyn ChatModel>,
    options: &EvalOptions,
) -> Result<CaseResult, EvalError> {
    let started = Instant::now();
    let first = FirstReply::default();
    let executor = executor(case, options)?;
    let names = |call: ToolCall| {
        let found = executor
            .tools()
            .find(&call.name)
            .map(|tool| tool.name().to_owned());
        ToolCall {
            name: found.unwrap_or(call.name.clone()),
            ..call
        }
    };
    let agent = Agent::new(first.of(model), executor.clone(), options.agent.clone())?;
    let mut seen = Seen::default();
    let ended = watch(&agent, case, &mut seen).await?;

    let written: Vec<ToolCall> = first
        .get()
        .map(|reply| reply.tool_calls)
        .unwrap_or_default();
    let repaired: Vec<ToolCall> = written
        .iter()
        .filter_map(|call| Some(executor.check(call).ok()?.call))
        .collect();
    let distinct: Vec<ToolCall> = seen.distinct().into_iter().map(names).collect();
    let made = u32::try_from(seen.calls.len()).unwrap_or(u32::MAX);
    let answer = ended.as_ref().ok();
    let verdict = |calls: &[ToolCall]| match (first.get(), answer) {
        (None, None) => Verdict::Error,
        _ => score(case, calls),
    };
    let bound = seen.bound.unwrap_or_default();
    Ok(CaseResult {
        id: case.id.clone(),
        category: case.category.clone(),
        wants_calls: case.wants_calls(),
        first: verdict(&written.iter().cloned().map(names).collect::<Vec<_>>()),
        repaired: verdict(&repaired),
        recovered: answer.map_or(Verdict::Error, |_| score(case, &distinct)),
        first_of_use: first.get().is_some_and(|reply| !reply.is_blank()),
        answered: answer.is_some_and(is_answered),
        outcome: answer.map_or("error", outcome).to_owned(),
        error: ended.as_ref().err().cloned(),
        steps: seen.steps,
        rounds: answer.map_or(seen.round, |answer| answer.rounds),
        calls: made,
        repeated: made.saturating_sub(u32::try_from(distinct.len()).unwrap_or(u32::MAX)),
        prompt_tokens: answer.map_or(0, |answer| answer.usage.input_tokens),
        completion_tokens: answer.map_or(0, |answer| answer.usage.output_tokens),
        milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        tools: u32::try_from(executor.tools().get_tools().len()).unwrap_or(u32::MAX),
        bound: u32::try_from(bound.len()).unwrap_or(u32::MAX),
        tool_lost: case.lacks_a_tool(&bound),
        asked: case.query.clone(),
        expected: case.expected_text(),
        done: distinct.iter().map(call_text).collect(),
        written: written.iter().map(call_text).collect(),
        answer: answer
            .map(|answer| beginning(&answer.text))
            .unwrap_or_default(),
        chance: None,
    })
}

/// The most characters of an answer that are kept, to keep run files small.
const KEPT_ANSWER: usize = 400;

fn beginning(text: &str) -> String {
    text.chars().take(KEPT_ANSWER).collect()
}

/// A call as text: its name and its arguments as JSON.
fn call_text(call: &ToolCall) -> String {
    format!(
        "{} {}",
        call.name,
        serde_json::Value::Object(call.args.clone())
    )
}

fn executor(case: &Case, options: &EvalOptions) -> Result<ToolExecutor, EvalError> {
    let mut manager = ToolManager::new();
    for tool in case.tools.open() {
        let added = manager.add(tool);
        added.map_err(|error| EvalError::dataset(format!("case {}: {error}", case.id)))?;
    }
    for synonym in &options.synonyms {
        manager.add_synonym(synonym.clone());
    }
    Ok(ToolExecutor::with_options(manager, options.executor, None))
}

/// Runs a case to its end and returns the answer, or the model's error as a message.
async fn watch(
    agent: &Agent,
    case: &Case,
    seen: &mut Seen,
) -> Result<Result<Answer, String>, EvalError> {
    let mut events = agent.run(case.messages.clone());
    while let Some(event) = events.next().await {
        match event {
            Ok(Event::Done(answer)) => return Ok(Ok(*answer)),
            Ok(event) => seen.event(&event),
            Err(error) if ends_the_run(&error) => return Err(error.into()),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    Ok(Err("The answer ended before it was complete".to_owned()))
}

/// True for failures that every case would have, and that say nothing about the model's quality.
fn ends_the_run(error: &AgentError) -> bool {
    match error.kind() {
        AgentErrorKind::Model(kind) => matches!(
            kind,
            ModelErrorKind::Connect
                | ModelErrorKind::Unauthorized
                | ModelErrorKind::ModelNotFound
                | ModelErrorKind::RateLimited
                | ModelErrorKind::Configuration
        ),
        AgentErrorKind::Configuration => true,
        _ => false,
    }
}

fn is_answered(answer: &Answer) -> bool {
    !matches!(
        answer.outcome,
        Outcome::Empty | Outcome::RoundLimit | Outcome::Truncated | Outcome::Unverified
    )
}

fn outcome(answer: &Answer) -> &'static str {
    match answer.outcome {
        Outcome::Answered => "answered",
        Outcome::Recovered(_) => "recovered",
        Outcome::RoundLimit => "round_limit",
        Outcome::Truncated => "truncated",
        Outcome::Unverified => "unverified",
        Outcome::Refused => "refused",
        Outcome::ToolsFailed => "tools_failed",
        Outcome::Empty => "empty",
        _ => "other",
    }
}

#[cfg(test)]
mod tests;
