//! The tools bound to a model, prepared once for all requests and replies.
//!
//! The encoded tools of each provider are in that provider's folder.

use std::sync::Arc;

use haft_core::{ModelError, Tool, ToolChoice};
use haft_extract::ToolSet;

use crate::names::WireNames;
use crate::offered::offered;

#[derive(Clone, Debug)]
pub(crate) struct BoundTools {
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) names: Arc<WireNames>,
    /// The tools as the parser of calls needs them.
    pub(crate) set: ToolSet,
}

impl BoundTools {
    /// Prepares `tools`.
    ///
    /// # Errors
    ///
    /// [`Configuration`](haft_core::ModelErrorKind::Configuration) if two tools have the same name.
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Result<Self, ModelError> {
        Ok(Self {
            names: Arc::new(WireNames::new(tools)?),
            set: ToolSet::new(tools),
            tools: tools.to_vec(),
        })
    }

    /// The tools that a request with this tool choice offers.
    pub(crate) fn offered(&self, choice: &ToolChoice) -> Vec<Arc<dyn Tool>> {
        let positions = offered(&self.tools, choice).into_iter();
        let tools = positions.filter_map(|position| self.tools.get(position));
        tools.cloned().collect()
    }
}

impl Default for BoundTools {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            names: Arc::default(),
            set: ToolSet::from_definitions([]),
        }
    }
}
