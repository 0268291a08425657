//! The user's rules for a server's tools: which are offered, which run without approval, and
//! whether the server's hints are trusted.

use std::fmt;

use crate::config::fields::Fields;
use crate::failure::Problem;

/// Fields with the included tools, in the spellings of several hosts.
const INCLUDE: [&str; 3] = ["include", "includeTools", "enabledTools"];

/// Fields with the excluded tools.
const EXCLUDE: [&str; 3] = ["exclude", "excludeTools", "disabledTools"];

/// Fields with the tools that run without approval; `*` means all.
const APPROVED: [&str; 2] = ["autoApprove", "alwaysAllow"];

/// Means all tools in a list of tools that run without approval.
const ALL_TOOLS: &str = "*";

/// The field for trusting the server's hints, as in other hosts.
const TRUST: &str = "trust";

/// The user's decision about a tool and its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// No decision.
    Unknown,
    /// The server's hints are trusted.
    Trusted,
    /// The tool runs without approval.
    Approved,
}

/// The rules for the tools of one server, by the server's own names of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolRules {
    /// If set, only these tools are offered.
    include: Option<Vec<String>>,
    exclude: Vec<String>,
    approved: Vec<String>,
    trusted: bool,
}

/// One of the lists of names in a server's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleList {
    Include,
    Exclude,
    AutoApprove,
}

/// A name in a list that no tool of the server has, usually a typing error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownName<'a> {
    pub(crate) list: RuleList,
    pub(crate) name: &'a str,
}

impl ToolRules {
    /// Parses the rules in a server's entry.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Self, Problem> {
        let lists = |names: &[&str]| -> Result<Option<Vec<String>>, Problem> {
            let mut found = None;
            for name in names.iter().filter(|name| fields.has(name)) {
                found
                    .get_or_insert_with(Vec::new)
                    .extend(fields.texts(name)?);
            }
            Ok(found)
        };
        Ok(Self {
            include: lists(&INCLUDE)?,
            exclude: lists(&EXCLUDE)?.unwrap_or_default(),
            approved: lists(&APPROVED)?.unwrap_or_default(),
            trusted: fields.flag(TRUST)?,
        })
    }

    /// Whether the tool with this name is offered.
    pub(crate) fn keeps(&self, tool: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == tool);
        self.include.as_deref().is_none_or(names) && !names(&self.exclude)
    }

    /// The user's decision about the tool.
    pub(crate) fn standing(&self, tool: &str) -> Standing {
        match (self.approves(tool), self.trusted) {
            (true, _) => Standing::Approved,
            (false, true) => Standing::Trusted,
            (false, false) => Standing::Unknown,
        }
    }

    /// Whether the tool runs without approval.
    fn approves(&self, tool: &str) -> bool {
        self.approved
            .iter()
            .any(|name| name == tool || name == ALL_TOOLS)
    }

    /// The names in the rules that no tool in `tools` has.
    pub(crate) fn unknown(&self, tools: &[&str]) -> Vec<UnknownName<'_>> {
        let include = self.include.as_deref().unwrap_or_default();
        let included = UnknownName::each(RuleList::Include, include);
        let excluded = UnknownName::each(RuleList::Exclude, &self.exclude);
        let approved = UnknownName::each(RuleList::AutoApprove, &self.approved);
        // Only in this list does it mean all tools.
        let approved = approved.filter(|one| one.name != ALL_TOOLS);
        let all = included.chain(excluded).chain(approved);
        all.filter(|one| !tools.contains(&one.name)).collect()
    }
}

impl<'a> UnknownName<'a> {
    fn each(list: RuleList, names: &'a [String]) -> impl Iterator<Item = Self> {
        names.iter().map(move |name| Self { list, name })
    }
}

impl fmt::Display for RuleList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Include => "include",
            Self::Exclude => "exclude",
            Self::AutoApprove => "autoApprove",
        })
    }
}

#[cfg(test)]
mod tests;
