//! Replies that clients of a gateway asked to store, for all gateways of the store.

use std::time::Duration;

use serde_json::Value;

use crate::cipher::{read, stored};
use crate::database::Bound;
use crate::error::DurableError;
use crate::leases::milliseconds;
use crate::store::DurableStore;

/// The table.
pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS haft_replies (
    id TEXT PRIMARY KEY,
    -- JSON, sealed in an encrypted store.
    reply TEXT NOT NULL,
    -- In milliseconds since 1970.
    kept_until BIGINT NOT NULL
)";

impl DurableStore {
    /// Keeps a reply under its id for this long. Workers erase those whose time has passed.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn keep_reply(
        &self,
        id: &str,
        reply: &Value,
        time: Duration,
    ) -> Result<(), DurableError> {
        let keep = "INSERT INTO haft_replies (id, reply, kept_until) VALUES ($1, $2, {now} + $3)
             ON CONFLICT (id) DO UPDATE SET reply = excluded.reply, kept_until = excluded.kept_until";
        let text = stored(self.key.as_ref(), reply)?;
        let values = [
            Bound::Text(id),
            Bound::Text(&text),
            Bound::Number(milliseconds(time)),
        ];
        self.database.execute(keep, &values).await?;
        Ok(())
    }

    /// The reply with this id, unless its time has passed.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn reply(&self, id: &str) -> Result<Option<Value>, DurableError> {
        let select = "SELECT reply FROM haft_replies WHERE id = $1 AND kept_until >= {now}";
        let rows: Vec<(String,)> = self.database.rows(select, &[Bound::Text(id)]).await?;
        let reply = |(text,): (String,)| read(self.key.as_ref(), &text);
        rows.into_iter().next().map(reply).transpose()
    }

    /// Erases the reply with this id; false if there is none.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn erase_reply(&self, id: &str) -> Result<bool, DurableError> {
        let erase = "DELETE FROM haft_replies WHERE id = $1";
        let erased = self.database.execute(erase, &[Bound::Text(id)]).await? > 0;
        self.overwrite_erased().await?;
        Ok(erased)
    }

    /// Erases the replies whose time has passed.
    pub(crate) async fn erase_old_replies(&self) -> Result<(), DurableError> {
        let erase = "DELETE FROM haft_replies WHERE kept_until < {now}";
        self.database.execute(erase, &[]).await?;
        Ok(())
    }
}
