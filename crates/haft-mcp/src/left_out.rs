//! Tools that a server lists and that no model is offered, with the reason. `haft mcp test`, `haft
//! doctor` and others report them, because a silently missing tool is hard to find.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::bounded;
use haft_tools::without_unseen;

/// The maximum number of tools that are named at the end of a list that is too long; the others are
/// only counted.
const NAMED: usize = 100;

/// A tool, or several at the end of a list, that a server has and that no model is offered.
///
/// Its `Display` is one sentence without a full stop and without the name of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpLeftOut {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name at its server; `None` for several tools, or for a tool without a name.
    pub tool: Option<String>,
    /// The number of tools; `None` if the end of the list is unknown.
    pub count: Option<usize>,
    /// The reason.
    pub reason: LeftOutReason,
}

/// Why a tool is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// Its definition is longer than the limit.
    TooLarge {
        /// The size of the definition in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Its schema is nested more deeply than the limit.
    NestedTooDeep {
        /// The limit in levels.
        limit: usize,
    },
    /// Its schema cannot be used.
    BadSchema {
        /// The description of the problem.
        problem: String,
    },
    /// The server lists more tools than the limit.
    TooMany {
        /// The maximum number of tools.
        limit: usize,
    },
    /// All definitions of the server together are longer than the limit.
    ListTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The list has too many pages.
    EndlessList,
    /// The server lists another tool with the same name before it.
    ListedTwice,
    /// The entry of the list is not a tool.
    NotUnderstood {
        /// The description of the problem.
        problem: String,
    },
    /// All possible names for it are used by other tools.
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

    /// The end of a list: tools with these names, and `more` after them.
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
