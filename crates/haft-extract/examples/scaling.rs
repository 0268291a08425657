//! Shows how the time to read hostile replies grows: each pattern of `tests/support/hostile.rs` as
//! one long reply and as eight short ones of the same length together, whole and in chunks of four
//! bytes, with the ratio of the times. 1 is linear, 8 is quadratic.
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

/// The size of a short reply in bytes.
const SHORT: usize = 16 * 1024;

/// How many of them are as long as the long one.
const FACTOR: usize = 8;

/// A ratio that is more than measuring error.
const STEEP: f64 = 2.2;

/// More than this for the long reply is slow, whatever the ratio.
const SLOW: Duration = Duration::from_millis(200);

/// Ratios of shorter times say nothing: the system counts processor time in such steps.
const TOO_SHORT: Duration = Duration::from_millis(16);

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
                let (short, long) = times(&pattern, chunk, (tools, options));
                let ratio = long.as_secs_f64() / short.max(TOO_SHORT / 4).as_secs_f64();
                let is_noted = long > SLOW || (long > TOO_SHORT && ratio > STEEP);
                count += 1;
                noted += usize::from(is_noted);
                if !all && !is_noted {
                    continue;
                }
                let chunks = if chunk == 4 { "4 bytes" } else { "whole" };
                let (short, long) = (milliseconds(short), milliseconds(long));
                let mark = if is_noted { "!" } else { " " };
                let name = pattern.name();
                writeln!(
                    out,
                    "{mark} {short} {long} x{ratio:<4.1} {chunks:7} {way:9} {name}"
                )?;
                out.flush()?;
            }
        }
    }
    writeln!(out, "{noted} of {count} are slow or not linear")
}

/// The times for the short replies and for the long one; the best of three, where something else
/// may have been in the way.
fn times(
    pattern: &hostile::Pattern,
    chunk: usize,
    how: (&ToolSet, ExtractOptions),
) -> (Duration, Duration) {
    let best = |reply: &str, count: usize| {
        let once = time((reply, count), chunk, how);
        let is_clear = once < TOO_SHORT || once > SLOW * 4;
        let again = if is_clear { 0 } else { 2 };
        (0..again).fold(once, |best, _| best.min(time((reply, count), chunk, how)))
    };
    let short = best(&pattern.sized(SHORT), FACTOR);
    // What is far from linear would take hours in full length.
    if short > SLOW * 4 {
        return (short, short);
    }
    (short, best(&pattern.sized(SHORT * FACTOR), 1))
}

fn time(
    (reply, count): (&str, usize),
    chunk: usize,
    (tools, options): (&ToolSet, ExtractOptions),
) -> Duration {
    let (start, start_of_work) = (Instant::now(), worked());
    for _ in 0..count {
        let mut extractor = Extractor::new(tools, options);
        let mut pieces = 0_usize;
        for chunk in reply.as_bytes().chunks(chunk) {
            extractor.push(chunk, &mut |_| pieces += 1);
        }
        extractor.finish(&mut |_| pieces += 1);
        std::hint::black_box(pieces);
    }
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

fn milliseconds(time: Duration) -> String {
    format!("{:>9.1}", time.as_secs_f64() * 1000.0)
}
