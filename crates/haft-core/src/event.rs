//! What happens during a query, for everyone who watches: traces, streams, records.

use std::time::Duration;

use crate::{
    Answer, ChatChunk, Mend, Message, Recovery, Rung, SearchReport, SearchVia, ToolCall,
    ToolMessage,
};

/// One step of a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The model is about to be asked.
    RoundStarted {
        /// Which time, from 1.
        round: u32,
        /// Names of the tools that it is offered this time, in order.
        tools: Vec<String>,
    },
    /// A piece of the model's reply.
    Chunk(ChatChunk),
    /// A call for the client of a turn is complete, mended and checked: it goes out at once.
    CallAccepted {
        /// The call as the client is to get it.
        call: ToolCall,
        /// What was changed in its arguments.
        mends: Vec<Mend>,
    },
    /// The reply's end takes back a call that was accepted: the model only thought of it, or meant
    /// another one.
    CallTakenBack {
        /// Its place among the accepted calls that stand, from 0.
        place: usize,
    },
    /// A call was accepted and begins to run.
    ToolStarted {
        /// The call as the model made it.
        call: ToolCall,
    },
    /// A call was answered, run or not.
    ToolFinished(ToolReport),
    /// The conversation grew by this message.
    Message(Message),
    /// A reply, or a call, was no use, and something is done about it.
    RecoveryStarted {
        /// What is done.
        rung: Rung,
        /// Why, in a phrase for whoever watches.
        reason: String,
    },
    /// How that went.
    RecoveryFinished(Recovery),
    /// Not all tools are bound to this question.
    ToolsChosen {
        /// Names of those that are, in order.
        bound: Vec<String>,
        /// Names of those that are not.
        left_out: Vec<String>,
        /// What the question was taken for, in a phrase for whoever watches.
        reason: String,
        /// About how many tokens of definitions every request is spared.
        tokens_saved: u64,
    },
    /// A query is about to leave the machine, because the model did not know.
    WebSearchStarted {
        /// The words that are sent.
        query: String,
        /// By which way.
        via: SearchVia,
    },
    /// How that went.
    WebSearchFinished(SearchReport),
    /// What the model is not shown any more, or not all of, because its context is too small: a
    /// phrase each.
    LeftOut(Vec<String>),
    /// The query is over; always the last item of a stream that did not fail.
    Done(Box<Answer>),
}

/// How one call went.
#[derive(Clone, Debug)]
pub struct ToolReport {
    /// The call with the arguments that the tool was given.
    pub call: ToolCall,
    /// What the model reads.
    pub message: ToolMessage,
    /// From the start of the tool to its result.
    pub duration: Duration,
    /// What was changed in the arguments before the tool saw them, a sentence each.
    pub coercions: Vec<String>,
}
