//! The trace on stderr: the model and the reason for its choice, the tools, and each call with its
//! result.
//!
//! Plain lines if stderr is not a terminal; on a terminal there are colours, unless `NO_COLOR` is
//! set, and a spinner during waits. `-q` disables the trace.

mod events;
mod folded;
mod format;
mod spinner;
mod thoughts;
mod voice;

use anstyle::{AnsiColor, Style};
use haft::Content;
use haft::tools::{McpLeftOut, McpServers};

pub(crate) use self::format::took;
use self::format::{beside, counted, named};
use self::spinner::Spinner;
use self::thoughts::Thoughts;
use crate::args::Verbosity;
use crate::output::say;
use crate::text::{one_line, plain};

/// The maximum length of a result or a prompt in characters.
const TEXT_LIMIT: usize = 200;

/// The number of left-out tools that are named without `-v`.
const LEFT_OUT_NAMED: usize = 5;

const CUT_OFF: &str = "the reply was cut off at the token limit";

const CUT_OFF_HINT: &str = "ask for less at a time, or give the model more room: `context` in the \
    section [model] of haft.toml, or the limit that its server has";

const LABEL: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const CAUTION: Style = AnsiColor::Yellow.on_default();

/// The trace of one command.
#[derive(Debug)]
pub(crate) struct Trace {
    verbosity: Verbosity,
    spinner: Spinner,
    thoughts: Thoughts,
    rounds: u32,
    /// The calls that were answered, for the message after an interrupt.
    done: Vec<String>,
}

impl Trace {
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        Self {
            verbosity,
            spinner: Spinner::new(verbosity.quiet),
            thoughts: Thoughts::default(),
            rounds: 0,
            done: Vec::new(),
        }
    }

    /// The line about the model.
    pub(crate) fn model(&self, id: &str, reason: &str) {
        self.line(
            "model",
            LABEL,
            &format!("{} ({})", plain(id), plain(reason)),
        );
    }

    /// A problem that is no reason to stop.
    pub(crate) fn warning(&self, text: &str) {
        self.line("warning", CAUTION, &one_line(text, 2 * TEXT_LIMIT));
    }

    /// Reports an incomplete answer, even with `-q`, like an error.
    pub(crate) fn cut_off(&self) {
        self.raw(&format!("{CAUTION}warning:{CAUTION:#} {CUT_OFF}"));
        self.raw(&format!("{CAUTION}hint:{CAUTION:#} {CUT_OFF_HINT}"));
    }

    /// A line of any kind.
    pub(crate) fn note(&self, label: &str, text: &str) {
        self.line(label, LABEL, &plain(text));
    }

    /// The line about the home, where there is one.
    pub(crate) fn home(&self, label: &str) {
        self.line("home", LABEL, label);
    }

    /// The line about the tools.
    pub(crate) fn tools(&self, names: &[&str]) {
        let list = match names.len() {
            0 => "none".to_owned(),
            count => format!("{count}: {}", named(names)),
        };
        self.line("tools", LABEL, &plain(&list));
    }

    /// Warns about each server that did not start, and shows the warnings of the others.
    pub(crate) fn servers(&self, servers: &McpServers) {
        for status in servers.statuses() {
            for warning in &status.warnings {
                self.warning(&format!("MCP server {:?}: {warning}", status.server));
            }
        }
        for failure in servers.failures() {
            self.warning(&failure.to_string());
            if let Some(hint) = &failure.hint {
                self.hint(&one_line(hint, TEXT_LIMIT));
            }
        }
    }

    /// Warns about tools that no model is offered: the first ones, or with `-v` each.
    pub(crate) fn left_out(&self, left_out: &[McpLeftOut]) {
        let named = match self.verbosity.verbose {
            true => left_out.len(),
            false => LEFT_OUT_NAMED,
        };
        for one in left_out.iter().take(named) {
            self.warning(&format!("MCP server {:?}: {one}", one.server));
        }
        if left_out.len() > named {
            let more = left_out.len() - named;
            self.warning(&format!(
                "{more} more such tools; `haft mcp test` names them"
            ));
        }
    }

    pub(crate) fn hint(&self, text: &str) {
        if !self.verbosity.quiet {
            self.raw(&format!("{CAUTION}hint:{CAUTION:#} {text}"));
        }
    }

    /// With `-v`, shows the prompt for the model.
    pub(crate) fn prompts(&self, system: Option<&str>, question: &Content) {
        if !self.verbosity.verbose {
            return;
        }
        if let Some(system) = system {
            self.line("system", LABEL, &one_line(system, TEXT_LIMIT));
        }
        let beside: String = question.blocks().iter().map(beside).collect();
        let question = one_line(&question.text(), TEXT_LIMIT);
        self.line("user", LABEL, &(question + &beside));
    }

    /// A sentence for an interrupted question: the calls that were done, and those that were
    /// `under_way`.
    pub(crate) fn so_far(&self, under_way: Option<String>) -> String {
        let rounds = counted(self.rounds, "round");
        let done = match self.done.as_slice() {
            [] if under_way.is_some() => None,
            [] => Some("no tool has run".to_owned()),
            done => Some(format!("done: {}", done.join("; "))),
        };
        let interrupted = format!("interrupted after {rounds}");
        let parts: Vec<_> = [Some(interrupted), under_way, done]
            .into_iter()
            .flatten()
            .collect();
        parts.join("; ")
    }

    /// Shows on a terminal what is awaited.
    pub(crate) fn wait(&self, what: &str) {
        self.spinner.show(what);
    }

    /// Hides the spinner.
    pub(crate) fn clear(&self) {
        self.spinner.hide();
    }

    /// Hides the spinner before the user is asked something.
    pub(crate) fn hider(&self) -> impl Fn() + Send + Sync + 'static {
        self.spinner.hider()
    }

    fn thought(&self, line: &str) {
        let line = one_line(line, 4 * TEXT_LIMIT);
        if !line.is_empty() {
            self.line("thought", LABEL, &format!("{LABEL}{line}{LABEL:#}"));
        }
    }

    fn line(&self, label: &str, style: Style, text: &str) {
        if !self.verbosity.quiet {
            self.raw(&format!("{style}{label:<7}{style:#} {text}"));
        }
    }

    fn raw(&self, line: &str) {
        self.spinner.above(|| say(line));
    }
}

#[cfg(test)]
mod tests;
