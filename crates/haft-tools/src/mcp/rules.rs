//! What the configuration says about a server's tools: which there are, and which run unasked.

use super::failure::Problem;
use super::fields::Fields;

/// As other hosts write it too: which tools there are.
const INCLUDE: [&str; 3] = ["include", "includeTools", "enabledTools"];

/// Which there are not.
const EXCLUDE: [&str; 3] = ["exclude", "excludeTools", "disabledTools"];

/// Which run without being asked about; `*` is all.
const APPROVED: [&str; 2] = ["autoApprove", "alwaysAllow"];

/// The rules for the tools of one server, by the names that the server gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolRules {
    /// Only these, where there is a list.
    include: Option<Vec<String>>,
    exclude: Vec<String>,
    approved: Vec<String>,
}

impl ToolRules {
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
        })
    }

    /// Whether there is a tool of this name.
    pub(crate) fn keeps(&self, tool: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == tool);
        self.include.as_deref().is_none_or(names) && !names(&self.exclude)
    }

    /// Whether it runs without being asked about.
    pub(crate) fn approves(&self, tool: &str) -> bool {
        self.approved.iter().any(|name| name == tool || name == "*")
    }

    /// The names in the rules that no tool has, each with the list that it stands in.
    pub(crate) fn unknown<'a>(&'a self, tools: &'a [&str]) -> Vec<(&'static str, &'a str)> {
        let lists = [
            ("include", self.include.as_deref().unwrap_or_default()),
            ("exclude", &self.exclude),
            ("autoApprove", &self.approved),
        ];
        lists
            .into_iter()
            .flat_map(|(list, names)| names.iter().map(move |name| (list, name.as_str())))
            .filter(|(list, name)| {
                !(tools.contains(name) || *list == "autoApprove" && *name == "*")
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
