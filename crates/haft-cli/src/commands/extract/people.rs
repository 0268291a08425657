//! Prints a reading as text: calls with their repairs, invalid calls, the remaining text.
//!
//! Everything goes to stdout, plain in a pipe and coloured on a terminal. On a terminal, control
//! characters in the model's text are escaped; in a pipe the text is unchanged.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::reading::Reading;
use super::trail::{Kind, Trail};
use crate::text::plain;

const CALL: Style = AnsiColor::Green.on_default();
const INVALID: Style = AnsiColor::Red.on_default().bold();
const LABEL: Style = Style::new().dimmed();

/// The label in the first column of a line.
#[derive(Clone, Copy)]
struct Label {
    word: &'static str,
    style: Style,
}

impl Label {
    /// For a continuation of the line above.
    const NONE: Self = Self {
        word: "",
        style: LABEL,
    };
}

/// The format of stdout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paper {
    coloured: bool,
    is_terminal: bool,
}

impl Paper {
    /// The format for this process's stdout; respects `NO_COLOR` and similar variables.
    pub(super) fn stdout() -> Self {
        let stdout = io::stdout();
        Self {
            coloured: AutoStream::choice(&stdout) != ColorChoice::Never,
            is_terminal: stdout.is_terminal(),
        }
    }

    /// The calls, their repairs, and the calls that cannot run.
    fn calls(self, reading: &Reading) -> String {
        let mut page = String::new();
        let extraction = &reading.extraction;
        for (call, repairs) in extraction.calls.iter().zip(&reading.repairs) {
            let arguments = serde_json::to_string(&call.args).unwrap_or_default();
            let line = format!("{} {arguments}", call.name);
            self.line(
                &mut page,
                Label {
                    word: "call",
                    style: CALL,
                },
                &line,
            );
            for repair in repairs {
                self.line(&mut page, Label::NONE, &format!("repaired: {repair}"));
            }
        }
        for call in &extraction.invalid {
            let line = format!("{} {}", call.name, call.args.trim());
            self.line(
                &mut page,
                Label {
                    word: "invalid",
                    style: INVALID,
                },
                line.trim(),
            );
            self.line(&mut page, Label::NONE, &call.error);
        }
        for reason in &extraction.mentions {
            self.line(
                &mut page,
                Label {
                    word: "text",
                    style: LABEL,
                },
                &format!("not a call: {}", reason.reason()),
            );
        }
        page
    }

    /// The calls, then the remaining text unchanged.
    pub(super) fn whole(self, reading: &Reading) -> String {
        let mut page = self.calls(reading);
        let text = reading.extraction.content.trim_end_matches('\n');
        if !text.is_empty() {
            if !page.is_empty() {
                page.push('\n');
            }
            page.push_str(&self.harmless(text));
            page.push('\n');
        }
        page
    }

    /// How a reply was parsed, then the calls.
    pub(super) fn explained(self, trail: &Trail, reading: &Reading) -> String {
        let mut page = self.trail(trail);
        let calls = self.calls(reading);
        if !calls.is_empty() {
            page.push('\n');
            page.push_str(&calls);
        }
        page
    }

    /// The pieces of a reply: coloured below a legend, or without colours one per line with its
    /// kind.
    fn trail(self, trail: &Trail) -> String {
        let mut page = String::new();
        if !self.coloured {
            for (kind, text) in trail.pieces() {
                // Writing to a string cannot fail.
                let _ = writeln!(page, "{:<10}{}", kind.word(), visible(text));
            }
            return page;
        }
        for kind in Kind::ALL {
            let style = style_of(kind);
            let _ = write!(page, "{style}{}{style:#} ", kind.word());
        }
        page.push_str("\n\n");
        for (kind, text) in trail.pieces() {
            let style = style_of(kind);
            let text = self.harmless(text);
            let _ = write!(page, "{style}{text}{style:#}");
        }
        if !page.ends_with('\n') {
            page.push('\n');
        }
        page
    }

    /// Writes one line, whatever the text contains.
    fn line(self, page: &mut String, label: Label, text: &str) {
        let Label { word, style } = label;
        let text = visible(&self.harmless(text));
        let written = if self.coloured {
            writeln!(page, "{style}{word:<8}{style:#}{text}")
        } else {
            writeln!(page, "{word:<8}{text}")
        };
        // Writing to a string cannot fail.
        let _ = written;
    }

    fn harmless(self, text: &str) -> Cow<'_, str> {
        if self.is_terminal {
            Cow::Owned(plain(text))
        } else {
            Cow::Borrowed(text)
        }
    }
}

fn style_of(kind: Kind) -> Style {
    match kind {
        Kind::Text => Style::new(),
        Kind::Thinking => Style::new().dimmed(),
        Kind::Markup => AnsiColor::Cyan.on_default(),
        Kind::Call => AnsiColor::Green.on_default().bold(),
        Kind::Arguments => AnsiColor::Yellow.on_default(),
    }
}

/// `text` on one line, with line ends and control characters escaped.
fn visible(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests;
