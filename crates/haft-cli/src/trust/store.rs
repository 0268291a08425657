//! What was trusted: a file in the state folder that only the user may read, with the place of
//! each trusted file and the SHA-256 of its content.
//!
//! It is written beside its place and moved there, so that programs that run at once do not read
//! halves. Where two write at once one of them is forgotten, and its question comes again.

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

/// Raised when older files are no longer understood.
const VERSION: u32 = 1;

/// Where a file stands: the folder that it is read from, all links followed, and its name. A link
/// to a trusted file is not trusted: commands in it would run in another folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(String);

/// The file with what was trusted.
#[derive(Clone, Debug)]
pub(super) struct Store {
    file: PathBuf,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Trusted {
    version: u32,
    /// The hash of the content by place.
    files: BTreeMap<String, String>,
}

/// The folder that a file stands in, all links followed.
pub(super) fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let here = folder.as_os_str().is_empty();
    fs::canonicalize(if here { Path::new(".") } else { folder }).ok()
}

impl Place {
    /// None where it cannot be told exactly, as for a name that is no text.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let place = folder_of(path)?.join(path.file_name()?);
        place.to_str().map(|place| Self(place.to_owned()))
    }
}

impl Store {
    /// The user's store; none where there is no state folder.
    pub(super) fn find() -> Option<Self> {
        let folders = etcetera::choose_base_strategy().ok()?;
        let state = folders.state_dir().unwrap_or_else(|| folders.data_dir());
        Some(Self {
            file: state.join("haft").join(NAME),
        })
    }

    /// Whether this content was trusted at this place.
    pub(super) fn trusts(&self, place: &Place, content: &str) -> bool {
        self.load().files.get(&place.0) == Some(&hash(content))
    }

    /// Trusts it from now on, in place of what was there before.
    pub(super) fn remember(&self, place: &Place, content: &str) {
        let mut trusted = self.load();
        trusted.version = VERSION;
        trusted.files.insert(place.0.clone(), hash(content));
        if let Err(error) = self.save(&trusted) {
            tracing::warn!(%error, file = %self.file.display(), "trust is not remembered");
        }
    }

    /// What cannot be read or understood is as good as nothing: it will be asked about again.
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
        // Only the user may read it (`tempfile` makes it so).
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
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests;
