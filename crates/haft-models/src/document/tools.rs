//! The client's tools as the client wrote them, with only those parts replaced that haft changes: a
//! name that the server does not accept, or a text with tokens of chat templates.
//!
//! Clients repeat their tools in each request, so edited lists are cached.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use haft_core::ModelError;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::raw;

/// The maximum number of cached lists.
const LISTS: usize = 32;

/// The maximum size of a cached list in bytes.
const LONGEST: usize = 256 * 1024;

/// A tool on a wire.
pub(crate) trait OwnTool: Serialize {
    /// Its name on the wire.
    fn name(&self) -> &str;

    /// The tool as its client describes it in `source`, with haft's name, description and schema
    /// where they differ. `None` if `source` is another tool; `original` is its name there.
    fn edit(&self, original: &str, source: &Value) -> Option<Value>;
}

/// Lists that were edited before.
pub(crate) struct EditedTools<T>(OnceLock<Mutex<VecDeque<Known<T>>>>);

struct Known<T> {
    own: Weak<[T]>,
    source: Arc<str>,
    edited: Arc<RawValue>,
}

impl<T: OwnTool> EditedTools<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The tools in `own`, each as the client wrote it in `source`. `original` maps a name on the
    /// wire to the client's name.
    ///
    /// # Errors
    ///
    /// [`Configuration`](haft_core::ModelErrorKind::Configuration) if a tool cannot be serialized.
    pub(crate) fn of(
        &self,
        own: &Arc<[T]>,
        source: &RawValue,
        original: impl Fn(&str) -> String,
    ) -> Result<Arc<RawValue>, ModelError> {
        let lock = || {
            let known = self.0.get_or_init(Mutex::default).lock();
            known.unwrap_or_else(PoisonError::into_inner)
        };
        // The `Weak` reference keeps the allocation, so no other list can have this address.
        let is_it = |known: &&Known<T>| {
            std::ptr::addr_eq(known.own.as_ptr(), Arc::as_ptr(own))
                && *known.source == *source.get()
        };
        if let Some(known) = lock().iter().find(is_it) {
            return Ok(known.edited.clone());
        }
        let edited: Arc<RawValue> = edited_tools(own, source, original)?.into();
        if source.get().len() <= LONGEST {
            let mut known = lock();
            known.truncate(LISTS - 1);
            known.push_front(Known {
                own: Arc::downgrade(own),
                source: source.get().into(),
                edited: edited.clone(),
            });
        }
        Ok(edited)
    }
}

/// The tools in `own`, each as the client wrote it in `source`.
///
/// # Errors
///
/// [`Configuration`](haft_core::ModelErrorKind::Configuration) if a tool cannot be serialized.
pub(crate) fn edited_tools<T: OwnTool>(
    own: &[T],
    source: &RawValue,
    original: impl Fn(&str) -> String,
) -> Result<Box<RawValue>, ModelError> {
    let sources: Vec<&RawValue> = serde_json::from_str(source.get()).unwrap_or_default();
    let parsed: Vec<Value> = sources
        .iter()
        .map(|source| serde_json::from_str(source.get()).unwrap_or_default())
        .collect();
    let mut tools: Vec<Box<RawValue>> = Vec::with_capacity(own.len());
    for tool in own {
        let name = original(tool.name());
        let found = sources.iter().zip(&parsed).find_map(|(source, parsed)| {
            let edited = tool.edit(&name, parsed)?;
            Some((*source, edited == *parsed, edited))
        });
        tools.push(match found {
            Some((source, true, _)) => source.to_owned(),
            Some((_, false, edited)) => raw(&edited)?,
            None => raw(tool)?,
        });
    }
    raw(&tools)
}
