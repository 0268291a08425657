//! Reads `haft.toml`: the one in the current folder, as far as it is trusted, and the one in the
//! configuration folder.
//!
//! An unknown key is an error that names the nearest known one: a setting that is silently
//! ignored is worse than one that is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;
use haft::Routing;
use haft::models::{BareCalls, ToolMode};
use haft::tools::{ApprovalMode, Synonym};
use haft::types::RecoveryStep;
use serde::Deserialize;
use toml::de::DeTable;

use super::guarded;
use super::mqtt::{self, MqttSection};
use super::renamed;
use super::roles::{self, Role};
use super::upstreams::{self, UpstreamSettings};
use super::values;
use super::voice::{self, VoiceSection};
use super::web_search::{self, WebSearchSection};
use crate::bounded;
use crate::failure::Failure;
use crate::nearest::nearest;
use crate::settings::gateway::GatewaySection;
use crate::settings::tool_groups::ToolGroupsSection;
use crate::trust::{FolderFile, Trust};

/// The name of the file.
pub(super) const NAME: &str = "haft.toml";

/// The known sections and their keys.
pub(super) const KNOWN: [(&str, &[&str]); 11] = [
    (
        "model",
        &[
            "name",
            "temperature",
            "system",
            "tool_mode",
            "format",
            "route",
            "timeout",
            "context",
            "ollama_host",
            "openai_base_url",
        ],
    ),
    (
        "tools",
        &[
            "mcp",
            "timeout",
            "max_output",
            "synonyms",
            "bare_calls",
            "thought_calls",
            "approve",
        ],
    ),
    (
        "tool_groups",
        &["enabled", "search_tools", "presets", "custom"],
    ),
    (
        "recovery",
        &[
            "repeated_text",
            "constrained_call",
            "raise_max_tokens",
            "thinking_only",
            "without_tools",
            "invalid_calls",
            "repeated_calls",
            "round_limit",
            "ungrounded_answer",
        ],
    ),
    ("web_search", web_search::KEYS),
    ("store", &["attempts", "sessions"]),
    ("role", roles::KEYS),
    ("upstream", upstreams::KEYS),
    (
        "gateway",
        &[
            "repair",
            "recovery",
            "select",
            "server_tools",
            "stable_prefix",
            "models",
            "limits",
        ],
    ),
    ("mqtt", mqtt::KEYS),
    ("voice", voice::KEYS),
];

/// The contents of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FileSettings {
    pub(super) model: ModelSection,
    pub(super) tools: ToolsSection,
    #[serde(alias = "tiers")]
    pub(super) tool_groups: ToolGroupsSection,
    /// Whether each recovery step is enabled, by its name.
    #[serde(deserialize_with = "values::recovery")]
    pub(super) recovery: BTreeMap<RecoveryStep, bool>,
    pub(super) web_search: WebSearchSection,
    pub(super) store: StoreSection,
    pub(super) role: Option<Vec<Role>>,
    pub(super) upstream: Option<Vec<UpstreamSettings>>,
    pub(super) gateway: Option<GatewaySection>,
    pub(super) mqtt: MqttSection,
    pub(super) voice: VoiceSection,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ModelSection {
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "values::temperature")]
    pub(super) temperature: Option<f64>,
    pub(super) system: Option<String>,
    #[serde(deserialize_with = "values::named")]
    pub(super) tool_mode: Option<ToolMode>,
    pub(super) format: Option<String>,
    #[serde(deserialize_with = "values::named")]
    pub(super) route: Option<Routing>,
    #[serde(deserialize_with = "values::time")]
    pub(super) timeout: Option<Duration>,
    #[serde(deserialize_with = "values::context")]
    pub(super) context: Option<u32>,
    pub(super) ollama_host: Option<String>,
    pub(super) openai_base_url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ToolsSection {
    /// The path, relative to the folder of the file.
    pub(super) mcp: Option<PathBuf>,
    #[serde(deserialize_with = "values::time")]
    pub(super) timeout: Option<Duration>,
    #[serde(deserialize_with = "values::output")]
    pub(super) max_output: Option<usize>,
    #[serde(deserialize_with = "values::synonyms")]
    pub(super) synonyms: Option<Vec<Synonym>>,
    #[serde(deserialize_with = "values::named")]
    pub(super) bare_calls: Option<BareCalls>,
    pub(super) thought_calls: Option<bool>,
    #[serde(deserialize_with = "values::named")]
    pub(super) approve: Option<ApprovalMode>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct StoreSection {
    /// Whether the results of questions are recorded.
    pub(super) attempts: Option<bool>,
    /// Whether conversations are kept.
    pub(super) sessions: Option<bool>,
}

/// The merged contents of the files, with their origins.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The first file that was found.
    pub(super) path: Option<PathBuf>,
    /// The file that the guarded settings come from, see [`guarded`].
    pub(super) guarded: Option<PathBuf>,
    /// The file that names the model.
    pub(super) model: Option<PathBuf>,
    pub(super) settings: FileSettings,
}

