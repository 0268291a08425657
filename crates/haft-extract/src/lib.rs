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
//! # Where things are
//!
//! A reply goes from top to bottom:
//!
//! | module | does |
//! |---|---|
//! | `extractor` | takes chunks, joins characters that a chunk cut, keeps what is not decided |
//! | `reader` | the states: `prose`, `line`, `inside` a marker, `arguments`, `thinking`, ...; says what the text is, as a `Reading` |
//! | `judge`, `mention` | whether a call without a marker is made or only mentioned; the words for it stand in `mention/words/*.txt` |
//! | `calls` | the arguments of a call as values of the tool's schema |
//! | `output` | counts calls, drops repetitions, hands out pieces |
//!
//! What the states share:
//!
//! | module | knows |
//! |---|---|
//! | `formats` | a record of each format: its names, tags and tokens, and what betrays it in a chat template |
//! | `template` | how the prompt of a chat template ends |
//! | `tag` | how a tag is cut out of a text, damaged or not |
//! | `balance`, `lexis` | where a value in brackets ends, and a string in it |
//! | `plain_json` | the same for a call in JSON that is whole and well formed |
//! | `parameters` | where parameters stand that are written as tags |
//! | `value` | JSON, Python and what models make of them, as values |
//! | `interpret` | what an object or a list means as calls |
//! | `tool_set` | the bound tools, by their names as models write them |
//!
//! A format of known parts is a record with its markers in the file of its family in `formats`, and a
//! section in `docs/formats`.
//!
//! Nothing here does I/O, waits, or reads a clock. The neighbours: `haft-schema` coerces and
//! checks arguments, `haft-models` feeds the text of model servers in.

mod balance;
mod calls;
mod extract;
mod extractor;
mod formats;
mod interpret;
mod judge;
mod lexis;
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
mod seam;
mod tag;
mod template;
mod tool_set;
mod value;

pub use extract::{Extraction, extract};
pub use extractor::Extractor;
pub use formats::Format;
pub use mention::Mention;
pub use native::{
    bound_name, match_arguments_text, read_arguments_text, read_ended_arguments_text,
};
pub use options::{BareCalls, ExtractOptions};
pub use piece::{Piece, RawCall};
pub use tool_set::{ToolDefinition, ToolSet};
