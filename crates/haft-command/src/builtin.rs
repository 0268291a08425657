//! `builtin`: the embedded local command engine, a [`ChatModel`] without server and weights.
//!
//! It is what smart homes run beside their language model: it understands commands and questions
//! about the time, the date and devices, and fills in the calls of whatever fitting tools are
//! bound. For everything else it says plainly that it is no language model. It keeps no state:
//! what to do next is read from the messages alone.
//!
//! Each message is read anew: the text becomes intents (`clauses`), these become steps with calls
//! of the bound tools (`plan`), results that are already there become sentences (`answer` for one
//! call, `report` for devices), and what is still missing is called. So a conversation that was
//! stored, or begun by another model, goes on without any state here.

mod speech;

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError,
    ModelErrorKind, StopReason, Tool, ToolCall, ToolChoice, generate,
};
use serde_json::Value;

use self::speech::Spoken;
use crate::assist::{self, Home};
use crate::catalog::{Catalog, Wanted};
use crate::clauses;
use crate::conversation::Progress;
use crate::intent::{Cause, Intent};
use crate::plan::{self, Step};

/// Rounds of calls in one turn: a listing, then what depends on it, and one to spare.
const MOST_ROUNDS: usize = 3;

/// The embedded local command engine.
///
/// ```
/// use haft_core::{CallOptions, ChatModel, Message};
/// use haft_command::Builtin;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let question = [Message::human("Who wrote Faust?")];
/// let reply = Builtin::new().invoke(&question, &CallOptions::default()).await.unwrap();
/// assert!(reply.content.text().contains("not a language model"));
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builtin {
    catalog: Catalog,
}

/// What to do now.
#[derive(Debug, PartialEq)]
enum Next {
    Call(Vec<Wanted>),
    Say(Spoken),
}

impl Builtin {
    /// The engine without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The engine with these tools bound.
    #[must_use]
    pub fn with_tools(tools: &[Arc<dyn Tool>]) -> Self {
        Self {
            catalog: Catalog::new(tools),
        }
    }

    /// True when every part of `text` is a command or a question that the bound tools carry out,
    /// in words that mean nothing else: what a program may answer by this engine though it has a
    /// language model, too.
    ///
    /// ```
    /// use haft_command::Builtin;
    ///
    /// // Without a clock, not even the time is its business.
    /// assert!(!Builtin::new().is_sure_of("What time is it?"));
    /// ```
    #[must_use]
    pub fn is_sure_of(&self, text: &str) -> bool {
        let intents = clauses::intents(text, None);
        let steps = plan::steps(&intents, &self.catalog, None);
        let calls = |step: &Step| {
            matches!(
                step,
                Step::Ask { .. } | Step::Compare { .. } | Step::Tell { .. } | Step::Each { .. }
            )
        };
        !steps.is_empty() && steps.iter().all(calls) && intents.iter().all(Intent::is_plain)
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The home that the client lists, where the tools are those that its list is for.
    pub(crate) fn home<'t>(&self, turn: &'t Progress) -> Option<&'t Home> {
        self.catalog.assist()?;
        turn.home.as_ref()
    }

    fn next(&self, turn: &Progress, choice: &ToolChoice) -> Result<Next, ModelError> {
        let home = self.home(turn);
        let intents = clauses::intents(&turn.text, home);
        let steps = plan::steps(&intents, &self.catalog, home);
        let mut calls = self.due(&steps, turn);
        if calls.is_empty() && home.is_none() && self.wants_home(&intents, turn) {
            calls.extend(self.catalog.listing());
        }
        match choice {
            // The engine never says in prose what it could do.
            ToolChoice::Auto | ToolChoice::OneOrNone => {}
            ToolChoice::None => calls.clear(),
            ToolChoice::Required if calls.is_empty() && turn.rounds == 0 => {
                return Err(ignored("a tool"));
            }
            ToolChoice::Required => {}
            ToolChoice::Tool(name) => {
                calls.retain(|call| call.tool == *name);
                if calls.is_empty() && turn.rounds == 0 {
                    calls.extend(self.catalog.plain(name));
                }
                if calls.is_empty() && turn.rounds == 0 {
                    return Err(ignored(name));
                }
            }
        }
        if calls.is_empty() {
            return Ok(Next::Say(self.say(&steps, turn)));
        }
        Ok(Next::Call(calls))
    }

    /// True when a command may be understood that is not yet, once the devices of the home are
    /// known, and Home Assistant can be asked for them.
    fn wants_home(&self, intents: &[Intent], turn: &Progress) -> bool {
        let is_open = |intent: &Intent| match intent {
            Intent::Unknown => true,
            Intent::Stopped(doubt) => doubt.cause == Cause::Unclear,
            _ => false,
        };
        turn.rounds == 0
            && self.catalog.assist().is_some()
            && intents.iter().any(is_open)
            && assist::speaks_of_home(&turn.text)
    }

    /// The calls to make now, each once in a turn.
    pub(crate) fn due(&self, steps: &[Step], turn: &Progress) -> Vec<Wanted> {
        if turn.rounds >= MOST_ROUNDS {
            return Vec::new();
        }
        let mut calls: Vec<Wanted> = Vec::new();
        for step in steps {
            let wanted = match step {
                Step::Ask { wanted, .. } if turn.is_beginning() => vec![wanted.clone()],
                Step::Compare { there, here, .. } if turn.rounds == 0 => {
                    vec![there.clone(), here.clone()]
                }
                Step::Tell { listing, .. }
                | Step::Inquire { listing, .. }
                | Step::Each { listing, .. }
                    if turn.rounds == 0 =>
                {
                    vec![listing.clone()]
                }
                Step::Each { .. } => {
                    let group = self.group(step, turn);
                    let calls = group.calls(&self.catalog);
                    calls.map(|(_, call)| call).collect()
                }
                _ => Vec::new(),
            };
            for call in wanted {
                if !calls.contains(&call) && !turn.has_called(&call) {
                    calls.push(call);
                }
            }
        }
        calls
    }
}

