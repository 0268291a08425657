//! The settings as a table, for users and programs. For a secret it only shows that it is set.

use haft::types::mask_url;
use serde_json::json;

use super::Settings;
use super::gateway::GatewaySection;
use super::row::{Row, row};

impl Settings {
    /// Every setting.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let seconds = |time: &std::time::Duration| json!(time.as_secs_f64());
        let mut rows = vec![
            row("model.name", &self.model, |name| json!(model_name(name))),
            row("model.temperature", &self.temperature, |number| {
                json!(number)
            }),
            row("model.system", &self.system, |text| json!(text)),
            row("model.tool_mode", &self.tool_mode, |mode| json!(mode)),
            row("model.format", &self.format, |name| json!(name)),
            row("model.route", &self.route, |when| json!(when.name())),
            row("model.timeout", &self.timeout, seconds),
            row("model.context", &self.context, |tokens| json!(tokens)),
            row("model.ollama_host", &self.ollama_host, |host| {
                json!(mask_url(host))
            }),
            row("model.openai_base_url", &self.openai_base_url, |url| {
                json!(mask_url(url))
            }),
            row("tools.mcp", &self.mcp, |path| {
                json!(path.display().to_string())
            }),
            row("tools.timeout", &self.tool_timeout, seconds),
            row("tools.max_output", &self.max_output, |number| json!(number)),
            row("tools.synonyms", &self.synonyms, |synonyms| {
                let text = |s: &haft::tools::Synonym| {
                    json!(format!("{}: {} = {}", s.tool, s.given, s.parameter))
                };
                synonyms.iter().map(text).collect()
            }),
            row("tools.bare_calls", &self.bare_calls, |when| {
                json!(when.name())
            }),
            row("tools.thought_calls", &self.thought_calls, |on| json!(on)),
            row("tools.approve", &self.approve, |mode| json!(mode.name())),
        ];
        rows.extend([
            row("tool_groups.enabled", &self.select, |chosen| json!(chosen)),
            row("tool_groups.search_tools", &self.search_tools, |offered| {
                json!(offered)
            }),
            row("tool_groups", &self.tool_groups, |tool_groups| {
                let names = tool_groups
                    .as_slice()
                    .iter()
                    .map(|tool_group| json!(tool_group.name));
                names.collect()
            }),
        ]);
        rows.extend(self.recovery.iter().map(|(step, in_use)| {
            row(&format!("recovery.{step}"), in_use, |in_use| json!(in_use))
        }));
        rows.extend(self.web_search.rows());
        rows.push(row("upstream", &self.upstreams, |upstreams| {
            let urls = upstreams.iter().map(|one| json!(mask_url(&one.url)));
            urls.collect()
        }));
        rows.push(row("store.attempts", &self.attempts, |kept| json!(kept)));
        rows.push(row("store.sessions", &self.sessions, |kept| json!(kept)));
        rows.push(row("role", &self.roles, |roles| {
            roles.iter().map(|role| json!(role.name)).collect()
        }));
        rows.push(row("gateway", &self.gateway, GatewaySection::row));
        rows.extend(self.mqtt.rows());
        rows.extend(self.voice.rows());
        rows.extend([
            row("ANTHROPIC_BASE_URL", &self.anthropic_base_url, |url| {
                json!(mask_url(url))
            }),
            row("OLLAMA_API_KEY", &self.ollama_api_key, |_| json!("set")),
            row("OPENAI_API_KEY", &self.openai_api_key, |_| json!("set")),
            row("ANTHROPIC_API_KEY", &self.anthropic_api_key, |_| {
                json!("set")
            }),
            row("HAFT_TOKEN", &self.token, |_| json!("set")),
            row("HAFT_LOG", &self.log, |text| json!(text)),
            row("NO_COLOR", &self.no_color, |text| json!(text)),
        ]);
        rows
    }
}

/// The name of a model, which may contain an address.
fn model_name(name: &str) -> String {
    match name.split_once('@') {
        Some((model, address)) => format!("{model}@{}", mask_url(address)),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
