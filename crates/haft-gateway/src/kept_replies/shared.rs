//! Replies in the store that several gateways share.

use std::time::Duration;

use haft_durable::DurableStore;
use serde_json::json;
use tokio::time::sleep;

use super::{Entry, KeptReplies, KeptReply, Replies};

/// How long a reply is kept in the store: 30 days, as at OpenAI (guide "Conversation state").
const TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How long a reply is also in memory. Later the store alone has it, so that one that was erased
/// through another gateway is gone.
const TIME_HERE: Duration = Duration::from_secs(10);

/// The maximum size of a reply in the store, as JSON, with its conversation.
const BYTES: usize = 8 * 1024 * 1024;

/// How often a reply is looked for that another gateway may be writing.
const LOOKS: usize = 5;

/// The wait between two looks.
const PAUSE: Duration = Duration::from_millis(100);

impl Replies {
    /// Forgets all but the items of replies that the store has.
    pub(super) fn leave_to_the_store(&mut self) {
        let all = self.kept.iter_mut();
        let is_due = |entry: &&mut Entry| {
            entry.reply.stored.is_some()
                && entry.bytes <= BYTES
                && entry.since.elapsed() > TIME_HERE
        };
        for entry in all.filter(is_due) {
            entry.reply.stored = None;
            let bytes = entry.reply.bytes();
            self.bytes -= entry.bytes.saturating_sub(bytes);
            entry.bytes = bytes;
        }
    }
}

impl KeptReplies {
    /// Replies that are also in this store, if there is one.
    pub(crate) fn in_store(store: Option<DurableStore>) -> Self {
        Self {
            store,
            ..Self::default()
        }
    }

    /// Writes a reply that the client asked to store, in the background.
    pub(super) fn share(&self, reply: &KeptReply) {
        let Some(store) = self.store.clone() else {
            return;
        };
        if reply.stored.is_none() || reply.bytes() > BYTES {
            return;
        }
        let (id, reply) = (reply.id.clone(), json!(reply));
        tokio::spawn(async move {
            if let Err(error) = store.keep_reply(&id, &reply, TIME).await {
                tracing::warn!(
                    error = error.detail(),
                    "a reply is not kept for other gateways"
                );
            }
        });
    }

    /// Reads a reply that another gateway keeps, or is about to keep.
    pub(crate) async fn await_shared(&self, id: &str) {
        for look in 0..LOOKS {
            if look > 0 {
                sleep(PAUSE).await;
            }
            if self.find_shared(id).await {
                return;
            }
        }
    }

    /// Reads a reply that another gateway keeps; false if there is none.
    pub(crate) async fn find_shared(&self, id: &str) -> bool {
        if self.stored(id).is_some() {
            return true;
        }
        let Some(store) = &self.store else {
            return false;
        };
        let found = store.reply(id).await.unwrap_or_else(|error| {
            tracing::warn!(
                error = error.detail(),
                "replies of other gateways cannot be read"
            );
            None
        });
        let reply = found.and_then(|reply| serde_json::from_value(reply).ok());
        match reply {
            Some(reply) => {
                self.keep_here(reply);
                true
            }
            None => false,
        }
    }

    /// Erases a reply from the store; false if it is not there.
    pub(crate) async fn forget_shared(&self, id: &str) -> bool {
        match &self.store {
            Some(store) => store.erase_reply(id).await.unwrap_or(false),
            None => false,
        }
    }
}
