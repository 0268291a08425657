//! A model file on this machine, checked before its engine maps it into memory: it exists, is a
//! model, is whole, and fits.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use haft_core::{ModelError, ModelErrorKind};

use super::gguf::{Head, Unreadable};

/// The context if the settings name none, in tokens: what a question with tools needs, in a few
/// hundred megabytes. Models are trained on far more.
const USUAL_CONTEXT: u64 = 8192;

/// The context of a file that does not say what it was trained on.
const UNTOLD_CONTEXT: u64 = 2048;

/// What the engine needs beside weights and context, in bytes: its graph and its buffers.
const WORKING_MEMORY: u64 = 128 << 20;

/// A model file and what it tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelFile {
    pub(super) path: PathBuf,
    pub(super) head: Head,
    /// The context that is used, in tokens.
    pub(super) context: u32,
}

impl ModelFile {
    /// Reads the head of a model file and checks the file.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::ModelNotFound`] if there is no such file, [`ModelErrorKind::Configuration`]
    /// if it is no whole model, or does not fit into memory with this context.
    pub(super) fn open(path: &Path, context: Option<u32>) -> Result<Self, ModelError> {
        Self::open_with(path, context, available_memory())
    }

    /// As [`open`](Self::open), with this much memory; `None` if that is not known.
    fn open_with(
        path: &Path,
        context: Option<u32>,
        memory: Option<u64>,
    ) -> Result<Self, ModelError> {
        let path = from_home(path, env::home_dir());
        let shown = path.display();
        let size = match fs::metadata(&path) {
            Ok(about) if about.is_file() => about.len(),
            Ok(_) => return Err(wrong(format!("{shown} is not a file"))),
            Err(error) => return Err(unreadable(&path, &error)),
        };
        let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
        let head = Head::read(BufReader::new(file)).map_err(|problem| explained(&path, problem))?;
        if head.file_length > size {
            return Err(incomplete(&path));
        }
        let trained = head.context.unwrap_or(UNTOLD_CONTEXT);
        let wished = context.map_or(USUAL_CONTEXT, u64::from);
        let used = wished.min(trained).max(1);
        let needed = size
            .saturating_add(head.bytes_per_token.saturating_mul(used))
            .saturating_add(WORKING_MEMORY);
        if let Some(memory) = memory.filter(|memory| *memory < needed) {
            let message = format!(
                "{shown} needs about {} of memory with a context of {used} tokens, and {} are free",
                gigabytes(needed),
                gigabytes(memory),
            );
            return Err(wrong(message).with_hint(
                "use a smaller model or a smaller quantization of it, or a smaller context \
                 ([model] context)",
            ));
        }
        Ok(Self {
            context: u32::try_from(used).unwrap_or(u32::MAX),
            path,
            head,
        })
    }
}

/// The path with the home directory in place of a leading `~`: a shell does not replace it behind
/// `local:`.
fn from_home(path: &Path, home: Option<PathBuf>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

fn wrong(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::Configuration, message)
}

fn unreadable(path: &Path, error: &io::Error) -> ModelError {
    let shown = path.display();
    if error.kind() == io::ErrorKind::NotFound {
        let message = format!("There is no model file {shown}");
        return ModelError::new(ModelErrorKind::ModelNotFound, message).with_hint(
            "check the path after `local:`; `haft models get` says where to get a file",
        );
    }
    wrong(format!("The model file {shown} cannot be read: {error}"))
}

/// The error for a file that ends before its last tensor.
fn incomplete(path: &Path) -> ModelError {
    wrong(format!("The model file {} is not complete", path.display()))
        .with_hint("download it again; the download was probably interrupted")
}

fn explained(path: &Path, problem: Unreadable) -> ModelError {
    let shown = path.display();
    match problem {
        Unreadable::NotGguf => wrong(format!("{shown} is not a model in the GGUF format"))
            .with_hint("`haft models get` says where to get a file in this format"),
        Unreadable::Version(version) => wrong(format!(
            "{shown} has version {version} of the GGUF format, which is not known"
        ))
        .with_hint("get a newer file of this model, or a newer haft"),
        Unreadable::Cut => incomplete(path),
        Unreadable::Broken(what) => {
            wrong(format!("The model file {shown} is broken: wrong {what}"))
                .with_hint("download it again")
        }
        Unreadable::Io(error) => unreadable(path, &error),
    }
}

/// The memory that is free for a program, in bytes; `None` on systems without `/proc/meminfo`.
fn available_memory() -> Option<u64> {
    kilobytes_available(&fs::read_to_string("/proc/meminfo").ok()?)?.checked_mul(1024)
}

/// The line `MemAvailable:   23456789 kB` of `/proc/meminfo` (`proc_meminfo(5)`).
fn kilobytes_available(meminfo: &str) -> Option<u64> {
    let mut lines = meminfo.lines();
    let value = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    value.trim().trim_end_matches("kB").trim().parse().ok()
}

/// A size for people, such as `1.2 GB`.
fn gigabytes(bytes: u64) -> String {
    const TENTH: u64 = 100_000_000;
    let tenths = bytes.div_ceil(TENTH);
    format!("{}.{} GB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests;
