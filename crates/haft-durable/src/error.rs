//! The errors of durable runs.

use haft_agent::SessionId;
use thiserror::Error;

/// Why a run cannot be started, read or continued: a sentence for the user, a hint, and details
/// for the log.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct DurableError {
    kind: DurableErrorKind,
    message: String,
    hint: &'static str,
    detail: Option<String>,
}

/// The kinds of [`DurableError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DurableErrorKind {
    /// The address of the store is neither `sqlite:FILE` nor `postgres://...`.
    Address,
    /// The database cannot be reached, read or written.
    Database,
    /// There is no run with that id.
    UnknownRun,
    /// The run does not wait for that decision.
    NotWaiting,
    /// The run is not in the state in which that can be done with it.
    State,
    /// There is no session with that id.
    UnknownSession,
    /// A question is being answered in the session.
    SessionBusy,
    /// The store is encrypted with another key, or the file of a key cannot be used.
    Key,
    /// A run ended without an answer.
    Failed,
    /// The database of the store cannot do that.
    Unsupported,
    /// The id of a run, the name of a queue, or the time at which a run is to begin, is not understood.
    Argument,
}

impl DurableError {
    pub(crate) fn new(
        kind: DurableErrorKind,
        message: impl Into<String>,
        hint: &'static str,
    ) -> Self {
        Self {
            kind,
            message: message.into(),
            hint,
            detail: None,
        }
    }

    pub(crate) fn no_session(id: &SessionId) -> Self {
        let message = format!("There is no session {id}");
        let hint = "`haft sessions list` shows the ones that are kept in the same store";
        Self::new(DurableErrorKind::UnknownSession, message, hint)
    }

    /// The database failed. Its own message may hold the address, so only the log gets it.
    fn database(error: &(dyn std::error::Error + 'static)) -> Self {
        let (message, hint) = if is_full(error) {
            (
                "The disk of the store of runs is full",
                "free some space; workers go on by themselves then",
            )
        } else {
            (
                "The store of runs cannot be used",
                "check that the database is running and that its address is right",
            )
        };
        Self {
            detail: Some(error.to_string()),
            ..Self::new(DurableErrorKind::Database, message, hint)
        }
    }

    /// What is stored has a form that this version does not know.
    pub(crate) fn unreadable(error: &serde_json::Error) -> Self {
        Self {
            detail: Some(error.to_string()),
            ..Self::new(
                DurableErrorKind::Database,
                "A run in the store was written by another version of haft",
                "use the version of haft that wrote it",
            )
        }
    }

    pub(crate) fn unknown_run(id: &str) -> Self {
        let message = format!("There is no run \"{id}\"");
        Self::new(DurableErrorKind::UnknownRun, message, "list the runs")
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> DurableErrorKind {
        self.kind
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.hint
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

impl From<durare::Error> for DurableError {
    fn from(error: durare::Error) -> Self {
        Self::database(&error)
    }
}

impl From<sqlx::Error> for DurableError {
    fn from(error: sqlx::Error) -> Self {
        Self::database(&error)
    }
}

/// Whether an error comes from SQLite's `SQLITE_FULL` or from Postgres's `disk_full`.
fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let errors = std::iter::successors(Some(error), |error| error.source());
    let mut errors = errors.filter_map(|error| error.downcast_ref::<sqlx::Error>());
    errors.any(|error| {
        let code = error
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code);
        matches!(code.as_deref(), Some("13" | "53100"))
    })
}
