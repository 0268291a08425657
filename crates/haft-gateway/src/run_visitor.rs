//! A caller at the store of runs: which runs it may see, and whether it may begin one.

use haft_durable::{DurableError, DurableErrorKind, DurableStore, RunOwner, RunSummary};

use crate::access::Caller;
use crate::respond::Refusal;
use crate::shared::Shared;

/// The maximum size of a request in bytes; a question of a run is text.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// A caller at the store.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) store: DurableStore,
    pub(crate) caller: Caller,
}

impl Visitor {
    /// # Errors
    ///
    /// A refusal where the gateway has no store.
    pub(crate) fn new(shared: &Shared, caller: Caller) -> Result<Self, Refusal> {
        let Some(store) = shared.runs.clone() else {
            let message = "This gateway has no durable runs; haft serve --store has them";
            return Err(Refusal::new(404, message));
        };
        Ok(Self { store, caller })
    }

    /// The name of the caller's key and what it allows; `None` for the operator.
    pub(crate) fn owner(&self) -> Option<RunOwner> {
        let limits = self.caller.limits()?;
        let mut owner = RunOwner::new(self.caller.key()?.to_string());
        owner.tools = limits.server_tools;
        owner.models.clone_from(&limits.models);
        Some(owner)
    }

    /// Counts a run as a request.
    pub(crate) async fn admit(&self) -> Result<(), Refusal> {
        let Some(limits) = self.caller.limits() else {
            return Ok(());
        };
        // Which model answers is not known before a worker takes the run.
        let model = limits.models.first().map(String::as_str);
        self.caller.admit(model).await
    }

    /// A run that the caller may see.
    pub(crate) async fn run(&self, id: &str) -> Result<RunSummary, Refusal> {
        let run = self.store.show(id).await.map_err(|error| refusal(&error))?;
        match self.caller.key() {
            Some(key) if run.owner.as_deref() != Some(key) => {
                // Not even that there is such a run.
                Err(Refusal::new(404, format!("There is no run \"{id}\"")))
            }
            _ => Ok(run),
        }
    }
}

/// What a client is told about an error of the store.
pub(crate) fn refusal(error: &DurableError) -> Refusal {
    let status = match error.kind() {
        DurableErrorKind::UnknownRun | DurableErrorKind::UnknownSession => 404,
        DurableErrorKind::NotWaiting | DurableErrorKind::State | DurableErrorKind::SessionBusy => {
            409
        }
        DurableErrorKind::Argument => 400,
        _ => {
            tracing::warn!(error = error.detail(), "the store of runs cannot be used");
            503
        }
    };
    Refusal::new(status, error.to_string())
}
