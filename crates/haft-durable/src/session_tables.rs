//! The tables of sessions.

/// The tables. Times are milliseconds since 1970. A title is a JSON string and a message the JSON
/// of its standard form, sealed in an encrypted store.
pub(crate) const TABLES: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS haft_sessions (
        id TEXT PRIMARY KEY,
        -- The name of the key of a gateway that made it.
        owner TEXT,
        title TEXT NOT NULL,
        model TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        -- The run that is answered in it, until somebody sees that it has ended.
        run TEXT,
        -- The run that wrote it last, if it was one.
        written_by TEXT,
        -- The process that answers in it, and until when.
        holder TEXT,
        held_until BIGINT NOT NULL DEFAULT 0
    )",
    "CREATE TABLE IF NOT EXISTS haft_messages (
        session TEXT NOT NULL,
        number BIGINT NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (session, number)
    )",
    "CREATE TABLE IF NOT EXISTS haft_session_runs (
        session TEXT NOT NULL,
        run TEXT NOT NULL,
        PRIMARY KEY (session, run)
    )",
];
