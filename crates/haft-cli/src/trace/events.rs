//! Shows the events of a question as they happen.

use haft::tools::redacted;
use haft::types::{ToolReport, ToolStatus};
use haft::{ChatChunk, Event, Message, Recovery, SearchReport};

use super::format::{counted, named, result_of, tokens, took};
use super::{BAD, CAUTION, GOOD, LABEL, TEXT_LIMIT, Trace};
use crate::text::{one_line, plain};

/// The maximum length of the arguments of a call in characters.
const ARGUMENTS_LIMIT: usize = 300;

impl Trace {
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
}
