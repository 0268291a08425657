//! Where the stretches of a worker are done: the agent works until it has an answer or needs a
//! person.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use durare::{DurableContext, Error};
use haft_agent::{Agent, AgentError};
use haft_core::{Answer, Message};
use haft_tools::{ApprovalMode, ToolExecutor, ToolManager};
use tokio::time::sleep;

use crate::error::DurableError;
use crate::format::{StretchEnd, StretchInput};
use crate::recorded_model::RecordedModel;
use crate::recorded_tool::{RecordedTool, approver};
use crate::run::is_named;
use crate::session_log::{Conversation, SessionLog};
use crate::steps::{Interruption, RecordedHistory, Steps, StepsOf};
use crate::store::DurableStore;
use crate::store_sessions::Written;
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
        if let Some(message) = self.refusal(&input) {
            return Ok(failed(message));
        }
        let Before { history, messages } = tokio::select! {
            before = self.before(&input) => before,
            () = self.worker.stopped() => return Err(stopped()),
        };
        let steps = Arc::new(Steps::new(
            StepsOf {
                run: input.run.clone(),
                store: self.store.clone(),
                context,
                worker: self.worker.clone(),
                owner: input.owner.as_ref().map(|owner| owner.name.clone()),
                session: self.session_log(&input, &messages),
            },
            history,
        ));
        let with_tools = input.owner.as_ref().is_none_or(|owner| owner.tools);
        let agent = match self.recording_agent(&steps, with_tools) {
            Ok(agent) => agent,
            Err(error) => return Ok(failed(error.to_string())),
        };
        let session = agent.session().with_history(messages);
        let work = session.ask(input.question.clone());
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
                Ok(answer) => match self.keep(&input, &answer).await {
                    Ok(()) => StretchEnd::Answered { text: answer.text },
                    Err(error) => return Err(not_kept(&error)),
                },
                Err(error) => failed(error.to_string()),
            },
        };
        self.worker.faults.pass().await;
        Ok(end)
    }

    /// Why the model of this worker may not answer, if so.
    fn refusal(&self, input: &StretchInput) -> Option<String> {
        let model = self.agent.model_id();
        if let Some(owner) = input.owner.as_ref().filter(|owner| !owner.may_use(model)) {
            let key = &owner.name;
            return Some(format!(
                "The key \"{key}\" may not use the model \"{model}\""
            ));
        }
        let wanted = input.model.as_ref();
        let wanted = wanted.filter(|wanted| !is_named(model, wanted))?;
        let queue = &input.queue;
        Some(format!(
            "The run asks for the model \"{wanted}\"; the worker of the queue \"{queue}\" has \"{model}\""
        ))
    }

    fn session_log(&self, input: &StretchInput, before: &[Message]) -> Option<SessionLog> {
        let place = input.session.clone()?;
        let conversation = Conversation::new(before.to_vec(), &input.question);
        Some(SessionLog {
            store: self.store.clone(),
            place,
            run: input.run.clone(),
            model: self.agent.model_id().to_owned(),
            conversation: Mutex::new(conversation),
        })
    }

    /// Adds the question and the answer to the session of the run, if it has one.
    async fn keep(&self, input: &StretchInput, answer: &Answer) -> Result<(), DurableError> {
        let Some(place) = &input.session else {
            return Ok(());
        };
        let written = Written {
            model: &answer.model,
            messages: &answer.messages,
            now: SystemTime::now(),
        };
        self.worker.faults.pass().await;
        let sessions = self.store.sessions();
        sessions.write_run(place, &input.run, &written).await?;
        self.worker.faults.pass().await;
        Ok(())
    }

    /// The agent with its model and its tools recorded. Calls run one after the other.
    fn recording_agent(&self, steps: &Arc<Steps>, with_tools: bool) -> Result<Agent, AgentError> {
        let model = Arc::new(RecordedModel {
            model: self.agent.model(),
            steps: steps.clone(),
        });
        let mut options = self.agent.executor().options();
        options.parallel = 1;
        let tools = match with_tools {
            true => self.agent.tools(),
            false => ToolManager::new(),
        };
        let tools = tools.wrapped(|tool| {
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

    async fn read_before(&self, input: &StretchInput) -> Result<Before, DurableError> {
        let steps = self.store.recorded(input).await?;
        let messages = match &input.session {
            Some(place) => self.store.sessions().history(place).await?,
            None => input.messages.clone(),
        };
        let decisions = input.decisions.iter();
        let history = RecordedHistory {
            steps: steps.into(),
            decisions: decisions.map(|decided| decided.decision).collect(),
        };
        Ok(Before { history, messages })
    }

    /// What is known before the stretch. Nothing of it changes any more.
    async fn before(&self, input: &StretchInput) -> Before {
        loop {
            match self.read_before(input).await {
                Ok(before) => return before,
                Err(error) => {
                    tracing::warn!(error = error.detail(), "the store of runs is away");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

/// What is known before a stretch.
struct Before {
    /// What the earlier stretches recorded.
    history: RecordedHistory,
    /// The conversation.
    messages: Vec<Message>,
}

/// The conversation could not be written: the run is taken up again, with its recorded steps.
fn not_kept(error: &DurableError) -> Error {
    Error::RecoveryRequired(Arc::new(Error::app(error.detail())))
}

fn failed(error: String) -> StretchEnd {
    StretchEnd::Failed { error }
}

/// Ends a stretch without an end of the run: another worker goes on.
fn stopped() -> Error {
    Error::RecoveryRequired(Arc::new(Error::app("the worker has stopped")))
}
