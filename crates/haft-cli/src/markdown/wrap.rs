//! Breaks lines at spaces and between wide characters, as text streams.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

/// One empty line between two blocks, however many there are.
const MOST_LINE_ENDS: usize = 2;

/// Text on lines of a width.
#[derive(Debug)]
pub(super) struct Wrapped {
    width: usize,
    /// The columns that further lines of the current one are indented by.
    indent: usize,
    column: usize,
    /// True after a space, which is shown only if a word follows on the line.
    after_space: bool,
    word: Vec<(char, Style)>,
    /// Line ends that are shown when something follows, so that none is left over at the end.
    line_ends: usize,
    out: String,
}

impl Wrapped {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width: width.max(10),
            indent: 0,
            column: 0,
            after_space: false,
            word: Vec::new(),
            line_ends: 0,
            out: String::new(),
        }
    }

    /// Begins a line: spaces, then a mark; further lines begin below the text after it.
    pub(super) fn begin(&mut self, lead: usize, mark: &str, style: Style) {
        if lead > 0 || !mark.is_empty() {
            self.write_line_ends();
            let _ = write!(self.out, "{:lead$}{style}{mark}{style:#}", "");
        }
        self.indent = lead
            + mark
                .chars()
                .filter_map(UnicodeWidthChar::width)
                .sum::<usize>();
        self.column = self.indent;
    }

    /// Adds text to the line.
    pub(super) fn add(&mut self, text: &str, style: Style) {
        for character in text.chars() {
            if character == ' ' || character == '\t' {
                self.end_word();
                self.after_space = true;
                continue;
            }
            if character.width() == Some(2) {
                self.end_word();
            }
            self.word.push((character, style));
            if character.width() == Some(2) {
                self.end_word();
            }
        }
    }

    pub(super) fn end_line(&mut self) {
        self.end_word();
        self.line_ends = (self.line_ends + 1).min(MOST_LINE_ENDS);
        (self.indent, self.column, self.after_space) = (0, 0, false);
    }

    /// Adds a line that is not broken.
    pub(super) fn raw(&mut self, line: &str, style: Style) {
        self.write_line_ends();
        let _ = write!(self.out, "{style}{line}{style:#}");
        self.line_ends = 1;
    }

    /// Takes what can be shown.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        self.write_line_ends();
        let width: usize = word.iter().filter_map(|(c, _)| c.width()).sum();
        let space = usize::from(self.after_space && self.column > self.indent);
        if self.column + space + width > self.width && self.column > self.indent {
            self.break_line();
        } else if space == 1 {
            self.out.push(' ');
            self.column += 1;
        }
        self.after_space = false;
        let mut style = Style::new();
        for (character, next) in word {
            let columns = character.width().unwrap_or(0);
            if self.column + columns > self.width && columns > 0 {
                let _ = write!(self.out, "{style:#}");
                self.break_line();
                let _ = write!(self.out, "{style}");
            }
            if next != style {
                let _ = write!(self.out, "{style:#}{next}");
                style = next;
            }
            self.out.push(character);
            self.column += columns;
        }
        let _ = write!(self.out, "{style:#}");
    }

    fn write_line_ends(&mut self) {
        self.out.extend(std::iter::repeat_n('\n', self.line_ends));
        self.line_ends = 0;
    }

    fn break_line(&mut self) {
        let _ = write!(self.out, "\n{:indent$}", "", indent = self.indent);
        self.column = self.indent;
    }
}
