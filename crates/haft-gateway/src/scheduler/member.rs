//! One upstream in use: its server, its opened models, and the list of its models.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_core::{ChatModel, ModelError, ModelErrorKind};
use haft_models::{ModelServer, OpenedModel, PassThrough, PassThroughApi, ServerKind};
use tokio::time::{Instant, timeout};

use super::Upstream;

/// The maximum number of opened models. They are kept because they learn about the server; names
/// that clients make up must not fill the memory.
const KEPT: usize = 64;

/// How long a server may take to list its models before it is ignored.
const LISTING: Duration = Duration::from_secs(5);

/// What is known about the models of a server.
#[derive(Debug, Default)]
struct Known {
    /// The names of its models; `None` until the server has listed them.
    models: Option<Vec<String>>,
    /// The names of the models in memory; `None` if the server does not report them.
    loaded: Option<Vec<String>>,
    asked: Option<Instant>,
}

/// Whether an upstream has a model.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Has {
    /// The upstream has the model.
    Yes,
    /// The upstream does not have the model.
    No,
    /// The upstream has not listed its models yet.
    Unknown,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: Arc<str>,
    server: ModelServer,
    /// See [`ModelServer::answers_in_one_piece`].
    pub(super) in_one_piece: bool,
    only: Vec<String>,
    aliases: BTreeMap<String, String>,
    is_fallback: bool,
    open: Mutex<HashMap<String, OpenedModel>>,
    known: Mutex<Known>,
    /// Locked while the server is asked, so that it is asked only once.
    asking: tokio::sync::Mutex<()>,
}

impl Member {
    pub(super) fn new(upstream: Upstream) -> Self {
        Self {
            name: upstream.name.into(),
            in_one_piece: upstream.server.answers_in_one_piece(),
            server: upstream.server,
            only: upstream.models,
            aliases: upstream.aliases,
            is_fallback: upstream.fallback,
            open: Mutex::default(),
            known: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn server(&self) -> &ModelServer {
        &self.server
    }

    pub(crate) fn is_ollama(&self) -> bool {
        self.server.kind() == ServerKind::Ollama
    }

    /// Whether it accepts any model name: the only server, unless configured otherwise.
    pub(super) fn takes_any(&self) -> bool {
        self.only.is_empty() && self.aliases.is_empty()
    }

    /// Whether conversations are sent here with a stable beginning. Anthropic's own API reads the
    /// line that would be removed, and other hosted APIs receive what the client wrote unless the
    /// settings or the request say otherwise.
    pub(super) fn takes_stable_prefix(&self, asked: Option<bool>) -> bool {
        !self.server.is_anthropics_own() && asked.unwrap_or_else(|| self.server.is_near())
    }

    /// The server's own name for the model.
    pub(crate) fn real_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// The name of the model that answers for `name`, if it is a different model: an alias is the
    /// same model unless the upstream is only a substitute.
    pub(super) fn stands_in<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let real = self.real_name(name);
        (self.is_fallback && !is_same(real, name)).then_some(real)
    }

    /// The names that clients use for a model of this server: its own, and its aliases.
    pub(crate) fn names_of<'a>(&'a self, real: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.offers(real).then_some(real);
        let aliases = self.aliases.iter();
        let aliases = aliases.filter(move |(_, target)| is_same(target, real));
        own.into_iter()
            .chain(aliases.map(|(alias, _)| alias.as_str()))
    }

    pub(super) fn has(&self, name: &str) -> Has {
        if self.aliases.contains_key(name) {
            return Has::Yes;
        }
        if !self.offers(name) {
            return Has::No;
        }
        match &self.known().models {
            Some(models) if models.iter().any(|model| is_same(model, name)) => Has::Yes,
            Some(_) => Has::No,
            // Configured models are assumed to exist until the server has listed its models.
            None if self.only.iter().any(|only| is_same(only, name)) => Has::Yes,
            None => Has::Unknown,
        }
    }

