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
//! A reply goes through these; the judge asks `mention`, and the output calls `calls`:
//!
//! | module | does |
//! |---|---|
//! | `machine::extractor` | takes chunks, joins characters that a chunk cut, keeps what is not decided |
//! | `machine::reader` | the states: `prose`, `line`, `inside` a marker, `arguments`, `thinking`, ...; says what the text is, as a `ParseEvent` |
//! | `machine::judge`, `mention` | holds back calls that may only be mentioned, and lets all others through; the words for it stand in `mention/words/*.txt` |
//! | `calls` | the arguments of a call as values of the tool's schema |
//! | `machine::output` | counts calls, has them read by `calls`, drops repetitions, hands out pieces |
//!
//! What the states share:
//!
//! | module | knows |
//! |---|---|
//! | `formats` | a record of each format: an example, its names, tags and tokens, and what betrays it in a chat template |
//! | `scan` | where tags, values in brackets and strings begin and end; each answer is yes, no, or that more text is needed |
//! | `arguments` | where parameters stand that are written as tags; JSON, Python and what models make of them, as values |
//! | `interpret` | what an object or a list means as calls |
//! | `tool_set` | the bound tools, by their names as models write them, and how lines begin that may call one |
//! | `limits` | the bounds on what is read: sizes, depths and counts |
//! | `template` | how the prompt of a chat template ends |
//! | `special_tokens` | the text of tokens of which an engine hands out the ids |
//!
//! The header of `machine` follows a reply of Qwen's from the first byte to the `ToolCall`.
//!
//! A format of known parts is a variant in the list of `formats`, a record with its markers in the file
//! of its family there, cases in `tests/cases`, and a section in `docs/formats`; *Add a text format* in
//! `docs/contributing.md` goes through the steps.
//!
//! Nothing here does I/O, waits, or reads a clock. The neighbours: `haft-schema` coerces and
//! checks arguments, `haft-models` feeds the text of model servers in.

mod arguments;
mod calls;
mod extract;
mod formats;
mod interpret;
mod limits;
mod machine;
mod mention;
mod native;
mod options;
mod scan;
mod special_tokens;
mod template;
mod tool_set;

pub use extract::{Extraction, Piece, RawCall, extract};
pub use formats::Format;
pub use machine::extractor::Extractor;
pub use mention::Mention;
pub use native::{match_arguments_text, read_arguments_text, read_ended_arguments_text};
pub use options::{BareCalls, ExtractOptions};
pub use special_tokens::SpecialTokens;
pub use tool_set::{ToolDefinition, ToolSet};
