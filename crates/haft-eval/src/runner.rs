//! Runs cases through the whole runtime, several at a time.
//!
//! A case is a conversation of its own with tools of its own. What is scored are the calls that
//! did their work; the same call again in a later round counts once, because it is no other
//! answer, and how often that happened is told apart.

use std::sync::Arc;
use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use haft_agent::{Agent, AgentError, AgentErrorKind, AgentOptions};
use haft_core::{Answer, ChatModel, Event, ModelErrorKind, Outcome, ToolCall, ToolStatus};
use haft_tools::{ExecutorOptions, Synonym, ToolExecutor, ToolManager};

use crate::case::Case;
use crate::error::EvalError;
use crate::flaky::Flaky;
use crate::result::{CaseResult, RungResult, Verdict};
use crate::score::score;
use crate::witness::FirstReply;

/// What is measured.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A model.
    Model(Arc<dyn ChatModel>),
    /// A simulation of one, which is told the gold answers in order to spoil them.
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

    /// True where no model was asked.
    #[must_use]
    pub fn is_simulation(&self) -> bool {
        matches!(self, Self::Flaky(_))
    }
}

/// How the cases are run.
#[derive(Clone, Debug)]
pub struct EvalOptions {
    /// The agent of every case.
    pub agent: AgentOptions,
    /// The limits of the tools.
    pub executor: ExecutorOptions,
    /// Other words for parameters, as configured.
    pub synonyms: Vec<Synonym>,
    /// How many cases run at once; at least 1.
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

/// Runs these cases and hands out each result as soon as it is there. Dropping the future ends
/// what is under way; what was handed out stays.
///
/// # Errors
///
/// When the model cannot be asked at all (nobody answers, a wrong key, no such model), when the
/// tools of a case cannot be bound, or when `done` fails. A model that fails in one case has got
/// that case wrong, and the run goes on.
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

/// What was seen of a case while it ran.
#[derive(Debug, Default)]
struct Seen {
    round: u32,
    /// The tools offered at first.
    bound: Option<Vec<String>>,
    /// Calls that did their work, with their round.
    calls: Vec<(u32, ToolCall)>,
    rungs: Vec<RungResult>,
}

impl Seen {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RoundStarted { round, tools } => {
                self.round = *round;
                self.bound.get_or_insert_with(|| tools.clone());
            }
            Event::ToolFinished(report) if report.message.status == ToolStatus::Success => {
                self.calls.push((self.round, report.call.clone()));
            }
            Event::RecoveryFinished(step) => self.rungs.push(RungResult {
                rung: step.rung,
                recovered: step.recovered,
            }),
            _ => {}
        }
    }

    /// The calls, without those that were made before in an earlier round.
    fn distinct(&self) -> Vec<ToolCall> {
        let same = |a: &ToolCall, b: &ToolCall| a.name == b.name && a.args == b.args;
        let is_new = |(round, call): &&(u32, ToolCall)| {
            let mut earlier = self.calls.iter().filter(|(other, _)| other < round);
            !earlier.any(|(_, other)| same(other, call))
        };
        self.calls
            .iter()
            .filter(is_new)
            .map(|(_, call)| call.clone())
            .collect()
    }
}

async fn run(
    case: &Case,
    subject: &Subject,
    options: &EvalOptions,
) -> Result<CaseResult, EvalError> {
    let started = Instant::now();
    let first = FirstReply::default();
    let model = match subject {
        Subject::Model(model) => model.clone(),
        Subject::Flaky(flaky) => flaky.model(case),
    };
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
    let mended: Vec<ToolCall> = written
        .iter()
        .filter_map(|call| executor.check(call).ok())
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
        first: verdict(&written.into_iter().map(names).collect::<Vec<_>>()),
        mended: verdict(&mended),
        recovered: answer.map_or(Verdict::Error, |_| score(case, &distinct)),
        first_of_use: first.get().is_some_and(|reply| !reply.is_blank()),
        answered: answer.is_some_and(is_answered),
        outcome: answer.map_or("error", outcome).to_owned(),
        error: ended.as_ref().err().cloned(),
        rungs: seen.rungs,
        rounds: answer.map_or(seen.round, |answer| answer.rounds),
        calls: made,
        repeated: made.saturating_sub(u32::try_from(distinct.len()).unwrap_or(u32::MAX)),
        prompt_tokens: answer.map_or(0, |answer| answer.usage.input_tokens),
        completion_tokens: answer.map_or(0, |answer| answer.usage.output_tokens),
        milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        tools: u32::try_from(executor.tools().get_tools().len()).unwrap_or(u32::MAX),
        bound: u32::try_from(bound.len()).unwrap_or(u32::MAX),
        tool_lost: case.lacks_a_tool(&bound),
    })
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

/// Runs a case to its end: the answer, or what kept the model from one.
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

/// True for failures that the next case would have too, and that say nothing about the model.
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
    !matches!(answer.outcome, Outcome::Empty | Outcome::RoundLimit)
}

fn outcome(answer: &Answer) -> &'static str {
    match answer.outcome {
        Outcome::Answered => "answered",
        Outcome::Recovered(_) => "recovered",
        Outcome::RoundLimit => "round_limit",
        Outcome::Empty => "empty",
        _ => "other",
    }
}

#[cfg(test)]
mod tests;
