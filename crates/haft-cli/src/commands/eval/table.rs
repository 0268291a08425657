//! Tables that fit the terminal: what is too wide is split into several tables, or shown as a list.
//! A word is never cut.

/// The space between two columns.
const GAP: usize = 2;

/// A table with headings; the first column names the rows.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Self {
        let head = headings.iter().map(|heading| (*heading).to_owned());
        Self {
            rows: std::iter::once(head.collect()).chain(rows).collect(),
        }
    }

    /// The table in lines of at most `width` columns; `None` is as wide as it gets.
    pub(super) fn text(&self, width: Option<usize>) -> String {
        let widths: Vec<usize> = (0..self.columns())
            .map(|column| self.width_of(column))
            .collect();
        let width = width.unwrap_or(usize::MAX);
        let (name, others) = widths.split_first().unwrap_or((&0, &[]));
        let is_narrow = others.iter().any(|other| name + GAP + other > width);
        if is_narrow {
            return self.list(width);
        }
        let parts: Vec<String> = parts(*name, others, width)
            .iter()
            .map(|columns| self.part(columns, &widths))
            .collect();
        parts.join("\n")
    }

    fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    /// The first column and these, padded to their widest cell; names are left-aligned, figures
    /// right-aligned.
    fn part(&self, columns: &[usize], widths: &[usize]) -> String {
        let cell = |row: &[String], column: usize| {
            let cell = row.get(column).map_or("", String::as_str);
            let width = widths.get(column).copied().unwrap_or(0);
            match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            }
        };
        let mut text = String::new();
        for row in &self.rows {
            let cells = std::iter::once(&0).chain(columns);
            let line: Vec<String> = cells.map(|column| cell(row, *column)).collect();
            text += line.join("  ").trim_end();
            text.push('\n');
        }
        text
    }

    /// A row as its name, and below it a line for each figure.
    fn list(&self, width: usize) -> String {
        let mut rows = self.rows.iter();
        let headings = rows.next().map(Vec::as_slice).unwrap_or_default();
        let label = headings.iter().skip(1).map(|text| text.chars().count());
        let label = label.max().unwrap_or(0);
        let mut text = String::new();
        for row in rows {
            let name = row.first().map_or("", String::as_str);
            text += &wrapped(name, width, "");
            for (heading, cell) in headings.iter().zip(row).skip(1) {
                let line = format!("  {heading:<label$}  {cell}");
                let line = match line.chars().count() > width {
                    true => wrapped(&format!("  {heading} {cell}"), width, "    "),
                    false => format!("{line}\n"),
                };
                text += &line;
            }
        }
        text
    }
}

/// The columns behind the first in groups that fit beside it.
fn parts(name: usize, others: &[usize], width: usize) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut used = usize::MAX;
    for (at, other) in others.iter().enumerate() {
        let wanted = used.saturating_add(GAP + other);
        match parts.last_mut().filter(|_| wanted <= width) {
            Some(part) => {
                part.push(at + 1);
                used = wanted;
            }
            None => {
                parts.push(vec![at + 1]);
                used = name + GAP + other;
            }
        }
    }
    parts
}

/// `text` in lines of at most `width` columns, broken between words, with a line end. Further lines
/// begin with `indent`; a word that is longer stands alone.
pub(super) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let lead: String = text.chars().take_while(|c| *c == ' ').collect();
    labelled(&lead, text, width, indent)
}

/// As [`wrapped`], behind a label, whose spaces are kept.
pub(super) fn labelled(label: &str, text: &str, width: usize, indent: &str) -> String {
    let mut lines: Vec<String> = vec![label.to_owned()];
    let mut is_first = true;
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        let wanted = line + usize::from(!is_first) + word.chars().count();
        if !is_first && wanted > width {
            lines.push(indent.to_owned());
            is_first = true;
        }
        if let Some(line) = lines.last_mut() {
            if !is_first {
                line.push(' ');
            }
            line.push_str(word);
        }
        is_first = false;
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests;
