//! Which tools a query gets, and why: a value to be logged and shown.

use std::fmt;

use crate::intent::{Intent, OpenReason};

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict<'a> {
    /// It is bound: the query needs its tool_group.
    Bound {
        /// The tool_group of the tool.
        tool_group: &'a str,
    },
    /// It is left out: the query does not need its tool_group.
    Withheld {
        /// The tool_group of the tool.
        tool_group: &'a str,
    },
    /// It is of no tool_group: ranking decides.
    Ranked,
    /// Nothing is withheld from this query: ranking decides, if there are many tools.
    Open,
}

/// The tools of a query, and how they were chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection<'a> {
    /// What the query is about most probably.
    pub label: Intent,
    /// How probable that is, from 0 to 1.
    pub confidence: f32,
    /// The rule that decided, where it was one.
    pub rule: Option<&'static str>,
    /// Why nothing is withheld, where that is so.
    pub open: Option<OpenReason>,
    /// The tool_groups that are bound; none when nothing is withheld.
    pub tool_groups: Vec<&'a str>,
    /// Each tool by name, in the order in which they were given.
    pub verdicts: Vec<(&'a str, Verdict<'a>)>,
}

impl<'a> Selection<'a> {
    /// The names of the tools that stay, whether or not ranking leaves them out later.
    pub fn kept(&self) -> impl Iterator<Item = &'a str> {
        self.names(|verdict| !matches!(verdict, Verdict::Withheld { .. }))
    }

    /// The names of the tools that are withheld.
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

/// What the query was taken for: "device 97 %".
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
