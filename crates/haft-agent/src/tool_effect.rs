//! Whether a tool only reads, or changes something.
//!
//! A tool's annotations say it where they were set. Tools of MCP servers without hints count as
//! destructive by the protocol's default, and functions of programs mostly have no annotations, so
//! the verb in the name decides where the annotations say nothing. Two questions are asked, and a
//! doubt is on the safe side of both: what may be proposed to a model although nobody gave a command
//! ([`reads`]), and what is surely wrong after a mere question ([`surely_changes`]).

use haft_core::{Tool, ToolSource};
use haft_select::english::one_of;

use crate::text::words_of_name;

/// Verbs and nouns of names that only read.
const READING: &str = "get|gets|list|lists|show|read|reads|find|search|lookup|look|query|fetch|view|\
    check|verify|describe|count|status|state|states|info|information|details|history|forecast|\
    calculate|compute|convert|estimate|compare|predict|analyze|analyse|solve|evaluate|measure|\
    summarize|summarise|translate|retrieve|inspect|is|has|calc|report|current|preview|classify";

/// Words of names that change something wherever they stand.
const CHANGING: &str = "turn|switch|toggle|set|dim|control|lock|unlock|arm|disarm|delete|remove|erase|\
    reboot|restart|shutdown|buy|order|pay|purchase|book|cancel|pause|unpause|mute|unmute|\
    activate|deactivate|enable|disable|vacuum";

/// Words of names that may change something.
const ACTING: &str = "add|create|update|write|send|post|put|edit|modify|insert|upload|save|execute|exec|\
    run|start|stop|open|close|play|move|copy|rename|install|call|reset|clear|append|submit|reserve|\
    schedule|publish|transfer|share|invite|make|apply|register|subscribe|click|type|press|navigate|kill";

/// True for a tool that may be proposed where no command was given: it says that it is read-only, or
/// its name says that it reads and has no word for anything else.
pub(crate) fn reads(tool: &dyn Tool) -> bool {
    if tool.annotations().read_only {
        return true;
    }
    let is_author_warning = tool.annotations().destructive && tool.source() == ToolSource::Custom;
    let words = words_of_name(tool.name());
    let has = |choices: &str| words.iter().any(|word| one_of(word, choices));
    !is_author_warning && has(READING) && !has(CHANGING) && !has(ACTING)
}

/// True for a tool that is known to change things: its author says that it is destructive, or its
/// name has a verb that does nothing else.
pub(crate) fn surely_changes(tool: &dyn Tool) -> bool {
    let annotations = tool.annotations();
    if annotations.read_only {
        return false;
    }
    let words = words_of_name(tool.name());
    let has = |choices: &str| words.iter().any(|word| one_of(word, choices));
    let is_author_warning = annotations.destructive && tool.source() == ToolSource::Custom;
    is_author_warning || (has(CHANGING) && !has(READING))
}

#[cfg(test)]
mod tests;
