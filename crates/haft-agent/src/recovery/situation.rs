//! The moments of a question at which a recovery step may be needed.

use std::borrow::Cow;

use haft_core::{AiMessage, RecoveryStep};

use super::call_history::CallRound;
use crate::model_requests::ModelRequest;

/// Why a step is needed, as a phrase for people: it is in the event and in the log.
pub(crate) type Cause = Cow<'static, str>;

/// A moment of a question at which something may be wrong.
#[derive(Debug)]
pub(crate) enum Situation<'a> {
    /// The model is about to be asked for the next round.
    RoundAhead,
    /// The model replied to this request. An empty reply has no text and no call, although it
    /// should.
    Reply {
        reply: &'a AiMessage,
        request: &'a ModelRequest,
        is_empty: bool,
        /// A structured answer follows, and the text of the reply is dropped.
        is_draft: bool,
    },
    /// The reply has calls, which have not run yet.
    Calls(&'a CallRound<'a>),
    /// The reply to this request has calls that a client which runs its own tools cannot use.
    ClientCalls {
        reply: &'a AiMessage,
        request: &'a ModelRequest,
        errors: &'a [String],
    },
}

/// A step that is needed in a situation.
#[derive(Debug)]
pub(crate) struct Need<'a> {
    pub(super) step: RecoveryStep,
    pub(super) cause: Cause,
    pub(super) situation: &'a Situation<'a>,
}
