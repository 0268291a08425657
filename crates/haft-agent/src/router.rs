//! Router mode, for models that are too small to choose tools by themselves.
//!
//! A [`Router`] is a chat model with another one behind it. Each request goes to whoever can be
//! trusted with it:
//!
//! 1. The local command engine reads the question. What it understands whole it calls, and it puts
//!    the results into a sentence; the model is not asked.
//! 2. Where a tool is due that the engine does not know, `candidates` lists a few calls whose
//!    arguments are filled in from the question (`slots`). Where one is by far the nearest, it is
//!    made; else the model only chooses one of them, or none.
//! 3. Results of such calls are put into one sentence by the model, without tools.
//! 4. Everything else is a conversation: the model answers without tools.
//!
//! A call that the caller demands (`Required`, or one tool by name) is the model's as without a
//! router, unless the engine knows it.
//!
//! The agent loop does not know about it: to the loop a router is a model like any other. Which
//! models get a router is decided in `options/routing.rs`.

mod candidates;
mod conversation;
mod replies;
mod slots;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use haft_command::{Builtin, Proposal};
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Content, Generation, Message, ModelError,
    StopReason, Tool, ToolChoice, collect, generate,
};
use haft_select::{Intent, IntentClassifier, ToolChooser, ToolGroups};

use crate::grounding::Evidence;

use self::candidates::{Candidates, candidates};
use self::conversation::{failures, latest_question, open_question};
use self::replies::{call_with, reply_with, say};

/// Said to the model with the results of calls, in place of the agent's system message: a small
/// model follows one short instruction better than two.
const WRITE_SENTENCE: &str = "Answer the question in one short sentence with the result.";

/// Said to the model with the calls that it may choose from.
const CHOOSE: &str = "Choose the tool that answers the question, or none if no tool fits.";

/// Said in place of the model's own words where it could only guess.
const NO_TOOL: &str = "None of the tools here can do that or find it out, so I did nothing.";

/// A question that is knowledge or small talk with this probability is a conversation, whatever
/// else it may be.
const FREE_SHARE: f32 = 0.35;

/// The token limit of a reply without tools, if none is set: long replies of a tiny model ramble.
const MAX_TOKENS: u32 = 256;

/// A chat model that lets the command engine go first.
#[derive(Clone, Debug)]
pub(crate) struct Router {
    /// Without tools.
    model: Arc<dyn ChatModel>,
    bound: Arc<Bound>,
}

/// What is prepared once for a set of tools.
#[derive(Debug)]
struct Bound {
    engine: Builtin,
    chooser: ToolChooser,
    tools: Vec<Arc<dyn Tool>>,
}

