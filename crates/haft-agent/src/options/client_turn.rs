//! The options of a turn for a client that runs its own tools.

use std::collections::BTreeSet;
use std::sync::Arc;

use haft_core::{ClientDocument, QueueShare, RequestContext, ToolChoice};

/// The options of a turn for a client that runs its own tools; see
/// [`Agent::turn`](crate::Agent::turn).
///
/// Each call goes to the client as soon as it is complete, repaired and validated. Tools in
/// [`runs_here`](Self::runs_here) are the exception: they run in this process, in hidden rounds
/// that the client does not see.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClientTurn {
    /// Whether the reply may, must or must not call a tool.
    pub tool_choice: ToolChoice,
    /// Names of the tools that run in this process; the client runs all others.
    pub runs_here: BTreeSet<String>,
    /// Whether calls are repaired and validated; true by default. Otherwise they are passed on
    /// unchanged.
    pub checks: bool,
    /// Whose turn it is, where several users share model servers; `None` by default.
    pub queue_share: Option<QueueShare>,
    /// Whether a reply may make several calls; true by default. Otherwise the client gets the first
    /// one.
    pub parallel_calls: bool,
    /// The client's request as the client wrote it, of which a server of the same API is sent as
    /// much as possible.
    pub document: Option<Arc<ClientDocument>>,
    /// What is known about the client's request beside its content.
    pub context: Option<Arc<RequestContext>>,
}

impl Default for ClientTurn {
    fn default() -> Self {
        Self {
            tool_choice: ToolChoice::Auto,
            runs_here: BTreeSet::new(),
            checks: true,
            queue_share: None,
            parallel_calls: true,
            document: None,
            context: None,
        }
    }
}
