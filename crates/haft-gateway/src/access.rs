//! Who may use the gateway, and how much: keys of users and applications.
//!
//! `key` is a key as its owner and the operator see it, `secret` creates and hashes what a client
//! sends, and `store` keeps the keys and what was used with them. `meter` counts against the limits
//! of one key, whose `bucket`s are those of all gateways with the same store; `sharing` exchanges
//! permits with it. `caller` is who sent a request, and `known_keys` is the gateway's copy of the
//! store, which is read again whenever it changed.
//!
//! No store has a secret, only its hash.

mod bucket;
mod caller;
mod key;
mod known_keys;
mod meter;
mod secret;
mod sharing;
mod store;

pub(crate) use self::caller::Caller;
pub use self::key::{Key, KeyLimits, KeyUsage, Priority};
pub(crate) use self::known_keys::KnownKeys;
pub use self::store::KeyStore;
