//! What a query is about, and which tools it needs: text in, a choice of tools out.
//!
//! Nothing here does I/O, waits, or reads a clock; what was learned is part of the program.

mod chooser;
pub mod english;
pub mod intent;
pub mod selector;
mod tool_groups;
mod words;

pub use chooser::{ChosenTools, ToolChooser};
pub use intent::{Classification, Intent, IntentClassifier, IntentSet, OpenReason, Scores};
pub use selector::{FoundTool, RankedTool, SearchTools, ToolSelector, ToolSession, ToolText};
pub use tool_groups::{Preset, REST, Selection, ToolGroup, ToolGroups, ToolPattern, Verdict};