/// The effective settings of the files: all of the current folder's file if it is trusted;
/// otherwise its harmless settings, with the guarded ones of the user's own file.
pub(super) async fn find(trust: Trust) -> Result<Found, Failure> {
    let own = own_file()?;
    let here = Path::new(NAME);
    if !here.is_file() {
        return Ok(own);
    }
    let content = bounded::read_text(here)?;
    let settings = parse(&content, NAME)?;
    let folder_file = FolderFile {
        path: here,
        content: &content,
        claims: guarded::claims(&content),
    };
    let path = Some(here.to_owned());
    if !folder_file.claims.is_empty() && trust.allows(&folder_file).await {
        return Ok(Found {
            guarded: path.clone(),
            model: path.clone(),
            path,
            settings,
        });
    }
    let names_model = settings
        .model
        .name
        .as_deref()
        .is_some_and(guarded::is_local);
    Ok(Found {
        model: if names_model {
            path.clone()
        } else {
            own.guarded.clone()
        },
        path,
        guarded: own.guarded,
        settings: settings.guarded_by(own.settings),
    })
}

/// The path of the file in the user's configuration folder; `None` without a home folder.
pub(crate) fn own_path() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("haft").join(NAME))
}

/// Checks the text of a file; `origin` names it in messages.
pub(crate) fn check(text: &str, origin: &str) -> Result<(), Failure> {
    parse(text, origin).map(drop)
}

/// The file in the user's configuration folder.
fn own_file() -> Result<Found, Failure> {
    let Some(path) = own_path().filter(|path| path.is_file()) else {
        return Ok(Found::default());
    };
    let text = bounded::read_text(&path)?;
    let mut settings = parse(&text, &path.display().to_string())?;
    if let (Some(mcp), Some(folder)) = (&mut settings.tools.mcp, path.parent()) {
        *mcp = folder.join(Path::new(mcp));
    }
    Ok(Found {
        guarded: Some(path.clone()),
        model: Some(path.clone()),
        path: Some(path),
        settings,
    })
}

/// Reads a file; `origin` names it in messages.
fn parse(text: &str, origin: &str) -> Result<FileSettings, Failure> {
    let faulty = |error: &toml::de::Error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        let sentence = error.message().trim_end_matches('.');
        Failure::new(format!("{origin}, line {line}: {sentence}"))
            .with_hint("`haft config show` prints the settings in force once the file is right")
    };
    check_keys(text, origin).map_err(|error| match error {
        KeyError::Syntax(error) => faulty(&error),
        KeyError::Unknown(failure) => failure,
    })?;
    let settings = toml::from_str(text).map_err(|error| faulty(&error))?;
    for sentence in renamed::found(text) {
        renamed::warn(format_args!("{origin}: {sentence}"));
    }
    Ok(settings)
}

enum KeyError {
    Syntax(toml::de::Error),
    Unknown(Failure),
}

/// Finds the first unknown section or key.
fn check_keys(text: &str, origin: &str) -> Result<(), KeyError> {
    let unknown = |kind: &str, key: &str, start: usize, known: &[&str]| {
        let line = line_of(text, start);
        let message = format!("{origin}, line {line}: there is no {kind} `{key}`");
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", known.join(", ")),
        };
        KeyError::Unknown(Failure::new(message).with_hint(hint))
    };
    let table = DeTable::parse(text).map_err(KeyError::Syntax)?;
    for (section, content) in table.get_ref() {
        let name = renamed::section(section.get_ref().as_ref());
        let Some((_, keys)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            let sections = KNOWN.map(|(known, _)| known);
            return Err(unknown("section", name, section.span().start, &sections));
        };
        // A section, or each section with the same name.
        let several = content.get_ref().as_array().into_iter().flatten();
        let tables = std::iter::once(content).chain(several);
        let entries = tables.filter_map(|table| table.get_ref().as_table());
        for (key, _) in entries.flatten() {
            let name = renamed::key(name, key.get_ref().as_ref());
            if !keys.contains(&name) {
                return Err(unknown("setting", name, key.span().start, keys));
            }
        }
    }
    Ok(())
}

/// The line, from 1, with the byte at `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests;
