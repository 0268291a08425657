//! A conversation as it is kept, and what a list says of it.

use std::time::{Duration, SystemTime};

use haft_core::Message;
use serde::{Serialize, Serializer};

use super::id::SessionId;

/// The maximum length of a title, in characters.
const TITLE: usize = 80;

/// A conversation without its messages. Times are milliseconds since 1970 in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionHead {
    /// Its id.
    pub id: SessionId,
    /// The beginning of its first question.
    pub title: String,
    /// The model that answered last.
    pub model: String,
    /// When its first question was answered.
    #[serde(rename = "created_ms", serialize_with = "milliseconds")]
    pub created: SystemTime,
    /// When its last question was answered.
    #[serde(rename = "updated_ms", serialize_with = "milliseconds")]
    pub updated: SystemTime,
}

impl SessionHead {
    /// A conversation that begins now.
    #[must_use]
    pub fn new(id: SessionId, title: String, model: String) -> Self {
        let now = SystemTime::now();
        Self {
            id,
            title,
            model,
            created: now,
            updated: now,
        }
    }

    /// The title of a conversation with these messages: its first question on one line, cut to a
    /// length.
    #[must_use]
    pub fn title_of(messages: &[Message]) -> String {
        let mut questions = messages.iter().filter_map(|message| match message {
            Message::Human(question) => Some(question.content.text()),
            _ => None,
        });
        let question = questions.next().unwrap_or_default();
        let words: Vec<&str> = question.split_whitespace().collect();
        let line = words.join(" ");
        let visible = line.chars().filter(|c| !c.is_control());
        let mut title: String = visible.take(TITLE).collect();
        if title.len() < line.len() {
            title.push('…');
        }
        title
    }
}

/// A conversation that is kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SavedSession {
    /// What a list says of it.
    #[serde(flatten)]
    pub head: SessionHead,
    /// All messages, in their standard form.
    pub messages: Vec<Message>,
}

impl SavedSession {
    /// A conversation with its messages.
    #[must_use]
    pub fn new(head: SessionHead, messages: Vec<Message>) -> Self {
        Self { head, messages }
    }
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionSummary {
    /// Its id, title, model and times.
    #[serde(flatten)]
    pub head: SessionHead,
    /// The number of its messages.
    #[serde(rename = "messages")]
    pub message_count: u64,
}

impl SessionSummary {
    /// A conversation with the number of its messages.
    #[must_use]
    pub fn new(head: SessionHead, message_count: u64) -> Self {
        Self {
            head,
            message_count,
        }
    }
}

fn milliseconds<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(since_1970(*time))
}

/// Milliseconds since 1970; 0 for earlier times.
pub(super) fn since_1970(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// The time that is so many milliseconds after 1970.
pub(super) fn time_of(milliseconds: i64) -> SystemTime {
    let since = Duration::from_millis(u64::try_from(milliseconds).unwrap_or_default());
    let time = SystemTime::UNIX_EPOCH.checked_add(since);
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}
