//! Queries an Ollama server: its version, its installed and loaded models, and their capabilities.
//!
//! Uses `GET /api/version`, `/api/tags`, `/api/ps` and `POST /api/show` of `ollama/ollama:
//! docs/api.md`, for `choose.rs` and for the hints of `ollama.rs`.

use haft_core::ModelError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::provider::API;
use crate::description::{ModelDescription, ToolSupport};
use crate::http::{self, Framing, Request, Secret, Transport};

/// How many models are queried for their capabilities, smallest first. Each query takes a few
/// milliseconds.
pub(crate) const MAX_ASKED: usize = 40;

/// Queries to one server.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) transport: Transport,
    pub(crate) base_url: String,
    pub(crate) api_key: Option<Secret>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Installed {
    pub(crate) name: String,
    /// The size on disk in bytes.
    #[serde(default)]
    pub(crate) size: u64,
    /// The host that runs the model, for a model of Ollama's cloud.
    pub(crate) remote_host: Option<String>,
    /// The context size in tokens, for a loaded model.
    pub(crate) context_length: Option<u32>,
}

impl Installed {
    /// Whether the model runs on the server itself.
    pub(crate) fn is_local(&self) -> bool {
        let elsewhere = self.remote_host.as_deref().unwrap_or_default();
        elsewhere.is_empty() && !is_cloud_name(&self.name)
    }
}

/// Whether the name follows Ollama's convention for cloud models, such as `gpt-oss:120b-cloud`.
pub(super) fn is_cloud_name(name: &str) -> bool {
    let tag = name.rsplit_once(':').map_or("", |(_, tag)| tag);
    tag == "cloud" || tag.ends_with("-cloud")
}

/// Whether a listed model is the one of this name. Without a tag, Ollama means `latest`.
fn is_same(listed: &str, name: &str) -> bool {
    listed == name || listed.strip_suffix(":latest") == Some(name)
}

#[derive(Deserialize)]
struct Models {
    models: Option<Vec<Installed>>,
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

/// What the server tells about a model.
#[derive(Deserialize)]
pub(super) struct Details {
    capabilities: Option<Vec<String>>,
    #[serde(default)]
    pub(super) template: String,
    remote_host: Option<String>,
}

impl Details {
    /// Servers before 0.6.4 report no capabilities, and an empty list says nothing either: then a
    /// template that mentions tools shows that the model supports them.
    pub(super) fn tools(&self) -> ToolSupport {
        match self.capabilities.as_deref() {
            Some(names) if names.iter().any(|name| name == "tools") => ToolSupport::Supported,
            None | Some([]) if self.template.contains(".Tools") => ToolSupport::Supported,
            None | Some([]) => ToolSupport::Unknown,
            Some(_) => ToolSupport::Missing,
        }
    }

    /// Whether the model can think, as far as the server reports capabilities.
    fn thinks(&self) -> Option<bool> {
        let names = self
            .capabilities
            .as_deref()
            .filter(|names| !names.is_empty())?;
        Some(names.iter().any(|name| name == "thinking"))
    }
}

/// Where a model runs, and whether it calls tools there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ModelSupport {
    /// Whether the model runs on this server; false if the server cannot describe it.
    pub(crate) is_local: bool,
    pub(crate) tools: ToolSupport,
}

impl ModelSupport {
    /// True for a model that runs on this server and supports tools.
    pub(crate) fn calls_tools(self) -> bool {
        self.is_local && self.tools == ToolSupport::Supported
    }
}

impl Catalog {
    pub(crate) async fn version(&self) -> Result<String, ModelError> {
        let answer: Version = self.get("/api/version").await?;
        Ok(answer.version)
    }

    /// The installed models, smallest first.
    pub(crate) async fn installed(&self) -> Result<Vec<Installed>, ModelError> {
        let answer: Models = self.get("/api/tags").await?;
        let mut models = answer.models.unwrap_or_default();
        models.sort_by(|a, b| (a.size, &a.name).cmp(&(b.size, &b.name)));
        Ok(models)
    }

