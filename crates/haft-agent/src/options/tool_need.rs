//! Detects questions that need a tool call.

use std::fmt;
use std::sync::Arc;

use haft_core::Tool;

/// Decides from a question and the tools whether the question needs a tool call.
///
/// A false positive costs one more request, in which the model may still answer that it needs no
/// tool. Return true only with confidence.
///
/// ```
/// use haft_agent::ToolNeedDetector;
///
/// let due = ToolNeedDetector::new(|question, tools| !tools.is_empty() && question.starts_with("Turn "));
/// assert!(!due.needs_tool("Turn on the light", &[]));
/// ```
#[derive(Clone)]
pub struct ToolNeedDetector(Arc<Predicate>);

type Predicate = dyn Fn(&str, &[Arc<dyn Tool>]) -> bool + Send + Sync;

impl ToolNeedDetector {
    /// A detector that calls this function.
    #[must_use]
    pub fn new(predicate: impl Fn(&str, &[Arc<dyn Tool>]) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(predicate))
    }

    /// True when the question needs one of the tools.
    #[must_use]
    pub fn needs_tool(&self, question: &str, tools: &[Arc<dyn Tool>]) -> bool {
        self.0(question, tools)
    }
}

impl fmt::Debug for ToolNeedDetector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ToolNeedDetector")
    }
}
