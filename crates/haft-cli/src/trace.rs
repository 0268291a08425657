//! The trace on stderr: the model and the reason for its choice, the tools, and each call with its
//! result.
//!
//! Plain lines if stderr is not a terminal; on a terminal there are colours, unless `NO_COLOR` is
//! set, and a spinner during waits. `-q` disables the trace.

mod folded;
mod spinner;
mod thoughts;
mod voice;

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use haft::tools::{McpLeftOut, McpServers, redacted};
use haft::types::{ContentBlock, ToolReport, ToolStatus, Usage};
use haft::{ChatChunk, Content, Event, Message, Recovery, SearchReport};

use self::spinner::Spinner;
use self::thoughts::Thoughts;
use crate::args::Verbosity;
use crate::output::say;
use crate::text::{one_line, plain};

/// The maximum length of a result or a prompt in characters.
const TEXT_LIMIT: usize = 200;

/// The maximum length of the arguments of a call in characters.
const ARGUMENTS_LIMIT: usize = 300;

/// The number of left-out tools that are named without `-v`.
const LEFT_OUT_NAMED: usize = 5;

/// The number of tools that are named; the rest is counted.
const TOOLS_NAMED: usize = 8;

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

    /// Shows an event of a question.
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::ToolsChosen {
                bound,
                left_out,
                reason,
                tokens_saved,
            } => {
                let reason = format!("{reason}; saves about {}", counted(*tokens_saved, "token"));
                self.chosen(bound, left_out.len(), &reason);
            }
            Event::RoundStarted { round, tools } => {
                self.rounds = *round;
                if self.verbosity.verbose {
                    let tools = u64::try_from(tools.len()).unwrap_or(u64::MAX);
                    let offered = counted(tools, "tool");
                    self.line("round", LABEL, &format!("{round}, {offered} offered"));
                }
                self.wait("thinking");
            }
            Event::Chunk(ChatChunk::Reasoning(piece)) if self.verbosity.verbose => {
                for line in self.thoughts.push(piece) {
                    self.thought(&line);
                }
            }
            Event::Chunk(ChatChunk::ToolsTaught(reason)) => {
                self.warning(&format!(
                    "the model gets no native tools, so they are taught in its prompt: {reason}"
                ));
            }
            Event::ToolStarted { call } => self.wait(&plain(&call.name)),
            Event::ToolFinished(report) => {
                self.call(report);
                self.line("", LABEL, &format!("-> {}", result_of(report)));
            }
            Event::Message(Message::Ai(message)) => {
                if let Some(line) = self.thoughts.finish() {
                    self.thought(&line);
                }
                if let (true, Some(usage)) = (self.verbosity.verbose, message.usage) {
                    self.line("reply", LABEL, &tokens(usage));
                }
            }
            Event::QuotedCall(quoted) => {
                let call = one_line(&quoted.to_string(), ARGUMENTS_LIMIT);
                let source = quoted.source;
                self.line(
                    "not run",
                    CAUTION,
                    &format!("{call} (quoted from {source})"),
                );
            }
            Event::RecoveryStarted { step, reason } => {
                let reason = one_line(reason, TEXT_LIMIT);
                self.line("retry", CAUTION, &format!("{step}: {reason}"));
            }
            Event::RecoveryFinished(report) => self.recovery(report),
            Event::TextWithdrawn { text } => {
                let text = one_line(text, TEXT_LIMIT);
                self.line("dropped", CAUTION, &format!("{text} (no tool reported it)"));
            }
            Event::WebSearchStarted { query, via } => {
                let query = one_line(query, ARGUMENTS_LIMIT);
                self.line("search", CAUTION, &format!("{via}: {query}"));
                self.wait("searching the web");
            }
            Event::WebSearchFinished(report) => self.search(report),
            Event::LeftOut(what) => {
                let what = what.join(", ");
                self.warning(&format!("left out to fit the context: {what}"));
            }
            Event::Done(answer) if self.verbosity.verbose => {
                let rounds = counted(answer.rounds, "round");
                let took = took(answer.duration);
                let usage = tokens(answer.usage);
                self.line("done", LABEL, &format!("{rounds}, {usage}, {took}"));
            }
            _ => {}
        }
    }

    /// Shows which tools the question gets.
    fn chosen(&self, bound: &[String], left_out: usize, reason: &str) {
        let of = bound.len() + left_out;
        let list = match bound {
            [] => String::new(),
            _ => format!(": {}", named(bound)),
        };
        let reason = one_line(reason, TEXT_LIMIT);
        let text = format!("{} of {of}{list} ({reason})", bound.len());
        self.line("offered", LABEL, &plain(&text));
    }

    /// Shows an answered call without its result.
    pub(crate) fn call(&mut self, report: &ToolReport) {
        let failed = report.message.status == ToolStatus::Error;
        let arguments = redacted(&report.call.args);
        let arguments = one_line(&arguments, ARGUMENTS_LIMIT);
        let call = format!("{} {arguments}", one_line(&report.call.name, TEXT_LIMIT));
        self.done.push(format!("{call} -> {}", result_of(report)));
        let (label, style) = if failed {
            ("failed", BAD)
        } else {
            ("call", GOOD)
        };
        let time = took(report.duration);
        self.line(label, style, &format!("{call} {LABEL}{time}{LABEL:#}"));
        for coercion in &report.coercions {
            self.line(
                "",
                LABEL,
                &format!("repaired: {}", one_line(coercion, TEXT_LIMIT)),
            );
        }
    }

    /// Shows the result of a recovery step.
    fn recovery(&self, report: &Recovery) {
        let step = report.step;
        let outcome = if report.recovered {
            "helped"
        } else {
            "did not help"
        };
        let (before, retry) = (took(report.original), took(report.retry));
        let text = format!("-> {step} {outcome} {LABEL}{retry} after {before}{LABEL:#}");
        self.line("", LABEL, &text);
    }

    /// Shows the results of a web search.
    fn search(&self, report: &SearchReport) {
        if let Some(failure) = &report.failure {
            let time = took(report.duration);
            let text = format!(
                "-> {} {LABEL}{time}{LABEL:#}",
                one_line(failure, TEXT_LIMIT)
            );
            self.line("", LABEL, &text);
        }
        for source in &report.sources {
            let title = one_line(&source.title, TEXT_LIMIT);
            let url = one_line(&source.url, TEXT_LIMIT);
            self.line("", LABEL, &format!("-> {title} {LABEL}{url}{LABEL:#}"));
        }
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

/// The placeholder for a block without text.
fn beside(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Image(_) => " [picture]".to_owned(),
        ContentBlock::Attachment { title, .. } => format!(" [{}]", one_line(title, TEXT_LIMIT)),
        _ => String::new(),
    }
}

/// The first names, and the number of further ones.
fn named<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<_> = names.iter().take(TOOLS_NAMED).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(TOOLS_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn result_of(report: &ToolReport) -> String {
    one_line(&report.message.content.text(), TEXT_LIMIT)
}

fn tokens(usage: Usage) -> String {
    format!(
        "{} tokens in, {} out",
        usage.input_tokens, usage.output_tokens
    )
}

/// A number and its noun.
fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A readable duration.
pub(crate) fn took(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

#[cfg(test)]
mod tests;