    /// Whether the configuration offers this model to clients.
    fn offers(&self, name: &str) -> bool {
        let fits = |only: &String| match only.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => is_same(only, name),
        };
        self.only.is_empty() || self.only.iter().any(fits)
    }

    /// Whether the model is in memory, as far as is known.
    pub(super) fn is_loaded(&self, name: &str) -> bool {
        let real = self.real_name(name);
        let known = self.known();
        let loaded = known.loaded.as_ref();
        loaded.is_none_or(|loaded| loaded.iter().any(|model| is_same(model, real)))
    }

    /// Records that the upstream has just answered with this model, so that it is in memory.
    pub(crate) fn note_loaded(&self, name: &str) {
        let real = self.real_name(name);
        if let Some(loaded) = &mut self.known().loaded
            && loaded.len() < KEPT
            && !loaded.iter().any(|model| is_same(model, real))
        {
            loaded.push(real.to_owned());
        }
    }

    /// The known models under the names that clients use.
    pub(super) fn names(&self) -> Vec<String> {
        let known = self.known();
        let models = known.models.iter().flatten();
        models
            .flat_map(|model| self.names_of(model))
            .map(str::to_owned)
            .collect()
    }

    /// The time since the server was last asked for its models, if it was.
    pub(super) fn age(&self) -> Option<Duration> {
        self.known().asked.map(|asked| asked.elapsed())
    }

    /// The model of this name; opened once, so that what it learns about the server is kept.
    pub(super) fn model(&self, name: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(self.opened(name)?.model)
    }

    /// The pass-through for this model and API, if there is one; `None` under an alias, because the
    /// reply would contain the server's own name.
    pub(crate) fn pass_through(&self, name: &str, api: PassThroughApi) -> Option<Arc<PassThrough>> {
        let is_own = self.real_name(name) == name;
        let opened = is_own.then(|| self.opened(name).ok())??;
        let mut pass_through = opened.pass_through.into_iter();
        pass_through.find(|one| one.api() == api)
    }

    fn opened(&self, name: &str) -> Result<OpenedModel, ModelError> {
        let name = self.real_name(name);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = open.get(name) {
            return Ok(opened.clone());
        }
        let opened = self.server.open_with_pass_through(name)?;
        if open.len() >= KEPT {
            open.clear();
        }
        open.insert(name.to_owned(), opened.clone());
        Ok(opened)
    }

    /// Requests the list of models, unless that was done within `age`.
    pub(super) async fn learn(&self, age: Duration) -> Result<(), ModelError> {
        let _asking = self.asking.lock().await;
        if self.age().is_some_and(|known| known <= age) {
            return Ok(());
        }
        let asked = async { tokio::join!(self.server.models(), self.server.loaded()) };
        let listed = timeout(LISTING, asked).await;
        let mut known = self.known();
        known.asked = Some(Instant::now());
        let (models, loaded) = listed.map_err(|_| self.too_slow())?;
        known.models = Some(models?);
        known.loaded = loaded.unwrap_or_default();
        Ok(())
    }

    /// Asks the server something other than a conversation, with the timeout of a list.
    pub(crate) async fn ask<T>(
        &self,
        question: impl Future<Output = Result<T, ModelError>>,
    ) -> Result<T, ModelError> {
        timeout(LISTING, question)
            .await
            .unwrap_or_else(|_| Err(self.too_slow()))
    }

    fn too_slow(&self) -> ModelError {
        let (name, wait) = (&self.name, LISTING.as_secs());
        let message = format!("The model server {name} did not list its models within {wait} s");
        ModelError::new(ModelErrorKind::Timeout, message)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two names mean the same model: Ollama adds `latest` to a name without a tag.
pub(crate) fn is_same(name: &str, other: &str) -> bool {
    let bare = |name: &str| name.strip_suffix(":latest").map(str::to_owned);
    name == other || bare(name).as_deref() == Some(other) || bare(other).as_deref() == Some(name)
}

#[cfg(test)]
mod tests;
