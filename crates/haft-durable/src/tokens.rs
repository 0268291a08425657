//! The tokens that runs of keys used: workers write them, and a gateway counts them for the keys.

use haft_core::Usage;

use crate::database::Bound;
use crate::error::DurableError;
use crate::store::DurableStore;

/// The table.
pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS haft_run_tokens (
    -- The name of the key of a gateway.
    owner TEXT PRIMARY KEY,
    input BIGINT NOT NULL,
    output BIGINT NOT NULL
)";

/// What the runs of a key used; see [`DurableStore::take_usage`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunUsage {
    /// The name of the key.
    pub owner: String,
    /// The tokens.
    pub usage: Usage,
}

impl DurableStore {
    /// Takes the tokens that runs used since the last time, so that each is counted by one gateway.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn take_usage(&self) -> Result<Vec<RunUsage>, DurableError> {
        // Usually there is nothing, and a reader locks nobody out.
        let look = "SELECT COUNT(*) FROM haft_run_tokens";
        let counts: Vec<(i64,)> = self.database.rows(look, &[]).await?;
        if counts.first().is_none_or(|(count,)| *count == 0) {
            return Ok(Vec::new());
        }
        let take = "DELETE FROM haft_run_tokens RETURNING owner, input, output";
        let rows: Vec<(String, i64, i64)> = self.database.rows(take, &[]).await?;
        let usage = |(owner, input, output)| RunUsage {
            owner,
            usage: Usage {
                input_tokens: u64::try_from(input).unwrap_or_default(),
                output_tokens: u64::try_from(output).unwrap_or_default(),
                ..Usage::default()
            },
        };
        Ok(rows.into_iter().map(usage).collect())
    }

    /// Adds what a reply used to the tokens of a key.
    pub(crate) async fn add_usage(&self, owner: &str, usage: Usage) -> Result<(), DurableError> {
        let add = "INSERT INTO haft_run_tokens (owner, input, output) VALUES ($1, $2, $3)
             ON CONFLICT (owner) DO UPDATE SET
                 input = haft_run_tokens.input + excluded.input,
                 output = haft_run_tokens.output + excluded.output";
        let number = |tokens| Bound::Number(i64::try_from(tokens).unwrap_or(i64::MAX));
        let values = [
            Bound::Text(owner),
            number(usage.input_tokens),
            number(usage.output_tokens),
        ];
        self.database.execute(add, &values).await?;
        Ok(())
    }
}
