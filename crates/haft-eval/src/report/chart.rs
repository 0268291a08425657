//! Bar charts with confidence intervals, as inline SVG.

use std::fmt::Write;

use super::escaped;
use crate::summary::{Group, Share};

/// Bar start, longest bar and row height, in SVG units.
/// Names stand above their bars, so that the drawing is narrow and its text legible on a phone.
const LEFT: f64 = 14.0;
const LONGEST: f64 = 330.0;
const ROW: f64 = 58.0;

/// The maximum length of a category's name, in characters; longer ones are cut.
const MAX_NAME: usize = 40;

/// A row of the chart: a name and two shares.
#[derive(Debug)]
pub(super) struct Bar<'a> {
    name: &'a str,
    first: Share,
    recovered: Share,
}

impl<'a> Bar<'a> {
    pub(super) fn of(group: &'a Group) -> Self {
        Self {
            name: &group.name,
            first: group.first,
            recovered: group.recovered,
        }
    }
}

pub(super) fn bars(title: &str, rows: &[Bar<'_>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let height = ROW * rows.len() as f64 + 24.0;
    let width = LEFT + LONGEST + 54.0;
    let mut svg = format!(
        "<h2>{title}</h2><p>Grey: first try. Green: recovered. Lines: 95 % intervals.</p>\
         <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}, by category\">",
        title = escaped(title)
    );
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let x = LEFT + LONGEST * percent / 100.0;
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{}\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent} %</text>",
            height - 20.0,
            height - 4.0
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let top = ROW * at as f64 + 6.0;
        let name: String = row.name.chars().take(MAX_NAME).collect();
        let _ = write!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\">{}</text>",
            top + 8.0,
            escaped(&name)
        );
        bar(&mut svg, "first", top + 14.0, &row.first);
        bar(&mut svg, "good", top + 30.0, &row.recovered);
    }
    svg.push_str("</svg>");
    svg
}

fn bar(svg: &mut String, class: &str, top: f64, share: &Share) {
    let x = |share: f64| LEFT + LONGEST * share;
    let (low, high) = (x(share.interval.low), x(share.interval.high));
    let middle = top + 7.0;
    let _ = write!(
        svg,
        "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{top}\" width=\"{:.1}\" height=\"14\"/>\
         <line class=\"whisker\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{middle}\" y2=\"{middle}\"/>\
         <text x=\"{:.1}\" y=\"{}\">{:.1}</text>",
        LONGEST * share.share(),
        x(1.0) + 14.0,
        top + 12.0,
        share.share() * 100.0
    );
}