fn ignored(tool: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::ToolChoiceIgnored,
        format!("The builtin engine sees no way to call {tool} for this request"),
    )
    .with_hint("ask for something that the tool does, or use a language model")
}

fn unsupported(what: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Unsupported,
        format!("The builtin engine is not a language model and cannot {what}"),
    )
    .with_hint("use a language model, for example --model ollama:NAME")
}

#[async_trait]
impl ChatModel for Builtin {
    fn id(&self) -> &str {
        "builtin"
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self::with_tools(tools)))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let turn = Progress::of(messages);
        let next = if options.response_schema.is_some() {
            Err(unsupported("fill in a schema"))
        } else if turn.has_pictures {
            Err(unsupported("look at pictures"))
        } else {
            self.next(&turn, &options.tool_choice)
        };
        generate(move |emitter| async move {
            let message = match next? {
                Next::Say(spoken) => say(&emitter, spoken).await,
                Next::Call(calls) => call(&emitter, calls, turn.calls_before).await,
            };
            emitter.emit(ChatChunk::Done(message)).await;
            Ok(())
        })
    }
}

/// Streams the text word by word, as clients expect of a model.
async fn say(emitter: &Emitter<ChatChunk>, spoken: Spoken) -> AiMessage {
    for piece in spoken.text.split_inclusive(' ') {
        emitter.emit(ChatChunk::Text(piece.to_owned())).await;
    }
    AiMessage {
        stop_reason: Some(spoken.stop_reason),
        ..AiMessage::new(spoken.text)
    }
}

async fn call(emitter: &Emitter<ChatChunk>, calls: Vec<Wanted>, before: usize) -> AiMessage {
    let mut made = Vec::with_capacity(calls.len());
    for (index, wanted) in calls.into_iter().enumerate() {
        let id = format!("call_{}", before + index + 1);
        let arguments = Value::Object(wanted.arguments);
        let name = wanted.tool.clone();
        emitter
            .emit(ChatChunk::CallStart {
                index,
                name,
                id: None,
            })
            .await;
        let fragment = arguments.to_string();
        emitter.emit(ChatChunk::CallArgs { index, fragment }).await;
        let call = ToolCall::new(wanted.tool, arguments, id);
        made.push(call.clone());
        emitter.emit(ChatChunk::CallEnd { index, call }).await;
    }
    AiMessage {
        stop_reason: Some(StopReason::ToolUse),
        ..AiMessage::new("").with_tool_calls(made)
    }
}
