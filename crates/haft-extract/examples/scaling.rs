//! Shows how the time to read hostile replies grows: each pattern of `tests/support/hostile.rs`
//! in two sizes, whole and in chunks of four bytes, with the ratio of the times. The longer reply
//! has eight times the bytes of the shorter one: a ratio of 8 is linear, one of 64 quadratic.
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

/// The size of the shorter reply in bytes.
const SHORT: usize = 32 * 1024;

/// How much longer the longer one is.
const FACTOR: usize = 8;

/// A ratio that is more than measuring error.
const STEEP: f64 = 18.0;

/// More than this for the longer reply is slow, whatever the ratio.
const SLOW: Duration = Duration::from_millis(250);

/// Ratios of shorter times say nothing.
const TOO_SHORT: Duration = Duration::from_millis(15);

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
                let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-6);
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
                    "{mark} {short} {long} x{ratio:<4.0} {chunks:7} {way:9} {name}"
                )?;
                out.flush()?;
            }
        }
    }
    writeln!(out, "{noted} of {count} are slow or not linear")
}

/// The times for the shorter and the longer reply; the best of three, where something else may
/// have been in the way. A reply that is too slow already is not made longer.
fn times(
    pattern: &hostile::Pattern,
    chunk: usize,
    how: (&ToolSet, ExtractOptions),
) -> (Duration, Duration) {
    let best = |reply: &str| {
        let once = time(reply, chunk, how);
        let is_clear = once < TOO_SHORT / 4 || once > SLOW * 4;
        let again = if is_clear { 0 } else { 2 };
        (0..again).fold(once, |best, _| best.min(time(reply, chunk, how)))
    };
    let short = best(&pattern.sized(SHORT));
    if short > SLOW {
        return (short, short);
    }
    (short, best(&pattern.sized(SHORT * FACTOR)))
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

fn milliseconds(time: Duration) -> String {
    format!("{:>9.1}", time.as_secs_f64() * 1000.0)
}
