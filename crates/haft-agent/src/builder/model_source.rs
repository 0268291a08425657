//! How the model of an agent is given.

use std::sync::Arc;

use haft_core::ChatModel;

/// A model, by name or as a value.
#[derive(Clone, Debug)]
pub enum ModelSource {
    /// A name such as `ollama:qwen3:0.6b`; see [`ModelSpec`](haft_models::ModelSpec).
    Name(String),
    /// A model that is already open.
    Model(Arc<dyn ChatModel>),
}

impl From<&str> for ModelSource {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for ModelSource {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<Arc<dyn ChatModel>> for ModelSource {
    fn from(model: Arc<dyn ChatModel>) -> Self {
        Self::Model(model)
    }
}

impl<M: ChatModel + 'static> From<Arc<M>> for ModelSource {
    fn from(model: Arc<M>) -> Self {
        Self::Model(model)
    }
}
