//! The events of a question, for traces, streams and logs.
//!
//! The loop in `haft-agent` is a stream of these events, and the only account of what it does: the
//! trace of `haft ask`, the gateway's streams and the counters all read it. Something that an
//! observer cannot see in an event needs a new event, not a way around the stream.
//!
//! The order within a question: for each request to the model [`Event::RoundStarted`], then
//! chunks, then for each call [`Event::ToolStarted`] and [`Event::ToolFinished`]. Calls run at the
//! same time, so their events interleave. Recovery and web search have events of their own. The
//! last event is [`Event::Done`] with the [`Answer`]; a question that fails ends with an error
//! instead.

use std::time::Duration;

use crate::{
    Answer, CallRepair, ChatChunk, Message, QuotedCall, Recovery, RecoveryStep, SearchReport,
    SearchVia, ToolCall, ToolMessage,
};

/// One event of a question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A request to the model starts.
    RoundStarted {
        /// The number of the request, from 1.
        round: u32,
        /// Names of the offered tools, in order.
        tools: Vec<String>,
    },
    /// A piece of the model's reply.
    Chunk(ChatChunk),
    /// A call for the client of a turn is complete, repaired and validated.
    CallAccepted {
        /// The call for the client.
        call: ToolCall,
        /// The repairs of its arguments.
        repairs: Vec<CallRepair>,
    },
    /// An accepted call is withdrawn: the end of the reply showed that it is not a call, or a
    /// different one.
    CallRetracted {
        /// Its index among the accepted calls that are left, from 0.
        place: usize,
    },
    /// The model quoted a call from a text in its conversation. The call is not run and stays in
    /// the reply as text.
    QuotedCall(QuotedCall),
    /// A call starts to run.
    ToolStarted {
        /// The call as the model wrote it.
        call: ToolCall,
    },
    /// A call has a result, whether it was run or not.
    ToolFinished(ToolReport),
    /// This message was added to the conversation.
    Message(Message),
    /// The text of the latest reply is withdrawn: nobody looked it up, or it contradicts what was
    /// looked up. The message that follows has the text in place of it.
    TextWithdrawn {
        /// What the model wrote.
        text: String,
    },
    /// A recovery step starts because a reply or a call is not usable.
    RecoveryStarted {
        /// The step.
        step: RecoveryStep,
        /// The reason, as a phrase for people.
        reason: String,
    },
    /// The result of a recovery step.
    RecoveryFinished(Recovery),
    /// Only some of the tools are bound to this question.
    ToolsChosen {
        /// Names of the bound tools, in order.
        bound: Vec<String>,
        /// Names of the other tools.
        left_out: Vec<String>,
        /// The detected intent, as a phrase for people.
        reason: String,
        /// An estimate of the tokens of definitions that each request saves.
        tokens_saved: u64,
    },
    /// A web search starts because the model could not answer.
    WebSearchStarted {
        /// The query as sent to the search engine.
        query: String,
        /// How the query is sent.
        via: SearchVia,
    },
    /// The result of a web search.
    WebSearchFinished(SearchReport),
    /// Parts of the conversation that are omitted or shortened because the model's context is too
    /// small, one phrase each.
    LeftOut(Vec<String>),
    /// The answer; always the last item of a stream that did not fail.
    Done(Box<Answer>),
}

/// The result of one tool call.
#[derive(Clone, Debug)]
pub struct ToolReport {
    /// The call with the arguments as passed to the tool.
    pub call: ToolCall,
    /// The message that the model reads.
    pub message: ToolMessage,
    /// The running time of the tool.
    pub duration: Duration,
    /// The changes made to the arguments before the tool ran, one sentence each.
    pub coercions: Vec<String>,
}
