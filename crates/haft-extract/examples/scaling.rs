//! Shows how the time to read hostile replies grows: each pattern of `tests/support/hostile.rs`
//! in three sizes, whole and in chunks of four bytes, with the ratio per doubling. 2 is linear, 4
//! is quadratic.
//!
//! ```sh
//! cargo run --release -p haft-extract --example scaling            # what is slow or not linear
//! cargo run --release -p haft-extract --example scaling -- all     # every pattern
//! ```

#[path = "../tests/support/hostile.rs"]
#[expect(unreachable_pub, reason = "shared with the tests")]
mod hostile;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use haft_extract::{ExtractOptions, Extractor, ToolDefinition, ToolSet};
use serde_json::json;

/// The smallest size in bytes; the largest is four times that.
const SMALLEST: usize = 128 * 1024;

/// A ratio per doubling that is more than measuring error.
const STEEP: f64 = 2.6;

/// More than this for the largest size is slow, whatever the ratio.
const SLOW: Duration = Duration::from_millis(500);

/// Ratios of shorter times say nothing.
const TOO_SHORT: Duration = Duration::from_millis(40);

fn main() -> io::Result<()> {
    let all = std::env::args().nth(1).is_some_and(|word| word == "all");
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    });
    let bound = ToolSet::from_definitions([ToolDefinition::new("get_weather", schema)]);
    let mut taught = ExtractOptions::default();
    taught.text_mode = true;
    let ways = [
        ("bound", &bound, ExtractOptions::default()),
        ("any", &ToolSet::any(), ExtractOptions::default()),
        ("text mode", &bound, taught),
    ];
    let mut out = io::stdout().lock();
    let (mut count, mut noted) = (0, 0);
    for pattern in hostile::patterns() {
        for (way, tools, options) in ways {
            for chunk in [usize::MAX, 4] {
                let times = times(&pattern, chunk, (tools, options));
                let is_noted = is_noted(&times);
                count += 1;
                noted += usize::from(is_noted);
                if !all && !is_noted {
                    continue;
                }
                let chunks = if chunk == 4 { "4 bytes" } else { "whole" };
                let shown: Vec<String> = times.iter().map(|time| milliseconds(*time)).collect();
                let ratio = steepest(&times);
                let mark = if is_noted { "!" } else { " " };
                let name = pattern.name();
                writeln!(
                    out,
                    "{mark} {} x{ratio:.1} {chunks:7} {way:9} {name}",
                    shown.join("")
                )?;
                out.flush()?;
            }
        }
    }
    writeln!(out, "{noted} of {count} are slow or not linear")
}

/// The times for one, two and four times the smallest size; fewer when it gets too slow, and for
/// a sixteenth alone when that is too slow already.
fn times(
    pattern: &hostile::Pattern,
    chunk: usize,
    how: (&ToolSet, ExtractOptions),
) -> Vec<Duration> {
    // What is far from linear would take hours in full size.
    let pilot = time(&pattern.sized(SMALLEST / 16), chunk, how);
    if pilot > SLOW / 16 {
        return vec![pilot];
    }
    let mut times: Vec<Duration> = Vec::new();
    for factor in [1, 2, 4] {
        if times.last().is_some_and(|time| *time > SLOW) {
            break;
        }
        let reply = pattern.sized(SMALLEST * factor);
        let once = time(&reply, chunk, how);
        // The best of three, where something else may have been in the way.
        let again = if once > TOO_SHORT && once < SLOW {
            2
        } else {
            0
        };
        let others = (0..again).map(|_| time(&reply, chunk, how));
        times.push(others.fold(once, Duration::min));
    }
    times
}

fn time(reply: &str, chunk: usize, (tools, options): (&ToolSet, ExtractOptions)) -> Duration {
    let (start, start_of_work) = (Instant::now(), worked());
    let mut extractor = Extractor::new(tools, options);
    let mut pieces = 0_usize;
    for chunk in reply.as_bytes().chunks(chunk) {
        extractor.push(chunk, &mut |_| pieces += 1);
    }
    extractor.finish(&mut |_| pieces += 1);
    std::hint::black_box(pieces);
    match (start_of_work, worked()) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        _ => start.elapsed(),
    }
}

/// How long this thread has had a processor, where the system says so (Linux): other programs
/// do not count.
fn worked() -> Option<Duration> {
    let counters = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = counters.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn is_noted(times: &[Duration]) -> bool {
    times.len() < 3 || times.iter().any(|time| *time > SLOW) || steepest(times) > STEEP
}

/// The last ratio, unless the times are too short for one.
fn steepest(times: &[Duration]) -> f64 {
    let ratio = |pair: &[Duration]| match pair {
        [one, two] if *two > TOO_SHORT => two.as_secs_f64() / one.as_secs_f64().max(1e-6),
        _ => 0.0,
    };
    times.windows(2).last().map_or(0.0, ratio)
}

fn milliseconds(time: Duration) -> String {
    format!("{:>9.1}", time.as_secs_f64() * 1000.0)
}
