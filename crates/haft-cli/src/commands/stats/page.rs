//! Formats the statistics as text: a block for each model, with bars and colours on a terminal
//! only.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use haft::{ModelSummary, RecoveryStep, SuccessCount};

use crate::text::one_line;
use crate::trace::took;

const MODEL: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAR: Style = AnsiColor::Green.on_default();

/// The length of a bar for 100 % in characters.
const BAR_LENGTH: u32 = 20;

/// The maximum length of a model's name in characters.
const NAME: usize = 100;

/// The formatting options.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) bars: bool,
    pub(super) colours: bool,
}

impl Page {
    /// The options for stdout, respecting the user's environment.
    pub(super) fn for_stdout() -> Self {
        Self {
            bars: io::stdout().is_terminal(),
            colours: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        }
    }

    /// A block for each model.
    pub(super) fn of(self, models: &[&ModelSummary]) -> String {
        let blocks: Vec<_> = models.iter().map(|model| self.block(model)).collect();
        blocks.join("\n")
    }

    fn block(self, model: &ModelSummary) -> String {
        let mut block = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            block,
            "{}  {}",
            self.styled(MODEL, &one_line(&model.model, NAME)),
            self.styled(DIM, &questions(model)),
        );
        let metrics = &model.metrics;
        let firsts = self.rate(metrics.first_queries(), model.original);
        let _ = writeln!(block, "  {:<17}{firsts}", "first query");
        if metrics.retries().tries > 0 {
            let retries = self.rate(metrics.retries(), model.retry);
            let _ = writeln!(block, "  {:<17}{retries}", "retries");
        }
        if metrics.blank_replies() > 0 {
            let _ = writeln!(
                block,
                "  {:<17}{:>6}",
                "empty replies",
                metrics.blank_replies()
            );
        }
        if model.future_questions > 0 {
            let _ = writeln!(
                block,
                "  {:<17}{:>6}   their time is still to come: a clock was wrong",
                "in the future", model.future_questions
            );
        }
        self.steps(&mut block, model);
        block
    }

    /// A share, the number of cases, and their median duration.
    fn rate(self, count: SuccessCount, median: Option<Duration>) -> String {
        let of = format!("{} of {}", count.successes, count.tries);
        let median = median.map_or(String::new(), |median| format!("median {}", took(median)));
        let bar = self.bar(count);
        let median = self.styled(DIM, &median);
        let line = format!("{}  {bar}{of:<14}{median}", percent(count));
        line.trim_end().to_owned()
    }

    /// A row for each recovery step that was needed.
    fn steps(self, block: &mut String, model: &ModelSummary) {
        let counts = RecoveryStep::ALL.map(|step| (step, model.metrics.of(step)));
        let mut needed = counts.iter().filter(|(_, count)| count.seen > 0).peekable();
        if needed.peek().is_none() {
            return;
        }
        let head = format!(
            "  {:<17}{:>6}{:>7}{:>11}",
            "step", "seen", "tried", "recovered"
        );
        let _ = writeln!(block, "{}", self.styled(DIM, &head));
        for (step, count) in needed {
            let share = SuccessCount::new(count.tried, count.recovered);
            let line = format!(
                "  {:<17}{:>6}{:>7}{:>11}{}  {}",
                step.name(),
                count.seen,
                count.tried,
                count.recovered,
                percent(share),
                self.bar(share)
            );
            let _ = writeln!(block, "{}", line.trim_end());
        }
    }

    /// A bar for the share, padded to the width of 100 % so that columns are aligned.
    fn bar(self, count: SuccessCount) -> String {
        if !self.bars {
            return String::new();
        }
        let length = count.rate().unwrap_or_default() * f64::from(BAR_LENGTH);
        let full = (0..BAR_LENGTH).filter(|cell| f64::from(*cell) + 0.5 <= length);
        let full: String = full.map(|_| '█').collect();
        let rest = BAR_LENGTH as usize - full.chars().count();
        format!("{}{:rest$}  ", self.styled(BAR, &full), "")
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.colours && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

fn percent(count: SuccessCount) -> String {
    match count.rate() {
        Some(rate) => format!("{:>7.1} %", rate * 100.0),
        None => format!("{:>9}", "-"),
    }
}

/// The number of questions, and their outcomes.
fn questions(model: &ModelSummary) -> String {
    let noun = if model.questions == 1 {
        "question"
    } else {
        "questions"
    };
    let ends = model.outcomes.iter();
    let ends: Vec<_> = ends
        .map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
        .collect();
    one_line(
        &format!("{} {noun}: {}", model.questions, ends.join(", ")),
        NAME,
    )
}

#[cfg(test)]
mod tests;
