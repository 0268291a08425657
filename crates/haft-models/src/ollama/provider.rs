//! Ollama as a [`Provider`]: its facts, the detection of its servers, and opening its models.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{ChatModel, ModelError};
use serde_json::Value;

use super::host::address;
use super::{Catalog, ChatOllama, LOCAL};
use crate::description::{DESCRIBING, ModelDescription};
use crate::http::{Api, Transport};
use crate::provider::{About, Detected, Opened, Provider};
use crate::replay::Recorded;
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;
use crate::tool_mode::ToolRoute;

static ABOUT: About = About {
    name: "ollama",
    kind: ServerKind::Ollama,
    title: "Ollama",
    forms: "ollama:NAME",
    default_url: LOCAL,
    url_variable: "OLLAMA_HOST",
    key_variable: "OLLAMA_API_KEY",
    api: Api {
        name: "ollama-chat",
        connect_hint: "is the server running? start it with `ollama serve`, or name another \
                       address in OLLAMA_HOST",
        key_hint: "the server, or a proxy before it, requires a key: set OLLAMA_API_KEY",
    },
};

/// What the HTTP layer needs to know about Ollama.
pub(crate) static API: &Api = &ABOUT.api;

/// The provider for Ollama servers.
#[derive(Debug)]
pub(crate) struct Ollama;

#[async_trait]
impl Provider for Ollama {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn address(&self, value: &str) -> String {
        address(value)
    }

    fn open(&self, name: &str, url: &str, settings: &ModelSettings) -> Result<Opened, ModelError> {
        let model = ChatOllama {
            base_url: url.to_owned(),
            api_key: settings.server_of(ABOUT.name).api_key.clone(),
            temperature: settings.temperature,
            num_predict: settings.max_tokens.map(i64::from),
            num_ctx: settings.context,
            transport: settings.transport(),
            route: ToolRoute::new(settings.tool_mode, settings.format, settings.bare_calls)
                .with_thought_calls(settings.thought_calls),
            ..ChatOllama::new(name)
        };
        Ok(model.into())
    }

    fn replay(&self, recorded: &Recorded<'_>) -> Arc<dyn ChatModel> {
        let option = |name: &str| recorded.value("/options")?.get(name);
        let keep_alive = recorded.value("/keep_alive").and_then(Value::as_str);
        Arc::new(ChatOllama {
            id: recorded.id.clone(),
            temperature: option("temperature").and_then(Value::as_f64),
            num_predict: option("num_predict").and_then(Value::as_i64),
            num_ctx: recorded.number("/options/num_ctx"),
            keep_alive: keep_alive.map(str::to_owned),
            think: recorded.value("/think").cloned(),
            streaming: recorded.first.stream,
            transport: recorded.transport.clone(),
            route: recorded.route(),
            ..ChatOllama::new(recorded.model())
        })
    }

    async fn models(&self, url: &str, settings: &ModelSettings) -> Result<Vec<String>, ModelError> {
        catalog(url, settings).names().await
    }

    async fn describe(
        &self,
        name: &str,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<ModelDescription, ModelError> {
        let limits = settings.limits.clone().with_total(DESCRIBING);
        let catalog = Catalog {
            transport: Transport::http().with_limits(limits),
            ..catalog(url, settings)
        };
        catalog.described(name).await
    }

    async fn loaded(
        &self,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<Option<Vec<String>>, ModelError> {
        let loaded = catalog(url, settings).loaded().await?;
        Ok(Some(loaded.into_iter().map(|model| model.name).collect()))
    }

    async fn detect(&self, url: &str, settings: &ModelSettings) -> Detected {
        let catalog = catalog(url, settings);
        if let Err(error) = catalog.version().await {
            return Detected::No(Some(error));
        }
        // Other servers have some of Ollama's paths too; only Ollama identifies itself as Ollama.
        match catalog.greeting().await {
            Ok(text) if text.contains("Ollama") => Detected::Yes(url.to_owned()),
            _ => Detected::Perhaps,
        }
    }
}

fn catalog(url: &str, settings: &ModelSettings) -> Catalog {
    Catalog {
        transport: Transport::http().with_limits(settings.limits.clone()),
        base_url: url.to_owned(),
        api_key: settings.server_of(ABOUT.name).api_key.clone(),
    }
}
