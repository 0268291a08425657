//! Reads files and streams with a size limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// The limit for texts: 1 MiB is about 250,000 tokens, more than most models accept.
pub(crate) const MAX_TEXT: u64 = 1024 * 1024;

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path, MAX_TEXT)?;
    text_of(bytes, &path.display().to_string())
}

/// Reads a file of at most `limit` bytes.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    read_all(file, limit, &name)
}

/// Reads at most `limit` bytes of a stream; `name` is its name in messages.
pub(crate) fn read_all(input: impl Read, limit: u64, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    input
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        let megabytes = limit / (1024 * 1024);
        let message = format!("{name} is larger than {megabytes} MiB");
        return Err(Failure::new(message).with_hint("take a part of it"));
    }
    Ok(bytes)
}

/// Decodes UTF-8 and removes a byte order mark.
pub(crate) fn text_of(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{name} is not text in UTF-8")).with_hint("convert it to UTF-8")
    })?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text))
}
