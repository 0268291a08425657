//! Asks a server of chat completions what it knows about a model: whether its tools reach the model,
//! the chat template, and the context size.
//!
//! Three servers tell more than the names of their models:
//!
//! * llama.cpp in `GET /props` (`ggml-org/llama.cpp: tools/server/README.md`,
//!   `common/jinja/caps.h`). As a router it wants the model in the query, and loads it unless
//!   `autoload=false`. The `capabilities` in its list of models are `["completion"]` for every text
//!   model, also for those with tools (`mostlygeek/llama-swap:
//!   internal/capcompat/testdata/llama-server/v1_models_capture_qwen.json`).
//! * LM Studio in `GET /api/v0/models`. It offers tools to every model, natively or in a prompt of
//!   its own (`lmstudio-ai/docs: 0_app/4_api/tools.md`, "Default tool use support").
//! * vLLM, llama.cpp and others name the context in the list of models.

use std::sync::Arc;

use haft_core::ModelError;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ChatOpenAi;
use crate::description::{ModelDescription, ToolSupport};
use crate::http::{Endpoint, Request, Transport, endpoint};

/// Why a model gets no native tools if its server said so.
pub(super) const NO_TOOLS_IN_TEMPLATE: &str =
    "the server drops tools, because the model's chat template has none (/props)";

/// What `/props` or LM Studio's list tells about a model.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) tools: ToolSupport,
    /// The chat template, from llama.cpp.
    pub(super) template: Option<String>,
    /// The context size in tokens.
    pub(super) context: Option<u64>,
}

/// The fields of `/props` in use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Properties {
    chat_template: Option<String>,
    chat_template_caps: TemplateCapabilities,
    /// `router` from a server that has several models.
    role: Option<String>,
    default_generation_settings: Slot,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TemplateCapabilities {
    /// Missing from servers of 2025 and earlier, which put tools into the prompt of any model.
    supports_tools: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Slot {
    n_ctx: Option<u64>,
}

/// A list of models, with the fields of all servers.
#[derive(Debug, Deserialize)]
struct Models {
    data: Vec<Listed>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Listed {
    id: String,
    /// Other names of the model, from llama.cpp.
    aliases: Vec<String>,
    /// `llamacpp` from llama.cpp.
    owned_by: Option<String>,
    /// Whether the model is loaded; only from llama.cpp as a router.
    status: Option<serde_json::Value>,
    /// The context size, from vLLM.
    max_model_len: Option<u64>,
    /// The context size, from LM Studio for a loaded model.
    loaded_context_length: Option<u64>,
    /// The largest possible context size, from LM Studio.
    max_context_length: Option<u64>,
}

impl Listed {
    fn is_named(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Whether the server has only this model and takes any name for it.
    fn takes_any_name(&self) -> bool {
        self.owned_by.as_deref() == Some("llamacpp") && self.status.is_none()
    }

    fn context(&self) -> Option<u64> {
        self.max_model_len
            .or(self.loaded_context_length)
            .or(self.max_context_length)
    }
}

impl ChatOpenAi {
    /// What the server tells about the model, over `transport`. Without an answer nothing is known.
    pub(super) async fn facts(&self, transport: &Transport) -> Facts {
        match self.properties(transport).await {
            Ok(facts) => facts,
            Err(error) if error.status().is_some() => {
                self.facts_of_lm_studio(transport).await.unwrap_or_default()
            }
            Err(_) => Facts::default(),
        }
    }

    /// What llama.cpp's server tells.
    ///
    /// # Errors
    ///
    /// Any error of the request; other servers have no such path.
    pub(super) async fn properties(&self, transport: &Transport) -> Result<Facts, ModelError> {
        let url = self.beside_v1("props")?;
        let mut told: Properties = self.fetched(transport, url.clone()).await?;
        if told.role.as_deref() == Some("router") {
            let url = url.with_query(|url| {
                url.query_pairs_mut()
                    .append_pair("model", &self.model)
                    .append_pair("autoload", "false");
            })?;
            told = self.fetched(transport, url).await?;
        }
        Ok(Facts {
            tools: match told.chat_template_caps.supports_tools {
                Some(true) => ToolSupport::Supported,
                Some(false) => ToolSupport::Missing,
                None => ToolSupport::Unknown,
            },
            template: told.chat_template,
            context: told.default_generation_settings.n_ctx,
        })
    }

    async fn facts_of_lm_studio(&self, transport: &Transport) -> Result<Facts, ModelError> {
        let url = self.beside_v1("api/v0/models")?;
        let list: Models = self.fetched(transport, url).await?;
        let found = list.data.iter().find(|model| model.is_named(&self.model));
        Ok(found.map_or_else(Facts::default, |model| Facts {
            tools: ToolSupport::Supported,
            template: None,
            context: model.context(),
        }))
    }

    /// Whether a near server offers tools to its model of this name.
    pub(crate) async fn tool_support(&self, name: &str) -> ToolSupport {
        if !self.is_near() {
            return ToolSupport::Unknown;
        }
        let model = Self {
            model: name.to_owned(),
            ..self.clone()
        };
        model.facts(&model.transport).await.tools
    }

    /// Everything that the server tells about the model, for people.
    ///
    /// # Errors
    ///
    /// Any error of the request for the list of models, unless the server only lacks such a list.
    pub(super) async fn described(&self) -> Result<ModelDescription, ModelError> {
        let url = endpoint(&self.base_url, "models")?;
        let list: Option<Models> = match self.fetched(&self.transport, url).await {
            Ok(list) => Some(list),
            Err(error) if lacks_a_list(&error) => None,
            Err(error) => return Err(error),
        };
        let facts = self.facts(&self.transport).await;
        let models = list.as_ref().map(|list| list.data.as_slice());
        let found = models.and_then(|models| {
            let mut models = models.iter();
            models.find(|model| model.is_named(&self.model) || model.takes_any_name())
        });
        Ok(ModelDescription {
            is_known: models.map(|_| found.is_some()),
            tools: facts.tools,
            thinks: None,
            context: facts.context.or_else(|| found?.context()),
            models: models
                .unwrap_or_default()
                .iter()
                .map(|model| model.id.clone())
                .collect(),
        })
    }

    /// The address of a path that stands beside `/v1`, not under it.
    pub(super) fn beside_v1(&self, path: &str) -> Result<Arc<Endpoint>, ModelError> {
        let base = self.base_url.trim().trim_end_matches('/');
        endpoint(base.trim_end_matches("/v1"), path)
    }

    pub(super) async fn fetched<T: DeserializeOwned>(
        &self,
        transport: &Transport,
        url: Arc<Endpoint>,
    ) -> Result<T, ModelError> {
        let request = self.authorized(Request::get(self.api(), url));
        transport.fetch_as(&request).await
    }
}

/// Whether the server answers, but has no list of models.
fn lacks_a_list(error: &ModelError) -> bool {
    matches!(error.status(), Some(404 | 405 | 501))
}

#[cfg(test)]
mod tests;
