//! Decides whether a file in the current folder may be used: a folder may come from anywhere, and
//! its files name programs to start and addresses to connect to.
//!
//! Trust is given to a path with a content, so a changed file needs it again. `claims` lists what a
//! file of MCP servers requests, `store` remembers trusted files. The user's own configuration
//! folder, and files that the user names, are always trusted.

mod claims;
mod store;

use std::fs;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use etcetera::BaseStrategy;
use haft::tools::{capped, escape_unseen};

use self::store::{Place, Store};
use crate::terminal;
use crate::text::{shortened, without_secrets_of_command};

pub(crate) use self::claims::claims_of_servers;

/// The maximum length of one claim in the question, in characters. The omitted length is shown, so
/// that a long command cannot hide its end.
const CLAIM_LIMIT: usize = 1000;

/// The maximum length of a claim in the warning, in characters.
const WARNING_LIMIT: usize = 200;

/// The maximum number of claims that are shown.
const CLAIMS_SHOWN: usize = 40;

/// The hint about a file that is not trusted.
pub(crate) const TRUST_IT: &str = "look at the file, then add --trust";

/// The hint if there is no terminal to ask at.
const REMEDY: &str = "look at the file, then add --trust, or run haft at a terminal, where it asks";

/// How trust is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// From the store, or by asking at a terminal.
    Ask,
    /// From the store only, for commands that do not use the file.
    Known,
    /// Given on the command line for this run.
    Given,
}

/// A file in the current folder.
#[derive(Debug)]
pub(crate) struct FolderFile<'a> {
    pub(crate) path: &'a Path,
    /// The content that was read and will be used; the file may have changed since.
    pub(crate) content: &'a str,
    /// The settings that need trust, one line each.
    pub(crate) claims: Vec<String>,
}

impl Trust {
    /// The mode for the flag `--trust`.
    pub(crate) fn of_flag(given: bool) -> Self {
        if given { Self::Given } else { Self::Ask }
    }

    /// The mode for commands that do not use files: without a question.
    pub(crate) fn without_asking(self) -> Self {
        match self {
            Self::Ask => Self::Known,
            other => other,
        }
    }

    /// Whether the file may be used. If not, this is reported.
    pub(crate) async fn allows(self, file: &FolderFile<'_>) -> bool {
        if self == Self::Given || file.claims.is_empty() || is_users_own(file.path) {
            return true;
        }
        let place = Place::of(file.path);
        let store = Store::find();
        let known = place.as_ref().zip(store.as_ref());
        if known.is_some_and(|(place, store)| store.trusts(place, file.content)) {
            return true;
        }
        if self == Self::Known || !terminal::is_there() {
            tell_ignored(file, Some(REMEDY));
            return false;
        }
        if !is_yes(terminal::ask(&question(file)).await.as_deref()) {
            tell_ignored(file, None);
            return false;
        }
        if let Some((place, store)) = known {
            store.remember(place, file.content);
        }
        true
    }
}

/// Whether the user has trusted this content at this path.
pub(crate) fn is_remembered(path: &Path, content: &str) -> bool {
    let known = Place::of(path).zip(Store::find());
    known.is_some_and(|(place, store)| store.trusts(&place, content))
}

/// Remembers a file that the user has written with a command.
pub(crate) fn remember(path: &Path, content: &str) {
    if let Some((place, store)) = Place::of(path).zip(Store::find()) {
        store.remember(&place, content);
    }
}

/// True for a file in the user's configuration folder.
fn is_users_own(path: &Path) -> bool {
    let Ok(folders) = etcetera::choose_base_strategy() else {
        return false;
    };
    let own = fs::canonicalize(folders.config_dir().join("haft"));
    own.is_ok_and(|own| store::folder_of(path).is_some_and(|folder| folder == own))
}

/// The question for the user, without control characters.
fn question(file: &FolderFile<'_>) -> String {
    let shown = file.claims.iter().take(CLAIMS_SHOWN);
    let mut lines: Vec<String> = shown
        .map(|claim| {
            let claim = capped(escape_unseen(claim), CLAIM_LIMIT);
            format!("        {}", claim.replace('\n', " "))
        })
        .collect();
    if let Some(more) = file
        .claims
        .len()
        .checked_sub(CLAIMS_SHOWN)
        .filter(|more| *more > 0)
    {
        lines.push(format!("        and {more} more"));
    }
    format!(
        "{} wants to\n{}\n        trust this folder? [y/N] ",
        named(file.path),
        lines.join("\n")
    )
}

/// The file with its folder.
fn named(path: &Path) -> String {
    let full = store::folder_of(path).and_then(|folder| Some(folder.join(path.file_name()?)));
    escape_unseen(&full.as_deref().unwrap_or(path).display().to_string())
}

fn is_yes(line: Option<&str>) -> bool {
    let said = line.unwrap_or_default().trim().to_lowercase();
    matches!(said.as_str(), "y" | "yes")
}

fn tell_ignored(file: &FolderFile<'_>, remedy: Option<&str>) {
    const CAUTION: Style = AnsiColor::Yellow.on_default();
    // A warning may be written to a log. The question shows commands unchanged, because the user
    // must see everything that is allowed.
    let first = file.claims.first().map(|claim| {
        shortened(
            &escape_unseen(&without_secrets_of_command(claim)),
            WARNING_LIMIT,
        )
    });
    let more = match file.claims.len() {
        0 | 1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    let (name, first) = (named(file.path), first.unwrap_or_default());
    anstream::eprintln!(
        "{CAUTION}warning:{CAUTION:#} {name} is not trusted; ignored: {first}{more}"
    );
    if let Some(remedy) = remedy {
        anstream::eprintln!("{CAUTION}hint:{CAUTION:#} {remedy}");
    }
}

#[cfg(test)]
mod tests;
