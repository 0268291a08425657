//! The tables of the gateways, for SQLite and Postgres.

use haft_store::Tables;

/// The tables. `..._at` are milliseconds since 1970, `ends` and `reached` are seconds since then by
/// the clock of the database, days are counted since then in UTC.
pub(super) const TABLES: Tables = Tables {
    name: "gateway",
    version: 1,
    renamed: &[("keys", "haft_keys"), ("usage", "haft_key_usage")],
    statements: &[
        "CREATE TABLE IF NOT EXISTS haft_keys (
            name TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            limits TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            revoked_at BIGINT
        )",
        "CREATE TABLE IF NOT EXISTS haft_key_usage (
            name TEXT NOT NULL,
            day BIGINT NOT NULL,
            requests BIGINT NOT NULL,
            input_tokens BIGINT NOT NULL,
            output_tokens BIGINT NOT NULL,
            PRIMARY KEY (name, day)
        )",
        // A bucket of a limit per minute. It is full a minute before `reached`, see `limits.rs`.
        "CREATE TABLE IF NOT EXISTS haft_limits (
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            reached DOUBLE PRECISION NOT NULL,
            granted DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (name, kind)
        )",
        "CREATE TABLE IF NOT EXISTS haft_gateways (
            id TEXT PRIMARY KEY,
            ends DOUBLE PRECISION NOT NULL
        )",
        "CREATE TABLE IF NOT EXISTS haft_cool_downs (
            upstream TEXT NOT NULL,
            reason TEXT NOT NULL,
            gateway TEXT NOT NULL,
            ends DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (upstream, reason)
        )",
    ],
};
