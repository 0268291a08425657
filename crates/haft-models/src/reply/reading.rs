//! What must be known of the bound tools to read a reply.

use std::sync::Arc;

use haft_extract::{ExtractOptions, ToolSet, bound_name};

use crate::bound::BoundTools;
use crate::hint::TemplateHint;
use crate::names::WireNames;

/// How one reply is read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The names that native calls use.
    pub(crate) names: Arc<WireNames>,
    /// The tools that may be called.
    pub(crate) tools: ToolSet,
    /// How calls are found in the text; none where text is just text. That a reply starts inside
    /// thinking is a guess.
    pub(crate) text: Option<ExtractOptions>,
    /// Where the guess is from.
    pub(crate) hint: Arc<TemplateHint>,
    /// False when no call was asked for: what the text holds of calls is left out then.
    pub(crate) allows_calls: bool,
}

impl Reading {
    /// Native calls of the bound tools alone.
    pub(crate) fn native(bound: &BoundTools) -> Self {
        Self {
            names: Arc::clone(&bound.names),
            tools: bound.set.clone(),
            text: None,
            hint: Arc::default(),
            allows_calls: true,
        }
    }

    /// The tool that a native call means, under its own name. A name that is no tool's stays.
    pub(super) fn own_name<'a>(&'a self, wire_name: &'a str) -> &'a str {
        let name = self.names.original(wire_name);
        bound_name(&self.tools, name).unwrap_or(name)
    }
}
