//! A table: columns that fit the width, with cells broken at spaces; or, where there is no room for
//! columns, each row as a list.

use unicode_width::UnicodeWidthStr;

use super::Colours;
use super::inline::without_marks;

/// The columns between two cells.
const GAP: usize = 2;

/// The width below which a column is not readable.
const NARROWEST: usize = 6;

/// The rows of a table so far, as they were written.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<String>,
}

/// A line of a table.
#[derive(Debug)]
pub(super) struct TableLine {
    pub(super) text: String,
    pub(super) is_header: bool,
}

impl Table {
    /// Adds a row.
    pub(super) fn push(&mut self, row: &str) {
        self.rows.push(row.to_owned());
    }

    /// The lines of the table; the rows as they are if it has no header.
    pub(super) fn lines(self, width: usize, colours: Colours) -> Vec<TableLine> {
        let line = |text: String| TableLine {
            text,
            is_header: false,
        };
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(|row| cells(row, colours)).collect();
        let is_table = rows
            .get(1)
            .is_some_and(|row| row.iter().all(|cell| is_dashes(cell)));
        if !is_table {
            return self.rows.into_iter().map(line).collect();
        }
        rows.remove(1);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        for row in &mut rows {
            row.resize(columns, String::new());
        }
        match widths(&rows, columns, width) {
            Some(widths) => in_columns(&rows, &widths),
            None => as_lists(&rows).into_iter().map(line).collect(),
        }
    }
}

/// The cells of a row; `\|` is a character of a cell.
fn cells(row: &str, colours: Colours) -> Vec<String> {
    let row = row.trim().replace("\\|", "\u{0}");
    let inner = row.trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let cells = inner.split('|').map(|cell| {
        let cell = cell.trim().replace('\u{0}', "|");
        match colours {
            Colours::Shown => without_marks(&cell),
            Colours::Missing => cell,
        }
    });
    cells.collect()
}

/// True for a cell of the line below the header.
fn is_dashes(cell: &str) -> bool {
    cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | '–' | '—'))
}

/// The widths of the columns; `None` if they do not fit.
fn widths(rows: &[Vec<String>], columns: usize, width: usize) -> Option<Vec<usize>> {
    let room = width.checked_sub(GAP * columns.saturating_sub(1))?;
    let cell_width =
        |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.width());
    let widest = |column| rows.iter().map(|row| cell_width(row, column)).max();
    let mut widths: Vec<usize> = (0..columns)
        .map(|column| widest(column).unwrap_or(0))
        .collect();
    while widths.iter().sum::<usize>() > room {
        let most = widths.iter_mut().max()?;
        if *most <= NARROWEST {
            return None;
        }
        *most -= 1;
    }
    Some(widths)
}

fn in_columns(rows: &[Vec<String>], widths: &[usize]) -> Vec<TableLine> {
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| broken(cell, *width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for index in 0..height {
            let parts = cells.iter().zip(widths).map(|(cell, width)| {
                let text = cell.get(index).map_or("", String::as_str);
                format!(
                    "{text}{:pad$}",
                    "",
                    pad = width.saturating_sub(text.width())
                )
            });
            let text = parts.collect::<Vec<_>>().join(&" ".repeat(GAP));
            lines.push(TableLine {
                text: text.trim_end().to_owned(),
                is_header: number == 0,
            });
        }
        if number == 0 {
            let dashes = widths.iter().map(|width| "─".repeat(*width));
            lines.push(TableLine {
                text: dashes.collect::<Vec<_>>().join(&" ".repeat(GAP)),
                is_header: false,
            });
        }
    }
    lines
}

/// Each row as a list of its cells, with the name of the column before each.
fn as_lists(rows: &[Vec<String>]) -> Vec<String> {
    let Some((header, rows)) = rows.split_first() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for row in rows {
        let named = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let first = lines.len();
        lines.extend(named.map(|(name, cell)| format!("  {name}: {cell}")));
        if let Some(line) = lines.get_mut(first) {
            line.replace_range(..2, "• ");
        }
    }
    lines
}

/// A cell on lines of at most `width` columns, broken at spaces where there are any.
fn broken(cell: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in cell.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() || line.width() + 1 + word.width() <= width {
            if !line.is_empty() {
                line.push(' ');
            }
        } else {
            lines.push(String::new());
        }
        for character in word.chars() {
            let columns = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
            if lines
                .last()
                .is_some_and(|line| line.width() + columns > width)
            {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push(character);
            }
        }
    }
    lines
}
