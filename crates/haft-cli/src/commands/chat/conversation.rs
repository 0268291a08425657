//! The conversation of a chat: asks its questions, shows the answers, and keeps them.

use std::io::{self, IsTerminal};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use haft::tools::ApprovalMode;
use haft::types::ToolReport;
use haft::{Agent, Answer, Content, Event, EventStream, Message, Outcome, SessionId};

use crate::failure::{Exit, Failure};
use crate::interrupts::{Interrupted, Interrupts};
use crate::live::{Display, Live};
use crate::model;
use crate::output::say;
use crate::sessions::Conversations;
use crate::settings::{Settings, Source};
use crate::trace::Trace;
use crate::transcript::{self, Transcript};

/// The number of calls that can be shown again.
const CALLS_KEPT: usize = 1000;

/// What is said of a question that was stopped.
const STOPPED: &str = "/retry asks again; otherwise the conversation goes on without this question";

/// What a conversation is made of.
pub(super) struct Parts {
    pub(super) settings: Settings,
    pub(super) agent: Agent,
    pub(super) trace: Trace,
    /// Where the conversation is kept, if it is.
    pub(super) store: Option<Conversations>,
    pub(super) approval: Arc<Mutex<ApprovalMode>>,
}

/// A conversation.
pub(super) struct Conversation {
    parts: Parts,
    /// Its id, once it is kept.
    session: Option<SessionId>,
    messages: Vec<Message>,
    /// The last question, answered or not.
    last_question: Option<Content>,
    /// The calls of the chat, in order.
    calls: Vec<ToolReport>,
}

impl Conversation {
    pub(super) fn new(parts: Parts) -> Self {
        Self {
            parts,
            session: None,
            messages: Vec::new(),
            last_question: None,
            calls: Vec::new(),
        }
    }

    pub(super) fn trace(&self) -> &Trace {
        &self.parts.trace
    }

    pub(super) fn agent(&self) -> &Agent {
        &self.parts.agent
    }

    pub(super) fn store(&self) -> Option<&Conversations> {
        self.parts.store.as_ref()
    }

    /// Asks a question, and keeps it with its answer.
    pub(super) async fn ask(
        &mut self,
        question: Content,
        interrupts: &mut Interrupts,
    ) -> Result<Exit, Failure> {
        self.last_question = Some(question.clone());
        let turn = match &self.parts.store {
            Some(store) => Some(store.begin(self.session.as_ref()).await?),
            None => None,
        };
        // Another process may have continued the conversation.
        if let Some(session) = turn.as_ref().and_then(|turn| turn.session()) {
            self.messages.clone_from(&session.messages);
        }
        let mut messages = self.messages.clone();
        messages.push(Message::human(question));
        self.parts.trace.begin_question();
        let events = self.parts.agent.run(messages);
        let watched = interrupts.unless(self.watch(events)).await;
        self.parts.trace.clear();
        let answer = match watched {
            Ok(answer) => answer?,
            Err(interrupted) => return self.stopped(interrupted),
        };
        let is_kept = |message: &Message| !matches!(message, Message::System(_));
        self.messages.clone_from(&answer.messages);
        self.messages.retain(is_kept);
        if let Some(turn) = turn {
            self.session = Some(turn.save(&self.messages, &answer.model).await?);
        }
        if answer.outcome == Outcome::Truncated {
            self.parts.trace.cut_off();
        }
        Ok(answer.outcome.into())
    }

    /// Shows what happens, and the answer.
    async fn watch(&mut self, events: EventStream) -> Result<Box<Answer>, Failure> {
        let mut live = Live::new(match io::stdout().is_terminal() {
            true => Display::Markdown,
            false => Display::Answer,
        });
        let mut events = pin!(events);
        while let Some(event) = events.next().await {
            let event = event?;
            live.event(&event, &self.parts.trace)?;
            match event {
                Event::Done(answer) => {
                    self.parts.trace.clear();
                    live.finish(&answer)?;
                    self.parts.trace.event(&Event::Done(answer.clone()));
                    return Ok(answer);
                }
                Event::ToolFinished(report) => self.answered(&report),
                event => self.parts.trace.event(&event),
            }
        }
        Err(Failure::new("The answer ended before it was complete"))
    }

    /// Shows an answered call on one line.
    fn answered(&mut self, report: &ToolReport) {
        if self.calls.len() < CALLS_KEPT {
            self.calls.push(report.clone());
        }
        self.parts.trace.folded(self.calls.len(), report);
    }

