//! Reply text of any model to tool calls, whole or streamed, without being told which model
//! wrote it.
//!
//! # Brief overview
//!
//! A [`ToolSet`] says which tools are bound; it is prepared once and shared. An [`Extractor`]
//! reads one reply, in chunks cut anywhere, and hands out [`Piece`]s: text, reasoning, and calls
//! with arguments that are repaired, coerced and checked. The pieces add up to the same calls and
//! the same text for every way of cutting the reply. [`extract`] does it for a whole reply.
//!
//! ```
//! use haft_extract::{ExtractOptions, ToolDefinition, ToolSet, extract};
//! use serde_json::json;
//!
//! let tools = ToolSet::from_definitions([ToolDefinition::new(
//!     "get_weather",
//!     json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
//! )]);
//! let reply = "Let me look.\n<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Oslo',}}</tool_call>";
//! let extraction = extract(&tools, ExtractOptions::default(), reply);
//! assert_eq!(extraction.content, "Let me look.");
//! assert_eq!(extraction.calls[0].args["city"], "Oslo");
//! ```
//!
//! Nothing here does I/O, waits, or reads a clock. The neighbours: `haft-schema` coerces and
//! checks arguments, `haft-models` feeds the text of model servers in.

mod balance;
mod calls;
mod extract;
mod extractor;
mod format;
mod interpret;
mod judge;
mod lexis;
mod markers;
#[doc(hidden)]
#[cfg(feature = "__measure")]
pub mod measure;
#[cfg(not(feature = "__measure"))]
mod measure;
mod mention;
mod native;
mod options;
mod output;
mod parameters;
mod piece;
mod plain_json;
mod reader;
mod reading;
mod same;
mod seam;
mod tag;
mod template;
mod tool_set;
mod value;

pub use extract::{Extraction, extract};
pub use extractor::Extractor;
pub use format::Format;
pub use mention::Mention;
pub use native::{
    bound_name, match_arguments_text, read_arguments_text, read_ended_arguments_text,
};
pub use options::{BareCalls, ExtractOptions};
pub use piece::{Piece, RawCall};
pub use tool_set::{ToolDefinition, ToolSet};
