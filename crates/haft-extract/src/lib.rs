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
//! A reply of Qwen's from the first byte to the `ToolCall`, step by step. `machine::extractor` hands the
//! text to `machine::reader`, which makes one step after the other, each in the function of its state:
//!
//! | state | in `machine/reader` | takes | tells |
//! |---|---|---|---|
//! | `Start` | `start` in `../reader.rs` | | |
//! | `Line` | `line` in `line.rs` | | |
//! | `Prose` | `prose` in `prose.rs` | `Let me look.⏎` | `Text` |
//! | `Inside` | `inside` in `inside.rs` | | |
//! | `Object` | `object` in `object.rs` | `<tool_call>⏎{"name": "get_weather", "arguments":` | `Markup`, `CallBegins` |
//! | `Arguments` | `arguments` in `arguments.rs` | | `Arguments` |
//! | `Behind` | `behind_arguments` in `arguments.rs` | `{"city": "Oslo"}` | `Call` |
//! | `Rest` | `rest` in `arguments.rs` | `}` | `Markup` |
//! | `Inside` | `inside` in `inside.rs` | `⏎</tool_call>` | `Candidate`, `Markup` |
//!
//! `start` sees no header of a channel, and `line` no letters with which a call without a marker
//! could begin (`tool_set::starts`). `prose` finds the tag: `scan::tag` cuts it out, and the list of
//! markers in `formats::qwen` says that `toolcall` is a wrapper. `inside` sees the brace. `object`
//! finds the name and where the arguments begin, and `arguments` where they end, both with
//! `scan::balance`; no argument follows behind them, so the call is whole. `machine::judge` lets its
//! events through at once, because the call has a marker and the text before it shows no calls
//! (`mention::lead_in`). `machine::output` has the arguments read and checked by `read` in `calls`, and
//! hands out the `ToolCall`.
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
