//! Tools whose list can change while the program runs.

use std::fmt;
use std::sync::Arc;

use haft_core::Tool;

/// A snapshot of the tools of servers whose lists can change at any time.
///
/// The collection does not know what such a server is; `haft-mcp` implements this trait for the
/// servers of a configuration. A value never changes: later changes are in the value that
/// [`refreshed`](Self::refreshed) returns.
pub trait ChangingTools: fmt::Debug + Send + Sync {
    /// The tools of this snapshot, under the names that models know them by.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;

    /// A snapshot of the current tools, with names that do not collide with those in `taken`;
    /// `None` if nothing changed.
    ///
    /// During a conversation tools are only added, because model servers cache the prompt, which
    /// begins with the tools: a removed tool stays in the list, and its calls return an error. When
    /// a conversation `begins`, removed tools are left out.
    fn refreshed(&self, taken: &[&str], begins: bool) -> Option<Arc<dyn ChangingTools>>;
}
