//! Announcements of runs with news: Postgres tells all processes, SQLite none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::time::sleep;

use crate::database::Database;

/// The channel of Postgres on which the ids of runs with news are announced.
pub(crate) const CHANNEL: &str = "haft_runs";

/// The wait before another attempt to listen.
const PAUSE: Duration = Duration::from_secs(1);

/// How many announcements a slow reader may have before it. Afterwards it looks without one.
const WAITING: usize = 256;

/// One connection that listens for all readers of a store, as long as there are any.
#[derive(Clone, Debug, Default)]
pub(crate) struct News(Arc<Mutex<Option<Sender<String>>>>);

impl News {
    /// The announcements from now on; `None` where the database makes none.
    pub(crate) fn listen(&self, database: &Database) -> Option<Receiver<String>> {
        let Database::Postgres(pool) = database else {
            return None;
        };
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = open.as_ref().filter(|sender| sender.receiver_count() > 0) {
            return Some(sender.subscribe());
        }
        let (sender, receiver) = broadcast::channel(WAITING);
        tokio::spawn(pass_on(pool.clone(), sender.clone()));
        *open = Some(sender);
        Some(receiver)
    }
}

/// Passes announcements on while there are readers.
async fn pass_on(pool: PgPool, sender: Sender<String>) {
    while sender.receiver_count() > 0 {
        if let Err(error) = listen(&pool, &sender).await {
            tracing::debug!(%error, "news of runs are not announced");
            sleep(PAUSE).await;
        }
    }
}

async fn listen(pool: &PgPool, sender: &Sender<String>) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        tokio::select! {
            () = sender.closed() => return Ok(()),
            announced = listener.recv() => {
                // Without readers there is nobody to tell.
                let _ = sender.send(announced?.payload().to_owned());
            }
        }
    }
}
