//! The names of models as label values: only real models, and a limited number of them.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use crate::scheduler::Upstreams;

/// The maximum number of different names; further models share the label `other`.
const MOST: usize = 64;

/// The label of models that no upstream has, and of those beyond the limit.
const OTHER: &str = "other";

/// The names that are used as label values so far.
#[derive(Debug)]
pub(super) struct ModelNames {
    names: RwLock<HashSet<Arc<str>>>,
    other: Arc<str>,
}

impl Default for ModelNames {
    fn default() -> Self {
        Self {
            names: RwLock::default(),
            other: OTHER.into(),
        }
    }
}

impl ModelNames {
    /// The label of the model that a client named: its name if an upstream lists the model, or,
    /// where no list is known, if the upstream has `answered` for it.
    pub(super) fn label(&self, name: &str, upstreams: &Upstreams, answered: bool) -> Arc<str> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return known.clone();
        }
        let is_full = names.len() >= MOST;
        drop(names);
        if is_full || !upstreams.lists(name).unwrap_or(answered) {
            return self.other.clone();
        }
        let name: Arc<str> = name.into();
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.clone());
        name
    }
}
