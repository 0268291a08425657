//! A run that is over, read back: what `haft eval --json` printed, or a run file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use crate::error::{EvalError, EvalErrorKind};
use crate::result::CaseResult;
use crate::run_file::{MAX_FILE, RunHeader};

/// The results of a run.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct StoredRun {
    /// The name of the dataset.
    pub dataset: String,
    /// The hash of its contents.
    pub dataset_hash: String,
    /// The model's full name.
    pub model: String,
    /// The results, one for each case.
    pub cases: Vec<CaseResult>,
}

impl StoredRun {
    /// Reads the output of `haft eval --json`, or a run file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is neither.
    pub fn open(path: &Path) -> Result<Self, EvalError> {
        let wrong = |problem: String| {
            EvalError::new(
                EvalErrorKind::RunFile,
                format!("{} {problem}", path.display()),
            )
            .with_hint("name what `haft eval --json` printed, or a file of `--run`")
        };
        let mut text = String::new();
        let file = File::open(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        file.take(MAX_FILE)
            .read_to_string(&mut text)
            .map_err(|error| wrong(format!("cannot be read: {error}")))?;
        if let Ok(run) = serde_json::from_str::<Self>(&text) {
            return Ok(run);
        }
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let header: RunHeader = serde_json::from_str(header)
            .map_err(|_| wrong("holds no results of a run".to_owned()))?;
        let cases = lines
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()
            .map_err(|error| wrong(format!("has a line that is not a result: {error}")))?;
        Ok(Self {
            dataset: header.dataset,
            dataset_hash: header.dataset_hash,
            model: header.model,
            cases,
        })
    }
}
