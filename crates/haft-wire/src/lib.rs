//! What matters of requests and replies that are handed on as they are: a client speaks what the
//! model server speaks, and nothing is to be done to either.
//!
//! Of a request it has to be known where it goes and whether all of it can be handed on; of a
//! reply, whether it is one, whether it says something and whether it is complete. All else is
//! skipped, and texts stay where they are. A gateway does this for every request and every event
//! of a stream, so this is a crate of its own that can be compiled for speed while most others
//! are compiled for size.
//!
//! Each module is one dialect; names of fields are those of its API.

pub mod anthropic;
mod lists;
pub mod ollama;
pub mod openai;
mod says;
mod text;

pub use self::lists::{null_is_default, readable};
pub use self::says::Says;
pub use self::text::{Text, text};
