//! Bar charts with confidence intervals, as boxes that take the width of the page. Text keeps its size
//! at every width.

use std::fmt::Write;

use super::escaped;
use crate::summary::{Group, Share};

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
    let mut chart = format!(
        "<h2>{title}</h2><p>Grey: first try. Green: recovered. Lines: 95 % intervals.</p>\
         <div class=\"chart\" role=\"img\" aria-label=\"{title}, by category\">",
        title = escaped(title)
    );
    for row in rows {
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            chart,
            "<div class=\"row\"><span class=\"name\">{}</span><div>",
            escaped(row.name)
        );
        bar(&mut chart, "first", &row.first);
        bar(&mut chart, "good", &row.recovered);
        chart.push_str("</div></div>");
    }
    chart.push_str(
        "<div class=\"row\"><span></span><div class=\"scale\"><span>0 %</span><span>50 %</span>\
         <span>100 %</span></div></div></div>",
    );
    chart
}

fn bar(chart: &mut String, class: &str, share: &Share) {
    let percent = share.share() * 100.0;
    let (low, high) = (share.interval.low * 100.0, share.interval.high * 100.0);
    let _ = write!(
        chart,
        "<div class=\"bar\"><div class=\"track\">\
         <i class=\"{class}\" style=\"width:{percent:.1}%\"></i>\
         <i class=\"whisker\" style=\"left:{low:.1}%;width:{:.1}%\"></i></div>\
         <b>{percent:.1}</b></div>",
        high - low
    );
}
