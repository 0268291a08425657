//! The database of a store: SQLite or Postgres, opened once and shared with the engine.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use durare::{PostgresProvider, Serializer, SqliteProvider, StateProvider};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use tokio::time::sleep;

use crate::error::{DurableError, DurableErrorKind};

/// How long a writer of a SQLite file waits for others.
const BUSY: Duration = Duration::from_secs(5);

/// Connections of one process: enough for a few dozen runs, which write a few times per second.
const CONNECTIONS: u32 = 8;

/// How long a statement waits for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// How often [`again`] tries.
const ATTEMPTS: usize = 20;

/// The wait between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// Tries again what fails while several processes make a new database at once: SQLite does not wait
/// for others where it changes to its write-ahead log, and Postgres where a table is created.
pub(crate) async fn again<T, F>(attempt: impl Fn() -> F) -> Result<T, DurableError>
where
    F: Future<Output = Result<T, DurableError>>,
{
    for _ in 1..ATTEMPTS {
        match attempt().await {
            Err(_) => sleep(PAUSE).await,
            done => return done,
        }
    }
    attempt().await
}

/// A pool of connections.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Database {
    /// Opens `sqlite:FILE` or `postgres://...`.
    pub(crate) async fn open(address: &str) -> Result<Self, DurableError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(address)?;
            let pool = PgPoolOptions::new()
                .max_connections(CONNECTIONS)
                .acquire_timeout(CONNECT);
            return Ok(Self::Postgres(pool.connect_with(options).await?));
        }
        let Some(file) = address
            .strip_prefix("sqlite:")
            .filter(|file| !file.is_empty())
        else {
            let message = "The store is neither sqlite:FILE nor postgres://HOST/DATABASE";
            let hint = "give one of these addresses";
            return Err(DurableError::new(DurableErrorKind::Address, message, hint));
        };
        let file = file.strip_prefix("//").unwrap_or(file);
        make_private(Path::new(file))?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A step that was recorded stays recorded when the machine loses power.
            .synchronous(SqliteSynchronous::Full)
            // What was erased is overwritten.
            .pragma("secure_delete", "ON")
            // In KiB, of each connection.
            .pragma("cache_size", "-512")
            .busy_timeout(BUSY);
        let pool = SqlitePoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(CONNECT);
        let connect = || {
            let opening = pool.clone().connect_with(options.clone());
            async { Ok(Self::Sqlite(opening.await?)) }
        };
        again(connect).await
    }

    /// Creates a table of haft's own.
    pub(crate) async fn create_table(&self, table: &'static str) -> Result<(), DurableError> {
        match self {
            Self::Sqlite(pool) => {
                sqlx::query(table).execute(pool).await?;
            }
            Self::Postgres(pool) => {
                // Two processes that create a table at once collide, in spite of IF NOT EXISTS.
                if sqlx::query(table).execute(pool).await.is_err() {
                    sqlx::query(table).execute(pool).await?;
                }
            }
        }
        Ok(())
    }

    /// The engine's view of the database, with the form in which values are stored.
    pub(crate) fn provider(&self, form: Serializer) -> Arc<dyn StateProvider> {
        match self {
            Self::Sqlite(pool) => {
                let provider = SqliteProvider::from_pool(pool.clone());
                Arc::new(provider.with_serializer(form))
            }
            Self::Postgres(pool) => {
                let provider = PostgresProvider::from_pool(pool.clone());
                Arc::new(provider.with_serializer(form))
            }
        }
    }
}

/// Creates a file that only the user can read. An existing file keeps its permissions.
pub(crate) fn make_private(file: &Path) -> Result<(), DurableError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => {
            let message = format!("The file {} cannot be created: {error}", file.display());
            let hint = "name a file in a folder that exists";
            Err(DurableError::new(DurableErrorKind::Database, message, hint))
        }
    }
}
