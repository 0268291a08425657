//! Builds the model that a recording was made with.

use std::path::Path;
use std::sync::Arc;

use haft_core::{ChatModel, ModelError, ModelErrorKind};
use haft_extract::BareCalls;

use super::{Cassette, Recorded};
use crate::http::Transport;
use crate::providers::PROVIDERS;

/// Opens the model of a recording, which answers only from the recording. Its settings are those of
/// the first recorded request, so that the same conversation leads to the same requests.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] if the file is not a recording, or mixes kinds of servers.
pub fn open_replay(path: impl AsRef<Path>) -> Result<Arc<dyn ChatModel>, ModelError> {
    replay_model(path.as_ref(), BareCalls::default())
}

/// Opens a recording with a setting that cannot be read from recorded requests.
pub(crate) fn replay_model(
    path: &Path,
    bare_calls: BareCalls,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    let cassette = Cassette::load(path)?;
    let wrong = |what: &str| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("The recording {} {what}", path.display()),
        )
        .with_hint("record one kind of server per file")
    };
    let Some(first) = cassette.exchanges().next().cloned() else {
        return Err(wrong("is empty"));
    };
    if cassette.exchanges().any(|other| other.api != first.api) {
        return Err(wrong("mixes different kinds of servers"));
    }
    let mut providers = PROVIDERS.iter();
    let Some(provider) = providers.find(|provider| provider.about().api.name == first.api) else {
        return Err(wrong(&format!("is of an unknown kind: \"{}\"", first.api)));
    };
    Ok(provider.replay(&Recorded {
        first: &first,
        transport: Transport::replay(Arc::new(cassette)),
        id: format!("replay:{}", path.display()),
        bare_calls,
    }))
}

#[cfg(test)]
mod tests;
