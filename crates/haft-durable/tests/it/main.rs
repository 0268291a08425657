//! Durable runs on a SQLite file: what is recorded, what is repeated, and what waits for a person.

mod crash;
mod decisions;
mod runs;
mod support;
