//! What a query is about, and which tools it needs: text in, a choice of tools out.
//!
//! Nothing here does I/O, waits, or reads a clock; what was learned is part of the program.

pub mod selector;
mod words;

pub use selector::{FoundTool, RankedTool, SearchTools, ToolSelector, ToolSession, ToolText};
