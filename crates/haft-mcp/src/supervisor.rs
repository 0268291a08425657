//! Supervises a server: starts it, starts it again after it died, and stops it.
//!
//! `supervised_server` is the server with its current connection, `start_retry` decides when a
//! failed start is retried, `stall_detector` ends a child that does not answer any more, and
//! `cache` stores the tools between programs.

pub(crate) mod cache;
mod stall_detector;
mod start_retry;
pub(crate) mod supervised_server;
