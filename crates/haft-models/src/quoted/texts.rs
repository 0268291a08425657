//! The texts of a conversation from which a model may repeat a call, by their author.

use haft_core::{Content, ContentBlock, Message, ToolCall};

/// The maximum size in bytes of the results that are searched; in a longer conversation the latest
/// ones are.
const MOST: usize = 4 << 20;

/// The texts of one conversation, as they were sent.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The results of tools, oldest first.
    pub(super) results: Vec<Given>,
    /// The results of a web search.
    pub(super) web: Option<String>,
    /// Attachments of the user: whoever wrote them, they are not the user's own words.
    pub(super) attached: Vec<String>,
    /// The user's messages, oldest first.
    pub(super) user: Vec<String>,
    /// The calls that the model made, and the number of results before each.
    pub(super) made: Vec<Made>,
    /// The number of results before the user's latest message.
    pub(super) known: usize,
}

/// The result of a call.
#[derive(Debug)]
pub(super) struct Given {
    /// The id of the answered call.
    pub(super) id: String,
    /// Its text blocks.
    pub(super) pieces: Vec<String>,
}

/// A call that the model made.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) call: ToolCall,
    /// The user has sent a message since.
    pub(super) is_past: bool,
}

impl Texts {
    /// The texts of these messages. `foreign` is text in the user's messages that others wrote.
    pub(super) fn of(messages: &[Message], foreign: Option<&str>) -> Self {
        let mut texts = Self {
            web: foreign.map(str::to_owned),
            ..Self::default()
        };
        for message in messages {
            match message {
                Message::Human(message) => {
                    texts.attached.extend(attachments(&message.content));
                    let said = message.content.text();
                    texts.user.push(match foreign {
                        Some(foreign) => said.replace(foreign, "\n"),
                        None => said,
                    });
                    texts.known = texts.results.len();
                    texts.made.iter_mut().for_each(|made| made.is_past = true);
                }
                Message::Tool(result) => texts.results.push(Given {
                    id: result.tool_call_id.clone(),
                    pieces: pieces(&result.content),
                }),
                Message::Ai(reply) => texts.made.extend(reply.tool_calls.iter().map(|call| Made {
                    call: call.clone(),
                    is_past: false,
                })),
                Message::System(_) => {}
            }
        }
        texts.drop_oldest();
        texts
    }

    fn drop_oldest(&mut self) {
        let size = |given: &Given| given.pieces.iter().map(String::len).sum::<usize>();
        let mut room = MOST;
        let fitting = self.results.iter().rev().take_while(|given| {
            let fits = size(given) <= room;
            room = room.saturating_sub(size(given));
            fits
        });
        let dropped = self.results.len() - fitting.count();
        // A single result may be longer; it is searched all the same.
        let dropped = dropped.min(self.results.len().saturating_sub(1));
        self.results.drain(..dropped);
        self.known = self.known.saturating_sub(dropped);
    }
}

fn attachments(content: &Content) -> impl Iterator<Item = String> {
    content.blocks().iter().filter_map(|block| match block {
        ContentBlock::Attachment { title, text } => Some(format!("{title}\n{text}")),
        _ => None,
    })
}

fn pieces(content: &Content) -> Vec<String> {
    match content {
        Content::Text(text) => vec![text.clone()],
        Content::Blocks(blocks) => blocks
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Text { text } => Some(text.clone()),
                _ => None,
            })
            .collect(),
    }
}

/// The results as one text, in both ways in which a model may read them: with line breaks between
/// blocks, and without, because a block may end inside a word.
pub(super) fn joined<'g>(results: impl Iterator<Item = &'g Given>) -> Vec<String> {
    let pieces: Vec<&str> = results
        .flat_map(|given| given.pieces.iter().map(String::as_str))
        .collect();
    match pieces.as_slice() {
        [] => Vec::new(),
        [one] => vec![(*one).to_owned()],
        several => vec![several.join("\n"), several.concat()],
    }
}
