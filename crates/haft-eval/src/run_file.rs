//! The file that a run keeps its results in, so that it can be cut at any time and goes on where
//! it was.
//!
//! The first line says what is measured, each other line is one [`CaseResult`]. A line is written
//! whole and at once when its case is done; a last line that was cut is dropped and its case runs
//! again. While a run writes, no other may.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{EvalError, EvalErrorKind};
use crate::result::CaseResult;

/// What is measured: results of another collection, model or setting must not be mixed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The version of this form.
    pub haft_eval: u32,
    /// What the collection is called.
    pub dataset: String,
    /// The hash of its contents.
    pub dataset_hash: String,
    /// The model's full name.
    pub model: String,
    /// Whether no model was asked.
    pub simulation: bool,
    /// Settings on which the results depend.
    pub options: BTreeMap<String, String>,
}

/// The version of the form that is written.
const VERSION: u32 = 1;

/// A gigabyte is a million results.
const MAX_FILE: u64 = 1 << 30;

impl RunHeader {
    /// A header of the form that is written today.
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

    /// A short name for exactly this, for the name of a file.
    #[must_use]
    pub fn hash(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        crate::dataset::hash(&[&json])
    }

    /// What differs, in words.
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

/// An open run file.
#[derive(Debug)]
pub struct RunFile {
    file: File,
    path: PathBuf,
}

impl RunFile {
    /// Opens a run file, or makes it, and gives what it holds. With `restart` it begins anew.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written, another run writes it, it is no run file, or it
    /// belongs to a run of something else.
    pub fn open(
        path: &Path,
        header: &RunHeader,
        restart: bool,
    ) -> Result<(Self, Vec<CaseResult>), EvalError> {
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
        let (results, end) = run.read(&text, header)?;
        run.cut(end)?;
        if end == 0 {
            run.line(header)?;
        }
        Ok((run, results))
    }

    /// Adds a result, so that it is there whatever happens next.
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
        // Cut inside a character, the last line is dropped with it.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The results in `text`, and where the last whole line ends.
    fn read(&self, text: &str, header: &RunHeader) -> Result<(Vec<CaseResult>, u64), EvalError> {
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
                    self.wrong(&format!("has a line {} that is no result: {error}", at + 1))
                        .with_hint("begin anew with --restart, or name another file with --run")
                })?;
                results.push(result);
            }
            end += u64::try_from(line.len()).unwrap_or(u64::MAX);
        }
        Ok((results, end))
    }

    fn check(&self, line: &str, header: &RunHeader) -> Result<(), EvalError> {
        let hint = "begin anew with --restart, or name another file with --run";
        let found: RunHeader = serde_json::from_str(line).map_err(|_| {
            self.wrong("is no run file")
                .with_hint("name another file with --run")
        })?;
        match header.difference(&found) {
            None => Ok(()),
            Some(what) => Err(self
                .wrong(&format!("belongs to another run: {what}"))
                .with_hint(hint)),
        }
    }

    /// Drops what stands after `end`, and goes on there.
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
