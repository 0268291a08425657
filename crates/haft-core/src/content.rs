//! Message content: plain text, or blocks of text, images and thinking.

use serde::{Deserialize, Serialize};

/// What a message says: a text, or a list of blocks where text alone is not enough.
///
/// ```
/// use haft_core::Content;
/// assert_eq!(serde_json::to_string(&Content::from("hi")).unwrap(), "\"hi\"");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// Text alone, written as a JSON string.
    Text(String),
    /// Blocks in the order in which they were said.
    Blocks(Vec<ContentBlock>),
}

/// One part of a [`Content`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Text for the reader.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image(ImageBlock),
    /// What a reasoning model thought before it spoke.
    Thinking {
        /// The thought, as text.
        thinking: String,
        /// The provider's proof that the thought is its own; must go back unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// A thought that the provider hides; must go back unchanged.
    RedactedThinking {
        /// Opaque bytes of the provider.
        data: String,
    },
}

/// A picture, inside the message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageBlock {
    /// The media type, such as `image/png`.
    pub mime_type: String,
    /// The bytes of the file in standard base64 with padding.
    pub base64: String,
}

impl Content {
    /// All text blocks joined, without thinking.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Blocks(blocks) => blocks
                .iter()
                .filter_map(|block| match block {
                    ContentBlock::Text { text } => Some(text.as_str()),
                    _ => None,
                })
                .collect(),
        }
    }

    /// The pictures among the blocks.
    pub fn images(&self) -> impl Iterator<Item = &ImageBlock> {
        self.blocks().iter().filter_map(|block| match block {
            ContentBlock::Image(image) => Some(image),
            _ => None,
        })
    }

    /// The blocks; none for plain text.
    #[must_use]
    pub fn blocks(&self) -> &[ContentBlock] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// Adds a paragraph at the end.
    pub fn push_paragraph(&mut self, paragraph: &str) {
        match self {
            Self::Text(text) if text.is_empty() => paragraph.clone_into(text),
            Self::Text(text) => {
                text.push_str("\n\n");
                text.push_str(paragraph);
            }
            Self::Blocks(blocks) => blocks.push(ContentBlock::Text {
                text: paragraph.to_owned(),
            }),
        }
    }

    /// True when there is neither visible text nor a picture. Thinking alone is blank: a user
    /// who is shown only that was not answered.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Text(text) => text.trim().is_empty(),
            Self::Blocks(blocks) => blocks.iter().all(|block| match block {
                ContentBlock::Text { text } => text.trim().is_empty(),
                ContentBlock::Image(_) => false,
                ContentBlock::Thinking { .. } | ContentBlock::RedactedThinking { .. } => true,
            }),
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentBlock>> for Content {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self::Blocks(blocks)
    }
}