    pub(crate) async fn names(&self) -> Result<Vec<String>, ModelError> {
        let models = self.installed().await?;
        Ok(models.into_iter().map(|model| model.name).collect())
    }

    /// The loaded models, most recently loaded first.
    pub(crate) async fn loaded(&self) -> Result<Vec<Installed>, ModelError> {
        let answer: Models = self.get("/api/ps").await?;
        Ok(answer.models.unwrap_or_default())
    }

    /// The context size with which the model is loaded, if it is.
    pub(crate) async fn loaded_context(&self, model: &str) -> Option<u32> {
        let loaded = self.loaded().await.ok()?;
        let found = loaded.iter().find(|loaded| is_same(&loaded.name, model))?;
        found.context_length
    }

    /// Everything that the server tells about the model, for people. The context is that with which
    /// the model is loaded.
    ///
    /// # Errors
    ///
    /// Any error of the request for the list of models.
    pub(super) async fn described(&self, model: &str) -> Result<ModelDescription, ModelError> {
        let models = self.names().await?;
        let details = self.show(model).await.ok();
        let is_listed = models.iter().any(|name| is_same(name, model));
        Ok(ModelDescription {
            // A model of Ollama's cloud need not be listed.
            is_known: Some(is_listed || (is_cloud_name(model) && details.is_some())),
            thinks: details.as_ref().and_then(Details::thinks),
            tools: details.map(|details| details.tools()).unwrap_or_default(),
            context: self.loaded_context(model).await.map(u64::from),
            models,
        })
    }

    pub(super) async fn show(&self, model: &str) -> Result<Details, ModelError> {
        let url = http::endpoint(&self.base_url, "/api/show")?;
        let body = http::body_of(&json!({"model": model}))?;
        self.fetch(Request::post(API, url, body, Framing::Whole))
            .await
    }

    /// Whether the model runs on this server and supports tools; false if the server cannot
    /// describe it.
    pub(crate) async fn calls_tools(&self, model: &Installed) -> bool {
        model.is_local() && self.support(model).await.calls_tools()
    }

    /// What the server reports about the model.
    pub(crate) async fn support(&self, model: &Installed) -> ModelSupport {
        match self.show(&model.name).await {
            Ok(details) => {
                let host = details.remote_host.as_deref().unwrap_or_default();
                ModelSupport {
                    is_local: model.is_local() && host.is_empty(),
                    tools: details.tools(),
                }
            }
            Err(_) => ModelSupport::default(),
        }
    }

    /// The names of the models that run on this server and support tools, smallest first.
    pub(crate) async fn tool_callers(&self) -> Result<Vec<String>, ModelError> {
        let mut names = Vec::new();
        for model in self.installed().await?.into_iter().take(MAX_ASKED) {
            if self.calls_tools(&model).await {
                names.push(model.name);
            }
        }
        Ok(names)
    }

    /// The server's text at its root: "Ollama is running".
    pub(super) async fn greeting(&self) -> Result<String, ModelError> {
        let request = Request::get(API, http::endpoint(&self.base_url, "/")?);
        let request = authorize(request, self.api_key.as_ref());
        self.transport.fetch(&request).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ModelError> {
        let url = http::endpoint(&self.base_url, path)?;
        self.fetch(Request::get(API, url)).await
    }

    async fn fetch<T: DeserializeOwned>(&self, request: Request) -> Result<T, ModelError> {
        let request = authorize(request, self.api_key.as_ref());
        self.transport.fetch_as(&request).await
    }
}

/// Adds the key that a proxy before the server may require.
pub(super) fn authorize(request: Request, api_key: Option<&Secret>) -> Request {
    match api_key {
        Some(key) => request.with_header("authorization", format!("Bearer {}", key.reveal())),
        None => request,
    }
}
