//! Tools: the collection, the executor that answers every call, MCP servers, and the clock.

mod datetime;
mod executor;
mod function;
mod manager;
#[cfg(feature = "mcp")]
mod mcp;
mod results;
mod round;
