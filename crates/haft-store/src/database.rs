//! Opens a database file, and creates its tables.
//!
//! SQLite with a write-ahead log, so that several processes may write and others read meanwhile,
//! and a process that dies in the middle of a write takes only that write with it. The version
//! is in `PRAGMA user_version`; a file of a newer version or another program is left unchanged.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, Executor};
use tokio::time::{Instant, sleep};

use crate::address::StoreAddress;
use crate::error::{StoreError, StoreErrorKind};

/// How long a writer waits for others. One write takes about a millisecond.
const BUSY: Duration = Duration::from_secs(5);

/// The wait before opening is tried again while another process creates the file.
const PAUSE: Duration = Duration::from_millis(10);

/// Several processes may write, and others read meanwhile.
const WRITE_AHEAD_LOG: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";

/// The tables of a file.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The version of the tables, from 1. A change of them needs a higher version and a migration
    /// from each lower one.
    pub version: i64,
    /// The statements that create the tables in an empty file.
    pub tables: &'static [&'static str],
}

/// An open file with the tables of its schema.
#[derive(Debug)]
pub struct Database {
    /// The connection, for statements. A write of several statements begins with `BEGIN IMMEDIATE`:
    /// SQLite does not wait for the lock when a reader becomes a writer.
    pub connection: SqliteConnection,
    path: PathBuf,
}

impl Database {
    /// Opens the file, or creates it with these tables. Only the user can read a new file and the
    /// folders that are created for it.
    ///
    /// # Errors
    ///
    /// See [`StoreErrorKind`].
    pub async fn open(path: &Path, schema: Schema) -> Result<Self, StoreError> {
        prepare(path)?;
        let until = Instant::now() + BUSY;
        loop {
            match Self::try_open(path, schema).await {
                Ok(database) => return Ok(database),
                Err(error) => wait_if_busy(error, until).await?,
            }
        }
    }

    async fn try_open(path: &Path, schema: Schema) -> Result<Self, StoreError> {
        let of_statement = |error| StoreError::of_statement(error, path);
        let mut database = Self {
            connection: options(path).connect().await.map_err(of_statement)?,
            path: path.to_owned(),
        };
        let is_new = database.is_new(schema).await?;
        let log = database.connection.execute(WRITE_AHEAD_LOG).await;
        log.map_err(of_statement)?;
        if is_new {
            database.create_tables(schema).await?;
        }
        Ok(database)
    }

    /// The error of a statement on this file.
    #[must_use]
    pub fn error(&self, error: sqlx::Error) -> StoreError {
        StoreError::of_statement(error, &self.path)
    }

    /// True for an empty file, false for one of this version.
    async fn is_new(&mut self, schema: Schema) -> Result<bool, StoreError> {
        // One transaction for version and tables: another process may be creating them.
        let read = async {
            let mut look = self.connection.begin().await?;
            let content = FileContent::read(&mut look).await?;
            look.rollback().await?;
            Ok(content)
        };
        let content = read
            .await
            .map_err(|error| StoreError::of_statement(error, &self.path))?;
        content.is_new(schema, &self.path)
    }

    /// Creates the tables in one transaction, unless another process was faster.
    async fn create_tables(&mut self, schema: Schema) -> Result<(), StoreError> {
        let of_statement = |error| StoreError::of_statement(error, &self.path);
        let begun = self.connection.begin_with("BEGIN IMMEDIATE").await;
        let mut transaction = begun.map_err(of_statement)?;
        let content = FileContent::read(&mut transaction).await;
        if content.map_err(of_statement)?.is_new(schema, &self.path)? {
            for statement in schema.tables {
                let created = sqlx::query(statement).execute(&mut *transaction).await;
                created.map_err(of_statement)?;
            }
            let version = format!("PRAGMA user_version = {}", schema.version);
            let marked = transaction.execute(version.as_str()).await;
            marked.map_err(of_statement)?;
        }
        transaction.commit().await.map_err(of_statement)
    }
}

/// A connection to a file whose tables have no common version. Creates the file.
pub(crate) async fn connect(path: &Path) -> Result<SqliteConnection, StoreError> {
    prepare(path)?;
    let until = Instant::now() + BUSY;
    loop {
        let error = match try_connect(path).await {
            Ok(connection) => return Ok(connection),
            Err(error) => StoreError::of_statement(error, path),
        };
        wait_if_busy(error, until).await?;
    }
}

async fn try_connect(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let mut connection = options(path).connect().await?;
    connection.execute(WRITE_AHEAD_LOG).await?;
    Ok(connection)
}

/// None of these options writes to the file, as its version is not known yet.
fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .busy_timeout(BUSY)
        .disable_statement_logging()
}

/// Waits before a busy file is opened again: enabling the write-ahead log may collide with another
/// process that does the same, which SQLite itself does not wait for.
async fn wait_if_busy(error: StoreError, until: Instant) -> Result<(), StoreError> {
    if error.kind() != StoreErrorKind::Busy || Instant::now() >= until {
        return Err(error);
    }
    sleep(PAUSE).await;
    Ok(())
}

/// Creates a file that only the user can read, and its folder.
fn prepare(path: &Path) -> Result<(), StoreError> {
    let folder_error = |error| StoreError::folder(path, &error);
    if let Some(folder) = path.parent() {
        create_private_folder(folder).map_err(folder_error)?;
    }
    make_private(path).map_err(folder_error)
}

/// What a file says of its content.
struct FileContent {
    version: i64,
    tables: i64,
}

impl FileContent {
    async fn read(connection: &mut SqliteConnection) -> Result<Self, sqlx::Error> {
        let version = sqlx::query_scalar("PRAGMA user_version");
        let tables = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master");
        Ok(Self {
            version: version.fetch_one(&mut *connection).await?,
            tables: tables.fetch_one(connection).await?,
        })
    }

    /// True for an empty file, false for one of this version.
    fn is_new(&self, schema: Schema, path: &Path) -> Result<bool, StoreError> {
        if self.version > schema.version {
            let file = StoreAddress::File(path.to_owned());
            return Err(StoreError::newer(&file, self.version, schema.version));
        }
        if self.version == schema.version {
            return Ok(false);
        }
        if self.version == 0 && self.tables == 0 {
            return Ok(true);
        }
        Err(StoreError::foreign(path))
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

#[cfg(test)]
mod tests;
