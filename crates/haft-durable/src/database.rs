//! The database of a store: SQLite or Postgres, opened once and shared with the engine.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use durare::{PostgresProvider, Serializer, SqliteProvider, StateProvider};
use sqlx::FromRow;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
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

/// The time of SQLite, in milliseconds since 1970.
const SQLITE_NOW: &str = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/// The time of Postgres, in milliseconds since 1970.
const POSTGRES_NOW: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// A value in a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound<'a> {
    Text(&'a str),
    MaybeText(Option<&'a str>),
    Number(i64),
}

/// Binds values to a query of either engine, whose types have nothing in common.
macro_rules! bound {
    ($query:expr, $values:expr) => {{
        let mut query = $query;
        for value in $values {
            query = match value {
                Bound::Text(text) => query.bind(*text),
                Bound::MaybeText(text) => query.bind(*text),
                Bound::Number(number) => query.bind(*number),
            };
        }
        query
    }};
}

/// Statements that are all done or none.
pub(crate) enum Transaction {
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl Transaction {
    /// Runs a statement and returns the number of rows that it changed.
    pub(crate) async fn execute(
        &mut self,
        statement: &str,
        values: &[Bound<'_>],
    ) -> Result<u64, DurableError> {
        Ok(match self {
            Self::Sqlite(transaction) => {
                let query = bound!(sqlx::query(statement), values);
                query.execute(&mut **transaction).await?.rows_affected()
            }
            Self::Postgres(transaction) => {
                let query = bound!(sqlx::query(statement), values);
                query.execute(&mut **transaction).await?.rows_affected()
            }
        })
    }

    pub(crate) async fn commit(self) -> Result<(), DurableError> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }
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
    pub(crate) async fn create_table(&self, table: &str) -> Result<(), DurableError> {
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

    /// Creates a table whose rows may be lost in a crash of the database.
    pub(crate) async fn create_volatile_table(&self, table: &str) -> Result<(), DurableError> {
        match self {
            Self::Sqlite(_) => self.create_table(table).await,
            Self::Postgres(_) => {
                let table = table.replacen("CREATE TABLE", "CREATE UNLOGGED TABLE", 1);
                self.create_table(&table).await
            }
        }
    }

    /// Runs a statement and returns the number of rows that it changed. `{now}` in it is the time
    /// of the database, in milliseconds since 1970.
    pub(crate) async fn execute(
        &self,
        statement: &str,
        values: &[Bound<'_>],
    ) -> Result<u64, DurableError> {
        let statement = self.with_now(statement);
        Ok(match self {
            Self::Sqlite(pool) => {
                let query = bound!(sqlx::query(&statement), values);
                query.execute(pool).await?.rows_affected()
            }
            Self::Postgres(pool) => {
                let query = bound!(sqlx::query(&statement), values);
                query.execute(pool).await?.rows_affected()
            }
        })
    }

    /// Reads rows. `{now}` is as in [`Self::execute`].
    pub(crate) async fn rows<T>(
        &self,
        statement: &str,
        values: &[Bound<'_>],
    ) -> Result<Vec<T>, DurableError>
    where
        T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let statement = self.with_now(statement);
        Ok(match self {
            Self::Sqlite(pool) => {
                let query = bound!(sqlx::query_as(&statement), values);
                query.fetch_all(pool).await?
            }
            Self::Postgres(pool) => {
                let query = bound!(sqlx::query_as(&statement), values);
                query.fetch_all(pool).await?
            }
        })
    }

    /// Begins statements that are all done or none.
    pub(crate) async fn begin(&self) -> Result<Transaction, DurableError> {
        Ok(match self {
            // Takes the write lock at once: SQLite does not wait for it when a reader becomes a
            // writer.
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
        })
    }

    fn with_now(&self, statement: &str) -> String {
        statement.replace(
            "{now}",
            match self {
                Self::Sqlite(_) => SQLITE_NOW,
                Self::Postgres(_) => POSTGRES_NOW,
            },
        )
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
