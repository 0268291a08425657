//! The databases of haft: opening one, its version, its permissions, and its errors.
//!
//! What haft remembers between two runs is in databases that several processes may use at the same
//! time. Each part of haft has tables of its own; what all of them need is here. `database` opens a
//! SQLite file of one part: the attempts and conversations of `haft-agent`. `store` opens one that
//! parts share, a SQLite file or, with the feature `postgres`, a Postgres database: the keys and
//! limits of `haft-gateway`. `engine` runs the same statements on both, `address` says where a store
//! is, `changes` when it changed, and `error` has the errors.

mod address;
mod changes;
mod database;
mod engine;
mod error;
mod store;

pub use address::StoreAddress;
pub use changes::Changes;
pub use database::{Database, Schema};
pub use engine::{StoreRow, Value};
pub use error::{StoreError, StoreErrorKind};
pub use store::{Store, Tables};
