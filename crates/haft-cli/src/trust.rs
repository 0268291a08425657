//! Whether a file of the current folder may be acted on: a folder comes from anywhere, and its
//! files name programs to start and addresses to talk to.
//!
//! A file is trusted by its place and its content, so that one that changes is asked about again.
//! `claims` says what a file of MCP servers wants, `store` remembers what was trusted. The user's
//! own configuration folder and files that the user names are never asked about.

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

/// In characters: one thing that a file wants, in the question. What is left out is reported, so that
/// a long command cannot hide its end.
const CLAIM_LIMIT: usize = 1000;

/// How long a claim may be in the warning, in characters.
const WARNING_LIMIT: usize = 200;

/// So many of them are shown.
const CLAIMS_SHOWN: usize = 40;

/// What can be done about a file that is not trusted.
pub(crate) const TRUST_IT: &str = "look at the file, then add --trust";

/// The hint where there is no terminal to ask at.
const REMEDY: &str = "look at the file, then add --trust, or run haft at a terminal, where it asks";

/// How it is found out whether a file is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// By what is remembered, else by asking where there is a terminal.
    Ask,
    /// By what is remembered: the command does not act on the file.
    Known,
    /// It was said on the command line, for this run.
    Given,
}

/// A file of the current folder.
#[derive(Debug)]
pub(crate) struct FolderFile<'a> {
    pub(crate) path: &'a Path,
    /// What was read and will be acted on; the file may be another one by now.
    pub(crate) content: &'a str,
    /// What it wants that needs trust, a line each.
    pub(crate) claims: Vec<String>,
}

impl Trust {
    /// What the flag `--trust` says.
    pub(crate) fn of_flag(given: bool) -> Self {
        if given { Self::Given } else { Self::Ask }
    }

    /// How files are trusted by a command that does not act on them: without a question.
    pub(crate) fn without_asking(self) -> Self {
        match self {
            Self::Ask => Self::Known,
            other => other,
        }
    }

    /// Whether a file may be acted on. One that may not is reported.
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

/// Whether the user has trusted this very content at this place.
pub(crate) fn is_remembered(path: &Path, content: &str) -> bool {
    let known = Place::of(path).zip(Store::find());
    known.is_some_and(|(place, store)| store.trusts(&place, content))
}

/// Remembers a file that the user has written by a command.
pub(crate) fn remember(path: &Path, content: &str) {
    if let Some((place, store)) = Place::of(path).zip(Store::find()) {
        store.remember(&place, content);
    }
}

/// True in the user's configuration folder.
fn is_users_own(path: &Path) -> bool {
    let Ok(folders) = etcetera::choose_base_strategy() else {
        return false;
    };
    let own = fs::canonicalize(folders.config_dir().join("haft"));
    own.is_ok_and(|own| store::folder_of(path).is_some_and(|folder| folder == own))
}

/// What the person reads. Nothing in it is taken as the terminal's commands.
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
    // A warning may end up in a log. The question shows commands as they are: the user who
    // allows one has to see all of it.
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
