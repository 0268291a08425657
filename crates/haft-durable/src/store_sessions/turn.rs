//! One question in a session of a store, while no other process may ask in it.

use std::time::{Duration, SystemTime};

use haft_agent::{SavedSession, SessionId};
use haft_core::Message;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::rows::{Guard, Written};
use super::{Holder, busy};
use crate::database::Bound;
use crate::error::DurableError;
use crate::leases::milliseconds;
use crate::store::{DurableStore, new_id};

/// How long a session is held after the last sign of life of its process.
pub(super) const TIME_TO_LIVE: Duration = Duration::from_secs(10);

/// How often a process gives one.
const BEAT: Duration = Duration::from_secs(2);

/// One question in a session. While it lives, nobody else can ask in that session; dropped without
/// [`save`](Self::save), it changes nothing.
#[derive(Debug)]
pub struct StoreTurn {
    store: DurableStore,
    /// `None` for a session that is not kept yet.
    held: Option<Held>,
}

/// A session that this process holds.
#[derive(Debug)]
struct Held {
    session: SavedSession,
    hold: Hold,
}

impl StoreTurn {
    pub(super) fn new(store: &DurableStore) -> Self {
        Self {
            store: store.clone(),
            held: None,
        }
    }

    pub(super) async fn continued(
        store: &DurableStore,
        id: &SessionId,
    ) -> Result<Self, DurableError> {
        let hold = Hold::take(store, id).await?;
        let session = store
            .load_session(id)
            .await?
            .ok_or_else(|| DurableError::no_session(id))?;
        Ok(Self {
            store: store.clone(),
            held: Some(Held { session, hold }),
        })
    }

    /// The conversation so far.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        match &self.held {
            Some(held) => &held.session.messages,
            None => &[],
        }
    }

    /// The session as it is kept; `None` for a new one.
    #[must_use]
    pub fn session(&self) -> Option<&SavedSession> {
        self.held.as_ref().map(|held| &held.session)
    }

    /// Keeps `messages`, the whole conversation, as answered by `model`, and returns its id. System
    /// messages are left out.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::SessionBusy`](crate::DurableErrorKind::SessionBusy) when this process
    /// was away for so long that somebody else has gone on with the session, or
    /// [`DurableErrorKind::Database`](crate::DurableErrorKind::Database).
    pub async fn save(self, messages: &[Message], model: &str) -> Result<SessionId, DurableError> {
        let written = Written {
            model,
            messages,
            now: SystemTime::now(),
        };
        let Some(held) = self.held else {
            return self.store.add_session(None, &written).await;
        };
        let id = held.session.head.id.clone();
        let guard = Guard::Holder(&held.hold.holder);
        match self
            .store
            .write_session(id.as_str(), &guard, &written)
            .await?
        {
            true => Ok(id),
            false => Err(busy(&id, &Holder::Process)),
        }
    }
}

/// Holds a session until it is dropped.
#[derive(Debug)]
struct Hold {
    store: DurableStore,
    id: SessionId,
    /// The name under which this process holds it.
    holder: String,
    beating: JoinHandle<()>,
}

impl Hold {
    async fn take(store: &DurableStore, id: &SessionId) -> Result<Self, DurableError> {
        let holder = new_id();
        let take = "UPDATE haft_sessions SET holder = $2, held_until = {now} + $3
             WHERE id = $1 AND run IS NULL AND held_until < {now}";
        let values = [
            Bound::Text(id.as_str()),
            Bound::Text(&holder),
            Bound::Number(milliseconds(TIME_TO_LIVE)),
        ];
        store.sessions().take(id, take, &values).await?;
        Ok(Self {
            beating: tokio::spawn(beat(store.clone(), id.clone(), holder.clone())),
            store: store.clone(),
            id: id.clone(),
            holder,
        })
    }
}

/// Shows that the process is alive, again and again. A session that was lost stays lost.
async fn beat(store: DurableStore, id: SessionId, holder: String) {
    let renew = "UPDATE haft_sessions SET held_until = {now} + $3
         WHERE id = $1 AND holder = $2 AND held_until > {now}";
    let values = [
        Bound::Text(id.as_str()),
        Bound::Text(&holder),
        Bound::Number(milliseconds(TIME_TO_LIVE)),
    ];
    loop {
        sleep(BEAT).await;
        if let Err(error) = store.database.execute(renew, &values).await {
            tracing::debug!(
                error = error.detail(),
                "the hold on a session was not renewed"
            );
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.beating.abort();
        let (store, id, holder) = (self.store.clone(), self.id.clone(), self.holder.clone());
        // Where it cannot be given back any more, it ends by itself.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let free = "UPDATE haft_sessions SET holder = NULL, held_until = 0
                     WHERE id = $1 AND holder = $2";
                let values = [Bound::Text(id.as_str()), Bound::Text(&holder)];
                let _ = store.database.execute(free, &values).await;
            });
        }
    }
}
