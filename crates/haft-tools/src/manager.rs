//! The collection of tools: one flat list, whatever a tool's origin.
//!
//! Tools are stored as they are, without conversion or wrapping. `haft-models` handles wire
//! formats, and the executor handles arguments.
//!
//! # Parameter names
//!
//! Models write `device_name` where a tool has `deviceName`. A test against a real server process
//! (`haft-mcp/tests/it/normalization.rs`, `s002_12_*`) shows that nothing on the way to an MCP
//! server repairs that: the name arrives unchanged and the server refuses it. haft therefore
//! normalises names in two places that do not overlap:
//!
//! * names that differ in case and separators only, and words that mean the same for every tool
//!   (`city` for `location`), are renamed by `haft-schema`, driven by the tool's own schema;
//! * words that mean the same for one tool alone (`command` for `action`) are in a table of
//!   configured [`Synonym`]s here.
//!
//! Both rename only an unknown key to an existing property that was not given. A key that is still
//! unknown makes the call fail.

use std::sync::Arc;

use haft_core::{Arguments, CallRepair, Tool};

use crate::changing_tools::ChangingTools;
use crate::error::{ToolsError, ToolsErrorKind};

/// Another word for a parameter of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synonym {
    /// The name of the tool.
    pub tool: String,
    /// The name that models use.
    pub given: String,
    /// The tool's own name for the parameter.
    pub parameter: String,
}

/// Names that small models were observed to use for the Z-Wave tools: tool, given name, parameter.
const KNOWN_SYNONYMS: [(&str, &str, &str); 2] = [
    ("control_zwave_device", "command", "action"),
    ("control_zwave_device", "brightness", "level"),
];

/// All tools of an agent.
///
/// ```
/// use haft_tools::{ToolManager, get_current_datetime};
///
/// let mut tools = ToolManager::new();
/// tools.add(get_current_datetime())?;
/// assert!(tools.find("get_current_datetime").is_some());
/// assert!(tools.find("get_weather").is_none());
/// # Ok::<_, haft_tools::ToolsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ToolManager {
    tools: Vec<Arc<dyn Tool>>,
    synonyms: Vec<Synonym>,
    /// The tools among `tools` whose list can change.
    live: Option<Arc<dyn ChangingTools>>,
}

impl Default for ToolManager {
    fn default() -> Self {
        Self::new()
    }
}

impl ToolManager {
    /// An empty collection with the common synonyms of the Z-Wave tools.
    #[must_use]
    pub fn new() -> Self {
        let synonyms = KNOWN_SYNONYMS
            .iter()
            .map(|(tool, given, parameter)| Synonym {
                tool: (*tool).to_owned(),
                given: (*given).to_owned(),
                parameter: (*parameter).to_owned(),
            })
            .collect();
        Self {
            tools: Vec::new(),
            synonyms,
            live: None,
        }
    }

    /// The collection with every tool wrapped in another one of the same name. Its list no longer
    /// changes.
    #[must_use]
    pub fn wrapped(&self, wrap: impl FnMut(&Arc<dyn Tool>) -> Arc<dyn Tool>) -> Self {
        Self {
            tools: self.tools.iter().map(wrap).collect(),
            synonyms: self.synonyms.clone(),
            live: None,
        }
    }

    /// Adds a tool at the end of the list.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Tool`] when the tool has no name or a name that is taken.
    pub fn add(&mut self, tool: impl Into<Arc<dyn Tool>>) -> Result<(), ToolsError> {
        let tool = tool.into();
        let name = tool.name();
        if name.trim().is_empty() {
            return Err(ToolsError::new(ToolsErrorKind::Tool, "A tool has no name")
                .with_hint("give it one; a model calls tools by name"));
        }
        let taken = [Some(name), tool.lc_name()];
        if let Some(taken) = taken
            .into_iter()
            .flatten()
            .find(|name| self.find(name).is_some())
        {
            return Err(ToolsError::new(
                ToolsErrorKind::Tool,
                format!("There is already a tool called \"{taken}\""),
            )
            .with_hint("rename one of the two, or leave it out"));
        }
        self.tools.push(tool);
        Ok(())
    }

