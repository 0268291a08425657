//! `[tool_groups]` of `haft.toml`: which tools each intent needs.

use std::collections::BTreeMap;

use haft::select::{Intent, Preset, ToolGroup, ToolGroups, ToolPattern};
use serde::Deserialize;

use crate::nearest::nearest;

/// The content of the section.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "Section")]
pub(super) struct ToolGroupsSection {
    pub(super) enabled: Option<bool>,
    pub(super) search_tools: Option<bool>,
    /// The groups, the user's own first; `None` if the section leaves the defaults.
    pub(super) tool_groups: Option<ToolGroups>,
}

/// The section as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Section {
    enabled: Option<bool>,
    search_tools: Option<bool>,
    presets: Option<Vec<String>>,
    custom: BTreeMap<String, Entry>,
}

/// A custom tool group.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Entry {
    intents: Vec<String>,
    words: Vec<String>,
    tools: Vec<String>,
    servers: Vec<String>,
}

impl TryFrom<Section> for ToolGroupsSection {
    type Error = String;

    fn try_from(section: Section) -> Result<Self, String> {
        Ok(Self {
            enabled: section.enabled,
            search_tools: section.search_tools,
            tool_groups: section.tool_groups()?,
        })
    }
}

impl Section {
    fn tool_groups(&self) -> Result<Option<ToolGroups>, String> {
        if self.presets.is_none() && self.custom.is_empty() {
            return Ok(None);
        }
        let own = self
            .custom
            .iter()
            .map(|(name, entry)| entry.tool_group(name));
        let mut tool_groups = own.collect::<Result<Vec<ToolGroup>, String>>()?;
        let presets = match &self.presets {
            Some(names) => names.iter().map(|name| preset(name)).collect(),
            None => Ok(Preset::ALL.to_vec()),
        };
        tool_groups.extend_from_slice(ToolGroups::of(&presets?).as_slice());
        Ok(Some(ToolGroups::new(tool_groups)))
    }
}

impl Entry {
    fn tool_group(&self, name: &str) -> Result<ToolGroup, String> {
        let names_none = self.tools.is_empty() && self.servers.is_empty();
        if self.intents.is_empty() || names_none {
            return Err(format!(
                "the tool group `{name}` needs `intents`, and `tools` or `servers`"
            ));
        }
        let intents = self.intents.iter().map(|name| intent(name));
        let tools = self.tools.iter().map(ToolPattern::name);
        let servers = self.servers.iter().map(ToolPattern::server);
        Ok(ToolGroup {
            name: name.to_owned(),
            intents: intents.collect::<Result<_, String>>()?,
            words: self.words.iter().map(|word| word.to_lowercase()).collect(),
            tools: tools.chain(servers).collect(),
        })
    }
}

fn intent(name: &str) -> Result<Intent, String> {
    Intent::named(name).ok_or_else(|| unknown("intent", name, &Intent::ALL.map(Intent::name)))
}

fn preset(name: &str) -> Result<Preset, String> {
    let found = Preset::ALL.into_iter().find(|preset| preset.name() == name);
    found.ok_or_else(|| unknown("preset", name, &Preset::ALL.map(Preset::name)))
}

fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("there is no {kind} `{name}`; did you mean `{near}`?"),
        None => format!(
            "there is no {kind} `{name}`; there are: {}",
            known.join(", ")
        ),
    }
}
