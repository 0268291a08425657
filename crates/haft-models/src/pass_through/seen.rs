//! What is noticed of a reply that passes.

use haft_core::Usage;

use crate::ollama::prompt::Prompt;

/// What an event is to whoever hands it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// It says nothing by itself.
    Silent,
    /// The model says something, or has come to its end.
    Says,
    /// It is not for the client.
    LeftOut,
    /// It ends the reply.
    End,
}

/// All that is known of a reply so far.
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