impl Router {
    /// A router in front of this model, without tools.
    pub(crate) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self::with_tools(model, &[])
    }

    fn with_tools(model: Arc<dyn ChatModel>, tools: &[Arc<dyn Tool>]) -> Self {
        let bound = Bound {
            engine: Builtin::with_tools(tools),
            chooser: ToolChooser::new(ToolGroups::default(), tools.to_vec()),
            tools: tools.to_vec(),
        };
        Self {
            model,
            bound: Arc::new(bound),
        }
    }

    /// The reply where the engine has nothing to say.
    fn ask_model(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        if options.tool_choice == ToolChoice::None {
            return self.model.stream(messages, options);
        }
        let Some(question) = open_question(messages) else {
            return match failures(messages) {
                Some(sentence) => say(sentence),
                None => self.write_sentence(messages, options),
            };
        };
        match candidates(&question, &self.bound.chooser, &self.bound.tools) {
            Candidates::Clear(call) => call_with(call, messages),
            Candidates::Calls(tools) => self.choose(messages, options, &tools),
            Candidates::Missing(request) => say(request),
            Candidates::None if options.tool_choice == ToolChoice::OneOrNone => say(String::new()),
            Candidates::None => self.converse(messages, &question, options),
        }
    }

    /// An answer without tools, to questions that need none.
    fn converse(&self, messages: &[Message], question: &str, options: &CallOptions) -> ChatStream {
        if needs_lookup(question) {
            // The driver does not take a refusal for an answer.
            return reply_with(NO_TOOL.to_owned(), StopReason::Refusal);
        }
        self.without_tools(messages, options)
    }

    /// The call that the caller demands, from the model with all tools.
    fn demand(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        match self.model.bind_tools(&self.bound.tools) {
            Ok(model) => model.stream(messages, options),
            Err(error) => generate(move |_| async move { Err(error) }),
        }
    }

    /// One of these calls, or none, as the model chooses.
    fn choose(
        &self,
        messages: &[Message],
        options: &CallOptions,
        tools: &[Arc<dyn Tool>],
    ) -> ChatStream {
        let model = match self.model.bind_tools(tools) {
            Ok(model) => model,
            Err(error) => return generate(move |_| async move { Err(error) }),
        };
        let options = CallOptions {
            tool_choice: ToolChoice::OneOrNone,
            ..options.clone()
        };
        let chosen = model.stream(&latest_question(messages, CHOOSE), &options);
        self.or_answer(chosen, messages.to_vec(), options)
    }

    /// The chosen call, or an answer without tools if the model chose none.
    fn or_answer(
        &self,
        mut chosen: ChatStream,
        messages: Vec<Message>,
        options: CallOptions,
    ) -> ChatStream {
        let router = self.clone();
        generate(move |emitter| async move {
            let mut is_none = false;
            let mut spent = None;
            while let Some(chunk) = chosen.next().await {
                let chunk = chunk?;
                if let ChatChunk::Done(reply) = &chunk {
                    is_none = !reply.has_calls();
                    spent = reply.usage;
                }
                if !is_none {
                    emitter.emit(chunk).await;
                }
            }
            if is_none && let Some(question) = open_question(&messages) {
                let mut answer = router.converse(&messages, &question, &options);
                while let Some(chunk) = answer.next().await {
                    let mut chunk = chunk?;
                    if let (ChatChunk::Done(reply), Some(spent)) = (&mut chunk, spent) {
                        *reply.usage.get_or_insert_default() += spent;
                    }
                    emitter.emit(chunk).await;
                }
            }
            Ok(())
        })
    }

    /// The results of this turn in a sentence: the model's, or the tools' own where the model's
    /// has anything that is not in question and results. So it is known before any of it is shown.
    fn write_sentence(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let written = self.without_tools(&latest_question(messages, WRITE_SENTENCE), options);
        let messages = messages.to_vec();
        generate(move |emitter| async move {
            let mut reply = collect(written).await?;
            let evidence = Evidence::of(&messages);
            let text = reply.content.text();
            if let Some(evidence) = evidence.filter(|evidence| !evidence.covers(&text)) {
                let said = evidence.sentence();
                if !said.trim().is_empty() {
                    tracing::info!(
                        text,
                        said,
                        "the results are said in place of the model's words"
                    );
                    reply.content = Content::from(said);
                    reply.stop_reason = Some(StopReason::EndTurn);
                }
            }
            emitter.emit(ChatChunk::Text(reply.content.text())).await;
            emitter.emit(ChatChunk::Done(reply)).await;
            Ok(())
        })
    }

    fn without_tools(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let limit = options.generation.max_tokens.unwrap_or(MAX_TOKENS);
        let options = CallOptions {
            tool_choice: ToolChoice::None,
            generation: Generation {
                max_tokens: Some(limit),
                ..options.generation.clone()
            },
            ..options.clone()
        };
        self.model.stream(messages, &options)
    }
}

#[async_trait]
impl ChatModel for Router {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self::with_tools(self.model.clone(), tools)))
    }

    fn context(&self) -> Option<u64> {
        self.model.context()
    }

    fn parameters(&self) -> Option<u64> {
        self.model.parameters()
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        if options.response_schema.is_some() {
            return self.model.stream(messages, options);
        }
        let engine = &self.bound.engine;
        let proposal = engine.proposal(messages);
        match (&options.tool_choice, proposal) {
            (ToolChoice::Tool(_), _) => self.demand(messages, options),
            (ToolChoice::Auto | ToolChoice::OneOrNone | ToolChoice::Required, Proposal::Calls) => {
                engine.stream(messages, options)
            }
            (ToolChoice::Required, _) => self.demand(messages, options),
            // A sentence that was streamed already would be shown twice.
            (ToolChoice::OneOrNone, Proposal::Answer(_)) => say(String::new()),
            (_, Proposal::Answer(sentence)) => say(sentence),
            _ => self.ask_model(messages, options),
        }
    }
}

/// True for a question about something that has to be looked up or done: the state of a home, the
/// time, news, or what some other tool does. A small model would invent an answer.
fn needs_lookup(question: &str) -> bool {
    let found = IntentClassifier::default().classify(question);
    let free = found.scores().of(Intent::General) + found.scores().of(Intent::Chitchat);
    let is_free = matches!(found.label(), Intent::General | Intent::Chitchat);
    !is_free && free < FREE_SHARE
}

#[cfg(test)]
mod tests;
