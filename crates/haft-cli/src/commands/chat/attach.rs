//! Files that are attached to a question by an at sign: `@notes.txt`, `@"my notes.txt"`.

use haft::Content;
use haft::types::ContentBlock;

use crate::attachment::{self, MAX_FILES};
use crate::failure::Failure;

/// The hint where a word with an at sign names no file.
const LITERAL: &str = "type @@ for a plain @";

/// The question in a line, with its files; `None` if the line is blank.
pub(super) fn question(line: &str) -> Result<Option<Content>, Failure> {
    let mut text = String::new();
    let mut files: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    while let Some(place) = rest.find('@') {
        let (before, after) = rest.split_at_checked(place).unwrap_or((rest, ""));
        text.push_str(before);
        let begins_word = text.is_empty() || text.ends_with(char::is_whitespace);
        let at = after.strip_prefix('@').unwrap_or_default();
        if let Some(after) = at.strip_prefix('@') {
            text.push('@');
            rest = after;
            continue;
        }
        let name = name(at);
        if begins_word && !name.is_empty() {
            files.push(name);
        }
        text.push('@');
        rest = at;
    }
    text.push_str(rest);
    if text.is_empty() {
        return Ok(None);
    }
    files.dedup();
    if files.len() > MAX_FILES {
        return Err(Failure::usage(format!(
            "These are more than {MAX_FILES} files"
        )));
    }
    if files.is_empty() {
        return Ok(Some(text.into()));
    }
    let attachments = files.into_iter().map(|name| {
        attachment::read(name).map_err(|failure| match &failure.hint {
            Some(_) => failure,
            None => failure.with_hint(LITERAL),
        })
    });
    let mut blocks = vec![ContentBlock::Text { text }];
    blocks.extend(attachments.collect::<Result<Vec<_>, _>>()?);
    Ok(Some(blocks.into()))
}

/// The name of a file at the beginning of `text`: up to a space, or in quotes. Punctuation that
/// ends a sentence is no part of it.
fn name(text: &str) -> &str {
    if let Some(quoted) = text.strip_prefix('"') {
        return quoted.split('"').next().unwrap_or_default();
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let begins = text.starts_with(word);
    let word = word.trim_end_matches([',', ';', ':', '?', '!', ')', '.']);
    if begins { word } else { "" }
}

#[cfg(test)]
mod tests;
