//! The order in which upstreams are tried for a request, and the pauses in between.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};

use super::Choice;

/// The number of attempts with few upstreams, equal to those with a single one
/// ([`Limits::retries`](haft_models::Limits::retries) plus the first attempt).
const TRIES: usize = 3;

/// The result of an upstream so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// Not tried.
    No,
    /// Failed this many times with an error that may be temporary.
    Times(u32),
    /// Failed with an error that would occur again.
    InVain,
}

/// The upstreams of a request with their results so far.
#[derive(Debug)]
pub(super) struct Tries {
    choices: Vec<(Choice, Tried)>,
    left: usize,
    pub(super) last: Option<ModelError>,
}

impl Tries {
    pub(super) fn new(choices: Vec<Choice>, upstreams: usize) -> Self {
        // A single upstream is retried by its model.
        let left = if upstreams == 1 {
            1
        } else {
            choices.len().max(TRIES)
        };
        Self {
            choices: choices.into_iter().map(|one| (one, Tried::No)).collect(),
            left,
            last: None,
        }
    }

    /// The upstreams that were not tried, or else those that were tried least often.
    pub(super) fn next(&mut self) -> Vec<Choice> {
        if self.left == 0 {
            return Vec::new();
        }
        self.left -= 1;
        let fewest = self.fewest();
        let fitting = self
            .choices
            .iter()
            .filter(|(_, tried)| times(*tried).is_some_and(|times| Some(times) == fewest));
        fitting.map(|(choice, _)| choice.clone()).collect()
    }

    fn fewest(&self) -> Option<u32> {
        let choices = self.choices.iter();
        choices.filter_map(|(_, tried)| times(*tried)).min()
    }

    /// The pause before an upstream is tried again: as long as it asked for, and longer each time.
    pub(super) fn wait(&self, first: Duration) -> Option<Duration> {
        let again = self.fewest().filter(|times| *times > 0)?;
        let wanted = self.last.as_ref().and_then(ModelError::retry_after);
        let growing = first * 2_u32.pow(again.min(8) - 1);
        Some(wanted.unwrap_or_default().max(growing))
    }

    /// Records a failure. An upstream that asks for a longer pause than `longest` is not tried
    /// again.
    pub(super) fn failed(&mut self, upstream: usize, error: ModelError, longest: Duration) {
        let is_too_long = error.retry_after().is_some_and(|wait| wait > longest);
        let choice = self
            .choices
            .iter_mut()
            .find(|(choice, _)| choice.upstream == upstream);
        if let Some((_, tried)) = choice {
            *tried = match tried {
                _ if is_too_long || !error.is_transient() => Tried::InVain,
                Tried::No => Tried::Times(1),
                Tried::Times(times) => Tried::Times(*times + 1),
                Tried::InVain => Tried::InVain,
            };
        }
        // An unreachable upstream says less about the cause than an earlier error.
        let is_away = error.kind() == ModelErrorKind::Connect;
        if self.last.is_none() || !is_away {
            self.last = Some(error);
        }
    }

    pub(super) fn failure(self) -> ModelError {
        self.last.unwrap_or_else(|| {
            let message = "No model server could be asked";
            ModelError::new(ModelErrorKind::Connect, message)
        })
    }
}

fn times(tried: Tried) -> Option<u32> {
    match tried {
        Tried::No => Some(0),
        Tried::Times(times) => Some(times),
        Tried::InVain => None,
    }
}

#[cfg(test)]
mod tests;
