//! Whether a store is encrypted, and with which key: it holds a word that is sealed with the key. So
//! nobody reads or writes with another one, which would fail runs.

use serde_json::Value;

use crate::cipher::StoreKey;
use crate::database::{Bound, Database};
use crate::error::{DurableError, DurableErrorKind};

/// The table of facts about the store itself.
pub(super) const TABLE: &str = "CREATE TABLE IF NOT EXISTS haft_store (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
)";

const SELECT: &str = "SELECT value FROM haft_store WHERE name = 'sealed'";

const INSERT: &str =
    "INSERT INTO haft_store (name, value) VALUES ('sealed', $1) ON CONFLICT (name) DO NOTHING";

/// Checks that the key is that of the store. A store without one gets it.
pub(super) async fn check(database: &Database, key: Option<&StoreKey>) -> Result<(), DurableError> {
    if let (Some(key), None) = (key, sealed_word(database).await?) {
        let sealed = key.seal(&Value::from("haft"))?;
        database.execute(INSERT, &[Bound::Text(&sealed)]).await?;
    }
    match (key, sealed_word(database).await?) {
        (Some(key), Some(sealed)) if key.unseal(&sealed).is_err() => {
            let message = "The store is encrypted with another key";
            let hint = "name the file with its key";
            Err(DurableError::new(DurableErrorKind::Key, message, hint))
        }
        (None, Some(_)) => {
            let message = "The store is encrypted";
            let hint = "name the file with its key (--store-key)";
            Err(DurableError::new(DurableErrorKind::Key, message, hint))
        }
        _ => Ok(()),
    }
}

async fn sealed_word(database: &Database) -> Result<Option<String>, DurableError> {
    let words: Vec<(String,)> = database.rows(SELECT, &[]).await?;
    Ok(words.into_iter().map(|(word,)| word).next())
}
