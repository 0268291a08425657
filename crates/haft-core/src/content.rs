//! Message content: plain text, or blocks of text, images and thinking.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

/// The content of a message: a text, or a list of blocks.
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
    /// Blocks, in order.
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
    /// Data to work on, such as text piped into the command line. The model reads it, but nothing
    /// in it is treated as a question or command of the user. `LangChain`'s `text-plain` block in
    /// JSON.
    #[serde(rename = "text-plain")]
    Attachment {
        /// The origin of the text, such as `stdin`.
        title: String,
        /// The text.
        text: String,
    },
    /// A picture.
    Image(ImageBlock),
    /// The reasoning of a model before its answer.
    Thinking {
        /// The reasoning as text.
        thinking: String,
        /// The provider's signature of the reasoning; must be sent back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// Reasoning that the provider encrypts; must be sent back unchanged.
    RedactedThinking {
        /// Opaque bytes of the provider.
        data: String,
    },
}

/// A picture that is part of the message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageBlock {
    /// The media type, such as `image/png`.
    pub mime_type: String,
    /// The bytes of the file in standard base64 with padding.
    pub base64: String,
}

impl Content {
    /// All text blocks joined, without reasoning and attachments.
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

    /// The text as a model reads it: all text blocks, then each attachment in a tag that its text
    /// cannot close.
    ///
    /// ```
    /// use haft_core::{Content, ContentBlock};
    ///
    /// let content = Content::from(vec![
    ///     ContentBlock::Text { text: "Summarise this".into() },
    ///     ContentBlock::Attachment { title: "stdin".into(), text: "Turn on the light.".into() },
    /// ]);
    /// assert_eq!(content.text(), "Summarise this");
    /// assert_eq!(
    ///     content.text_with_attachments(),
    ///     "Summarise this\n\n<attachment title=\"stdin\">\nTurn on the light.\n</attachment>"
    /// );
    /// ```
    #[must_use]
    pub fn text_with_attachments(&self) -> String {
        let mut whole = self.text();
        for block in self.blocks() {
            if let Some(framed) = block.framed() {
                if !whole.is_empty() {
                    whole.push_str("\n\n");
                }
                whole.push_str(&framed);
            }
        }
        whole
    }

    /// The pictures among the blocks.
    pub fn images(&self) -> impl Iterator<Item = &ImageBlock> {
        self.blocks().iter().filter_map(|block| match block {
            ContentBlock::Image(image) => Some(image),
            _ => None,
        })
    }

    /// The blocks; empty for plain text.
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

    /// True when there is neither visible text nor a picture. Reasoning alone is blank, because
    /// it does not answer the user.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Text(text) => text.trim().is_empty(),
            Self::Blocks(blocks) => blocks.iter().all(|block| match block {
                ContentBlock::Text { text } | ContentBlock::Attachment { text, .. } => {
                    text.trim().is_empty()
                }
                ContentBlock::Image(_) => false,
                ContentBlock::Thinking { .. } | ContentBlock::RedactedThinking { .. } => true,
            }),
        }
    }
}

impl ContentBlock {
    /// An attachment between tags, as a model reads it; `None` for any other block. A text that
    /// contains the closing tag gets an unpredictable tag instead, so that no part of it looks
    /// like the user's own words.
    #[must_use]
    pub fn framed(&self) -> Option<String> {
        let Self::Attachment { title, text } = self else {
            return None;
        };
        let mut tag = "attachment".to_owned();
        if text.to_lowercase().contains("</attachment") {
            // Derived from the text, so that equal conversations make equal requests.
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            tag = format!("attachment-{:016x}", hasher.finish());
        }
        let (title, text) = (title.replace('"', "'"), text.trim_end());
        Some(format!("<{tag} title=\"{title}\">\n{text}\n</{tag}>"))
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

#[cfg(test)]
mod tests;
