//! The store of trusted files: a private file in the state folder, with the path of each trusted
//! file and the SHA-256 of its content.
//!
//! It is written to a temporary file and renamed, so that concurrent programs never read incomplete
//! files. If two write at once, one entry is lost, and its question is asked again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

/// The name of the file.
const NAME: &str = "trusted.json";

/// The version of the format; increased when older files can no longer be read.
const VERSION: u32 = 1;

/// The identity of a file: the folder that it is read from, with all links resolved, and its name.
/// A link to a trusted file is not trusted, because its commands would run in another folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(String);

#[derive(Clone, Debug)]
pub(super) struct Store {
    file: PathBuf,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Trusted {
    version: u32,
    /// The hash of the content for each path.
    files: BTreeMap<String, String>,
}

/// The folder of a file, with all links resolved.
pub(super) fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let here = folder.as_os_str().is_empty();
    fs::canonicalize(if here { Path::new(".") } else { folder }).ok()
}

impl Place {
    /// `None` if the path cannot be determined exactly, for example if the name is not UTF-8.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let place = folder_of(path)?.join(path.file_name()?);
        place.to_str().map(|place| Self(place.to_owned()))
    }
}

impl Store {
    /// The user's store; `None` if there is no state folder.
    pub(super) fn find() -> Option<Self> {
        let folders = etcetera::choose_base_strategy().ok()?;
        let state = folders.state_dir().unwrap_or_else(|| folders.data_dir());
        Some(Self {
            file: state.join("haft").join(NAME),
        })
    }

    /// Whether this content at this path is trusted.
    pub(super) fn trusts(&self, place: &Place, content: &str) -> bool {
        self.load().files.get(&place.0) == Some(&hash(content))
    }

    /// Trusts this content from now on, instead of the previous one.
    pub(super) fn remember(&self, place: &Place, content: &str) {
        let mut trusted = self.load();
        trusted.version = VERSION;
        trusted.files.insert(place.0.clone(), hash(content));
        if let Err(error) = self.save(&trusted) {
            tracing::warn!(%error, file = %self.file.display(), "trust is not remembered");
        }
    }

    /// An unreadable or invalid store counts as empty: the user is asked again.
    fn load(&self) -> Trusted {
        let text = fs::read(&self.file).unwrap_or_default();
        let trusted: Option<Trusted> = serde_json::from_slice(&text).ok();
        trusted
            .filter(|trusted| trusted.version == VERSION)
            .unwrap_or_default()
    }

    fn save(&self, trusted: &Trusted) -> io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        // The file is private (`tempfile` creates it so).
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(&serde_json::to_vec_pretty(trusted)?)?;
        new.persist(&self.file)?;
        Ok(())
    }
}

/// SHA-256 in hexadecimal digits.
fn hash(content: &str) -> String {
    let digest = digest(&SHA256, content.as_bytes());
    digest
        .as_ref()
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests;
