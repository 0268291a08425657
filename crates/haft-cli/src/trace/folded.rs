//! Calls of a chat: one line each, with a number by which the whole call can be shown.

use haft::tools::redacted;
use haft::types::{ToolReport, ToolStatus};

use super::format::{result_of, took};
use super::{BAD, GOOD, LABEL, TEXT_LIMIT, Trace};
use crate::output::say;
use crate::terminal;
use crate::text::{fitted, one_line, plain};

/// The columns before the text of a line.
const LABEL_WIDTH: usize = 8;

impl Trace {
    /// Forgets the calls of the last question.
    pub(crate) fn begin_question(&mut self) {
        self.rounds = 0;
        self.done.clear();
    }

    /// Shows an answered call and its result on one line.
    pub(crate) fn folded(&mut self, number: usize, report: &ToolReport) {
        let name = one_line(&report.call.name, TEXT_LIMIT);
        let arguments = one_line(&redacted(&report.call.args), TEXT_LIMIT);
        let result = result_of(report);
        let line = format!("{number} {name} {arguments} -> {result}");
        self.done.push(format!("{name} {arguments} -> {result}"));
        let (label, style) = match report.message.status {
            ToolStatus::Error => ("failed", BAD),
            ToolStatus::Success => ("call", GOOD),
        };
        let columns = terminal::width().saturating_sub(LABEL_WIDTH + 1);
        self.line(label, style, &fitted(&line, columns));
    }

    /// Shows the whole of a call.
    pub(crate) fn unfolded(&self, number: usize, report: &ToolReport) {
        let name = one_line(&report.call.name, TEXT_LIMIT);
        let time = took(report.duration);
        say(format_args!(
            "{LABEL}call {number}{LABEL:#}  {name} {LABEL}{time}{LABEL:#}"
        ));
        let arguments = plain(&redacted(&report.call.args));
        say(format_args!("{LABEL}arguments{LABEL:#}  {arguments}"));
        for coercion in &report.coercions {
            let coercion = one_line(coercion, TEXT_LIMIT);
            say(format_args!("{LABEL}repaired{LABEL:#}  {coercion}"));
        }
        let result = plain(&report.message.content.text());
        say(format_args!("{LABEL}result{LABEL:#}\n{result}"));
    }
}
