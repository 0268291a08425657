//! The database file: opening it, its version, and its errors.
//!
//! SQLite with a write-ahead log, so that several processes may write and others read meanwhile,
//! and a process that dies in the middle of a write takes only that write with it. The version
//! is in `PRAGMA user_version`; a file of a newer version or another program is left unchanged.

use std::io;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::time::{Instant, sleep};

use crate::error::{AgentError, AgentErrorKind};

/// The version of the tables below. A change of them needs a higher version and a migration from
/// each lower one.
const VERSION: i64 = 1;

/// How long a writer waits for others. One write takes about a millisecond.
const BUSY: Duration = Duration::from_secs(5);

/// The wait before opening is tried again while another process creates the file.
const PAUSE: Duration = Duration::from_millis(10);

/// The tables. The column `rung` holds the name of a recovery step: it keeps the name that it got in
/// version 1. Booleans are 0 and 1, times are milliseconds since 1970, which every SQL engine
/// supports.
const TABLES: [&str; 5] = [
    "CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        model TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        first_query INTEGER NOT NULL,
        first_reply_usable INTEGER NOT NULL,
        original_ms BIGINT,
        blank_replies BIGINT NOT NULL,
        outcome TEXT NOT NULL
    )",
    "CREATE INDEX attempts_by_time ON attempts (started_at)",
    "CREATE TABLE needed (
        attempt INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
        rung TEXT NOT NULL,
        times BIGINT NOT NULL,
        PRIMARY KEY (attempt, rung)
    )",
    "CREATE TABLE retries (
        attempt INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        rung TEXT NOT NULL,
        original_ms BIGINT NOT NULL,
        retry_ms BIGINT NOT NULL,
        recovered INTEGER NOT NULL,
        PRIMARY KEY (attempt, number)
    )",
    "PRAGMA user_version = 1",
];

/// An open file of this version.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) connection: SqliteConnection,
}

/// The errors of the file.
#[derive(Debug)]
pub(super) enum Problem {
    Newer(i64),
    Foreign,
    Folder(io::Error),
    Sql(sqlx::Error),
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl Database {
    /// Opens or creates the file. Enabling the write-ahead log may collide with another process
    /// that does the same, which SQLite itself does not wait for.
    pub(super) async fn open(path: &Path) -> Result<Self, Problem> {
        if let Some(folder) = path.parent() {
            create_private_folder(folder).map_err(Problem::Folder)?;
        }
        make_private(path).map_err(Problem::Folder)?;
        let until = Instant::now() + BUSY;
        loop {
            match Self::try_open(path).await {
                Err(problem) if problem.is_busy() && Instant::now() < until => sleep(PAUSE).await,
                result => return result,
            }
        }
    }

    async fn try_open(path: &Path) -> Result<Self, Problem> {
        // No option here writes to the file, as its version is not known yet.
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .busy_timeout(BUSY)
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        // One transaction for version and tables: another process may be creating them.
        let mut look = connection.begin().await?;
        let is_new = is_new(&mut look).await?;
        look.rollback().await?;
        let log = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
        sqlx::raw_sql(log).execute(&mut connection).await?;
        if is_new {
            make_tables(&mut connection).await?;
        }
        Ok(Self { connection })
    }
}

/// Creates a folder and its parents for the user alone. An existing folder keeps its permissions.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes the file private to the user, and with it the log, to which SQLite gives the same
/// permissions. A new file is created private.
#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::fs::{OpenOptions, Permissions, metadata, set_permissions};
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

    let mut options = OpenOptions::new();
    match options.write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    for beside in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(beside);
        let Ok(known) = metadata(&name) else { continue };
        let mode = known.permissions().mode() & 0o777;
        if known.is_file() && mode & 0o077 != 0 {
            // A file of another user keeps its permissions; opening it shows if it is usable.
            let _ = set_permissions(&name, Permissions::from_mode(mode & 0o700));
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_private(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// True for an empty file, false for one of this version.
async fn is_new(connection: &mut SqliteConnection) -> Result<bool, Problem> {
    let version: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *connection)
        .await?;
    if version > VERSION {
        return Err(Problem::Newer(version));
    }
    if version == VERSION {
        return Ok(false);
    }
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master")
        .fetch_one(connection)
        .await?;
    if version == 0 && tables == 0 {
        Ok(true)
    } else {
        Err(Problem::Foreign)
    }
}

/// Creates the tables in one transaction, unless another process was faster.
async fn make_tables(connection: &mut SqliteConnection) -> Result<(), Problem> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    if is_new(&mut transaction).await? {
        for statement in TABLES {
            sqlx::query(statement).execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

impl Problem {
    /// SQLite's primary result code, without the higher bits of the extended code; see
    /// <https://www.sqlite.org/rescode.html>.
    fn code(&self) -> Option<u32> {
        let Self::Sql(sqlx::Error::Database(error)) = self else {
            return None;
        };
        let code: u32 = error.code()?.parse().ok()?;
        Some(code & 0xff)
    }

    fn is_busy(&self) -> bool {
        matches!(self.code(), Some(5 | 6))
    }

    /// The error with a message for the user.
    pub(super) fn about(self, path: &Path) -> AgentError {
        let name = path.display();
        let error = |message: String| AgentError::new(AgentErrorKind::Store, message);
        let code = self.code();
        match self {
            Self::Newer(version) => error(format!(
                "{name} is of version {version}, and this program knows {VERSION}; it is left as \
                 it is"
            ))
            .with_hint("use the newer program, or move the file away to begin a new one"),
            Self::Foreign => error(format!("{name} is a database of something else"))
                .with_hint("move the file away to begin a new one"),
            Self::Folder(problem) => error(format!("{name} cannot be made: {problem}"))
                .with_hint("check the rights of the folder"),
            Self::Sql(problem) => {
                let (what, hint) = match code {
                    // SQLITE_CORRUPT and SQLITE_NOTADB.
                    Some(11 | 26) => ("is damaged", "move the file away to begin a new one"),
                    Some(5 | 6) => (
                        "is in use by another process",
                        "try again when that one is done",
                    ),
                    _ => (
                        "cannot be used",
                        "check the rights of the file and the space on its disk",
                    ),
                };
                error(format!("{name} {what}"))
                    .with_hint(hint)
                    .with_detail(format!("{name} {what}: {problem}"))
            }
        }
    }
}
