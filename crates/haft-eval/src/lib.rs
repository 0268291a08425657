//! Measures how well a model calls tools under haft: what its first reply alone is worth, and
//! what the whole runtime makes of it.
//!
//! # Brief overview
//!
//! A [`Dataset`] holds [`Case`]s: a question, the tools for it, and the calls that count as
//! right. [`evaluate`] runs them through [`haft_agent::Agent`], with each case's tools bound as
//! tools that answer something fixed and remember what they were asked, and [`score`]s the calls
//! that were made. Each case yields a [`CaseResult`], which a [`RunFile`] keeps, so that a run
//! that was cut goes on where it was; a [`Summary`] adds them up with their intervals, and
//! [`html_report`] draws it. [`Flaky`] is a model that fails as real ones were seen to, for
//! simulations without a model.
//!
//! The neighbours are `haft-agent` below and the command `haft eval` above.
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
mod dataset;
mod error;
mod flaky;
mod report;
mod result;
mod run_file;
mod runner;
mod score;
mod statistics;
mod summary;
mod witness;

pub use case::{Case, CaseTools, Expected, GoldCall, StubDefinition};
pub use dataset::Dataset;
pub use error::{EvalError, EvalErrorKind};
pub use flaky::Flaky;
pub use report::{ReportInfo, html_report};
pub use result::{CaseResult, RungResult, Verdict};
pub use run_file::{RunFile, RunHeader};
pub use runner::{EvalOptions, Subject, evaluate};
pub use score::score;
pub use statistics::{Interval, percentile, wilson};
pub use summary::{Group, Mistake, RungSummary, Share, Summary};
