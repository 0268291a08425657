//! The SQLite files of haft: opening one, its version, its permissions, and its errors.
//!
//! What haft remembers between two runs is in files that several processes may use at the same
//! time: the attempts and conversations of `haft-agent`, the keys of `haft-gateway`. Each has tables of its own; what
//! all of them need is here. `database` opens a file, `error` has the errors.

mod database;
mod error;

pub use database::{Database, Schema};
pub use error::{StoreError, StoreErrorKind};
