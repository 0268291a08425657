//! A connection to SQLite or Postgres that takes the same statements with the same values.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteConnection, SqliteRow};
use sqlx::{Encode, Row, Type};

#[cfg(feature = "postgres")]
use sqlx::postgres::{PgConnection, PgRow};

/// A value of a statement, in the place of `$1`, `$2` and so on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// For a column `TEXT`.
    Text(&'a str),
    /// For a column `BIGINT`.
    Number(i64),
    /// For a column `BIGINT` that may be NULL.
    MaybeNumber(Option<i64>),
    /// For a column `DOUBLE PRECISION`.
    Real(f64),
}

/// A row of a result.
#[derive(Debug)]
pub struct StoreRow(EngineRow);

enum EngineRow {
    Sqlite(SqliteRow),
    #[cfg(feature = "postgres")]
    Postgres(PgRow),
}

impl std::fmt::Debug for EngineRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("EngineRow")
    }
}

/// Reads a column in either kind of row; `None` for NULL and for another type.
macro_rules! read {
    ($row:expr, $column:expr) => {
        match &$row.0 {
            EngineRow::Sqlite(row) => row.try_get($column).ok().flatten(),
            #[cfg(feature = "postgres")]
            EngineRow::Postgres(row) => row.try_get($column).ok().flatten(),
        }
    };
}

impl StoreRow {
    /// The text in this column, from 0. `None` for NULL and for another type.
    #[must_use]
    pub fn text(&self, column: usize) -> Option<String> {
        read!(self, column)
    }

    /// The whole number in this column.
    #[must_use]
    pub fn number(&self, column: usize) -> Option<i64> {
        read!(self, column)
    }

    /// The number in this column.
    #[must_use]
    pub fn real(&self, column: usize) -> Option<f64> {
        read!(self, column)
    }
}

#[derive(Debug)]
pub(crate) enum Engine {
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(PgConnection),
}

impl Engine {
    /// Runs a statement and returns the number of rows that it changed.
    pub(crate) async fn run(
        &mut self,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<u64, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(connection) => {
                let query = bound::<Sqlite>(statement, values);
                query.execute(connection).await?.rows_affected()
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                let query = bound::<sqlx::Postgres>(statement, values);
                query.execute(connection).await?.rows_affected()
            }
        })
    }

    /// Runs a statement and returns its rows.
    pub(crate) async fn rows(
        &mut self,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<StoreRow>, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(connection) => {
                let query = bound::<Sqlite>(statement, values);
                let rows = query.fetch_all(connection).await?.into_iter();
                rows.map(|row| StoreRow(EngineRow::Sqlite(row))).collect()
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                let query = bound::<sqlx::Postgres>(statement, values);
                let rows = query.fetch_all(connection).await?.into_iter();
                rows.map(|row| StoreRow(EngineRow::Postgres(row))).collect()
            }
        })
    }
}

fn bound<'q, DB>(
    statement: &'q str,
    values: &'q [Value<'q>],
) -> Query<'q, DB, <DB as sqlx::Database>::Arguments<'q>>
where
    DB: sqlx::Database,
    &'q str: Encode<'q, DB> + Type<DB>,
    i64: Encode<'q, DB> + Type<DB>,
    Option<i64>: Encode<'q, DB> + Type<DB>,
    f64: Encode<'q, DB> + Type<DB>,
{
    let query = sqlx::query(statement);
    values.iter().fold(query, |query, value| match *value {
        Value::Text(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
        Value::MaybeNumber(number) => query.bind(number),
        Value::Real(real) => query.bind(real),
    })
}
