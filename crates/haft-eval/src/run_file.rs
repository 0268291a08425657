//! The file with a run's results, so that an interrupted run can be resumed.
//!
//! The first line is a [`RunHeader`], each other line a [`CaseResult`]. A line is written as soon
//! as its case is done; an incomplete last line is dropped and its case runs again. The file is
//! locked while a run writes to it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{EvalError, EvalErrorKind};
use crate::result::CaseResult;

/// Identifies a run: results of another dataset, model or setting must not be mixed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The version of the file format.
    pub haft_eval: u32,
    /// The name of the dataset.
    pub dataset: String,
    /// The hash of the dataset's contents.
    pub dataset_hash: String,
    /// The model's full name.
    pub model: String,
    /// True for a simulation, where no model is asked.
    pub simulation: bool,
    /// The settings that affect the results.
    pub options: BTreeMap<String, String>,
}

/// The format version that is written.
const VERSION: u32 = 1;

/// The maximum size of a run file: 1 GB, about a million results.
pub(crate) const MAX_FILE: u64 = 1 << 30;

impl RunHeader {
    /// Creates a header in the current format.
    #[must_use]
    pub fn new(dataset: &crate::Dataset, subject: &crate::Subject) -> Self {
        Self {
            haft_eval: VERSION,
            dataset: dataset.name.clone(),
            dataset_hash: dataset.hash.clone(),
            model: subject.id(),
            simulation: subject.is_simulation(),
            options: BTreeMap::new(),
        }
    }

    /// A short hash of the header, used in file names.
    #[must_use]
    pub fn hash(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        crate::dataset::hash(&[&json])
    }

    /// Describes the first difference between two headers.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.haft_eval != other.haft_eval {
            return Some(format!(
                "it has form {}, not {}",
                other.haft_eval, self.haft_eval
            ));
        }
        if self.dataset != other.dataset {
            return Some(format!(
                "it is about {}, not {}",
                other.dataset, self.dataset
            ));
        }
        if self.dataset_hash != other.dataset_hash {
            return Some(format!("{} was changed since", self.dataset));
        }
        if self.model != other.model {
            return Some(format!("its model is {}, not {}", other.model, self.model));
        }
        let names = self.options.keys().chain(other.options.keys());
        let differs = |name: &&String| self.options.get(*name) != other.options.get(*name);
        let name = names.into_iter().find(differs)?;
        let value = |header: &Self| {
            header
                .options
                .get(name)
                .map_or("unset", String::as_str)
                .to_owned()
        };
        Some(format!(
            "its {name} is {}, not {}",
            value(other),
            value(self)
        ))
    }
}

/// A run file that was just opened.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedRun {
    /// The file to append to.
    pub file: RunFile,
    /// The results that it has.
    pub results: Vec<CaseResult>,
}

/// An open run file.
#[derive(Debug)]
pub struct RunFile {
    file: File,
    path: PathBuf,
}

/// The content of a run file.
struct Stored {
    results: Vec<CaseResult>,
    /// The end of the last complete line in bytes.
    end: u64,
}

impl RunFile {
    /// Opens or creates a run file and returns its results. `restart` discards them.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written, is in use by another run, is not a run file, or
    /// belongs to a run with another header.
    pub fn open(path: &Path, header: &RunHeader, restart: bool) -> Result<OpenedRun, EvalError> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(|error| io(folder, &error))?;
        }
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut run = Self {
            file: opened.map_err(|error| io(path, &error))?,
            path: path.to_owned(),
        };
        if run.file.try_lock().is_err() {
            return Err(run
                .wrong("is being written by another run")
                .with_hint("wait for it, or name another file with --run"));
        }
        let text = if restart { String::new() } else { run.text()? };
        let stored = run.read(&text, header)?;
        run.cut(stored.end)?;
        if stored.end == 0 {
            run.line(header)?;
        }
        Ok(OpenedRun {
            file: run,
            results: stored.results,
        })
    }

    /// Appends a result and flushes it to the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn push(&mut self, result: &CaseResult) -> Result<(), EvalError> {
        self.line(result)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), EvalError> {
        let line = serde_json::to_string(value).map_err(|error| self.wrong(&error.to_string()))?;
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written
            .and_then(|()| self.file.flush())
            .map_err(|error| io(&self.path, &error))
    }

    fn text(&mut self) -> Result<String, EvalError> {
        let mut bytes = Vec::new();
        let read = (&self.file).take(MAX_FILE).read_to_end(&mut bytes);
        read.map_err(|error| io(&self.path, &error))?;
        // A last line cut inside a character is dropped.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn read(&self, text: &str, header: &RunHeader) -> Result<Stored, EvalError> {
        let mut results: Vec<CaseResult> = Vec::new();
        let mut end = 0u64;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let Some(whole) = line.strip_suffix('\n') else {
                break;
            };
            if at == 0 {
                self.check(whole, header)?;
            } else {
                let result = serde_json::from_str(whole).map_err(|error| {
                    self.wrong(&format!(
                        "has a line {} that is not a result: {error}",
                        at + 1
                    ))
                    .with_hint("start again with --restart, or name another file with --run")
                })?;
                results.push(result);
            }
            end += u64::try_from(line.len()).unwrap_or(u64::MAX);
        }
        Ok(Stored { results, end })
    }

    fn check(&self, line: &str, header: &RunHeader) -> Result<(), EvalError> {
        let hint = "start again with --restart, or name another file with --run";
        let found: RunHeader = serde_json::from_str(line).map_err(|_| {
            self.wrong("is not a run file")
                .with_hint("name another file with --run")
        })?;
        match header.difference(&found) {
            None => Ok(()),
            Some(what) => Err(self
                .wrong(&format!("belongs to another run: {what}"))
                .with_hint(hint)),
        }
    }

    /// Truncates the file at `end` and moves there.
    fn cut(&mut self, end: u64) -> Result<(), EvalError> {
        let cut = self
            .file
            .set_len(end)
            .and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut.map(|_| ()).map_err(|error| io(&self.path, &error))
    }

    fn wrong(&self, problem: &str) -> EvalError {
        EvalError::new(
            EvalErrorKind::RunFile,
            format!("{} {problem}", self.path.display()),
        )
    }
}

fn io(path: &Path, error: &std::io::Error) -> EvalError {
    let message = format!("{} cannot be used: {error}", path.display());
    EvalError::new(EvalErrorKind::RunFile, message).with_hint("name another file with --run")
}

#[cfg(test)]
mod tests;
