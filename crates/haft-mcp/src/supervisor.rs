//! A server for as long as it is wanted: started, started again when it died, and ended.
//!
//! `supervised_server` is the server with its connection of the moment, `start_retry` decides when
//! a failed start is tried again, `stall_detector` ends a child that answers nothing, and `cache`
//! remembers tools from one program to the next.

pub(crate) mod cache;
mod stall_detector;
mod start_retry;
pub(crate) mod supervised_server;
