//! The settings that a file in the current folder may only set if it is trusted: those that start a
//! program, send data to an address, keep conversations, reduce protection, or name a file or a
//! secret.

use haft::models::{ModelSpec, ServerKind};
use toml::{Table, Value};

use super::file::{FileSettings, ModelSection, StoreSection, ToolsSection};
use super::voice::VoiceSection;
use super::web_search::WebSearchSection;
use crate::text::without_secrets;

/// The guarded keys of each section; an empty list means all.
const GUARDED: [(&str, &[&str]); 9] = [
    (
        "model",
        &["name", "system", "ollama_host", "openai_base_url"],
    ),
    ("tools", &["mcp", "approve", "bare_calls", "thought_calls"]),
    ("web_search", &["enabled", "url"]),
    ("store", &["sessions"]),
    ("role", &[]),
    ("upstream", &[]),
    ("gateway", &[]),
    ("mqtt", &[]),
    (
        "voice",
        &[
            "transcriber",
            "transcriber_model",
            "transcriber_key_env",
            "speech",
            "play",
            "satellite",
            "announce",
        ],
    ),
];

/// The guarded settings in a file, one line each.
pub(super) fn claims(text: &str) -> Vec<String> {
    let Ok(table) = text.parse::<Table>() else {
        // Already refused by the parser.
        return Vec::new();
    };
    let sections = table.iter().filter_map(|(section, value)| {
        let (_, keys) = GUARDED.iter().find(|(name, _)| name == section)?;
        Some((section, value, keys))
    });
    sections
        .flat_map(|(section, value, keys)| match value {
            Value::Table(entries) => {
                let guarded = entries.iter().filter(|(key, value)| {
                    (keys.is_empty() || keys.contains(&key.as_str()))
                        && !is_local_model(section, key, value)
                });
                let lines = guarded
                    .map(|(key, value)| without_secrets(&format!("set {section}.{key} = {value}")));
                lines.collect::<Vec<_>>()
            }
            value => vec![without_secrets(&format!("set {section} = {value}"))],
        })
        .collect()
}

fn is_local_model(section: &str, key: &str, value: &Value) -> bool {
    section == "model" && key == "name" && value.as_str().is_some_and(is_local)
}

/// True for a model that runs on the server from the user's own settings. An Ollama server forwards
/// questions for cloud models to the cloud.
pub(super) fn is_local(model: &str) -> bool {
    match model.parse::<ModelSpec>() {
        Ok(ModelSpec::Builtin) => true,
        Ok(ModelSpec::Served(model)) if model.kind() == ServerKind::Ollama => {
            !model.name.to_lowercase().contains("cloud")
        }
        Ok(_) | Err(_) => false,
    }
}

impl FileSettings {
    /// These settings, with the guarded ones replaced by those of `user`.
    pub(super) fn guarded_by(self, user: Self) -> Self {
        let name = self.model.name.filter(|name| is_local(name));
        Self {
            model: ModelSection {
                name: name.or(user.model.name),
                system: user.model.system,
                ollama_host: user.model.ollama_host,
                openai_base_url: user.model.openai_base_url,
                ..self.model
            },
            tools: ToolsSection {
                mcp: user.tools.mcp,
                approve: user.tools.approve,
                bare_calls: user.tools.bare_calls,
                thought_calls: user.tools.thought_calls,
                ..self.tools
            },
            web_search: WebSearchSection {
                enabled: user.web_search.enabled,
                url: user.web_search.url,
                ..self.web_search
            },
            store: StoreSection {
                sessions: user.store.sessions,
                ..self.store
            },
            role: user.role,
            upstream: user.upstream,
            gateway: user.gateway,
            mqtt: user.mqtt,
            voice: VoiceSection {
                transcriber: user.voice.transcriber,
                transcriber_model: user.voice.transcriber_model,
                transcriber_key_env: user.voice.transcriber_key_env,
                speech: user.voice.speech,
                play: user.voice.play,
                satellite: user.voice.satellite,
                announce: user.voice.announce,
                ..self.voice
            },
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
