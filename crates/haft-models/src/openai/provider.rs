//! OpenAI and compatible servers as a [`Provider`]: their facts, and how they are found and their
//! models opened.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{ChatModel, ModelError, ModelErrorKind, mask_url};

use super::responses::ResponsesPassThrough;
use super::{ChatOpenAi, OPENAI};
use crate::client_request::ClientRequest;
use crate::description::{DESCRIBING, ModelDescription};
use crate::http::{Api, Transport, endpoint};
use crate::provider::{About, Detected, LlamaCppPage, ModelName, Opened, Provider, is_at};
use crate::replay::Recorded;
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;
use crate::tool_mode::ToolRoute;

static ABOUT: About = About {
    name: "openai",
    kind: ServerKind::OpenAi,
    title: "chat completions",
    forms: "openai:NAME, openai:NAME@BASE_URL",
    default_url: OPENAI,
    url_variable: "OPENAI_BASE_URL",
    key_variable: "OPENAI_API_KEY",
    api: Api {
        name: "openai-chat",
        connect_hint: "is the server running, and is the address right? it was given as \
                       `openai:NAME@BASE_URL`, as an upstream, or in OPENAI_BASE_URL",
        key_hint: "set OPENAI_API_KEY to a key that this server accepts",
    },
};

/// What the HTTP layer needs to know about servers of chat completions.
#[cfg(test)]
pub(crate) static API: &Api = &ABOUT.api;

/// Hosts of this API that refuse requests without a key.
const CLOUD_HOSTS: [&str; 2] = ["api.openai.com", "api.anthropic.com"];

/// The provider for OpenAI and servers with the same API.
#[derive(Debug)]
pub(crate) struct OpenAi;

#[async_trait]
impl Provider for OpenAi {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Parses `NAME` or `NAME@BASE_URL`. A leading `@` is part of the name (`@cf/meta/llama-3`);
    /// any other one begins an address.
    fn model_name(&self, text: &str) -> Result<ModelName, ModelError> {
        let address = ["@http://", "@https://"]
            .iter()
            .filter_map(|start| text.find(start))
            .min();
        let (name, base_url) = match address.and_then(|at| text.split_at_checked(at)) {
            Some((name, address)) => (name, address.strip_prefix('@')),
            None => (text, None),
        };
        if name.is_empty() {
            let message = "There is no model name before the address";
            return Err(ModelError::new(ModelErrorKind::Configuration, message));
        }
        if let Some(at) = name.rfind('@').filter(|at| *at > 0) {
            let rest = name.get(at..).unwrap_or_default().trim_start_matches('@');
            let message = format!("\"{}\" is not an address of a model server", mask_url(rest));
            return Err(ModelError::new(ModelErrorKind::Configuration, message)
                .with_hint("after the @ write the whole address, like http://127.0.0.1:8080/v1"));
        }
        if let Some(address) = base_url {
            endpoint(address, "")?;
        }
        Ok(ModelName {
            name: name.to_owned(),
            base_url: base_url.map(str::to_owned),
        })
    }

    fn open(&self, name: &str, url: &str, settings: &ModelSettings) -> Result<Opened, ModelError> {
        let key = settings.api_key_of(ABOUT.name);
        if key.is_none() && is_at(url, &CLOUD_HOSTS) {
            return Err(ABOUT.missing_key("OpenAI").with_hint(
                "set OPENAI_API_KEY, or name another server: openai:NAME@http://127.0.0.1:8080/v1",
            ));
        }
        let model = compatible_model(&Self, name, url, settings);
        let responses = ResponsesPassThrough::new(model.clone());
        let mut opened = Opened::from(model);
        opened.pass_through.push(Arc::new(responses));
        Ok(opened)
    }

    fn replay(&self, recorded: &Recorded<'_>) -> Arc<dyn ChatModel> {
        compatible_replay(&Self, recorded)
    }

    async fn models(&self, url: &str, settings: &ModelSettings) -> Result<Vec<String>, ModelError> {
        let model = compatible_model(&Self, "", url, settings);
        model.transport(Transport::http()).models().await
    }

