//! The model servers behind the gateway: those named by flags, else those of `haft.toml`, else the
//! local one.

use futures_util::future::join_all;
use haft::ModelError;
use haft::gateway::Upstream;
use haft::models::{ModelServer, ModelSettings, ServerKind};

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::settings::{Settings, UpstreamSettings};

/// The names of a server's models, or the error.
pub(super) type Models = Result<Vec<String>, ModelError>;

/// The servers named by flags and settings.
pub(super) async fn find(
    arguments: &ServeArgs,
    settings: &Settings,
) -> Result<Vec<Upstream>, Failure> {
    let mut model_settings = settings.for_models();
    if let Some(timeout) = arguments.idle_timeout {
        model_settings.limits.first_byte = timeout;
        model_settings.limits.idle = timeout;
    }
    let named = &arguments.upstream;
    if !named.is_empty() {
        let servers = named
            .iter()
            .map(|url| detect(url, &model_settings, named.len()));
        let servers = join_all(servers).await.into_iter();
        return servers.map(|server| Ok(server?.into())).collect();
    }
    if let Some(upstreams) = &settings.upstreams.value {
        let found = upstreams
            .iter()
            .map(|upstream| configured(upstream, &model_settings, upstreams.len()));
        return join_all(found).await.into_iter().collect();
    }
    Ok(vec![local(&model_settings).await?.into()])
}

/// Requests the models of all upstreams.
pub(super) async fn look(found: &[Upstream]) -> Vec<Models> {
    join_all(found.iter().map(|upstream| upstream.server.models())).await
}

/// The error if no upstream answers. One that is loading its model does.
pub(super) fn failure(seen: Vec<Models>) -> Option<ModelError> {
    let away = |models: Models| models.err().filter(|error| !is_loading(error)).ok_or(());
    let errors: Result<Vec<ModelError>, ()> = seen.into_iter().map(away).collect();
    errors.ok()?.into_iter().next()
}

/// Whether a server is there and not ready yet: llama.cpp's answers with status 503 while it loads
/// its model (`ggml-org/llama.cpp: tools/server/README.md`).
pub(super) fn is_loading(error: &ModelError) -> bool {
    error.status() == Some(503)
}

async fn detect(url: &str, settings: &ModelSettings, count: usize) -> Result<ModelServer, Failure> {
    ModelServer::detect(url, settings).await.map_err(|error| {
        let failure = Failure::from(error);
        if count > 1 {
            return failure.with_hint(
                "start it, or say what it speaks so that haft can start without it: \
                 ollama:URL, openai:URL or anthropic:URL",
            );
        }
        failure
    })
}

async fn configured(
    entry: &UpstreamSettings,
    settings: &ModelSettings,
    count: usize,
) -> Result<Upstream, Failure> {
    let mut settings = settings.clone();
    // The keys in the environment are for the provider in their name, not for every server.
    let key = entry.key()?;
    settings.set_every_key(key.as_ref());
    let mut upstream = Upstream::from(detect(&entry.url, &settings, count).await?);
    if let Some(name) = &entry.name {
        upstream.name.clone_from(name);
    }
    upstream.models.clone_from(&entry.models);
    upstream.aliases.clone_from(&entry.aliases);
    upstream.max_in_flight = entry.max_in_flight;
    upstream.fallback = entry.fallback;
    Ok(upstream)
}

/// Ollama, else the OpenAI-compatible server of the settings.
async fn local(settings: &ModelSettings) -> Result<ModelServer, Failure> {
    let ollama = ModelServer::detect(settings.url(ServerKind::Ollama), settings).await;
    match (ollama, &settings.server(ServerKind::OpenAi).url) {
        (Ok(server), _) => Ok(server),
        (Err(_), Some(url)) => Ok(ModelServer::detect(url, settings).await?),
        (Err(error), None) => Err(Failure::from(error)
            .with_hint("start a model server (https://ollama.com), or name one with --upstream")),
    }
}
