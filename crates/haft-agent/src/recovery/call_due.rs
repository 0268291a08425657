//! Whether a question calls for a tool.

use std::fmt;
use std::sync::Arc;

use haft_core::Tool;

/// Tells from a question and the bound tools whether a call is surely due.
///
/// A wrong yes costs a request, in which the model may still say that it needs no tool; so say
/// yes only with confidence.
///
/// ```
/// use haft_agent::CallDue;
///
/// let due = CallDue::new(|question, tools| !tools.is_empty() && question.starts_with("Turn "));
/// assert!(!due.is_due("Turn on the light", &[]));
/// ```
#[derive(Clone)]
pub struct CallDue(Arc<Predicate>);

type Predicate = dyn Fn(&str, &[Arc<dyn Tool>]) -> bool + Send + Sync;

impl CallDue {
    /// What this function says.
    #[must_use]
    pub fn new(predicate: impl Fn(&str, &[Arc<dyn Tool>]) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(predicate))
    }

    /// True when the question surely calls for one of the tools.
    #[must_use]
    pub fn is_due(&self, question: &str, tools: &[Arc<dyn Tool>]) -> bool {
        self.0(question, tools)
    }
}

impl fmt::Debug for CallDue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallDue")
    }
}
