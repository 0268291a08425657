//! What was observed of a reply that passes through.

use haft_core::Usage;

use crate::ollama::prompt::Prompt;

/// How an event is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// It has no content.
    Silent,
    /// It has content, or ends the model's output.
    Says,
    /// It is not passed on to the client.
    LeftOut,
    /// It ends the reply.
    End,
}

/// Everything observed so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) usage: Usage,
    /// Calls that have begun.
    pub(crate) calls: usize,
    /// There was an event of the wire.
    pub(crate) is_begun: bool,
    /// The model has said something.
    pub(crate) has_said: bool,
    /// It is complete as far as the model is concerned; a mark of its end may follow.
    pub(crate) is_finished: bool,
    /// The client does not want to know how many tokens there were.
    pub(crate) leaves_out_usage: bool,
    /// What the server was asked.
    pub(crate) prompt: Prompt,
}
