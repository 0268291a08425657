//! What finding the end of a call's arguments costs, whole and in small pieces.
//!
//! Run with `cargo bench -p haft-extract`. Calls stay raw, so nothing is parsed or checked.
#![allow(clippy::unwrap_used, reason = "a benchmark may die")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use haft_extract::{ExtractOptions, Extractor, ToolSet};

const SIZES: [usize; 3] = [1, 10, 100];

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES)]
fn whole(bencher: Bencher<'_, '_>, size: usize) {
    in_chunks(bencher, size, usize::MAX);
}

#[divan::bench(args = SIZES)]
fn in_pieces_of_4(bencher: Bencher<'_, '_>, size: usize) {
    in_chunks(bencher, size, 4);
}

fn in_chunks(bencher: Bencher<'_, '_>, size: usize, chunk: usize) {
    let reply = reply(size);
    let tools = ToolSet::any();
    let mut options = ExtractOptions::default();
    options.raw = true;
    bencher.counter(BytesCount::of_str(&reply)).bench(|| {
        let mut extractor = Extractor::new(&tools, options);
        for chunk in black_box(reply.as_bytes()).chunks(chunk) {
            extractor.push(chunk, &mut |piece| {
                black_box(piece);
            });
        }
        extractor.finish(&mut |piece| {
            black_box(piece);
        });
    });
}

/// A call with about 600 bytes of short strings, so many times over.
fn reply(size: usize) -> String {
    let booking = r#"{"hotel": "Grand Central", "city": "Oslo", "country": "Norway", "guest": "Ann Lee",
        "email": "ann@example.org", "room": "double", "view": "fjord side", "floor": 4,
        "arrival": "2025-06-01", "departure": "2025-06-04", "breakfast": true, "price": 1500.5,
        "currency": "NOK", "payment": "card on arrival", "note": "late check-in, after ten",
        "address": {"street": "Jernbanetorget 1", "code": "0154"}, "tags": ["quiet", "central"],
        "language": "en", "reference": "B-20250601-77"}"#;
    let bookings = vec![booking; size].join(",\n");
    format!(
        "<tool_call>\n{{\"name\": \"book\", \"arguments\": {{\"bookings\": [{bookings}]}}}}\n</tool_call>"
    )
}