    /// Ctrl-C stops the answer; other signals end the program.
    fn stopped(&self, interrupted: Interrupted) -> Result<Exit, Failure> {
        if interrupted.exit != Exit::Interrupted {
            return Err(interrupted.into());
        }
        let so_far = self.parts.trace.so_far(interrupted.under_way());
        if io::stdin().is_terminal() {
            // The terminal has shown ^C.
            say("");
        }
        say(format_args!("stopped: {so_far}"));
        self.parts.trace.hint(STOPPED);
        Ok(Exit::Failure)
    }

    /// Asks the last question again, without the answer that it had.
    pub(super) async fn retry(&mut self, interrupts: &mut Interrupts) -> Result<Exit, Failure> {
        let Some(question) = self.last_question.clone() else {
            return Err(Failure::usage("There is no question to ask again"));
        };
        let is_last = |message: &Message| match message {
            Message::Human(asked) => asked.content == question,
            _ => false,
        };
        let is_question = |message: &Message| matches!(message, Message::Human(_));
        // A question that was stopped or failed is not in the conversation.
        if let Some(place) = self.messages.iter().rposition(is_question)
            && self.messages.get(place).is_some_and(is_last)
        {
            self.messages.truncate(place);
            self.replace_kept().await?;
        }
        self.ask(question, interrupts).await
    }

    /// Keeps the conversation as it is now.
    async fn replace_kept(&self) -> Result<(), Failure> {
        if let (Some(store), Some(id)) = (&self.parts.store, &self.session) {
            let turn = store.begin(Some(id)).await?;
            turn.save(&self.messages, self.parts.agent.model_id())
                .await?;
        }
        Ok(())
    }

    /// Begins a new conversation.
    pub(super) fn reset(&mut self) {
        self.session = None;
        self.messages.clear();
        self.last_question = None;
    }

    /// Goes on with a conversation that is kept.
    pub(super) async fn load(&mut self, id: &SessionId) -> Result<(), Failure> {
        let found = match &self.parts.store {
            Some(store) => store.load(id).await?,
            None => None,
        };
        let session = found.ok_or_else(|| crate::sessions::missing(id))?;
        let count = session.messages.len();
        let note = format!("{id}, {count} messages so far: {}", session.head.title);
        self.parts.trace.note("session", &note);
        self.take(session.messages);
        self.session = Some(session.head.id);
        Ok(())
    }

    /// Begins a new conversation with these messages.
    pub(super) fn take(&mut self, messages: Vec<Message>) {
        self.reset();
        let last = messages.iter().rev().find_map(|message| match message {
            Message::Human(question) => Some(question.content.clone()),
            _ => None,
        });
        self.last_question = last;
        self.messages = messages;
    }

    /// Writes the conversation into a new file.
    pub(super) fn save(&self, path: &std::path::Path) -> Result<(), Failure> {
        if self.messages.is_empty() {
            return Err(Failure::usage("There is nothing to save yet"));
        }
        let title = match self.messages.first() {
            Some(first) => crate::text::one_line(&first.content().text(), 80),
            None => String::new(),
        };
        let transcript = Transcript {
            title: &title,
            model: self.parts.agent.model_id(),
            messages: &self.messages,
        };
        transcript.write(path)
    }

    /// The messages of a file that was saved as JSON.
    pub(super) fn load_file(&mut self, path: &std::path::Path) -> Result<usize, Failure> {
        let text = crate::bounded::read_text(path)?;
        let messages = transcript::messages_of(&text, &path.display().to_string())?;
        let count = messages.len();
        self.take(messages);
        Ok(count)
    }

    /// Goes on with another model.
    pub(super) async fn use_model(&mut self, name: &str) -> Result<(), Failure> {
        let mut settings = self.parts.settings.clone();
        settings.model.value = Some(name.to_owned());
        settings.model.source = Source::Flag("/model");
        let opened = model::open(&settings, None).await?;
        self.parts.agent = self.parts.agent.with_model(opened.model)?;
        self.parts.settings = settings;
        let id = self.parts.agent.model_id();
        self.parts.trace.model(id, &opened.reason);
        Ok(())
    }

    /// Which calls are asked about.
    pub(super) fn approval(&self) -> ApprovalMode {
        *self
            .parts
            .approval
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_approval(&self, mode: ApprovalMode) {
        *self
            .parts
            .approval
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = mode;
    }

    /// Shows a call whole: the one with this number from 1, or the last one.
    pub(super) fn expand(&self, number: Option<usize>) -> Result<(), Failure> {
        let number = number.unwrap_or(self.calls.len());
        let call = number
            .checked_sub(1)
            .and_then(|index| self.calls.get(index));
        let Some(report) = call else {
            return Err(Failure::usage(match self.calls.len() {
                0 => "There was no call yet".to_owned(),
                count => format!("There is no call {number}; there are 1 to {count}"),
            }));
        };
        self.parts.trace.unfolded(number, report);
        Ok(())
    }
}
