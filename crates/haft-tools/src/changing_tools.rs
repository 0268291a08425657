//! Tools that come and go while a program runs.

use std::fmt;
use std::sync::Arc;

use haft_core::Tool;

/// The tools of servers, whose lists may change at any time, as of one moment.
///
/// The collection does not know what such a server is; the crate `haft-mcp` implements this for
/// the servers of a configuration. A value never changes: what the servers list later is in the
/// value that [`refreshed`](Self::refreshed) returns.
pub trait ChangingTools: fmt::Debug + Send + Sync {
    /// The tools of that moment, under the names that models know them by.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;

    /// The tools of now, beside other tools of the names `taken`; none where nothing changed.
    ///
    /// In a conversation tools are only added, because model servers keep the prompt that begins
    /// with them: what is gone stays, and its calls answer that it is gone. Where a conversation
    /// `begins`, it is left out.
    fn refreshed(&self, taken: &[&str], begins: bool) -> Option<Arc<dyn ChangingTools>>;
}
