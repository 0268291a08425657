//! Opens the input: a file or stdin.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::failure::Failure;

/// `bytes` without a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// An opened input.
pub(crate) struct Input {
    pub(crate) stream: Box<dyn Read + Send>,
    /// The name in messages.
    pub(crate) name: String,
    /// The size in bytes, if known.
    pub(crate) length: Option<u64>,
}

impl Input {
    /// Opens a file, or stdin for none and for `-`. `what` names the content: a reply, a query.
    pub(crate) fn open(path: Option<&Path>, what: &str) -> Result<Self, Failure> {
        if path.is_none() && io::stdin().is_terminal() {
            let hint = format!("name a file, pipe a {what} in, or write `-` to type one");
            return Err(Failure::usage(format!("There is no {what}")).with_hint(hint));
        }
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self {
                stream: Box::new(io::stdin()),
                name: format!("The {what} on stdin"),
                length: None,
            });
        };
        let name = path.display().to_string();
        let failure = |error| Failure::new(format!("{name} cannot be read: {error}"));
        let file = File::open(path).map_err(failure)?;
        let metadata = file.metadata().map_err(failure)?;
        Ok(Self {
            length: metadata.is_file().then_some(metadata.len()),
            stream: Box::new(file),
            name,
        })
    }
}