    /// Adds all tools of `servers`, with names that no other tool has, and lets
    /// [`refreshed`](Self::refreshed) follow their changes. The changes of previously added servers
    /// are no longer followed.
    pub fn add_servers(&mut self, servers: impl Into<Arc<dyn ChangingTools>>) {
        let servers = servers.into();
        let live = servers.refreshed(&self.names(), true).unwrap_or(servers);
        self.tools.extend(live.tools());
        self.live = Some(live);
    }

    /// A manager with the current tools of its servers; `None` if nothing changed.
    ///
    /// During a conversation tools are only added: a removed tool stays in the list, and its calls
    /// return an error. When a conversation `begins`, removed tools are left out.
    #[must_use]
    pub fn refreshed(&self, begins: bool) -> Option<Self> {
        let live = self.live.as_ref()?;
        let before = live.tools();
        let is_live = |name: &str| before.iter().any(|tool| tool.name() == name);
        let mut taken = self.names();
        taken.retain(|name| !is_live(name));
        let now = live.refreshed(&taken, begins)?;
        let others = self.tools.iter().filter(|tool| !is_live(tool.name()));
        Some(Self {
            tools: others.cloned().chain(now.tools()).collect(),
            synonyms: self.synonyms.clone(),
            live: Some(now),
        })
    }

    fn names(&self) -> Vec<&str> {
        self.tools.iter().map(Tool::name).collect()
    }

    /// Adds a synonym for one parameter of one tool.
    pub fn add_synonym(&mut self, synonym: Synonym) {
        self.synonyms.push(synonym);
    }

    /// All tools, in the order in which they were added.
    #[must_use]
    pub fn get_tools(&self) -> &[Arc<dyn Tool>] {
        &self.tools
    }

    /// The tool whose `name`, or else whose `lc_name`, is exactly `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.position(name).and_then(|index| self.tools.get(index))
    }

    /// The index of a tool in the list. Few tools have a second name, so second names are compared
    /// only if no first name matches.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let by_name = self.tools.iter().position(|tool| tool.name() == name);
        by_name.or_else(|| {
            self.tools
                .iter()
                .position(|tool| tool.lc_name() == Some(name))
        })
    }

    /// Replaces configured synonyms by the tool's own parameter names, if the tool has no parameter
    /// with the given name, has the other one, and did not receive it as well. Returns a sentence
    /// for each change.
    pub(crate) fn rename_synonyms(
        &self,
        tool: &dyn Tool,
        arguments: &mut Arguments,
    ) -> Vec<CallRepair> {
        let known = |key: &str| {
            tool.schema()
                .pointer("/properties")
                .is_some_and(|p| p.get(key).is_some())
        };
        let is_meant = |key: &String| self.synonyms.iter().any(|synonym| synonym.given == *key);
        if !arguments.keys().any(is_meant) {
            return Vec::new();
        }
        let mut changes = Vec::new();
        let mut renamed = Arguments::new();
        let given: Vec<String> = arguments.keys().cloned().collect();
        for (key, value) in std::mem::take(arguments) {
            let synonym = self.synonyms.iter().find(|synonym| {
                synonym.given == key
                    && (synonym.tool == tool.name()
                        || Some(synonym.tool.as_str()) == tool.lc_name())
                    && !known(&key)
                    && known(&synonym.parameter)
                    && !given.contains(&synonym.parameter)
                    && !renamed.contains_key(&synonym.parameter)
            });
            match synonym {
                Some(synonym) => {
                    changes.push(CallRepair {
                        tool: tool.name().to_owned(),
                        kind: "synonym".to_owned(),
                        what: format!("{key} was taken as {}", synonym.parameter),
                    });
                    renamed.insert(synonym.parameter.clone(), value);
                }
                None => {
                    renamed.insert(key, value);
                }
            }
        }
        *arguments = renamed;
        changes
    }
}

#[cfg(test)]
mod tests;
