//! Keeps the beginning of a conversation the same in each of its requests.
//!
//! Model servers keep the computed state of a prompt and compute only what comes after the part that
//! two prompts have in common. Some clients write something that changes with every request at the
//! front: the whole conversation is then computed again each time. [`StablePrefix`] removes such a
//! line, or moves it behind everything that stays. `rules` has the short list of lines, `moment`
//! recognizes a point in time.
//!
//! A moved line goes to the end of the last message of the user or a tool. Only there is everything
//! before it the same in the next request: at the end of the system prompt it would be in front of
//! the whole conversation, and at the end of the user's last words in front of all calls and results
//! since. It is not a message of its own, because several chat templates refuse a message of the
//! user after a result.
//!
//! Only system messages are changed. What users, models and tools said is stored by the client and
//! comes again as it was.

mod moment;
mod rules;

use std::borrow::Cow;

use haft_core::{Content, ContentBlock, Message, SystemMessage};

use self::rules::{Place, parted};

/// What the model reads before moved lines.
const ORIGIN: &str = "From the system prompt:";

/// A conversation without the parts at its beginning that change with every request.
///
/// ```
/// use haft_core::Message;
/// use haft_models::StablePrefix;
///
/// let said = [
///     Message::system("Current time: 14:05\nBe brief."),
///     Message::human("Hello"),
/// ];
/// let sent = StablePrefix::of(&said).into_messages();
/// assert_eq!(sent[0], Message::system("Be brief."));
/// assert_eq!(
///     sent[1].content().text(),
///     "Hello\n\nFrom the system prompt:\nCurrent time: 14:05"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct StablePrefix<'a> {
    messages: Cow<'a, [Message]>,
    /// The lines to add at the end.
    moved: Vec<String>,
}

impl<'a> StablePrefix<'a> {
    /// Separates the volatile lines of the system messages from the rest.
    #[must_use]
    pub fn of(messages: &'a [Message]) -> Self {
        let has_any = |message: &Message| {
            matches!(message, Message::System(system)
                if without_volatile(&system.content, Place::Beginning).is_some())
        };
        let mut this = Self {
            messages: Cow::Borrowed(messages),
            moved: Vec::new(),
        };
        if messages.iter().any(has_any) {
            this.separate(messages);
        }
        this
    }

    fn separate(&mut self, messages: &[Message]) {
        let mut stable: Vec<Message> = Vec::with_capacity(messages.len());
        let mut is_beginning = true;
        for message in messages {
            let Message::System(system) = message else {
                is_beginning = false;
                stable.push(message.clone());
                continue;
            };
            if is_beginning {
                let content = match without_volatile(&system.content, Place::Beginning) {
                    Some(separated) => {
                        self.moved.extend(separated.moved);
                        separated.stable
                    }
                    None => system.content.clone(),
                };
                if !content.is_blank() {
                    stable.push(SystemMessage { content }.into());
                }
                continue;
            }
            // Many servers move every system message to the front of the prompt. Clients keep these
            // ones, so it becomes a part of the message before it, for good.
            let lines = whole_volatile(&system.content);
            match stable.last_mut().and_then(read_by_model) {
                Some(before) if !lines.is_empty() => before.push_paragraph(&noted(&lines)),
                _ => stable.push(message.clone()),
            }
        }
        // A conversation of nothing but a removed line would be empty, which servers refuse.
        if !stable.is_empty() || !self.moved.is_empty() {
            self.messages = Cow::Owned(stable);
        }
    }

    /// The messages without the lines to move: equal requests of one conversation begin with equal
    /// ones.
    #[must_use]
    pub fn stable(&self) -> &[Message] {
        &self.messages
    }

    /// All messages to send, with the moved lines at the end.
    #[must_use]
    pub fn into_messages(self) -> Cow<'a, [Message]> {
        if self.moved.is_empty() {
            return self.messages;
        }
        let mut messages = self.messages.into_owned();
        match messages.iter_mut().rev().find_map(read_by_model) {
            Some(last) => last.push_paragraph(&noted(&self.moved)),
            None => messages.push(Message::system(self.moved.join("\n"))),
        }
        Cow::Owned(messages)
    }
}

/// The text without its volatile lines, for keys that identify a conversation.
pub(crate) fn stable_text(text: &str) -> Cow<'_, str> {
    match parted(text, Place::Beginning) {
        Some(parted) => Cow::Owned(parted.stable),
        None => Cow::Borrowed(text),
    }
}

fn noted(lines: &[String]) -> String {
    format!("{ORIGIN}\n{}", lines.join("\n"))
}

/// The content of a message that was written for the model: the user's, or a result.
fn read_by_model(message: &mut Message) -> Option<&mut Content> {
    match message {
        Message::Human(human) => Some(&mut human.content),
        Message::Tool(result) => Some(&mut result.content),
        Message::System(_) | Message::Ai(_) => None,
    }
}

/// A content and the volatile lines that were taken out of it.
struct Separated {
    stable: Content,
    moved: Vec<String>,
}

/// The content without volatile lines; `None` if it has none.
fn without_volatile(content: &Content, place: Place) -> Option<Separated> {
    match content {
        Content::Text(text) => {
            let parted = parted(text, place)?;
            Some(Separated {
                stable: parted.stable.into(),
                moved: parted.moved,
            })
        }
        Content::Blocks(blocks) => {
            let (mut stable, mut moved) = (Vec::with_capacity(blocks.len()), Vec::new());
            let mut is_changed = false;
            for block in blocks {
                let found = match block {
                    ContentBlock::Text { text } => parted(text, place),
                    _ => None,
                };
                let Some(found) = found else {
                    stable.push(block.clone());
                    continue;
                };
                is_changed = true;
                moved.extend(found.moved);
                if !found.stable.is_empty() {
                    stable.push(ContentBlock::Text { text: found.stable });
                }
            }
            is_changed.then_some(Separated {
                stable: Content::Blocks(stable),
                moved,
            })
        }
    }
}

/// The lines of a content that has no others; otherwise none.
fn whole_volatile(content: &Content) -> Vec<String> {
    match without_volatile(content, Place::Later) {
        Some(separated) if separated.stable.is_blank() => separated.moved,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
