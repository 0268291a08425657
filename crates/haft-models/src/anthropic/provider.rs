//! Anthropic as a [`Provider`]: its facts, and how its models are opened.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{ChatModel, ModelError};
use haft_extract::Format;
use url::Url;

use super::{ChatAnthropic, DEFAULT_BASE_URL, DEFAULT_MAX_TOKENS, Settings};
use crate::description::{DESCRIBING, ModelDescription, ToolSupport};
use crate::http::{Api, Transport};
use crate::provider::{About, Opened, Provider, is_at};
use crate::replay::Recorded;
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;
use crate::tool_mode::{ToolMode, ToolRoute};

static ABOUT: About = About {
    name: "anthropic",
    kind: ServerKind::Anthropic,
    title: "Anthropic",
    forms: "anthropic:NAME",
    default_url: DEFAULT_BASE_URL,
    url_variable: "ANTHROPIC_BASE_URL",
    key_variable: "ANTHROPIC_API_KEY",
    api: Api {
        name: "anthropic-messages",
        connect_hint: "is this machine online, and is ANTHROPIC_BASE_URL right, if set?",
        key_hint: "set ANTHROPIC_API_KEY to a valid key",
    },
};

/// What the HTTP layer needs to know about Anthropic's API.
pub(crate) static API: &Api = &ABOUT.api;

/// Anthropic's own host, which is known without a request and refuses requests without a key.
const HOST: &str = "api.anthropic.com";

/// The provider for Anthropic and servers with the same API.
#[derive(Debug)]
pub(crate) struct Anthropic;

#[async_trait]
impl Provider for Anthropic {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn open(&self, name: &str, url: &str, settings: &ModelSettings) -> Result<Opened, ModelError> {
        let server = settings.server_of(ABOUT.name);
        if server.api_key.is_none() && is_at(url, &[HOST]) {
            return Err(ABOUT
                .missing_key("Anthropic")
                .with_hint("set ANTHROPIC_API_KEY to a key of your account"));
        }
        let model = ChatAnthropic::new(name);
        let model = ChatAnthropic {
            base_url: url.to_owned(),
            api_key: server.api_key.clone(),
            transport: settings.transport(),
            route: ToolRoute::new(ToolMode::Auto, Format::Auto, settings.bare_calls)
                .with_thought_calls(settings.thought_calls),
            settings: Settings {
                temperature: settings.temperature,
                max_tokens: settings.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
                ..model.settings
            },
            ..model
        };
        Ok(model.into())
    }

    fn replay(&self, recorded: &Recorded<'_>) -> Arc<dyn ChatModel> {
        let model = ChatAnthropic::new(recorded.model());
        let tokens = recorded.number("/max_tokens");
        Arc::new(ChatAnthropic {
            id: recorded.id.clone(),
            transport: recorded.transport.clone(),
            route: ToolRoute::new(ToolMode::Auto, Format::Auto, recorded.bare_calls),
            settings: Settings {
                temperature: recorded.temperature(),
                max_tokens: tokens.unwrap_or(DEFAULT_MAX_TOKENS),
                thinking: recorded.number("/thinking/budget_tokens"),
                streaming: recorded.first.stream,
                ..model.settings
            },
            ..model
        })
    }

    async fn models(&self, url: &str, settings: &ModelSettings) -> Result<Vec<String>, ModelError> {
        lister(url, settings).models().await
    }

    /// All models of Anthropic have tools.
    async fn describe(
        &self,
        name: &str,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<ModelDescription, ModelError> {
        let limits = settings.limits.clone().with_total(DESCRIBING);
        let transport = Transport::http().with_limits(limits);
        let models = lister(url, settings).transport(transport).models().await?;
        Ok(ModelDescription {
            is_known: Some(models.iter().any(|model| model == name)),
            tools: ToolSupport::Supported,
            thinks: None,
            context: None,
            models,
        })
    }

    fn owns(&self, url: &Url) -> bool {
        url.host_str() == Some(HOST)
    }
}

/// A model that lists those of the server at `url`.
fn lister(url: &str, settings: &ModelSettings) -> ChatAnthropic {
    let model = ChatAnthropic::new("").base_url(url);
    match settings.api_key_of(ABOUT.name) {
        Some(key) => model.api_key(key),
        None => model,
    }
}
