//! Text files that go with a question, from `-f FILE` and from `@FILE` in the chat.

use std::path::Path;

use haft::types::ContentBlock;

use crate::bounded;
use crate::failure::Failure;

/// The maximum number of files with one question.
pub(crate) const MAX_FILES: usize = 20;

/// Reads a text file of at most 1 MiB.
pub(crate) fn read(name: &str) -> Result<ContentBlock, Failure> {
    if name.contains("://") {
        return Err(Failure::usage(format!("{name} is an address, not a file"))
            .with_hint("download it first, or pipe it in: curl -s URL | haft ask \"Summarise\""));
    }
    let path = Path::new(name);
    if path.is_dir() {
        return Err(Failure::usage(format!("{name} is a folder")).with_hint("name its files"));
    }
    if !path.exists() {
        return Err(Failure::usage(format!("There is no file {name}")));
    }
    let bytes = bounded::read_bytes(path, bounded::MAX_TEXT)?;
    let not_text = || {
        Failure::usage(format!("{name} is not text in UTF-8"))
            .with_hint("pictures go with --image; convert other files to text")
    };
    if bytes.contains(&0) {
        return Err(not_text());
    }
    let text = bounded::text_of(bytes, name).map_err(|_| not_text())?;
    if text.trim().is_empty() {
        return Err(Failure::usage(format!("{name} is empty")));
    }
    Ok(ContentBlock::Attachment {
        title: name.to_owned(),
        text,
    })
}

#[cfg(test)]
mod tests;
