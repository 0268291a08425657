//! The selection of tools for a query with its reasons, for logs and displays.

use std::fmt;

use crate::intent::{Intent, OpenReason};

/// The decision about a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict<'a> {
    /// Bound, because the query needs its group.
    Bound {
        /// The group of the tool.
        tool_group: &'a str,
    },
    /// Withheld, because the query does not need its group.
    Withheld {
        /// The group of the tool.
        tool_group: &'a str,
    },
    /// The tool has no group: ranking decides.
    Ranked,
    /// No tools are withheld for this query: ranking decides if there are many.
    Open,
}

/// The tools for a query, and the reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection<'a> {
    /// The most probable intent of the query.
    pub label: Intent,
    /// The probability of that intent, from 0 to 1.
    pub confidence: f32,
    /// The rule that decided, if any.
    pub rule: Option<&'static str>,
    /// The reason why no tools are withheld, if there is one.
    pub open: Option<OpenReason>,
    /// The groups that are bound; empty if no tools are withheld.
    pub tool_groups: Vec<&'a str>,
    /// The decision about each tool by name, in the given order.
    pub verdicts: Vec<(&'a str, Verdict<'a>)>,
}

impl<'a> Selection<'a> {
    /// The names of the tools that are not withheld, although ranking may leave them out later.
    pub fn kept(&self) -> impl Iterator<Item = &'a str> {
        self.names(|verdict| !matches!(verdict, Verdict::Withheld { .. }))
    }

    /// The names of the withheld tools.
    pub fn withheld(&self) -> impl Iterator<Item = &'a str> {
        self.names(|verdict| matches!(verdict, Verdict::Withheld { .. }))
    }

    fn names(&self, wanted: impl Fn(&Verdict<'a>) -> bool) -> impl Iterator<Item = &'a str> {
        let chosen = self
            .verdicts
            .iter()
            .filter(move |(_, verdict)| wanted(verdict));
        chosen.map(|(name, _)| *name)
    }
}

/// Writes the detected intent: "device 97 %".
impl fmt::Display for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.confidence * 100.0;
        write!(f, "{} {percent:.0} %", self.label)?;
        match self.open {
            Some(reason) => write!(f, ", {}", reason.phrase()),
            None => Ok(()),
        }
    }
}
