//! A conversation as it is kept, and what a list says of it.

use std::time::{Duration, SystemTime};

use haft_core::Message;
use serde::{Serialize, Serializer};

use super::id::SessionId;

/// The maximum length of a title, in characters.
const TITLE: usize = 80;

/// A conversation that is kept. Times are milliseconds since 1970 in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SavedSession {
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
    /// All messages, in their standard form.
    pub messages: Vec<Message>,
}

/// A conversation in a list. Times are milliseconds since 1970 in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionSummary {
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
    /// The number of its messages.
    #[serde(rename = "messages")]
    pub message_count: u64,
}

/// The title of a conversation: its first question on one line, cut to a length.
pub(super) fn title(messages: &[&Message]) -> String {
    let mut questions = messages.iter().filter_map(|message| match message {
        Message::Human(question) => Some(question.content.text()),
        _ => None,
    });
    let question = questions.next().unwrap_or_default();
    let words: Vec<&str> = question.split_whitespace().collect();
    let line = words.join(" ");
    let mut title: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(TITLE)
        .collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
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
