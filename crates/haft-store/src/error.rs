//! The errors of a database file.

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::address::StoreAddress;

/// Why a database file cannot be used: a sentence for the user, a hint, and the details for the
/// log.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    hint: &'static str,
    source: Option<sqlx::Error>,
}

/// The kinds of [`StoreError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The file was written by a newer version of haft.
    Newer,
    /// The file is a database of another program.
    Foreign,
    /// The folder or the file cannot be created.
    Folder,
    /// The file is no database, or is damaged.
    Damaged,
    /// Another process holds the file for too long.
    Busy,
    /// There is no space left for the file.
    Full,
    /// Reading or writing failed otherwise.
    Failed,
    /// The address of the store is not understood.
    Address,
    /// The database server cannot be reached, or refuses.
    Server,
}

impl StoreError {
    fn new(kind: StoreErrorKind, message: String, hint: &'static str) -> Self {
        Self {
            kind,
            message,
            hint,
            source: None,
        }
    }

    /// An error of a statement on this file.
    #[must_use]
    pub fn of_statement(error: sqlx::Error, path: &Path) -> Self {
        use StoreErrorKind as Kind;
        let (kind, what, hint) = match primary_code(&error) {
            // SQLITE_CORRUPT and SQLITE_NOTADB.
            Some(11 | 26) => (
                Kind::Damaged,
                "is damaged",
                "move the file away to begin a new one",
            ),
            // SQLITE_BUSY and SQLITE_LOCKED.
            Some(5 | 6) => (
                Kind::Busy,
                "is in use by another process",
                "try again when that one is done",
            ),
            // SQLITE_FULL.
            Some(13) => (
                Kind::Full,
                "cannot grow, because its disk is full",
                "free some space",
            ),
            _ => (
                Kind::Failed,
                "cannot be used",
                "check the rights of the file and the space on its disk",
            ),
        };
        Self {
            source: Some(error),
            ..Self::new(kind, format!("{} {what}", path.display()), hint)
        }
    }

    /// An error of a database server. Its own message may hold the address, so only the log gets it.
    #[cfg(feature = "postgres")]
    pub(crate) fn of_server(error: sqlx::Error) -> Self {
        let message = "The Postgres database cannot be used".to_owned();
        let hint = "check that the database is running and that its address is right";
        Self {
            source: Some(error),
            ..Self::new(StoreErrorKind::Server, message, hint)
        }
    }

    /// The text is no address of a store.
    pub(crate) fn address() -> Self {
        let message = "The store is neither sqlite:FILE nor postgres://HOST/DATABASE".to_owned();
        Self::new(
            StoreErrorKind::Address,
            message,
            "give one of these addresses",
        )
    }

    /// This build has no Postgres.
    #[cfg(not(feature = "postgres"))]
    pub(crate) fn no_postgres() -> Self {
        let message = "This build of haft cannot use Postgres".to_owned();
        let hint = "use a build with the feature `durable`, or sqlite:FILE";
        Self::new(StoreErrorKind::Address, message, hint)
    }

    pub(crate) fn newer(address: &StoreAddress, version: i64, known: i64) -> Self {
        let message = format!(
            "{address} is of version {version}, and this program knows {known}; it is left as it is"
        );
        let hint = match address.file() {
            Some(_) => "use the newer program, or move the file away to begin a new one",
            None => "use the newer program, or another database",
        };
        Self::new(StoreErrorKind::Newer, message, hint)
    }

    pub(crate) fn foreign(path: &Path) -> Self {
        let message = format!("{} is a database of something else", path.display());
        let hint = "move the file away to begin a new one";
        Self::new(StoreErrorKind::Foreign, message, hint)
    }

    pub(crate) fn folder(path: &Path, error: &io::Error) -> Self {
        let message = format!("{} cannot be made: {error}", path.display());
        let hint = "check the rights of the folder";
        Self::new(StoreErrorKind::Folder, message, hint)
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// What the user can do.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        self.hint
    }

    /// The message with SQLite's own error, for the log.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        let source = self.source.as_ref()?;
        Some(format!("{}: {source}", self.message))
    }
}

/// SQLite's primary result code, without the higher bits of the extended code; see
/// <https://www.sqlite.org/rescode.html>.
fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let sqlx::Error::Database(error) = error else {
        return None;
    };
    let code: u32 = error.code()?.parse().ok()?;
    Some(code & 0xff)
}
