//! Tables for people and JSON for programs. A ratio compares haft with the best of the others
//! that found every call with the right arguments; a parser that did not is shown with its count.

use serde_json::{Map, Value, json};

use crate::clock::Timing;

/// How many calls a parser got.
#[derive(Clone, Copy, Default)]
pub struct Score {
    /// Calls with the right name and arguments.
    pub right: usize,
    /// Calls at all.
    pub found: usize,
    /// Calls that are there.
    pub expected: usize,
}

impl Score {
    fn is_full(self) -> bool {
        self.right == self.expected && self.found == self.expected
    }
}

/// What one contestant did.
pub struct Cell {
    pub contestant: &'static str,
    /// None where it has no parser, or was stopped.
    pub done: Option<(Timing, Score)>,
}

impl Cell {
    /// The time, if it was used to do the whole work.
    fn valid(&self) -> Option<&Timing> {
        let (timing, score) = self.done.as_ref()?;
        score.is_full().then_some(timing)
    }
}

/// One line of a table.
pub struct Row {
    pub subject: String,
    /// Bytes or chunks in one pass.
    pub count: usize,
    pub cells: Vec<Cell>,
}

impl Row {
    /// How many times as fast haft is as the fastest other.
    fn ratio(&self) -> Option<f64> {
        let is_haft = |cell: &&Cell| cell.contestant == "haft";
        let (own, others): (Vec<_>, Vec<_>) = self.cells.iter().partition(is_haft);
        let own = own.first()?.valid()?;
        let others = others.into_iter().filter_map(Cell::valid);
        let best = others.min_by_key(|timing| timing.best)?;
        Some(best.ratio(own))
    }
}

/// What the figures of a table say.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Megabytes in a second.
    Throughput,
    /// Nanoseconds for a chunk.
    PerChunk,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Throughput => "MB/s",
            Self::PerChunk => "ns per chunk",
        }
    }

    fn value(self, count: usize, timing: &Timing) -> f64 {
        match self {
            Self::Throughput => count as f64 / timing.best.as_secs_f64() / 1e6,
            Self::PerChunk => nanoseconds_each(count, timing),
        }
    }
}

/// A table of contestants.
pub struct Table {
    pub title: &'static str,
    pub unit: Unit,
    pub rows: Vec<Row>,
}

impl Table {
    pub fn print(&self) {
        println!("\n{} [{}]", self.title, self.unit.name());
        let names = self.rows.first().into_iter().flat_map(|row| &row.cells);
        let names: String = names
            .map(|cell| format!("{:>20}", cell.contestant))
            .collect();
        println!("{:<22}{names}{:>14}", "", "haft : best");
        for row in &self.rows {
            let cells = row
                .cells
                .iter()
                .map(|cell| format!("{:>20}", self.shown(row, cell)));
            let cells: String = cells.collect();
            let ratio = row
                .ratio()
                .map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            println!("{:<22}{cells}{ratio:>14}", row.subject);
        }
    }

    fn shown(&self, row: &Row, cell: &Cell) -> String {
        let Some((timing, score)) = &cell.done else {
            return "-".to_owned();
        };
        let value = figure(self.unit.value(row.count, timing));
        if score.is_full() {
            return value;
        }
        format!("{value} ({}/{})", score.right, score.expected)
    }

    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let cells = row.cells.iter().filter_map(|cell| {
                let (timing, score) = cell.done.as_ref()?;
                let result = json!({
                    "value": self.unit.value(row.count, timing), "noise_percent": timing.noise(),
                    "right": score.right, "found": score.found, "expected": score.expected});
                Some((cell.contestant.to_owned(), result))
            });
            let cells: Map<String, Value> = cells.collect();
            json!({"subject": row.subject, "ratio": row.ratio(), "contestants": cells})
        });
        let rows: Vec<Value> = rows.collect();
        json!({"title": self.title, "unit": self.unit.name(), "rows": rows})
    }

    /// The noise of every figure.
    pub fn noises(&self) -> impl Iterator<Item = f64> {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells
            .filter_map(|cell| cell.done.as_ref())
            .map(|(timing, _)| timing.noise())
    }
}

/// A figure of haft alone, beside what it aims at.
pub struct Figure {
    pub subject: String,
    pub value: f64,
    pub unit: &'static str,
    pub target: &'static str,
}

impl Figure {
    pub fn print(&self) {
        let value = figure(self.value);
        println!(
            "{:<58}{value:>10} {:<16}{}",
            self.subject, self.unit, self.target
        );
    }

    pub fn json(&self) -> Value {
        json!({"subject": self.subject, "value": self.value, "unit": self.unit,
            "target": self.target})
    }
}

/// Nanoseconds for each of `count`.
pub fn nanoseconds_each(count: usize, timing: &Timing) -> f64 {
    timing.best.as_secs_f64() * 1e9 / count as f64
}

/// Three digits, more where the whole part has more.
fn figure(value: f64) -> String {
    match value {
        _ if value >= 99.95 => format!("{value:.0}"),
        _ if value >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
