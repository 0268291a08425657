//! The ids of conversations: short, and easy to type and to tell from words.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::{AgentError, AgentErrorKind};

/// Without vowels, so that no word comes out, and without `l`, which looks like a digit.
const LETTERS: &[u8] = b"bcdfghjkmnpqrstvwxz";

/// Without those that look like letters.
const DIGITS: &[u8] = b"23456789";

/// The id of a conversation, such as `k7m2x`: letters and digits in turn. There are 438,976.
///
/// ```
/// use haft_agent::SessionId;
///
/// let id: SessionId = "K7M2X".parse()?;
/// assert_eq!(id.to_string(), "k7m2x");
/// assert!("hello".parse::<SessionId>().is_err());
/// # Ok::<_, haft_agent::AgentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// A random id, which may be taken already.
    #[must_use]
    pub fn random() -> Self {
        let from = |place: usize| alphabet(place).get(fastrand::usize(..alphabet(place).len()));
        let characters = (0..5).filter_map(from).map(|byte| char::from(*byte));
        Self(characters.collect())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The characters that may stand at this place.
fn alphabet(place: usize) -> &'static [u8] {
    if place.is_multiple_of(2) {
        LETTERS
    } else {
        DIGITS
    }
}

impl FromStr for SessionId {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let id = text.trim().to_lowercase();
        let mut bytes = id.bytes().enumerate();
        if id.len() == 5 && bytes.all(|(place, byte)| alphabet(place).contains(&byte)) {
            return Ok(Self(id));
        }
        let message = format!("\"{text}\" is not the id of a session, such as k7m2x");
        Err(AgentError::new(AgentErrorKind::Configuration, message)
            .with_hint("`haft sessions list` shows them"))
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