    async fn describe(
        &self,
        name: &str,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<ModelDescription, ModelError> {
        compatible_description(&Self, name, url, settings).await
    }

    async fn count_tokens(
        &self,
        url: &str,
        settings: &ModelSettings,
        request: &ClientRequest,
    ) -> Result<Option<u64>, ModelError> {
        let model = fetching(&request.model, url, settings);
        if !model.is_llama_cpp().await? {
            return Ok(None);
        }
        model.tokens(request).await.map(Some)
    }

    async fn llama_cpp_page(
        &self,
        page: &LlamaCppPage,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<Option<String>, ModelError> {
        let model = fetching(page.model.as_deref().unwrap_or_default(), url, settings);
        if !model.is_llama_cpp().await? {
            return Ok(None);
        }
        model.page(page.path()).await.map(Some)
    }

    async fn detect(&self, url: &str, settings: &ModelSettings) -> Detected {
        let mut failure = None;
        for url in [
            format!("{}/v1", url.trim_end_matches("/v1")),
            url.to_owned(),
        ] {
            match self.models(&url, settings).await {
                Ok(_) => return Detected::Yes(url),
                // A server that requires a key is one, too, and so is llama.cpp's while it loads its
                // model.
                Err(error)
                    if error.kind() == ModelErrorKind::Unauthorized
                        || error.status() == Some(503) =>
                {
                    return Detected::Yes(url);
                }
                Err(error) => failure = Some(error),
            }
        }
        Detected::No(failure)
    }
}

/// The model for requests outside of conversations.
fn fetching(name: &str, url: &str, settings: &ModelSettings) -> ChatOpenAi {
    let transport = Transport::http().with_limits(settings.limits.clone());
    compatible_model(&OpenAi, name, url, settings).transport(transport)
}

/// A model of a provider whose servers have this API.
pub(crate) fn compatible_model(
    provider: &'static dyn Provider,
    name: &str,
    url: &str,
    settings: &ModelSettings,
) -> ChatOpenAi {
    ChatOpenAi {
        base_url: url.to_owned(),
        api_key: settings.server_of(provider.about().name).api_key.clone(),
        temperature: settings.temperature,
        max_tokens: settings.max_tokens,
        streams_at_once: settings.streams_at_once,
        transport: settings.transport(),
        route: ToolRoute::new(settings.tool_mode, settings.format, settings.bare_calls)
            .with_thought_calls(settings.thought_calls),
        ..ChatOpenAi::new(name).of_provider(provider)
    }
}

/// What a server with this API tells about a model of a provider.
pub(crate) async fn compatible_description(
    provider: &'static dyn Provider,
    name: &str,
    url: &str,
    settings: &ModelSettings,
) -> Result<ModelDescription, ModelError> {
    let limits = settings.limits.clone().with_total(DESCRIBING);
    let transport = Transport::http().with_limits(limits);
    let model = compatible_model(provider, name, url, settings).transport(transport);
    model.described().await
}

/// The model of a provider whose servers have this API, answering from a recording.
pub(crate) fn compatible_replay(
    provider: &'static dyn Provider,
    recorded: &Recorded<'_>,
) -> Arc<dyn ChatModel> {
    let model = ChatOpenAi::new(recorded.model()).of_provider(provider);
    // The names of some settings depend on the address.
    let url = recorded.first.url.as_deref();
    let base_url = url.and_then(|url| url.strip_suffix("/chat/completions"));
    let tokens = recorded.number("/max_tokens");
    Arc::new(ChatOpenAi {
        id: recorded.id.clone(),
        base_url: base_url.map_or_else(|| model.base_url.clone(), str::to_owned),
        temperature: recorded.temperature(),
        max_tokens: tokens.or_else(|| recorded.number("/max_completion_tokens")),
        streaming: recorded.first.stream,
        transport: recorded.transport.clone(),
        route: recorded.route(),
        ..model
    })
}
