//! Markdown for a terminal, as it streams.
//!
//! A line is shown word by word as soon as its first characters say what it is; the rows of a table
//! and the lines of a code block are shown whole. What a terminal cannot show stays text: without
//! colours all marks stay where they are. The text must have no control characters.
//!
//! `marks.rs` tells what a line is, `inline.rs` reads emphasis, code and links, `wrap.rs` breaks
//! lines, `table.rs` fits tables.

mod inline;
mod marks;
mod table;
mod wrap;

use anstyle::{AnsiColor, Style};

use self::inline::{Part, Span, inline};
use self::marks::{Mark, fence_of, is_code_span, is_rule, is_undecided, split_mark};
use self::table::Table;
use self::wrap::Wrapped;

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const MARK: Style = Style::new().dimmed();

/// Whether styles can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    Shown,
    /// Marks of emphasis stay in the text.
    Missing,
}

/// The renderer of one text.
#[derive(Debug)]
pub(crate) struct Markdown {
    colours: Colours,
    width: usize,
    /// The part of the current line that is not shown yet.
    pending: String,
    line: Line,
    /// The fence that ends the code block.
    fence: Option<String>,
    table: Table,
    out: Wrapped,
}

/// What the current line is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Line {
    /// Its first characters do not say yet.
    #[default]
    Unknown,
    /// Text, whose beginning may be shown already.
    Text(Style),
    /// Shown when it is complete.
    Whole,
}

impl Markdown {
    /// A renderer for lines of `width` columns.
    pub(crate) fn new(width: usize, colours: Colours) -> Self {
        Self {
            colours,
            width,
            pending: String::new(),
            line: Line::default(),
            fence: None,
            table: Table::default(),
            out: Wrapped::new(width),
        }
    }

    /// Adds a piece and returns what can be shown now.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        let mut rest = piece;
        while let Some((line, after)) = rest.split_once('\n') {
            self.pending.push_str(line);
            self.end_line();
            rest = after;
        }
        self.pending.push_str(rest);
        self.begin_line();
        if let Line::Text(style) = self.line {
            self.text(style, Part::Beginning);
        }
        self.out.take()
    }

    /// Returns the rest; the last line has no line end.
    pub(crate) fn finish(&mut self) -> String {
        if !self.pending.is_empty() {
            self.end_line();
        }
        self.end_table();
        self.out.take()
    }

    /// Decides what the current line is, if its beginning says so.
    fn begin_line(&mut self) {
        if self.line != Line::Unknown {
            return;
        }
        let begin = self.pending.trim_start();
        if self.fence.is_some() || begin.starts_with(['|', '`', '~']) && !is_code_span(begin) {
            self.line = Line::Whole;
            return;
        }
        if is_undecided(begin) {
            return;
        }
        self.end_table();
        self.line = Line::Text(self.prefix());
    }

    /// Shows the mark at the beginning of the current line, and returns the style of the text.
    fn prefix(&mut self) -> Style {
        let pending = std::mem::take(&mut self.pending);
        let begin = pending.trim_start();
        let lead = (pending.len() - begin.len()).min(self.width / 4);
        let (mark, text) = split_mark(begin);
        let shown = match (mark, self.colours) {
            (Mark::Heading(_), Colours::Shown) | (Mark::None, _) => String::new(),
            (Mark::Heading(mark) | Mark::Number(mark), _) => mark.to_owned(),
            (Mark::Bullet, _) => "• ".to_owned(),
            (Mark::Quote, _) => "│ ".to_owned(),
        };
        let style = match mark {
            Mark::Heading(_) => HEADING,
            Mark::Quote => MARK,
            _ => Style::new(),
        };
        let style = self.styled(style);
        self.out.begin(lead, &shown, self.styled(MARK));
        text.clone_into(&mut self.pending);
        style
    }

    /// Shows the text of the current line, as far as it is certain.
    fn text(&mut self, style: Style, part: Part) {
        let (spans, length) = match self.colours {
            Colours::Shown => inline(&self.pending, part),
            Colours::Missing => plain(&self.pending, part),
        };
        for span in &spans {
            self.out.add(&span.text, merged(style, span.style));
        }
        self.pending.drain(..length);
    }

    /// Ends the current line.
    fn end_line(&mut self) {
        self.begin_line();
        match self.line {
            Line::Text(style) => {
                self.text(style, Part::Whole);
                self.out.end_line();
            }
            Line::Unknown if self.pending.trim().is_empty() => {
                self.end_table();
                self.out.end_line();
            }
            Line::Unknown if is_rule(&self.pending) => {
                self.end_table();
                let rule = "─".repeat(self.width.min(40));
                self.out.raw(&rule, self.styled(MARK));
            }
            Line::Unknown => {
                self.end_table();
                let style = self.prefix();
                self.text(style, Part::Whole);
                self.out.end_line();
            }
            Line::Whole => self.end_whole_line(),
        }
        self.pending.clear();
        self.line = Line::Unknown;
    }

    /// Shows a line of code, or keeps the row of a table.
    fn end_whole_line(&mut self) {
        let line = std::mem::take(&mut self.pending);
        let begin = line.trim();
        if let Some(fence) = &self.fence {
            if begin.starts_with(fence.as_str()) && begin.trim_start_matches(['`', '~']).is_empty()
            {
                self.fence = None;
            } else {
                self.out.raw(&format!("  {line}"), self.styled(CODE));
            }
            return;
        }
        if begin.starts_with('|') {
            self.table.push(begin);
            return;
        }
        self.end_table();
        if let Some(fence) = fence_of(begin) {
            self.fence = Some(fence.to_owned());
            return;
        }
        self.pending = line;
        let style = self.prefix();
        self.text(style, Part::Whole);
        self.out.end_line();
    }

    fn end_table(&mut self) {
        let table = std::mem::take(&mut self.table);
        for line in table.lines(self.width, self.colours) {
            let style = if line.is_header {
                HEADING
            } else {
                Style::new()
            };
            self.out.raw(&line.text, self.styled(style));
        }
    }

    fn styled(&self, style: Style) -> Style {
        match self.colours {
            Colours::Shown => style,
            Colours::Missing => Style::new(),
        }
    }
}

/// The text as it is, up to its last complete word.
fn plain(text: &str, part: Part) -> (Vec<Span>, usize) {
    let length = match part {
        Part::Whole => text.len(),
        Part::Beginning => text.rfind(' ').map_or(0, |end| end + 1),
    };
    let text = text.get(..length).unwrap_or_default().to_owned();
    let style = Style::new();
    (vec![Span { text, style }], length)
}

/// `inner` within text of the style `outer`.
fn merged(outer: Style, inner: Style) -> Style {
    inner
        .effects(outer.get_effects() | inner.get_effects())
        .fg_color(inner.get_fg_color().or(outer.get_fg_color()))
}

#[cfg(test)]
mod tests;
