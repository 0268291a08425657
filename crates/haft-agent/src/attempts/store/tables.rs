//! The tables of attempts.

use haft_store::{Schema, Tables};

/// The tables in a file of their own. The column `rung` holds the name of a recovery step: it keeps
/// the name that it got in version 1. Booleans are 0 and 1, times are milliseconds since 1970, which
/// every SQL engine supports.
pub(super) const SCHEMA: Schema = Schema {
    version: 1,
    tables: &[
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
    ],
};

/// The tables in a store that other parts of haft use too.
pub(super) const SHARED: Tables = Tables {
    name: "attempts",
    version: 1,
    statements: &[
        "CREATE TABLE haft_attempts (
            id BIGINT PRIMARY KEY,
            model TEXT NOT NULL,
            started_at BIGINT NOT NULL,
            first_query BIGINT NOT NULL,
            first_reply_usable BIGINT NOT NULL,
            original_ms BIGINT,
            blank_replies BIGINT NOT NULL,
            outcome TEXT NOT NULL
        )",
        "CREATE INDEX haft_attempts_by_time ON haft_attempts (started_at)",
        "CREATE TABLE haft_needed (
            attempt BIGINT NOT NULL REFERENCES haft_attempts (id) ON DELETE CASCADE,
            rung TEXT NOT NULL,
            times BIGINT NOT NULL,
            PRIMARY KEY (attempt, rung)
        )",
        "CREATE TABLE haft_retries (
            attempt BIGINT NOT NULL REFERENCES haft_attempts (id) ON DELETE CASCADE,
            number BIGINT NOT NULL,
            rung TEXT NOT NULL,
            original_ms BIGINT NOT NULL,
            retry_ms BIGINT NOT NULL,
            recovered BIGINT NOT NULL,
            PRIMARY KEY (attempt, number)
        )",
    ],
    renamed: &[],
};
