//! What answers: local commands first, then the agent, and a conversation that ends in silence.
//!
//! No tool is called here: the local engine and the model both go through an [`Agent`], and that
//! through the [`ToolExecutor`](haft_tools::ToolExecutor) which the caller made.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use haft_agent::{Agent, EventStream};
use haft_core::{Answer, ChatChunk, Emitter, Event, Message, generate};
use haft_select::IntentClassifier;
use tokio::time::{Instant, timeout};

use crate::error::{VoiceError, VoiceErrorKind};
use crate::event::{Responder, VoiceEvent};
use crate::local::Local;
use crate::spoken::Spoken;

/// Guidance for a model whose answers are spoken; give it to the agent as its system message.
pub const SPOKEN_GUIDANCE: &str = "You are a voice assistant at home: what you write is read \
    aloud. Answer in one or two short sentences of plain words. No lists, no Markdown, no \
    addresses, no emoji. Use the tools for devices and the time; never claim to have done what \
    no tool did.";

/// A model that pauses so long behind a full stop has ended the sentence. Half of the 50 ms
/// within which a sentence is due.
const PAUSE: Duration = Duration::from_millis(25);

/// Messages that are remembered; where nobody falls silent, the oldest questions go first.
const MOST_MESSAGES: usize = 60;

/// What happens while a question is answered; the last item is [`VoiceEvent::Answer`] or
/// [`VoiceEvent::Error`]. Dropping the stream cancels the question and everything it started.
pub type VoiceStream = BoxStream<'static, VoiceEvent>;

/// How answers are made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssistantOptions {
    /// Unmistakable commands are carried out without the model: on.
    pub local_commands: bool,
    /// After so long a silence a question opens a new conversation: 2 minutes.
    pub reset_after: Duration,
    /// Characters of an answer, unless more is asked for: 300, about 20 s of speech.
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

/// What answers a question in words. Cheap to clone; all clones share one conversation.
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
    local: Option<Local>,
    options: AssistantOptions,
}

#[derive(Debug, Default)]
struct Conversation {
    messages: Vec<Message>,
    /// When it was last added to.
    latest: Option<Instant>,
}

impl Assistant {
    /// An assistant over `agent`, whose executor runs the tools of local commands, too.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the options make no sense, or the agent's error
    /// when the local engine cannot use its tools.
    pub fn new(agent: Agent, options: AssistantOptions) -> Result<Self, VoiceError> {
        if options.longest_answer == 0 {
            let message = "An answer of 0 characters says nothing";
            return Err(VoiceError::new(VoiceErrorKind::Configuration, message)
                .with_hint("allow about 300 characters"));
        }
        let local = options
            .local_commands
            .then(|| Local::new(&agent.executor()))
            .transpose()?;
        Ok(Self {
            shared: Arc::new(Shared {
                agent,
                local,
                options,
            }),
            conversation: Arc::default(),
        })
    }

    /// The same with a conversation of its own, for another room or client.
    #[must_use]
    pub fn with_own_conversation(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            conversation: Arc::default(),
        }
    }

    /// The agent behind it.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        &self.shared.agent
    }

    /// Forgets the conversation.
    pub fn reset(&self) {
        *self.conversation() = Conversation::default();
    }

    /// Answers `question`, which continues the conversation.
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
        let run = self.open(question, events).await;
        let mut spoken = Spoken::new(question, self.shared.options.longest_answer);
        let answer = say(run, &mut spoken, events).await?;
        self.remember(answer.messages);
        events
            .emit(VoiceEvent::Answer {
                text: spoken.text(),
                model: answer.model,
                took: started.elapsed(),
            })
            .await;
        Ok(())
    }

    /// Chooses who answers, and lets them begin.
    async fn open(&self, question: &str, events: &Emitter<VoiceEvent>) -> EventStream {
        let Shared { agent, local, .. } = self.shared.as_ref();
        let about = IntentClassifier::default().classify(question);
        let (by, agent, reason) = match local {
            Some(local) if local.takes(question, &about) => {
                (Responder::Local, &local.agent, "a plain command")
            }
            Some(_) => (Responder::Model, agent, "no plain command"),
            None => (Responder::Model, agent, "local commands are off"),
        };
        tracing::debug!(by = by.name(), reason, "who answers");
        events.emit(VoiceEvent::Intent { about, by, reason }).await;
        let mut messages = self.recall();
        messages.push(Message::human(question));
        agent.run(messages)
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The conversation that a question continues now.
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
            // A conversation begins with a question: results without their calls are refused.
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

/// Turns what the agent does into what is said.
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
            // What is not out yet of a reply that was no use stays unsaid.
            Event::RoundStarted { .. }
            | Event::RecoveryStarted { .. }
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
