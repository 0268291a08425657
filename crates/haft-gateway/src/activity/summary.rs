//! A request as a line of the list, without any content.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::interventions::Interventions;

/// How far a request has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// It is being answered.
    #[default]
    Running,
    /// The answer is complete.
    Answered,
    /// It ended with an error.
    Failed,
    /// It was refused before a model was asked.
    Refused,
    /// The client closed the connection.
    ClientLeft,
}

/// A request in the list of the page, without any content.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// The number of the request since the start, from 1.
    pub(super) number: u64,
    /// The id in the log and in the header `x-request-id`.
    pub(super) id: String,
    /// When it began, in milliseconds since 1970.
    pub(super) at: u64,
    pub(super) key: Option<Arc<str>>,
    pub(super) dialect: &'static str,
    pub(super) model: String,
    /// The name of the upstream that was asked last.
    pub(super) upstream: Option<Arc<str>>,
    pub(super) stream: bool,
    pub(super) passed: bool,
    pub(super) outcome: Outcome,
    pub(super) status: Option<u16>,
    pub(super) ms: Option<u64>,
    pub(super) first_ms: Option<u64>,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
    pub(super) calls: usize,
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// The error as the client reads it.
    pub(super) error: Option<String>,
}

/// The numbers of interventions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Counts {
    repaired: usize,
    recovered: usize,
    in_vain: usize,
    quoted: usize,
}

impl Counts {
    pub(super) fn of(interventions: &Interventions) -> Self {
        let steps = &interventions.recovery;
        let recovered = steps.iter().filter(|step| step.recovered).count();
        Self {
            repaired: interventions.repaired.len(),
            recovered,
            in_vain: steps.len() - recovered,
            quoted: interventions.quoted.len(),
        }
    }
}

/// A time in whole milliseconds.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
