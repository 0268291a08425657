//! The conversations that are kept: where, whether, the one that a flag names, and one question in
//! it.

#[cfg(feature = "durable")]
use haft::durable::{StoreSessions, StoreTurn};
use haft::{Answer, Message, SavedSession, SessionId, SessionStore, SessionSummary, SessionTurn};

use crate::args::KeptIn;
use crate::attempts::state_file;
use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::trace::Trace;

/// Where conversations are kept: a file of this user, or a store that several machines use.
#[derive(Clone, Debug)]
pub(crate) enum Conversations {
    File(SessionStore),
    #[cfg(feature = "durable")]
    Store(StoreSessions),
}

/// One question in a conversation, while nobody else asks in it.
#[derive(Debug)]
pub(crate) enum Turn {
    File(SessionTurn),
    #[cfg(feature = "durable")]
    Store(StoreTurn),
}

impl Conversations {
    /// Where conversations are kept, whether new ones are or not.
    #[cfg_attr(
        not(feature = "durable"),
        expect(clippy::unused_async, reason = "a store is opened")
    )]
    pub(crate) async fn open(kept: &KeptIn) -> Result<Self, Failure> {
        #[cfg(feature = "durable")]
        if let Some(store) = crate::store::open_named(&kept.store).await? {
            return Ok(Self::Store(store.sessions()));
        }
        #[cfg(not(feature = "durable"))]
        let KeptIn {} = kept;
        Ok(Self::File(SessionStore::open(state_file("sessions.db")?)))
    }

    /// Where new conversations are kept; `None` if the settings say that they are not, there is no
    /// state folder, or the answers come from a recording.
    pub(crate) async fn wanted(
        kept: &KeptIn,
        settings: &Settings,
    ) -> Result<Option<Self>, Failure> {
        let model = settings.model.value.as_deref().unwrap_or_default();
        if settings.sessions.value == Some(false) || model.starts_with("replay:") {
            return Ok(None);
        }
        match Self::open(kept).await {
            Ok(conversations) => Ok(Some(conversations)),
            #[cfg(feature = "durable")]
            Err(failure) if kept.store.store.is_some() => Err(failure),
            Err(_) => Ok(None),
        }
    }

    pub(crate) async fn begin(&self, id: Option<&SessionId>) -> Result<Turn, Failure> {
        Ok(match self {
            Self::File(store) => Turn::File(store.begin(id).await?),
            #[cfg(feature = "durable")]
            Self::Store(store) => Turn::Store(store.begin(id).await?),
        })
    }

    pub(crate) async fn list(&self) -> Result<Vec<SessionSummary>, Failure> {
        Ok(match self {
            Self::File(store) => store.list().await?,
            #[cfg(feature = "durable")]
            Self::Store(store) => store.list().await?,
        })
    }

    pub(crate) async fn load(&self, id: &SessionId) -> Result<Option<SavedSession>, Failure> {
        Ok(match self {
            Self::File(store) => store.load(id).await?,
            #[cfg(feature = "durable")]
            Self::Store(store) => store.load(id).await?,
        })
    }

    pub(crate) async fn delete(&self, id: &SessionId) -> Result<bool, Failure> {
        Ok(match self {
            Self::File(store) => store.delete(id).await?,
            #[cfg(feature = "durable")]
            Self::Store(store) => store.delete(id).await?,
        })
    }
}

impl Turn {
    pub(crate) fn messages(&self) -> &[Message] {
        match self {
            Self::File(turn) => turn.messages(),
            #[cfg(feature = "durable")]
            Self::Store(turn) => turn.messages(),
        }
    }

    /// The conversation as it is kept; `None` for a new one.
    pub(crate) fn session(&self) -> Option<&SavedSession> {
        match self {
            Self::File(turn) => turn.session(),
            #[cfg(feature = "durable")]
            Self::Store(turn) => turn.session(),
        }
    }

    pub(crate) async fn save(
        self,
        messages: &[Message],
        model: &str,
    ) -> Result<SessionId, Failure> {
        Ok(match self {
            Self::File(turn) => turn.save(messages, model).await?,
            #[cfg(feature = "durable")]
            Self::Store(turn) => turn.save(messages, model).await?,
        })
    }
}

/// A conversation that is to be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Continued {
    /// The one that was continued last.
    Latest,
    Named(SessionId),
}

impl Continued {
    /// The conversation of `--continue`, if the flag is given.
    pub(crate) fn of_flag(flag: Option<&Option<String>>) -> Result<Option<Self>, Failure> {
        match flag {
            None => Ok(None),
            Some(None) => Ok(Some(Self::Latest)),
            Some(Some(id)) => Ok(Some(Self::Named(parse(id)?))),
        }
    }

    /// Its id.
    pub(crate) async fn find(self, store: &Conversations) -> Result<SessionId, Failure> {
        match self {
            Self::Named(id) => match store.load(&id).await? {
                Some(_) => Ok(id),
                None => Err(missing(&id)),
            },
            Self::Latest => {
                let latest = store.list().await?.into_iter().next();
                let none = || {
                    Failure::new("There is no session to continue")
                        .with_hint("`haft chat` and `haft ask` begin one")
                };
                latest.map(|session| session.head.id).ok_or_else(none)
            }
        }
    }
}

/// The id of a session that the user typed.
pub(crate) fn parse(id: &str) -> Result<SessionId, Failure> {
    id.parse().map_err(|error| Failure {
        exit: Exit::Usage,
        ..Failure::from(error)
    })
}

/// The error for a session that is not kept.
pub(crate) fn missing(id: &SessionId) -> Failure {
    Failure::new(format!("There is no session {id}"))
        .with_hint("`haft sessions list` shows the ones that are kept")
}

/// One question in a conversation that is kept or not.
#[derive(Debug)]
pub(crate) struct KeptTurn(Option<Turn>);

impl KeptTurn {
    /// Begins a question in the conversation that is to be continued, or in a new one.
    pub(crate) async fn begin(
        kept: &KeptIn,
        settings: &Settings,
        continued: Option<Continued>,
        trace: &Trace,
    ) -> Result<Self, Failure> {
        let Some(continued) = continued else {
            return match Conversations::wanted(kept, settings).await? {
                Some(store) => Ok(Self(Some(store.begin(None).await?))),
                None => Ok(Self(None)),
            };
        };
        let store = Conversations::open(kept).await?;
        let id = continued.find(&store).await?;
        let turn = store.begin(Some(&id)).await?;
        let count = turn.messages().len();
        trace.note("session", &format!("{id}, {count} messages so far"));
        Ok(Self(Some(turn)))
    }

    /// The conversation with its next question.
    pub(crate) fn with(&self, question: Message) -> Vec<Message> {
        let kept = self.0.as_ref().map_or(&[][..], Turn::messages);
        kept.iter().cloned().chain([question]).collect()
    }

    /// Keeps the answer. If it cannot be written, that is only a warning.
    pub(crate) async fn save(self, answer: &Answer, trace: &Trace) -> Option<SessionId> {
        let saved = self.0?.save(&answer.messages, &answer.model).await;
        match saved {
            Ok(id) => Some(id),
            Err(error) => {
                trace.warning(&format!("this conversation is not kept: {}", error.message));
                if let Some(hint) = &error.hint {
                    trace.hint(hint);
                }
                None
            }
        }
    }
}
