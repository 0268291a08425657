//! Maps tool names to names that the wires allow, and back.
//!
//! Model APIs accept `^[a-zA-Z0-9_-]{1,64}$` (OpenAI's and Anthropic's API references) and reject
//! the whole request for one other name, while MCP allows dots and 128 characters. The table maps
//! both directions, so a wire name is never parsed.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use haft_core::{ModelError, ModelErrorKind, Tool};

/// The maximum length of a name on every wire.
const MAX_LENGTH: usize = 64;

/// The wire names of a bound set of tools, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct WireNames {
    pairs: Vec<(String, String)>,
}

impl WireNames {
    /// Creates the table from each tool's `lc_name`, or `name` if it has none.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if two tools have the same name.
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Result<Self, ModelError> {
        let mut names = Self::default();
        for tool in tools {
            let original = tool.lc_name().unwrap_or_else(|| tool.name());
            if names.pairs.iter().any(|(_, known)| known == original) {
                return Err(ModelError::new(
                    ModelErrorKind::Configuration,
                    format!("Two tools are called \"{original}\""),
                )
                .with_hint("remove or rename one of them"));
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

    /// The wire name of a tool; for an unbound name, the name with forbidden characters replaced.
    pub(crate) fn to_wire(&self, original: &str) -> String {
        self.pairs
            .iter()
            .find(|(_, known)| known == original)
            .map_or_else(|| fitting(original), |(wire, _)| wire.clone())
    }

    /// The tool name for a wire name; an unknown name is returned unchanged.
    pub(crate) fn original<'a>(&'a self, wire: &'a str) -> &'a str {
        self.pairs
            .iter()
            .find(|(known, _)| known == wire)
            .map_or(wire, |(_, original)| original)
    }

    /// A wire name that no earlier tool has. The suffix depends on the name, not on its position,
    /// so that it stays the same when tools are added.
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

/// `name` with forbidden characters replaced, cut to the maximum length.
fn fitting(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .take(MAX_LENGTH)
        .collect()
}

#[cfg(test)]
mod tests;
