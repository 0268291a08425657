//! Where a store is: a SQLite file, or a Postgres database in builds with the feature `postgres`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::StoreError;

/// The address of a store: `sqlite:FILE` or `postgres://USER@HOST/DATABASE`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreAddress {
    /// A SQLite file, for processes of one machine.
    File(PathBuf),
    /// The URL of a Postgres database, which may hold a password.
    #[cfg(feature = "postgres")]
    Postgres(String),
}

impl StoreAddress {
    /// The path of a SQLite file.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }
}

impl FromStr for StoreAddress {
    type Err = StoreError;

    fn from_str(address: &str) -> Result<Self, StoreError> {
        if let Some(file) = address.strip_prefix("sqlite:") {
            let file = file.strip_prefix("//").unwrap_or(file);
            return match file.is_empty() {
                true => Err(StoreError::address()),
                false => Ok(Self::File(file.into())),
            };
        }
        if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
            return Err(StoreError::address());
        }
        #[cfg(feature = "postgres")]
        return Ok(Self::Postgres(address.to_owned()));
        #[cfg(not(feature = "postgres"))]
        Err(StoreError::no_postgres())
    }
}

/// The path of the file, or that it is Postgres: a URL may hold a password.
impl fmt::Display for StoreAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => formatter.write_str("the Postgres database"),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "StoreAddress({self})")
    }
}
