//! `[web_search]` of `haft.toml`: whether, where and how to search the web if a model has no
//! answer.

use std::time::Duration;

use haft::tools::{GoogleSearch, SearchOptions, SearchUrl};
use haft::types::mask_url;
use haft::{Playwright, WebSearch};
use serde::{Deserialize, Deserializer};
use serde_json::json;

use super::row::{Row, row};
use super::{Setting, Source, values};

/// The section as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WebSearchSection {
    pub(super) enabled: Option<bool>,
    #[serde(deserialize_with = "playwright")]
    pub(super) playwright: Option<Playwright>,
    #[serde(deserialize_with = "url")]
    pub(super) url: Option<SearchUrl>,
    #[serde(deserialize_with = "values::time")]
    pub(super) timeout: Option<Duration>,
}

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["enabled", "playwright", "url", "timeout"];

/// The effective settings.
#[derive(Clone, Debug)]
pub(crate) struct WebSearchSettings {
    /// If unset, web search is enabled if there is something to search with.
    enabled: Setting<bool>,
    playwright: Setting<Playwright>,
    url: Setting<SearchUrl>,
    /// The timeout of each step.
    timeout: Setting<Duration>,
    google_api_key: Setting<String>,
    google_cse_id: Setting<String>,
}

impl WebSearchSettings {
    /// The settings from the file and the environment.
    pub(super) fn of(
        section: WebSearchSection,
        from_file: impl Fn() -> Source,
        from_guarded: impl Fn() -> Source,
    ) -> Self {
        Self {
            enabled: Setting::unset().or(section.enabled, from_guarded()),
            playwright: Setting::unset().or(section.playwright, from_file()),
            url: Setting::unset()
                .or(section.url, from_guarded())
                .or_default(SearchUrl::default()),
            timeout: Setting::unset()
                .or(section.timeout, from_file())
                .or_default(SearchOptions::default().timeout),
            google_api_key: Setting::unset().or_environment("GOOGLE_API_KEY"),
            google_cse_id: Setting::unset().or_environment("GOOGLE_CSE_ID"),
        }
    }

    /// Applies the flag `--web-search` or `--no-web-search`, which overrides the file.
    pub(crate) fn with_flag(&self, enabled: Option<bool>) -> Self {
        let mut settings = self.clone();
        if let Some(enabled) = enabled {
            let name = match enabled {
                true => "--web-search",
                false => "--no-web-search",
            };
            settings.enabled = Setting::unset().or(Some(enabled), Source::Flag(name));
        }
        settings
    }

    /// The settings for the agent.
    pub(crate) fn search(&self) -> WebSearch {
        let mut search = WebSearch::default();
        search.enabled = self.enabled.value;
        search.playwright = self.playwright.value.clone().unwrap_or_default();
        if self.url.source != Source::Default {
            search.options.url = self.url.value.clone();
        }
        if let Some(timeout) = self.timeout.value {
            search.options.timeout = timeout;
        }
        let google = self.google_api_key.value.as_ref();
        let google = google.zip(self.google_cse_id.value.as_ref());
        search.options.google = google.map(|(key, engine)| GoogleSearch::new(key, engine));
        search
    }

    /// The settings for commands without a question, for which Playwright's tools are ordinary
    /// tools.
    pub(crate) fn search_without_fallback(&self) -> WebSearch {
        let mut search = self.search();
        search.playwright = Playwright::Ordinary;
        search
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        vec![
            row("web_search.enabled", &self.enabled, |on| json!(on)),
            row(
                "web_search.playwright",
                &self.playwright,
                |server| match server {
                    Playwright::Named(name) => json!(name),
                    Playwright::Ordinary => json!(false),
                    Playwright::Found => json!(true),
                },
            ),
            row("web_search.url", &self.url, |url| {
                json!(mask_url(&url.to_string()))
            }),
            row("web_search.timeout", &self.timeout, |time| {
                json!(time.as_secs_f64())
            }),
            row("GOOGLE_API_KEY", &self.google_api_key, |_| json!("set")),
            row("GOOGLE_CSE_ID", &self.google_cse_id, |id| json!(id)),
        ]
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Server {
    Search(bool),
    Name(String),
}

fn playwright<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Playwright>, D::Error> {
    match Server::deserialize(input) {
        Ok(Server::Search(true)) => Ok(Some(Playwright::Found)),
        Ok(Server::Search(false)) => Ok(Some(Playwright::Ordinary)),
        Ok(Server::Name(name)) => Ok(Some(Playwright::Named(name))),
        Err(_) => Err(serde::de::Error::custom(
            "write the name of an MCP server, true to find it, or false to keep its tools as tools",
        )),
    }
}

fn url<'de, D: Deserializer<'de>>(input: D) -> Result<Option<SearchUrl>, D::Error> {
    let text = String::deserialize(input)?;
    let url: Result<SearchUrl, _> = text.parse();
    url.map(Some).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests;
