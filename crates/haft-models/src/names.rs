//! Tool names as the wires allow them, and the way back.
//!
//! Model APIs take `^[a-zA-Z0-9_-]{1,64}$` (OpenAI's and Anthropic's API references) and refuse
//! the whole request for one name outside of it, while MCP allows dots and 128 characters. The
//! table keeps both directions, so a wire name never has to be taken apart again.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use haft_core::{ModelError, ModelErrorKind, Tool};

/// The longest name that every wire takes.
const MAX_LENGTH: usize = 64;

/// The names of one bound set, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct WireNames {
    pairs: Vec<(String, String)>,
}

impl WireNames {
    /// Names every tool: by `lc_name` where it has one, else by `name`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] when two tools have the same name.
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Result<Self, ModelError> {
        let mut names = Self::default();
        for tool in tools {
            let original = tool.lc_name().unwrap_or_else(|| tool.name());
            if names.pairs.iter().any(|(_, known)| known == original) {
                return Err(ModelError::new(
                    ModelErrorKind::Configuration,
                    format!("Two tools are called \"{original}\""),
                )
                .with_hint("leave one of them out, or give it another name"));
            }
            let wire = names.free_wire_name(original);
            names.pairs.push((wire, original.to_owned()));
        }
        Ok(names)
    }

    /// The wire names in order.
    pub(crate) fn wire(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(wire, _)| wire.as_str())
    }

    /// The wire name of a tool; a name that is not bound is only made to fit.
    pub(crate) fn to_wire(&self, original: &str) -> String {
        self.pairs
            .iter()
            .find(|(_, known)| known == original)
            .map_or_else(|| fitting(original), |(wire, _)| wire.clone())
    }

    /// The tool that a wire name stands for; an unknown name stands for itself.
    pub(crate) fn original<'a>(&'a self, wire: &'a str) -> &'a str {
        self.pairs
            .iter()
            .find(|(known, _)| known == wire)
            .map_or(wire, |(_, original)| original)
    }

    /// A wire name that no earlier tool has. The suffix comes from the name itself, not from
    /// its place, so that it stays the same when tools are added.
    fn free_wire_name(&self, original: &str) -> String {
        let wire = fitting(original);
        if !self.pairs.iter().any(|(known, _)| *known == wire) {
            return wire;
        }
        let mut hasher = DefaultHasher::new();
        original.hash(&mut hasher);
        let suffix = format!("_{:08x}", hasher.finish() & 0xffff_ffff);
        let stem: String = wire.chars().take(MAX_LENGTH - suffix.len()).collect();
        stem + &suffix
    }
}

/// `name` with every forbidden character replaced and the rest cut off.
fn fitting(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .take(MAX_LENGTH)
        .collect()
}

#[cfg(test)]
mod tests;
