//! Where attempts are kept.

use std::fmt;
use std::path::{Path, PathBuf};

use haft_store::StoreAddress;

/// Where the attempts are.
pub(super) enum Place {
    /// In a file of their own.
    File(PathBuf),
    /// In a store that other parts of haft use too.
    Store(StoreAddress),
}

impl Place {
    /// False for a file that is not there.
    pub(super) fn is_there(&self) -> bool {
        match self {
            Self::File(path) => path.exists(),
            Self::Store(address) => address.file().is_none_or(Path::exists),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Store(address) => address.fmt(formatter),
        }
    }
}
