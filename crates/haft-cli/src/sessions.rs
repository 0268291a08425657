//! The conversations that are kept: where, whether, the one that a flag names, and one question in
//! it.

use haft::{Answer, Message, SessionId, SessionStore, SessionTurn};

use crate::attempts::state_file;
use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::trace::Trace;

/// The store of conversations, whether new ones are kept or not.
pub(crate) fn store() -> Result<SessionStore, Failure> {
    Ok(SessionStore::open(state_file("sessions.db")?))
}

/// The store that new conversations are kept in; `None` if the settings say so, there is no state
/// folder, or the answers come from a recording.
pub(crate) fn store_of(settings: &Settings) -> Option<SessionStore> {
    let model = settings.model.value.as_deref().unwrap_or_default();
    let wanted = settings.sessions.value != Some(false) && !model.starts_with("replay:");
    wanted.then(store).and_then(Result::ok)
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
    pub(crate) async fn find(self, store: &SessionStore) -> Result<SessionId, Failure> {
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
                latest.map(|session| session.id).ok_or_else(none)
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

/// One question in a conversation, which is kept or not.
#[derive(Debug)]
pub(crate) struct KeptTurn(Option<SessionTurn>);

impl KeptTurn {
    /// Begins a question in the conversation that is to be continued, or in a new one.
    pub(crate) async fn begin(
        settings: &Settings,
        continued: Option<Continued>,
        trace: &Trace,
    ) -> Result<Self, Failure> {
        let Some(continued) = continued else {
            return match store_of(settings) {
                Some(store) => Ok(Self(Some(store.begin(None).await?))),
                None => Ok(Self(None)),
            };
        };
        let store = store()?;
        let id = continued.find(&store).await?;
        let turn = store.begin(Some(&id)).await?;
        let count = turn.messages().len();
        trace.note("session", &format!("{id}, {count} messages so far"));
        Ok(Self(Some(turn)))
    }

    /// The conversation with its next question.
    pub(crate) fn with(&self, question: Message) -> Vec<Message> {
        let kept = self.0.as_ref().map_or(&[][..], SessionTurn::messages);
        kept.iter().cloned().chain([question]).collect()
    }

    /// Keeps the answer. If it cannot be written, that is only a warning.
    pub(crate) async fn save(self, answer: &Answer, trace: &Trace) -> Option<SessionId> {
        let saved = self.0?.save(&answer.messages, &answer.model).await;
        match saved {
            Ok(id) => Some(id),
            Err(error) => {
                trace.warning(&format!("this conversation is not kept: {error}"));
                if let Some(hint) = error.hint() {
                    trace.hint(hint);
                }
                None
            }
        }
    }
}
