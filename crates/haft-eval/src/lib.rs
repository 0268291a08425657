//! Measures how well a model calls tools: the quality of its first reply alone, and the result
//! with haft's repair and recovery.
//!
//! # Brief overview
//!
//! A [`Dataset`] holds [`Case`]s: a question, the tools for it, and the correct
//! calls. [`evaluate`] runs them through [`haft_agent::Agent`], with each case's tools bound as
//! stubs with a fixed answer, and [`score`]s the calls
//! that were made. Each case yields a [`CaseResult`], which a [`RunFile`] stores, so that an
//! interrupted run can be resumed; [`compare`] says what changed between two of them; a [`Summary`] computes shares with confidence intervals, and
//! [`html_report`] renders them. [`Flaky`] is a simulated model that fails as real models do.
//!
//! It is built on `haft-agent`; the command `haft eval` uses it.
//!
//! ```
//! use haft_eval::{Dataset, EvalOptions, Subject, Summary, evaluate};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let dataset = Dataset::bundled("home-50").unwrap();
//! let model = haft_eval::Flaky::perfect();
//! let mut results = Vec::new();
//! let cases: Vec<_> = dataset.cases.iter().take(3).collect();
//! evaluate(&cases, &Subject::Flaky(model), &EvalOptions::default(), |result| {
//!     results.push(result);
//!     Ok(())
//! })
//! .await?;
//! let summary = Summary::of(&results);
//! assert_eq!(summary.all.recovered.share(), 1.0);
//! # Ok::<_, haft_eval::EvalError>(())
//! # }).unwrap();
//! ```

mod bound;
mod case;
mod chance;
mod compare;
mod dataset;
mod error;
mod flaky;
mod recording_model;
mod report;
mod result;
mod run_file;
mod runner;
mod score;
mod statistics;
mod stored_run;
mod summary;

pub use case::{Case, CaseTools, Expected, GoldCall, StubDefinition};
pub use compare::{Change, ChangedCase, Comparison, compare, mcnemar};
pub use dataset::{DATASET_SOURCES, Dataset, DatasetSource};
pub use error::{EvalError, EvalErrorKind};
pub use flaky::Flaky;
pub use report::{ReportInfo, html_report};
pub use result::{CaseResult, StepResult, Verdict};
pub use run_file::{OpenedRun, RunFile, RunHeader};
pub use runner::{EvalOptions, Subject, evaluate};
pub use score::score;
pub use statistics::{Interval, percentile, wilson};
pub use stored_run::StoredRun;
pub use summary::{Group, Mistake, Share, StepSummary, Summary};
