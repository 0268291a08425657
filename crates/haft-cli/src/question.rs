//! Builds the question for the model: words or stdin, attached text and files, and pictures.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use haft::Content;
use haft::types::{ContentBlock, ImageBlock};

use crate::attachment::{self, MAX_FILES};
use crate::bounded;
use crate::failure::Failure;
use crate::stdin::Stdin;

/// The maximum size of a picture: 10 MiB; providers accept 5 to 20.
const MAX_IMAGE: u64 = 10 * 1024 * 1024;

/// The maximum number of pictures, as providers accept no more per request.
const MAX_IMAGES: usize = 20;

const QUESTION: &str = "The question on stdin";

const ATTACHED: &str = "The text on stdin";

const EXAMPLE: &str = "ask one: haft ask \"What time is it in Tokyo?\"";

/// What the command line says of a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) words: &'a [String],
    /// Text files that go with it.
    pub(crate) files: &'a [String],
    /// Pictures that go with it.
    pub(crate) images: &'a [PathBuf],
}

/// The user's question: the words, with files and piped text as attachments; without words, the
/// piped text.
pub(crate) fn read(asked_for: Asked<'_>, stdin: Stdin<'_>) -> Result<Content, Failure> {
    let files_named = asked_for.files;
    if files_named.len() > MAX_FILES {
        let message = format!("These are more than {MAX_FILES} files");
        return Err(Failure::usage(message).with_hint("ask about them in parts"));
    }
    let files = files_named.iter().map(|name| attachment::read(name));
    let mut attachments = files.collect::<Result<Vec<_>, _>>()?;
    if !files_named.is_empty() {
        stdin.trace.note("files", &files_named.join(", "));
    }
    let is_piped = !stdin.is_terminal();
    let (text, piped) = match asked_for.words {
        [] if !is_piped => return Err(missing("There is no question")),
        [word] if word == "-" => (stdin.read(QUESTION)?, None),
        [] => (stdin.read(QUESTION)?, None),
        words => {
            let text = asked(words.join(" "))?;
            (text, is_piped.then(|| stdin.read(ATTACHED)).transpose()?)
        }
    };
    if let Some(text) = piped.filter(|text| !text.is_empty()) {
        let characters = text.chars().count();
        let note = format!("{characters} characters of text go with the question");
        stdin.trace.note("stdin", &note);
        // Piped text is data to work on, not the user's words, so nothing in it is a command.
        attachments.push(ContentBlock::Attachment {
            title: "stdin".to_owned(),
            text,
        });
    }
    content(asked(text)?, attachments, asked_for.images)
}

/// The question with its attachments.
fn content(
    text: String,
    attachments: Vec<ContentBlock>,
    images: &[PathBuf],
) -> Result<Content, Failure> {
    if images.is_empty() && attachments.is_empty() {
        return Ok(text.into());
    }
    if images.len() > MAX_IMAGES {
        let message = format!("These are more than {MAX_IMAGES} pictures");
        return Err(Failure::usage(message).with_hint("ask about them in parts"));
    }
    let mut blocks = vec![ContentBlock::Text { text }];
    blocks.extend(attachments);
    for path in images {
        let bytes = bounded::read_bytes(path, MAX_IMAGE)?;
        let mime_type = mime_type(&bytes).ok_or_else(|| {
            Failure::new(format!("{} is not a supported picture", path.display()))
                .with_hint("convert it to png, jpeg, gif or webp")
        })?;
        blocks.push(ContentBlock::Image(ImageBlock {
            mime_type: mime_type.to_owned(),
            base64: STANDARD.encode(bytes),
        }));
    }
    Ok(blocks.into())
}

/// The question; an error if it is blank.
fn asked(text: String) -> Result<String, Failure> {
    if text.trim().is_empty() {
        return Err(missing("The question is empty"));
    }
    Ok(text)
}

fn missing(message: &str) -> Failure {
    Failure::usage(message).with_hint(EXAMPLE)
}

/// The media type by the first bytes; file extensions are unreliable.
fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some("image/gif")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
