//! Answers questions, first with local commands, then with the agent. A long pause ends the
//! conversation.
//!
//! No tool is called here: the local engine and the model both use an [`Agent`], which runs tools
//! through the [`ToolExecutor`](haft_tools::ToolExecutor) of the caller.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use haft_agent::{Agent, EventStream};
use haft_core::{Answer, ChatChunk, Emitter, Event, Message, Outcome, generate};
use haft_select::IntentClassifier;
use tokio::time::{Instant, timeout};

use crate::error::{VoiceError, VoiceErrorKind};
use crate::event::{Responder, VoiceEvent};
use crate::local;
use crate::spoken::Spoken;

/// The system prompt for spoken answers; pass it to the agent.
pub const SPOKEN_GUIDANCE: &str = "You are a voice assistant at home: what you write is read \
    aloud. Answer in one or two short sentences of plain words. No lists, no Markdown, no \
    addresses, no emoji. Use the tools for devices and the time; never claim to have done what \
    no tool did.";

/// A pause of the model after a full stop ends the sentence. This is half of the 50 ms within which
/// a finished sentence must be passed on.
const PAUSE: Duration = Duration::from_millis(25);

/// The maximum number of messages in a conversation; the oldest questions are dropped first.
const MOST_MESSAGES: usize = 60;

/// What happens while a question is answered; the last item is [`VoiceEvent::Answer`] or
/// [`VoiceEvent::Error`]. Dropping the stream cancels the question and everything it started.
pub type VoiceStream = BoxStream<'static, VoiceEvent>;

/// Options of the assistant.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssistantOptions {
    /// Whether plain commands are executed without the model. Default: true.
    pub local_commands: bool,
    /// The pause after which a question starts a new conversation. Default: 2 minutes.
    pub reset_after: Duration,
    /// The maximum length of an answer in characters, unless the question asks for more. Default:
    /// 300, about 20 s of speech.
    pub longest_answer: usize,
}

impl Default for AssistantOptions {
    fn default() -> Self {
        Self {
            local_commands: true,
            reset_after: Duration::from_secs(120),
            longest_answer: 300,
        }
    }
}

/// Answers questions given as text. Cheap to clone; all clones share one conversation.
///
/// ```
/// use futures_util::StreamExt;
/// use haft_agent::Agent;
/// use haft_voice::{Assistant, AssistantOptions, VoiceEvent};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let agent = Agent::builder()
///     .model("builtin")
///     .tool(haft_tools::get_current_datetime())
///     .build()
///     .await?;
/// let assistant = Assistant::new(agent, AssistantOptions::default())?;
/// let events: Vec<VoiceEvent> = assistant.answer("What time is it in Tokyo?").collect().await;
/// let Some(VoiceEvent::Answer { text, .. }) = events.last() else { panic!() };
/// assert!(text.contains("in Tokyo"), "{text}");
/// # Ok::<_, haft_voice::VoiceError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Assistant {
    shared: Arc<Shared>,
    conversation: Arc<Mutex<Conversation>>,
}

#[derive(Debug)]
struct Shared {
    agent: Agent,
    options: AssistantOptions,
}

#[derive(Debug, Default)]
struct Conversation {
    messages: Vec<Message>,
    /// The time of the last message.
    latest: Option<Instant>,
}

impl Assistant {
    /// An assistant for `agent`, whose executor also runs the tools of local commands.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the options are invalid.
    pub fn new(agent: Agent, options: AssistantOptions) -> Result<Self, VoiceError> {
        if options.longest_answer == 0 {
            let message = "An answer of 0 characters says nothing";
            return Err(VoiceError::new(VoiceErrorKind::Configuration, message)
                .with_hint("allow about 300 characters"));
        }
        Ok(Self {
            shared: Arc::new(Shared { agent, options }),
            conversation: Arc::default(),
        })
    }

