//! Models in files of this machine (`local:FILE`), run by llama.cpp inside the process.
//!
//! `gguf.rs` reads what a file tells about its model, `file.rs` checks that it is whole and fits.
//! The feature `local` adds the rest: `chat.rs` is the chat model, `template.rs` renders a
//! conversation with the file's chat template, `engine.rs` runs the model on a thread of its own,
//! `written.rs` puts the text of its tokens together. Without the feature a spec is still read, and
//! opening its model says how to get a haft with the engine.

#[cfg(feature = "local")]
mod chat;
#[cfg(feature = "local")]
mod engine;
#[cfg(any(feature = "local", test))]
mod file;
#[cfg(any(feature = "local", test))]
mod gguf;
#[cfg(feature = "local")]
mod template;
#[cfg(any(feature = "local", test))]
mod written;

use std::path::Path;
use std::sync::Arc;

use haft_core::{ChatModel, ModelError};

use crate::settings::ModelSettings;

/// Opens the model in a file. It is loaded when it is asked first.
///
/// # Errors
///
/// [`Configuration`](haft_core::ModelErrorKind::Configuration) if the file is not a whole model or
/// does not fit into memory, [`ModelNotFound`](haft_core::ModelErrorKind::ModelNotFound) if there is
/// no such file.
#[cfg(feature = "local")]
pub(crate) fn open(
    path: &Path,
    settings: &ModelSettings,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    Ok(Arc::new(chat::ChatLocal::open(path, settings)?))
}

/// Says how to get a haft with the engine.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "local"))]
pub(crate) fn open(path: &Path, _: &ModelSettings) -> Result<Arc<dyn ChatModel>, ModelError> {
    let message = format!(
        "This haft has no engine of its own, so it cannot run {}",
        path.display()
    );
    Err(
        ModelError::new(haft_core::ModelErrorKind::Unsupported, message).with_hint(
            "get a haft with the engine: `cargo install --path crates/haft-cli --features local`, \
             or serve the file with `llama-server -m \
             FILE` and name openai:NAME@http://127.0.0.1:8080/v1",
        ),
    )
}

#[cfg(all(test, not(feature = "local")))]
mod tests;
