//! The model servers behind the gateway, and their models by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{ChatModel, ModelError};
use haft_models::ModelServer;

/// So many models are kept open: what was learned of a model is worth keeping, and names that
/// clients make up must not fill the memory.
const KEPT: usize = 64;

/// One model server.
#[derive(Debug)]
pub(crate) struct Upstream {
    server: ModelServer,
    open: Mutex<HashMap<String, Arc<dyn ChatModel>>>,
}

impl Upstream {
    pub(crate) fn new(server: ModelServer) -> Self {
        Self {
            server,
            open: Mutex::default(),
        }
    }

    pub(crate) fn server(&self) -> &ModelServer {
        &self.server
    }

    /// The model of this name; opened once, so that what it learns about the server stays.
    pub(crate) fn model(&self, name: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = open.get(name) {
            return Ok(model.clone());
        }
        let model = self.server.open(name)?;
        if open.len() >= KEPT {
            open.clear();
        }
        open.insert(name.to_owned(), model.clone());
        Ok(model)
    }
}
