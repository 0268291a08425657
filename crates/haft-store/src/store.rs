//! A store that several processes share: a SQLite file or a Postgres database, with the same tables
//! and the same statements. Other tables may be in it, so the version of these is a row of
//! `haft_versions`. A SQLite file of one part of haft takes the same statements.

use std::path::Path;

use crate::address::StoreAddress;
use crate::database::{Database, Schema, connect};
use crate::engine::{Engine, StoreRow, Value};
use crate::error::StoreError;

#[cfg(feature = "postgres")]
use {sqlx::Connection as _, sqlx::postgres::PgConnection, std::time::Duration};

/// How long connecting to Postgres may take.
#[cfg(feature = "postgres")]
const CONNECT: Duration = Duration::from_secs(10);

/// A lock of Postgres for whoever creates tables: two processes that create one at once collide, in
/// spite of `IF NOT EXISTS`. The number is "haft" in ASCII.
#[cfg(feature = "postgres")]
const CREATING: &str = "SELECT pg_advisory_xact_lock(1751213684)";

/// Some tables of a store. Their names begin with `haft_`, as others may be there.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// What they are for.
    pub name: &'static str,
    /// The version of the tables, from 1.
    pub version: i64,
    /// The statements that create them.
    pub statements: &'static [&'static str],
    /// What SQLite files of earlier versions called them: the old name, and the new one.
    pub renamed: &'static [(&'static str, &'static str)],
}

/// A connection to a store.
#[derive(Debug)]
pub struct Store {
    engine: Engine,
    address: StoreAddress,
}

impl Store {
    /// Opens a store, and creates the tables in it. Only the user can read a new SQLite file.
    ///
    /// # Errors
    ///
    /// See [`StoreErrorKind`](crate::StoreErrorKind).
    pub async fn open(address: &StoreAddress, tables: Tables) -> Result<Self, StoreError> {
        let engine = match address {
            StoreAddress::File(path) => Engine::Sqlite(connect(path).await?),
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(url) => Engine::Postgres(connect_postgres(url).await?),
        };
        let mut store = Self {
            engine,
            address: address.clone(),
        };
        // Without its table, the version cannot be read.
        if !matches!(store.has(tables).await, Ok(true)) {
            store.create(tables).await?;
        }
        Ok(store)
    }

    /// Opens a SQLite file that holds nothing but these tables, or creates it.
    ///
    /// # Errors
    ///
    /// See [`StoreErrorKind`](crate::StoreErrorKind).
    pub async fn open_file(path: &Path, schema: Schema) -> Result<Self, StoreError> {
        let database = Database::open(path, schema).await?;
        Ok(Self {
            engine: Engine::Sqlite(database.connection),
            address: StoreAddress::File(path.to_owned()),
        })
    }

    /// Runs a statement and returns the number of rows that it changed.
    ///
    /// # Errors
    ///
    /// The store cannot be used; so does a connection that was lost.
    pub async fn run(&mut self, statement: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        let done = self.engine.run(statement, values).await;
        done.map_err(|error| self.error(error))
    }

    /// Runs a statement and returns its rows.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn rows(
        &mut self,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<StoreRow>, StoreError> {
        let rows = self.engine.rows(statement, values).await;
        rows.map_err(|error| self.error(error))
    }

    /// Begins a transaction that writes. Drop the store to undo it.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn begin(&mut self) -> Result<(), StoreError> {
        let begin = match self.engine {
            // SQLite does not wait for the lock when a reader becomes a writer.
            Engine::Sqlite(_) => "BEGIN IMMEDIATE",
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => "BEGIN",
        };
        self.run(begin, &[]).await.map(drop)
    }

    /// Begins a transaction that only reads, and sees no write that comes in between.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn begin_reading(&mut self) -> Result<(), StoreError> {
        let begin = match self.engine {
            Engine::Sqlite(_) => "BEGIN",
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        self.run(begin, &[]).await.map(drop)
    }

    /// Ends a transaction.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn commit(&mut self) -> Result<(), StoreError> {
        self.run("COMMIT", &[]).await.map(drop)
    }

    /// The time by the clock of the database, as an expression: seconds since 1970, the same in all
    /// of a statement.
    #[must_use]
    pub fn now(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "((julianday('now') - 2440587.5) * 86400.0)",
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => "CAST(extract(epoch FROM now()) AS DOUBLE PRECISION)",
        }
    }

    /// The whole part of an expression that is not negative.
    #[must_use]
    pub fn floor(&self, expression: &str) -> String {
        match self.engine {
            Engine::Sqlite(_) => format!("CAST({expression} AS INTEGER)"),
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => format!("floor({expression})"),
        }
    }

    /// Tells whoever watches the [`Changes`](crate::Changes) of this store that something changed.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn notify(&mut self) -> Result<(), StoreError> {
        match self.engine {
            // Those who watch look again and again.
            Engine::Sqlite(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => {
                let notify = format!("NOTIFY {}", crate::changes::CHANNEL);
                self.run(&notify, &[]).await.map(drop)
            }
        }
    }

    /// Whether the tables are there, in this version.
    async fn has(&mut self, tables: Tables) -> Result<bool, StoreError> {
        let select = "SELECT version FROM haft_versions WHERE name = $1";
        let rows = self.rows(select, &[Value::Text(tables.name)]).await?;
        match rows.first().and_then(|row| row.number(0)) {
            Some(version) if version > tables.version => {
                Err(StoreError::newer(&self.address, version, tables.version))
            }
            version => Ok(version.is_some()),
        }
    }

    /// Creates the tables in one transaction, unless another process was faster.
    async fn create(&mut self, tables: Tables) -> Result<(), StoreError> {
        self.begin().await?;
        #[cfg(feature = "postgres")]
        if let Engine::Postgres(_) = self.engine {
            self.run(CREATING, &[]).await?;
        }
        let versions = "CREATE TABLE IF NOT EXISTS haft_versions (
            name TEXT PRIMARY KEY,
            version BIGINT NOT NULL
        )";
        self.run(versions, &[]).await?;
        if !self.has(tables).await? {
            for (old, new) in tables.renamed {
                self.rename(old, new).await?;
            }
            for statement in tables.statements {
                self.run(statement, &[]).await?;
            }
            let insert = "INSERT INTO haft_versions (name, version) VALUES ($1, $2)";
            let version = Value::Number(tables.version);
            self.run(insert, &[Value::Text(tables.name), version])
                .await?;
        }
        self.commit().await
    }

    async fn rename(&mut self, old: &str, new: &str) -> Result<(), StoreError> {
        if self.address.file().is_none() {
            return Ok(());
        }
        let is_there = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1";
        if !self.rows(is_there, &[Value::Text(old)]).await?.is_empty() {
            let rename = format!("ALTER TABLE {old} RENAME TO {new}");
            self.run(&rename, &[]).await?;
        }
        Ok(())
    }

    fn error(&self, error: sqlx::Error) -> StoreError {
        match &self.address {
            StoreAddress::File(path) => StoreError::of_statement(error, path),
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(_) => StoreError::of_server(error),
        }
    }
}

#[cfg(feature = "postgres")]
async fn connect_postgres(url: &str) -> Result<PgConnection, StoreError> {
    let connecting = tokio::time::timeout(CONNECT, PgConnection::connect(url)).await;
    let in_time = connecting.map_err(|_| StoreError::of_server(sqlx::Error::PoolTimedOut))?;
    in_time.map_err(StoreError::of_server)
}

#[cfg(test)]
mod tests;
