//! Where the stretches of a worker are done: the agent works until it has an answer or needs a
//! person.

use std::sync::Arc;
use std::time::Duration;

use durare::{DurableContext, Error};
use haft_agent::{Agent, AgentError};
use haft_core::Answer;
use haft_tools::{ApprovalMode, ToolExecutor};
use tokio::time::sleep;

use crate::format::{StretchEnd, StretchInput};
use crate::recorded_model::RecordedModel;
use crate::recorded_tool::{RecordedTool, approver};
use crate::steps::{Interruption, RecordedHistory, Steps};
use crate::store::DurableStore;
use crate::worker_state::WorkerState;

/// The wait before the database is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// What the stretches of one worker share.
pub(crate) struct StretchRunner {
    pub(crate) agent: Agent,
    pub(crate) approval: ApprovalMode,
    pub(crate) store: DurableStore,
    pub(crate) worker: Arc<WorkerState>,
}

impl StretchRunner {
    /// Lets the agent work until it has an answer or needs a person.
    pub(crate) async fn stretch(
        &self,
        context: DurableContext,
        input: StretchInput,
    ) -> durare::Result<StretchEnd> {
        let history = tokio::select! {
            history = self.history(&input) => history,
            () = self.worker.stopped() => return Err(stopped()),
        };
        let run = input.run;
        let steps = Arc::new(Steps::new(run, context, self.worker.clone(), history));
        let agent = match self.recording_agent(&steps) {
            Ok(agent) => agent,
            Err(error) => return Ok(failed(error.to_string())),
        };
        let work = answer(&agent, input.question);
        let end = tokio::select! {
            biased;
            reason = steps.interrupted() => match reason {
                Interruption::Waiting(pending) => StretchEnd::Waiting(pending),
                Interruption::NotRecorded(error) => return Err(error),
                Interruption::Left => return Err(stopped()),
                Interruption::Diverged(detail) => failed(format!(
                    "The run cannot go on, because the agent has changed since it began: {detail}"
                )),
            },
            answered = work => match answered {
                Ok(answer) => StretchEnd::Answered { text: answer.text },
                Err(error) => failed(error.to_string()),
            },
        };
        self.worker.faults.pass().await;
        Ok(end)
    }

    /// The agent with its model and its tools recorded. Calls run one after the other.
    fn recording_agent(&self, steps: &Arc<Steps>) -> Result<Agent, AgentError> {
        let model = Arc::new(RecordedModel {
            model: self.agent.model(),
            steps: steps.clone(),
        });
        let mut options = self.agent.executor().options();
        options.parallel = 1;
        let tools = self.agent.tools().wrapped(|tool| {
            Arc::new(RecordedTool {
                tool: tool.clone(),
                steps: steps.clone(),
                options,
            })
        });
        let approve = self.approval.approver(approver(steps.clone()));
        let executor = ToolExecutor::with_options(tools, options, approve);
        self.agent.over(model, executor)
    }

    /// What the earlier stretches recorded. They have ended, so it is always the same.
    async fn history(&self, input: &StretchInput) -> RecordedHistory {
        loop {
            match self.store.recorded(input).await {
                Ok(steps) => {
                    let decisions = input.decisions.iter();
                    return RecordedHistory {
                        steps: steps.into(),
                        decisions: decisions.map(|decided| decided.decision).collect(),
                    };
                }
                Err(error) => {
                    tracing::warn!(error = error.detail(), "the store of runs is away");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

async fn answer(agent: &Agent, question: String) -> Result<Answer, AgentError> {
    agent.ask(question).await
}

fn failed(error: String) -> StretchEnd {
    StretchEnd::Failed { error }
}

/// Ends a stretch without an end of the run: another worker goes on.
fn stopped() -> Error {
    Error::RecoveryRequired(Arc::new(Error::app("the worker has stopped")))
}
