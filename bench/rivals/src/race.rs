//! The tables in which haft and the others do the same work: from a reply to the names and the
//! argument text of its calls.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::clock::{Clock, Pass, measure};
use crate::contestants::{Contestant, Sink};
use crate::corpus::{self, Call, Format, Reply};
use crate::report::{Cell, Row, Score, Table, Unit};

/// Sizes of one argument, in bytes.
const SIZES: &[usize] = &[12_500, 25_000, 50_000, 100_000, 1_000_000];

/// A contestant that needs longer for one argument is not asked to read a larger one.
const MIN_WAIT: Duration = Duration::from_millis(500);

type Contestants<'c> = &'c [Box<dyn Contestant>];

/// Whole replies.
pub fn whole(formats: &[&Format], contestants: Contestants<'_>, clock: &mut Clock) -> Table {
    let rows = formats.iter().map(|format| {
        let replies = format.replies();
        let heat = Heat {
            format,
            replies: &replies,
            in_chunks: false,
        };
        Row {
            subject: format.name.to_owned(),
            count: replies.iter().map(|reply| reply.text.len()).sum(),
            cells: heat.run(contestants, &[], clock),
        }
    });
    Table {
        title: "Whole replies to argument text",
        unit: Unit::Throughput,
        rows: rows.collect(),
    }
}

/// Short replies in chunks of four bytes, the making of the parser included.
pub fn chunks(formats: &[&Format], contestants: Contestants<'_>, clock: &mut Clock) -> Table {
    let rows = formats.iter().map(|format| {
        let replies = format.replies();
        let heat = Heat {
            format,
            replies: &replies,
            in_chunks: true,
        };
        Row {
            subject: format.name.to_owned(),
            count: heat.chunks(),
            cells: heat.run(contestants, &[], clock),
        }
    });
    Table {
        title: "Replies in chunks of 4 bytes, parser construction included",
        unit: Unit::PerChunk,
        rows: rows.collect(),
    }
}

/// One argument of growing size in chunks of four bytes: the same time for a chunk of every size
/// if the work is linear.
pub fn growth(formats: &[&Format], contestants: Contestants<'_>, clock: &mut Clock) -> Table {
    let mut rows = Vec::new();
    for format in formats {
        let mut stopped = Vec::new();
        for size in SIZES {
            let replies = [format.long_reply(*size)];
            let heat = Heat {
                format,
                replies: &replies,
                in_chunks: true,
            };
            let cells = heat.run(contestants, &stopped, clock);
            for cell in &cells {
                let times = cell.done.iter().map(|(timing, _)| timing.best);
                stopped.extend(
                    times
                        .filter(|time| *time > MIN_WAIT)
                        .map(|_| cell.contestant),
                );
            }
            rows.push(Row {
                subject: format!("{} {} kB", format.name, *size as f64 / 1000.0),
                count: heat.chunks(),
                cells,
            });
        }
    }
    Table {
        title: "One long argument in chunks of 4 bytes ('-': none, or stopped after half a second)",
        unit: Unit::PerChunk,
        rows,
    }
}

/// The same replies for all.
struct Heat<'h> {
    format: &'h Format,
    replies: &'h [Reply],
    in_chunks: bool,
}

impl Heat<'_> {
    fn chunks(&self) -> usize {
        let texts = self.replies.iter().map(|reply| &reply.text);
        texts.map(|text| corpus::chunks(text).len()).sum()
    }

    /// Lets all contestants take part but those that do not read the format or were `stopped`.
    fn run(&self, contestants: Contestants<'_>, stopped: &[&str], clock: &mut Clock) -> Vec<Cell> {
        let texts = self.replies.iter().map(|reply| reply.text.as_str());
        let texts: Vec<&str> = texts.collect();
        let cut: Vec<Vec<&str>> = texts.iter().map(|text| corpus::chunks(text)).collect();
        let takes_part = |contestant: &&Box<dyn Contestant>| {
            contestant.reads(self.format.name) && !stopped.contains(&contestant.name())
        };
        let passes = contestants.iter().filter(takes_part).map(|contestant| {
            let (texts, cut) = (&texts, &cut);
            let pass: Pass<'_> = Box::new(move |clock| {
                let mut sink = Sink::default();
                if self.in_chunks {
                    for chunks in cut {
                        contestant.chunked(self.format.name, chunks, clock, &mut sink);
                    }
                } else {
                    contestant.whole(self.format.name, texts, clock, &mut sink);
                }
                std::hint::black_box(sink.bytes + sink.calls);
            });
            pass
        });
        let mut timings = measure(clock, passes.collect()).into_iter();
        let cells = contestants.iter().map(|contestant| {
            let timing = takes_part(&contestant).then(|| timings.next()).flatten();
            Cell {
                contestant: contestant.name(),
                done: timing.map(|timing| (timing, self.score(contestant.as_ref(), clock))),
            }
        });
        cells.collect()
    }

    /// Compares what a contestant finds with what is there.
    fn score(&self, contestant: &dyn Contestant, clock: &mut Clock) -> Score {
        let mut score = Score::default();
        for reply in self.replies {
            let mut sink = Sink::keeping();
            if self.in_chunks {
                let chunks = corpus::chunks(&reply.text);
                contestant.chunked(self.format.name, &chunks, clock, &mut sink);
            } else {
                contestant.whole(self.format.name, &[&reply.text], clock, &mut sink);
            }
            let found = sink.kept.unwrap_or_default();
            let pairs = reply.calls.iter().zip(&found);
            score.right += pairs.filter(|(call, found)| is_right(call, found)).count();
            score.found += found.len();
            score.expected += reply.calls.len();
        }
        clock.take();
        score
    }
}

fn is_right(call: &Call, (name, arguments): &(String, String)) -> bool {
    let arguments = serde_json::from_str::<Map<String, Value>>(arguments);
    call.name == name && arguments.is_ok_and(|arguments| arguments == call.arguments)
}
