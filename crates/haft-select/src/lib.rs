//! Detects the subject of a query, and selects the tools that it needs: text in, a choice of tools
//! out.
//!
//! Everything here is pure: no I/O, no waiting, no clock. The learned models are compiled into the
//! program.
//!
//! From a conversation to its tools:
//!
//! 1. `chooser` ([`ToolChooser`]) is the entry point: it takes a conversation and a set of tools.
//! 2. `intent` classifies each query by rules and a learned model.
//! 3. `tool_groups` maps intents to groups of known tools, which are bound or withheld as a whole.
//! 4. `selector` ranks all other tools by their words and by learned vectors, and decides how many
//!    are bound.
//!
//! `words` splits and stems text for the selector; `english` has tables of words that
//! `haft-command` uses as well.

mod chooser;
pub mod english;
pub mod intent;
pub mod selector;
mod tool_groups;
mod words;

pub use chooser::{ChosenTools, ToolChooser};
pub use intent::{
    Classification, DialogueAct, Intent, IntentClassifier, IntentSet, OpenReason, Scores,
};
pub use selector::{FoundTool, RankedTool, SearchTools, ToolSelector, ToolSession, ToolText};
pub use tool_groups::{Preset, REST, Selection, ToolGroup, ToolGroups, ToolPattern, Verdict};
pub use words::stems;
