//! What only haft does, measured against its own bounds: complete checked calls beside the bare
//! reading of the same arguments, `auto` beside the forced format, text without a call, and what
//! a new extractor costs.

use std::hint::black_box;

use haft_extract::{ExtractOptions, Extractor, Piece, ToolSet};
use serde_json::{Map, Value};

use crate::allocations;
use crate::clock::{Clock, Pass, Timing, measure};
use crate::contestants::haft::{checked, raw, tool_set};
use crate::corpus::{self, Format};
use crate::report::{Figure, nanoseconds_each};

/// Length of a text without calls.
const TEXT: usize = 10_000_000;
/// Length of a text without calls that is read in small chunks.
const SHORT_TEXT: usize = 400_000;
/// Extractors in one pass.
const EXTRACTORS: usize = 100_000;

/// All figures.
pub fn figures(formats: &[&Format], clock: &mut Clock) -> Vec<Figure> {
    let tools = tool_set();
    let mut figures = Vec::new();
    for format in formats {
        figures.extend(calls(format, &tools, clock));
    }
    for (name, text) in [
        ("English prose", corpus::plain as fn(usize) -> String),
        ("English Markdown with code", corpus::markdown),
        ("Chinese and Japanese prose", corpus::chinese),
    ] {
        figures.extend(text_at_once(name, &text(TEXT), &tools, clock));
        let short = text(SHORT_TEXT);
        figures.extend(text_in_chunks(name, &short, &tools, clock));
        figures.push(allocations(name, &short, &tools));
    }
    figures.extend(construction(&tools, clock));
    figures
}

/// Checked calls against `serde_json`, and `auto` against the forced format.
fn calls(format: &Format, tools: &ToolSet, clock: &mut Clock) -> [Figure; 3] {
    let replies = format.replies();
    let arguments = replies.iter().flat_map(|reply| &reply.calls);
    let arguments: Vec<String> = arguments.map(corpus::arguments).collect();
    let texts: Vec<&str> = replies.iter().map(|reply| reply.text.as_str()).collect();
    let baseline: Pass<'_> = Box::new(|clock| {
        clock.start();
        for text in &arguments {
            let _ = black_box(serde_json::from_str::<Map<String, Value>>(text));
        }
        clock.stop();
    });
    let passes = vec![
        baseline,
        reading(&texts, tools, checked(format.name)),
        reading(&texts, tools, checked("auto")),
        reading(&texts, tools, raw(format.name)),
        reading(&texts, tools, raw("auto")),
    ];
    let timings = measure(clock, passes);
    let ratio = |one: usize, other: usize| timings[one].ratio(&timings[other]);
    let figure = |subject: &str, value, target| Figure {
        subject: format!("{}: {subject}", format.name),
        value,
        unit: "times the time",
        target,
    };
    [
        figure("checked calls to serde_json", ratio(1, 0), "at most 1.5"),
        figure("auto to forced, checked calls", ratio(2, 1), "at most 1.15"),
        figure("auto to forced, raw calls", ratio(4, 3), "at most 1.15"),
    ]
}

fn reading<'p>(texts: &'p [&str], tools: &'p ToolSet, options: ExtractOptions) -> Pass<'p> {
    Box::new(move |clock| {
        clock.start();
        for text in texts {
            read(tools, options, std::iter::once(*text));
        }
        clock.stop();
    })
}

fn read<'t>(tools: &ToolSet, options: ExtractOptions, chunks: impl Iterator<Item = &'t str>) {
    let mut extractor = Extractor::new(tools, options);
    for chunk in chunks {
        extractor.push_text(chunk, &mut take);
    }
    extractor.finish(&mut take);
}

fn take(piece: Piece<'_>) {
    black_box(piece);
}

/// What one pass takes; none only if there was no time to measure it.
fn time(clock: &mut Clock, pass: Pass<'_>) -> Option<Timing> {
    measure(clock, vec![pass]).pop()
}

fn text_at_once(name: &str, text: &str, tools: &ToolSet, clock: &mut Clock) -> Option<Figure> {
    let pass: Pass<'_> = Box::new(|clock| {
        clock.start();
        read(tools, checked("auto"), std::iter::once(text));
        clock.stop();
    });
    let timing = time(clock, pass)?;
    Some(Figure {
        subject: format!("{name}, 10 MB at once, no call"),
        value: text.len() as f64 / timing.best.as_secs_f64() / 1e9,
        unit: "GB/s",
        target: "at least 2",
    })
}

fn text_in_chunks(name: &str, text: &str, tools: &ToolSet, clock: &mut Clock) -> Option<Figure> {
    let chunks = corpus::chunks(text);
    let pass: Pass<'_> = Box::new(|clock| {
        clock.start();
        read(tools, checked("auto"), chunks.iter().copied());
        clock.stop();
    });
    Some(Figure {
        subject: format!("{name}, chunks of 4 bytes, no call"),
        value: nanoseconds_each(chunks.len(), &time(clock, pass)?),
        unit: "ns per chunk",
        target: "",
    })
}

/// The first tenth warms up: a buffer that is made once is not what a chunk costs.
fn allocations(name: &str, text: &str, tools: &ToolSet) -> Figure {
    let chunks = corpus::chunks(text);
    let (first, rest) = chunks.split_at(chunks.len() / 10);
    let mut extractor = Extractor::new(tools, checked("auto"));
    for chunk in first {
        extractor.push_text(chunk, &mut take);
    }
    let before = allocations::count();
    for chunk in rest {
        extractor.push_text(chunk, &mut take);
    }
    let allocated = allocations::count() - before;
    extractor.finish(&mut take);
    Figure {
        subject: format!("{name}, allocations"),
        value: allocated as f64 / rest.len() as f64,
        unit: "per chunk",
        target: "0",
    }
}

fn construction(tools: &ToolSet, clock: &mut Clock) -> Option<Figure> {
    let pass: Pass<'_> = Box::new(|clock| {
        clock.start();
        for _ in 0..EXTRACTORS {
            black_box(Extractor::new(black_box(tools), ExtractOptions::default()));
        }
        clock.stop();
    });
    Some(Figure {
        subject: "a new extractor, made and dropped".to_owned(),
        value: nanoseconds_each(EXTRACTORS, &time(clock, pass)?),
        unit: "ns",
        target: "under 100",
    })
}
