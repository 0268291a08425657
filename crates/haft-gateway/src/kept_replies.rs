//! Replies that later requests may refer to by id, as in OpenAI's Responses API: a whole reply with
//! its conversation (`previous_response_id`), or a single item of it (`item_reference`).
//!
//! They are kept in memory, and no longer than the limits here allow: a client that keeps its
//! conversation itself never needs them. With a store of durable runs, replies that clients asked to
//! store are in it too, for other gateways (`shared`).

#[cfg(feature = "durable")]
mod shared;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum number of kept replies.
const MOST: usize = 1024;

/// The maximum size of all kept replies together, as JSON: 64 MiB, the size of one request.
const BYTES: usize = 64 * 1024 * 1024;

/// How long a reply is kept: an hour, longer than a person thinks about an answer.
const TIME: Duration = Duration::from_secs(60 * 60);

/// The number of letters and digits of a new id: 142 bits.
const ID_LENGTH: usize = 24;

/// A new id with this prefix that nobody can guess: who knows the id of a kept reply can read it.
pub(crate) fn secret_id(prefix: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = [0_u8; ID_LENGTH];
    if SystemRandom::new().fill(&mut random).is_err() {
        // Without the system's random numbers there is no TLS either; equal ids would be worse.
        fastrand::fill(&mut random);
    }
    let letter = |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).copied();
    let letters = random.iter().filter_map(letter).map(char::from);
    prefix.chars().chain(letters).collect()
}

/// The kept replies.
#[derive(Debug, Default)]
pub(crate) struct KeptReplies {
    replies: Mutex<Replies>,
    #[cfg(feature = "durable")]
    store: Option<haft_durable::DurableStore>,
}

/// The replies in memory, the latest last.
#[derive(Debug, Default)]
struct Replies {
    kept: VecDeque<Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    reply: KeptReply,
    since: Instant,
    bytes: usize,
}

/// A reply to keep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptReply {
    pub(crate) id: String,
    /// The items of the reply.
    pub(crate) output: Vec<Value>,
    /// What can be asked for by the reply's id. `None` if only the items can be referred to.
    pub(crate) stored: Option<Stored>,
}

/// A reply that the client asked to store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// The whole reply.
    pub(crate) response: Value,
    /// The items of the conversation before it.
    pub(crate) input: Vec<Value>,
}

impl KeptReplies {
    /// Keeps a reply. The oldest ones make room for it; one that is too large is not kept.
    pub(crate) fn keep(&self, reply: KeptReply) {
        #[cfg(feature = "durable")]
        self.share(&reply);
        self.keep_here(reply);
    }

    /// Keeps a reply in memory.
    fn keep_here(&self, reply: KeptReply) {
        let bytes = reply.bytes();
        if bytes > BYTES {
            return;
        }
        self.locked(|replies| {
            while replies.kept.len() >= MOST || replies.bytes + bytes > BYTES {
                replies.drop_oldest();
            }
            replies.bytes += bytes;
            let since = Instant::now();
            let entry = Entry {
                reply,
                since,
                bytes,
            };
            replies.kept.push_back(entry);
        });
    }

    /// The stored reply with this id.
    pub(crate) fn stored(&self, id: &str) -> Option<Stored> {
        self.locked(|replies| replies.find(id)?.stored.clone())
    }

    /// The conversation up to and including the stored reply with this id.
    pub(crate) fn conversation(&self, id: &str) -> Option<Vec<Value>> {
        self.locked(|replies| {
            let reply = replies.find(id)?;
            let mut items = reply.stored.as_ref()?.input.clone();
            items.extend(reply.output.iter().cloned());
            Some(items)
        })
    }

    /// The item with this id.
    pub(crate) fn item(&self, id: &str) -> Option<Value> {
        self.locked(|replies| {
            let entries = replies.kept.iter().rev();
            let mut items = entries.flat_map(|entry| &entry.reply.output);
            items
                .find(|item| item.get("id").is_some_and(|own| own == id))
                .cloned()
        })
    }

    /// Forgets the stored reply with this id; false if there is none.
    pub(crate) fn forget(&self, id: &str) -> bool {
        self.locked(|replies| {
            let place = replies
                .kept
                .iter()
                .position(|entry| entry.reply.is_stored_as(id));
            let entry = place.and_then(|place| replies.kept.remove(place));
            replies.bytes -= entry.as_ref().map_or(0, |entry| entry.bytes);
            entry.is_some()
        })
    }

    /// Works on the replies whose time has not passed.
    fn locked<T>(&self, work: impl FnOnce(&mut Replies) -> T) -> T {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        while (replies.kept.front()).is_some_and(|oldest| oldest.since.elapsed() > TIME) {
            replies.drop_oldest();
        }
        #[cfg(feature = "durable")]
        if self.store.is_some() {
            replies.leave_to_the_store();
        }
        work(&mut replies)
    }
}

impl Replies {
    fn drop_oldest(&mut self) {
        if let Some(entry) = self.kept.pop_front() {
            self.bytes -= entry.bytes;
        }
    }

    fn find(&self, id: &str) -> Option<&KeptReply> {
        let mut replies = self.kept.iter().map(|entry| &entry.reply);
        replies.find(|reply| reply.is_stored_as(id))
    }
}

impl KeptReply {
    fn is_stored_as(&self, id: &str) -> bool {
        self.id == id && self.stored.is_some()
    }

    /// The size of its items, each counted wherever it is kept.
    fn bytes(&self) -> usize {
        let size = |item: &Value| item.to_string().len();
        let output: usize = self.output.iter().map(size).sum();
        let stored = self.stored.as_ref().map_or(0, |stored| {
            size(&stored.response) + stored.input.iter().map(size).sum::<usize>()
        });
        output + stored
    }
}

#[cfg(test)]
mod tests;
