//! A dataset of questions: read from a folder, from one file, or bundled.
//!
//! The format is a compact form of the Berkeley Function Calling Leaderboard's: `cases.jsonl` and
//! `tools.jsonl` in one folder, or a single file whose cases contain their tools. `read.rs` reads
//! the lines, `types.rs` turns the leaderboard's type names into JSON Schema, `leaderboard.rs` reads the
//! files of the leaderboard itself, and `sources.rs` says where datasets can be had.

mod leaderboard;
mod read;
mod sources;
mod types;

pub use self::sources::{DATASET_SOURCES, DatasetSource};

pub(crate) use self::read::hash;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::case::Case;
use crate::error::EvalError;

/// The bundled questions about the demo home.
const HOME_50: &str = include_str!("../data/home-50.jsonl");

/// The names of the bundled datasets.
const BUNDLED: [(&str, &str); 1] = [("home-50", HOME_50)];

/// The largest file: 64 MiB, fifty times the largest dataset in use.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// A dataset of questions.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of the folder, the file or the bundled dataset.
    pub name: String,
    /// A hash of the contents, with which a run file recognises the dataset.
    pub hash: String,
    /// The questions, in order.
    pub cases: Vec<Case>,
}

impl Dataset {
    /// The bundled dataset `name`, if there is one.
    #[must_use]
    pub fn bundled(name: &str) -> Option<Self> {
        let (name, text) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        // The tests read the bundled file, so it is known to be valid.
        Self::read(name, text).ok()
    }

    /// Opens a bundled dataset, a folder with `cases.jsonl` and `tools.jsonl`,
    /// or a file.
    ///
    /// # Errors
    ///
    /// When there is no such dataset, or one of its lines is invalid.
    pub fn open(name: &str) -> Result<Self, EvalError> {
        let path = Path::new(name);
        if !path.exists() {
            return Self::bundled(name).ok_or_else(|| {
                let bundled = BUNDLED.map(|(name, _)| name).join(", ");
                EvalError::dataset(format!("There is no dataset \"{name}\"")).with_hint(format!(
                    "name a folder with cases.jsonl and tools.jsonl, a .jsonl or .json file, or {bundled}; `haft eval --list` says where there are more"
                ))
            });
        }
        let title = path.canonicalize().ok();
        let title = title.as_deref().unwrap_or(path).file_name();
        let title = title.map_or_else(
            || name.to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        if path.is_dir() {
            let cases = text_of(&path.join("cases.jsonl"))?;
            let tools = match path.join("tools.jsonl") {
                file if file.exists() => text_of(&file)?,
                _ => String::new(),
            };
            Self::assemble(&title, &cases, &tools)
        } else {
            let text = text_of(path)?;
            if !leaderboard::is_published(&text) {
                return Self::assemble(&title, &text, "");
            }
            let answers = leaderboard::answers_of(path).map(|file| text_of(&file));
            let answers = answers.transpose()?;
            let category = leaderboard::category(path);
            let cases = leaderboard::as_cases(&category, &text, answers.as_deref())?;
            Self::assemble(&title, &cases, "")
        }
    }

    /// Reads cases that contain their tools, as JSON lines or as one JSON list.
    ///
    /// # Errors
    ///
    /// When a case is invalid.
    pub fn read(name: &str, cases: &str) -> Result<Self, EvalError> {
        Self::assemble(name, cases, "")
    }

    fn assemble(name: &str, cases: &str, tools: &str) -> Result<Self, EvalError> {
        let tools = read::tools(tools)?;
        let parsed = read::cases(cases, &tools)?;
        if parsed.is_empty() {
            return Err(EvalError::dataset(format!("{name} has no cases"))
                .with_hint("write one JSON object a line, with id, query, tools and answer"));
        }
        Ok(Self {
            name: name.to_owned(),
            hash: hash(&[cases.as_bytes(), tools.source.as_bytes()]),
            cases: parsed,
        })
    }

    /// The names of the categories, in order of first appearance.
    #[must_use]
    pub fn categories(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for case in &self.cases {
            if !names.contains(&case.category.as_str()) {
                names.push(&case.category);
            }
        }
        names
    }

    /// Selects cases of these categories (all if empty), at most `limit` of them, taken from
    /// every category in turn. Keeps the order of the dataset.
    ///
    /// # Errors
    ///
    /// When a category does not exist.
    pub fn choose(
        &self,
        categories: &[String],
        limit: Option<usize>,
    ) -> Result<Vec<&Case>, EvalError> {
        let known = self.categories();
        if let Some(unknown) = categories
            .iter()
            .find(|name| !known.contains(&name.as_str()))
        {
            return Err(
                EvalError::dataset(format!("There is no category \"{unknown}\""))
                    .with_hint(format!("there are {}", known.join(", "))),
            );
        }
        let is_chosen = |case: &&Case| categories.is_empty() || categories.contains(&case.category);
        let chosen: Vec<&Case> = self.cases.iter().filter(is_chosen).collect();
        let Some(limit) = limit.filter(|limit| *limit < chosen.len()) else {
            return Ok(chosen);
        };
        let mut seen = vec![0usize; known.len()];
        let mut ranked: Vec<(usize, usize)> = Vec::new();
        for (at, case) in chosen.iter().enumerate() {
            let category = known.iter().position(|name| *name == case.category);
            let Some(count) = category.and_then(|category| seen.get_mut(category)) else {
                continue;
            };
            ranked.push((*count, at));
            *count += 1;
        }
        ranked.sort_unstable();
        let mut places: Vec<usize> = ranked.into_iter().take(limit).map(|(_, at)| at).collect();
        places.sort_unstable();
        Ok(places
            .into_iter()
            .filter_map(|at| chosen.get(at).copied())
            .collect())
    }
}

fn text_of(path: &Path) -> Result<String, EvalError> {
    let name = path.display();
    let unreadable = |error: std::io::Error| {
        EvalError::dataset(format!("{name} cannot be read: {error}"))
            .with_hint("name a folder with cases.jsonl and tools.jsonl, or a file of cases")
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_FILE {
        return Err(EvalError::dataset(format!("{name} is larger than 64 MiB"))
            .with_hint("split it into several"));
    }
    String::from_utf8(bytes).map_err(|_| {
        EvalError::dataset(format!("{name} is not text in UTF-8")).with_hint("convert it to UTF-8")
    })
}

#[cfg(test)]
mod tests;
