//! Limits the length of text from a server.

/// The maximum length in characters. A server's text goes into prompts and logs and must not fill
/// them.
const MAX_TEXT: usize = 4000;

/// `text`, at most 4000 characters of it, with an ellipsis where it was cut.
pub(crate) fn bounded(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
