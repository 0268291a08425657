//! Opens any model by its name: a provider's, a recording, or the local command engine.
//!
//! `haft-models` knows the providers and `haft-command` is the engine; this crate is the lowest one
//! that depends on both.

use std::sync::Arc;

use haft_command::Builtin;
use haft_core::{ChatModel, ModelError};
use haft_models::{ModelSettings, ModelSpec};

/// Opens the model that `spec` names. No server is asked: whether the model is there shows when it
/// is used.
///
/// # Errors
///
/// Those of [`haft_models::open_model`]. [`ModelSpec::Builtin`] needs nothing and fails only when
/// its traffic is to be recorded, since it has none.
///
/// ```
/// use haft_agent::open_model;
/// use haft_models::{ModelSettings, ModelSpec};
///
/// let model = open_model(&ModelSpec::Builtin, &ModelSettings::default())?;
/// assert_eq!(model.id(), "builtin");
/// # Ok::<_, haft_core::ModelError>(())
/// ```
pub fn open_model(
    spec: &ModelSpec,
    settings: &ModelSettings,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    match spec {
        ModelSpec::Builtin if settings.record.is_none() => Ok(Arc::new(Builtin::new())),
        spec => haft_models::open_model(spec, settings),
    }
}