    /// An assistant with the same agent and a separate conversation, for another room or client.
    #[must_use]
    pub fn with_own_conversation(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            conversation: Arc::default(),
        }
    }

    /// The agent that answers the questions.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        &self.shared.agent
    }

    /// Forgets the conversation.
    pub fn reset(&self) {
        *self.conversation() = Conversation::default();
    }

    /// Answers `question` as part of the current conversation.
    #[must_use]
    pub fn answer(&self, question: &str) -> VoiceStream {
        let this = self.clone();
        let question = question.to_owned();
        generate(|events| async move { this.answer_to(&question, &events).await })
            .map(|event| event.unwrap_or_else(VoiceEvent::Error))
            .boxed()
    }

    async fn answer_to(
        &self,
        question: &str,
        events: &Emitter<VoiceEvent>,
    ) -> Result<(), VoiceError> {
        let started = Instant::now();
        let run = self.open(question, events).await?;
        let mut spoken = Spoken::new(question, self.shared.options.longest_answer);
        let answer = say(run, &mut spoken, events).await?;
        let is_truncated = answer.outcome == Outcome::Truncated;
        self.remember(answer.messages);
        events
            .emit(VoiceEvent::Answer {
                text: spoken.text(),
                model: answer.model,
                took: started.elapsed(),
                is_truncated,
            })
            .await;
        Ok(())
    }

    /// Chooses the local engine or the model, and starts it.
    async fn open(
        &self,
        question: &str,
        events: &Emitter<VoiceEvent>,
    ) -> Result<EventStream, VoiceError> {
        let Shared { agent, options } = self.shared.as_ref();
        let about = IntentClassifier::default().classify(question);
        let executor = agent.executor();
        let is_command = options.local_commands && local::takes(&executor, question, &about);
        let (by, reason) = match (options.local_commands, is_command) {
            (true, true) => (Responder::Local, "a plain command"),
            (true, false) => (Responder::Model, "not a plain command"),
            (false, _) => (Responder::Model, "local commands are off"),
        };
        tracing::debug!(by = by.name(), reason, "who answers");
        events.emit(VoiceEvent::Intent { about, by, reason }).await;
        let mut messages = self.recall();
        messages.push(Message::human(question));
        Ok(match by {
            Responder::Local => local::agent(executor)?.run(messages),
            Responder::Model => agent.run(messages),
        })
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages of the current conversation.
    fn recall(&self) -> Vec<Message> {
        let mut conversation = self.conversation();
        let silence = conversation.latest.map(|latest| latest.elapsed());
        if silence.is_some_and(|silence| silence >= self.shared.options.reset_after) {
            *conversation = Conversation::default();
        }
        conversation.messages.clone()
    }

    fn remember(&self, mut messages: Vec<Message>) {
        messages.retain(|message| !matches!(message, Message::System(_)));
        if messages.len() > MOST_MESSAGES {
            // A conversation must begin with a question: servers refuse tool results without their
            // calls.
            let is_question = |message: &Message| matches!(message, Message::Human(_));
            let surplus = messages.len() - MOST_MESSAGES;
            let later = messages.iter().skip(surplus).position(is_question);
            messages.drain(..later.map_or(messages.len(), |later| surplus + later));
        }
        *self.conversation() = Conversation {
            messages,
            latest: Some(Instant::now()),
        };
    }
}

/// Converts agent events into voice events.
async fn say(
    mut run: EventStream,
    spoken: &mut Spoken,
    events: &Emitter<VoiceEvent>,
) -> Result<Answer, VoiceError> {
    loop {
        let next = match spoken.awaits_pause() {
            true => match timeout(PAUSE, run.next()).await {
                Ok(next) => next,
                Err(_) => {
                    emit_all(events, spoken.pause()).await;
                    continue;
                }
            },
            false => run.next().await,
        };
        let Some(event) = next else {
            let message = "The answer ended before it was complete";
            return Err(VoiceError::new(VoiceErrorKind::Agent, message));
        };
        match event? {
            // Text of a useless reply that was not spoken yet is dropped.
            Event::RoundStarted { .. }
            | Event::RecoveryStarted { .. }
            | Event::TextWithdrawn { .. }
            | Event::WebSearchStarted { .. } => spoken.begin(),
            Event::Chunk(ChatChunk::Text(piece)) => emit_all(events, spoken.push(&piece)).await,
            Event::Message(Message::Ai(_)) => emit_all(events, spoken.finish()).await,
            Event::ToolStarted { call } => events.emit(VoiceEvent::ToolStarted(call)).await,
            Event::ToolFinished(report) => {
                let report = Box::new(report);
                events.emit(VoiceEvent::ToolFinished(report)).await;
            }
            Event::Done(answer) => {
                emit_all(events, spoken.conclude(&answer.text)).await;
                return Ok(*answer);
            }
            _ => {}
        }
    }
}

async fn emit_all(events: &Emitter<VoiceEvent>, sentences: Vec<String>) {
    for sentence in sentences {
        events.emit(VoiceEvent::Sentence(sentence)).await;
    }
}
