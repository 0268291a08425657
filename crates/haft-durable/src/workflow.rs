//! A run as two workflows of the engine.
//!
//! The run itself only waits: for its stretches, and for the decisions of people between them. Each
//! stretch is a workflow of its own in a queue with limited slots, so a run that waits for a person
//! takes no slot.

use std::sync::Arc;
use std::time::Duration;

use durare::{DurableContext, Error, StateProvider, WorkflowHandle, WorkflowOptions};
use haft_agent::{Agent, AgentError};
use haft_core::Answer;
use haft_tools::{ApprovalMode, ExecutorOptions, ToolExecutor};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::leases::Lease;
use crate::recorded_model::RecordedModel;
use crate::recorded_tool::{RecordedTool, approver};
use crate::run::{Decision, Pending};
use crate::steps::{Interruption, RecordedStep, Steps, Tape};

/// The name of the workflow of a run.
pub(crate) const RUN: &str = "haft_run";
/// The queue of runs, without a limit.
pub(crate) const RUNS: &str = "haft_runs";
/// The name of the workflow of a stretch.
pub(crate) const STRETCH: &str = "haft_stretch";
/// The queue of stretches, with a limit for each worker.
pub(crate) const STRETCHES: &str = "haft_stretches";
/// The event of a run with what it waits for.
pub(crate) const PENDING: &str = "pending";

/// How long a run waits for a decision.
const DECISION_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The wait before the database is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// The topic of a decision, by its number.
pub(crate) fn decision_topic(number: usize) -> String {
    format!("decision-{number}")
}

/// What a run begins with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RunInput {
    pub(crate) question: String,
}

/// How a run ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunEnd {
    Answered { text: String },
    Failed { error: String },
}

/// What a stretch begins with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StretchInput {
    run: String,
    question: String,
    /// The stretches before this one.
    earlier: Vec<String>,
    /// What people decided, one decision after each earlier stretch.
    decisions: Vec<Decision>,
}

/// How a stretch ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StretchEnd {
    Ended(RunEnd),
    Waiting(Pending),
}

/// A run: stretch, decision, stretch, ... until there is an answer.
pub(crate) async fn run(context: DurableContext, input: RunInput) -> durare::Result<RunEnd> {
    let mut next = StretchInput {
        run: context.workflow_id().to_owned(),
        question: input.question,
        earlier: Vec::new(),
        decisions: Vec::new(),
    };
    loop {
        let id = format!("{}-{}", next.run, next.earlier.len());
        let options = WorkflowOptions::with_id(&id).queue(STRETCHES);
        let stretch = context.start_workflow(STRETCH, next.clone(), options);
        let pending = match end_of(&stretch.await?).await? {
            StretchEnd::Ended(end) => return Ok(end),
            StretchEnd::Waiting(pending) => pending,
        };
        let topic = decision_topic(pending.number);
        context.set_event(PENDING, Some(pending)).await?;
        let Some(decision) = context.recv::<Decision>(&topic, DECISION_TIMEOUT).await? else {
            let error = "Nobody decided within 30 days".to_owned();
            return Ok(RunEnd::Failed { error });
        };
        context.set_event(PENDING, None::<Pending>).await?;
        next.earlier.push(id);
        next.decisions.push(decision);
    }
}

/// Waits for the end of a stretch, also while the database is away.
async fn end_of(stretch: &WorkflowHandle<StretchEnd>) -> durare::Result<StretchEnd> {
    loop {
        match stretch.result().await {
            Err(Error::ObservationFailed(error)) => {
                tracing::warn!(%error, "the store of runs is away");
                sleep(PAUSE).await;
            }
            end => return end,
        }
    }
}

/// What the stretches of one worker share.
pub(crate) struct Workshop {
    pub(crate) agent: Agent,
    pub(crate) approval: ApprovalMode,
    pub(crate) provider: Arc<dyn StateProvider>,
    pub(crate) lease: Arc<Lease>,
}

impl Workshop {
    /// Lets the agent work until it has an answer or needs a person.
    pub(crate) async fn stretch(
        &self,
        context: DurableContext,
        input: StretchInput,
    ) -> durare::Result<StretchEnd> {
        let tape = self.tape(&input).await;
        let steps = Arc::new(Steps::new(input.run, context, self.lease.clone(), tape));
        let agent = match self.recording_agent(&steps) {
            Ok(agent) => agent,
            Err(error) => return Ok(failed(error.to_string())),
        };
        let work = answer(&agent, input.question);
        tokio::select! {
            biased;
            reason = steps.interrupted() => match reason {
                Interruption::Waiting(pending) => Ok(StretchEnd::Waiting(pending)),
                Interruption::NotRecorded(error) => Err(error),
                Interruption::Diverged(detail) => Ok(failed(format!(
                    "The run cannot go on, because the agent has changed since it began: {detail}"
                ))),
            },
            answered = work => Ok(match answered {
                Ok(answer) => StretchEnd::Ended(RunEnd::Answered { text: answer.text }),
                Err(error) => failed(error.to_string()),
            }),
        }
    }

    /// The agent with its model and its tools recorded. Calls run one after the other.
    fn recording_agent(&self, steps: &Arc<Steps>) -> Result<Agent, AgentError> {
        let model = Arc::new(RecordedModel {
            model: self.agent.model(),
            steps: steps.clone(),
        });
        let tools = self.agent.tools().wrapped(|tool| {
            Arc::new(RecordedTool {
                tool: tool.clone(),
                steps: steps.clone(),
            })
        });
        let mut options = ExecutorOptions::default();
        options.parallel = 1;
        let approve = self.approval.approver(approver(steps.clone()));
        let executor = ToolExecutor::with_options(tools, options, approve);
        self.agent.over(model, executor)
    }

    /// What the earlier stretches recorded. They have ended, so it is always the same.
    async fn tape(&self, input: &StretchInput) -> Tape {
        let mut tape = Tape {
            decisions: input.decisions.iter().copied().collect(),
            ..Tape::default()
        };
        for stretch in &input.earlier {
            let recorded = loop {
                match self.provider.get_workflow_steps(stretch).await {
                    Ok(recorded) => break recorded,
                    Err(error) => {
                        tracing::warn!(%error, "the store of runs is away");
                        sleep(PAUSE).await;
                    }
                }
            };
            tape.steps
                .extend(recorded.into_iter().map(|step| RecordedStep {
                    name: step.name,
                    value: step.output.unwrap_or_default(),
                }));
        }
        tape
    }
}

async fn answer(agent: &Agent, question: String) -> Result<Answer, AgentError> {
    agent.ask(question).await
}

fn failed(error: String) -> StretchEnd {
    StretchEnd::Ended(RunEnd::Failed { error })
}
