//! Shows progress: a bar on a terminal, one line per case when stderr is piped.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use haft::eval::CaseResult;
use indicatif::{ProgressBar, ProgressStyle};

use super::table::{labelled, wrapped};
use super::{Plan, width_of};
use crate::args::Verbosity;
use crate::output::say;
use crate::text::{plain, shortened};

/// The update interval of the elapsed time; a case may take minutes.
const TICK: Duration = Duration::from_millis(500);

/// The maximum length of a line in characters: names of cases are short, errors are cut.
const LINE: usize = 160;

/// The width of a label such as "model   ".
const LABEL: usize = 8;

/// The columns that the bar takes with all that is told beside it.
const WIDE: usize = 80;

#[derive(Debug)]
pub(super) struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    wanted: usize,
    done: usize,
    first: usize,
    recovered: usize,
}

impl Progress {
    pub(super) fn new(verbosity: Verbosity, wanted: usize) -> Self {
        Self {
            quiet: verbosity.quiet,
            bar: None,
            wanted,
            done: 0,
            first: 0,
            recovered: 0,
        }
    }

    /// Prints the plan of the run.
    pub(super) fn begin(&mut self, plan: &Plan, known: usize) {
        self.done = known;
        self.say(&format!("model   {} ({})", plan.header.model, plan.reason));
        self.say(&format!("run     {}", plan.run_path.display()));
        if known > 0 {
            let rest = match known == self.wanted {
                true => "; --restart measures them again",
                false => "",
            };
            self.say(&format!("known   {known} of {} cases{rest}", self.wanted));
        }
        if !self.quiet && io::stderr().is_terminal() {
            let bar = ProgressBar::new(u64::try_from(self.wanted).unwrap_or(u64::MAX));
            let style = ProgressStyle::with_template(match width_of(io::stderr()) {
                Some(width) if width < WIDE => "{bar:10} {pos}/{len} (left: {eta})",
                _ => "{bar:30} {pos}/{len}  {elapsed} (left: {eta})  {msg}",
            });
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(u64::try_from(known).unwrap_or(u64::MAX));
            bar.enable_steady_tick(TICK);
            self.bar = Some(bar);
        }
    }

    /// Reports a finished case.
    pub(super) fn done(&mut self, result: &CaseResult) {
        self.done += 1;
        self.first += usize::from(result.first.is_right());
        self.recovered += usize::from(result.recovered.is_right());
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(format!(
                "first try {}, recovered {}",
                self.first, self.recovered
            ));
            return;
        }
        let steps: Vec<_> = result
            .steps
            .iter()
            .map(|report| report.step.name())
            .collect();
        let steps = match steps.is_empty() {
            true => String::new(),
            false => format!(" ({})", steps.join(", ")),
        };
        let error = result
            .error
            .as_deref()
            .map(|error| format!(": {error}"))
            .unwrap_or_default();
        self.say(&format!(
            "{}/{} {}: first try {}, recovered {}{steps}{error}",
            self.done,
            self.wanted,
            result.id,
            result.first.phrase(),
            result.recovered.phrase()
        ));
    }

    /// Removes the bar.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Prints a line on stderr.
    pub(super) fn say(&self, line: &str) {
        const DIM: Style = AnsiColor::BrightBlack.on_default();
        if !self.quiet {
            let line = shortened(&plain(line).replace('\n', " "), LINE);
            let (label, text) = line.split_at_checked(LABEL).unwrap_or((&line, ""));
            // Piped, each line is whole.
            let line = match width_of(io::stderr()) {
                Some(width) if label.ends_with(' ') => labelled(label, text, width, "        "),
                Some(width) => wrapped(&line, width, "  "),
                None => line,
            };
            let line = line.trim_end();
            say(format_args!("{DIM}{line}{DIM:#}"));
        }
    }
}
