//! Text of a server, cut to what a model or a reader can be asked to read.

/// In characters. What a server says is prompt and log: it must not fill either.
const MAX_TEXT: usize = 4000;

/// `text`, at most 4000 characters of it, with an ellipsis where it was cut.
pub(crate) fn bounded(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
