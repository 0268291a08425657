//! Tools that a server lists and that no model gets, and why. `haft mcp test`, `haft doctor` and
//! others report them, because a tool that is missing without a word is hard to find.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::bounded;
use haft_tools::without_unseen;

/// So many of the tools at the end of a list that is too long are named; the rest is a number.
const NAMED: usize = 100;

/// A tool, or several at the end of a list, that a server has and that no model gets.
///
/// As text it is one sentence without a full stop, and without the name of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpLeftOut {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name at its server; none for several, or where it has none.
    pub tool: Option<String>,
    /// How many they are; none where nobody knows how long the list would go on.
    pub count: Option<usize>,
    /// Why.
    pub reason: LeftOutReason,
}

/// Why a tool is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// Its definition is longer than one may be.
    TooLarge {
        /// In bytes.
        size: usize,
        /// In bytes.
        limit: usize,
    },
    /// Its schema has more levels than one may have.
    NestedTooDeep {
        /// In levels.
        limit: usize,
    },
    /// Its schema cannot be used.
    BadSchema {
        /// What is wrong with it.
        problem: String,
    },
    /// The server lists more tools than one may.
    TooMany {
        /// How many it may list.
        limit: usize,
    },
    /// All definitions of the server together are longer than they may be.
    ListTooLarge {
        /// In bytes.
        limit: usize,
    },
    /// The list goes on and on.
    EndlessList,
    /// The server has another tool of the same name before it.
    ListedTwice,
    /// What the server lists is no tool.
    NotUnderstood {
        /// What is wrong with it.
        problem: String,
    },
    /// Other tools have every name that it could get.
    NameTaken,
}

impl McpLeftOut {
    pub(crate) fn tool(server: &str, tool: &str, reason: LeftOutReason) -> Self {
        Self {
            server: server.to_owned(),
            tool: Some(bounded(&without_unseen(tool))),
            count: Some(1),
            reason,
        }
    }

    pub(crate) fn unnamed(server: &str, count: Option<usize>, reason: LeftOutReason) -> Self {
        Self {
            server: server.to_owned(),
            tool: None,
            count,
            reason,
        }
    }

    /// The end of a list: tools of these names, and `more` behind them.
    pub(crate) fn rest(
        server: &str,
        names: &[&str],
        more: usize,
        reason: &LeftOutReason,
    ) -> Vec<Self> {
        let named = names.iter().take(NAMED);
        let mut rest: Vec<_> = named
            .map(|name| Self::tool(server, name, reason.clone()))
            .collect();
        let more = more + names.len().saturating_sub(NAMED);
        if more > 0 {
            rest.push(Self::unnamed(server, Some(more), reason.clone()));
        }
        rest
    }
}

impl fmt::Display for McpLeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = &self.reason;
        match (&self.tool, self.count) {
            (Some(tool), _) => write!(formatter, "the tool {tool} is left out: {reason}"),
            (None, Some(1)) => write!(formatter, "a tool without a name is left out: {reason}"),
            (None, Some(count)) => write!(formatter, "{count} more tools are left out: {reason}"),
            (None, None) => write!(formatter, "the rest of the list is left out: {reason}"),
        }
    }
}

impl fmt::Display for LeftOutReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { size, limit } => write!(
                formatter,
                "its definition has {size} bytes, and {limit} are the limit"
            ),
            Self::NestedTooDeep { limit } => {
                write!(formatter, "its schema is nested deeper than {limit} levels")
            }
            Self::BadSchema { problem } | Self::NotUnderstood { problem } => {
                formatter.write_str(problem)
            }
            Self::TooMany { limit } => {
                write!(formatter, "a server may have {limit} tools")
            }
            Self::ListTooLarge { limit } => write!(
                formatter,
                "the definitions of a server may have {limit} bytes together"
            ),
            Self::EndlessList => formatter.write_str("it does not come to an end"),
            Self::ListedTwice => {
                formatter.write_str("the server has a tool of this name before it")
            }
            Self::NameTaken => formatter.write_str("other tools have its name"),
        }
    }
}
