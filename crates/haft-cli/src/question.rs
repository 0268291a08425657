//! The question as the model gets it: words or stdin, and pictures.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use haft::Content;
use haft::core::{ContentBlock, ImageBlock};

use crate::bounded::{self, MAX_TEXT};
use crate::failure::Failure;

/// 10 MiB: what a camera makes; providers take 5 to 20.
const MAX_IMAGE: u64 = 10 * 1024 * 1024;

/// More pictures than providers take in one request help nobody.
const MAX_IMAGES: usize = 20;

const EXAMPLE: &str = "ask one: haft ask \"What time is it in Tokyo?\"";

/// What the user asks.
pub(crate) fn read(words: &[String], images: &[PathBuf]) -> Result<Content, Failure> {
    let text = text(words)?;
    if images.is_empty() {
        return Ok(text.into());
    }
    if images.len() > MAX_IMAGES {
        let message = format!("These are more than {MAX_IMAGES} pictures");
        return Err(Failure::usage(message).with_hint("ask about them in parts"));
    }
    let mut blocks = vec![ContentBlock::Text { text }];
    for path in images {
        let bytes = bounded::read_bytes(path, MAX_IMAGE)?;
        let mime_type = mime_type(&bytes).ok_or_else(|| {
            Failure::new(format!("{} is no picture that models know", path.display()))
                .with_hint("convert it to png, jpeg, gif or webp")
        })?;
        blocks.push(ContentBlock::Image(ImageBlock {
            mime_type: mime_type.to_owned(),
            base64: STANDARD.encode(bytes),
        }));
    }
    Ok(blocks.into())
}

fn text(words: &[String]) -> Result<String, Failure> {
    let missing = |message: &str| Failure::usage(message).with_hint(EXAMPLE);
    let text = match words {
        [] if io::stdin().is_terminal() => return Err(missing("There is no question")),
        [word] if word == "-" => from_stdin()?,
        [] => from_stdin()?,
        words => words.join(" "),
    };
    if text.trim().is_empty() {
        return Err(missing("The question is blank"));
    }
    Ok(text)
}

fn from_stdin() -> Result<String, Failure> {
    let bytes = bounded::read_all(io::stdin().lock(), MAX_TEXT, "The question on stdin")?;
    bounded::text_of(bytes, "The question on stdin").map(|text| text.trim().to_owned())
}

/// The kind of picture, by its first bytes; names of files lie.
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
