//! The cost of checking arguments compared to parsing them: `from_str` alone, and `check` of its
//! result.
//!
//! Run with `cargo bench -p haft-schema`. The first four cases are valid; `patterned` has a schema
//! that needs the validator, `repaired` needs repairs.
#![allow(clippy::unwrap_used, reason = "a benchmark may die")]

use divan::{Bencher, black_box};
use haft_core::Arguments;
use haft_schema::CompiledSchema;
use serde_json::{Value, json};

const CASES: [&str; 6] = ["two", "twelve", "text", "numbers", "patterned", "repaired"];

fn main() {
    divan::main();
}

#[divan::bench(args = CASES)]
fn parse(bencher: Bencher<'_, '_>, case: &str) {
    let text = arguments(case).to_string();
    bencher.bench(|| serde_json::from_str::<Arguments>(black_box(&text)));
}

#[divan::bench(args = CASES)]
fn check(bencher: Bencher<'_, '_>, case: &str) {
    let text = arguments(case).to_string();
    let schema = CompiledSchema::new(&schema(case)).unwrap();
    bencher
        .with_inputs(|| serde_json::from_str::<Arguments>(&text).unwrap())
        .bench_values(|arguments| schema.check(arguments));
}

fn schema(case: &str) -> Value {
    let properties = match case {
        "two" | "repaired" => json!({
            "city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}}),
        "patterned" => json!({
            "city": {"type": "string", "pattern": "^[A-Z]"}, "days": {"type": "integer"}}),
        "text" => json!({"path": {"type": "string"}, "content": {"type": "string"}}),
        "numbers" => json!({"values": {"type": "array", "items": {"type": "number"}}}),
        _ => twelve(),
    };
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn arguments(case: &str) -> Value {
    match case {
        "two" | "patterned" => json!({"city": "Oslo", "days": 3}),
        "repaired" => json!({"City": "Oslo", "days": "3"}),
        "text" => json!({"path": "a.txt", "content": "line of text\n".repeat(8_000)}),
        "numbers" => {
            let number = |index: u32| json!(f64::from(index) / 8.0);
            json!({"values": (0..1_000).map(number).collect::<Vec<_>>()})
        }
        _ => json!({
            "query": "hotels in Oslo near the station", "city": "Oslo", "country": "NO", "guests": 2,
            "rooms": 1, "max_price": 1500.5, "currency": "NOK", "breakfast": true, "pets": false,
            "stars": [3, 4, 5], "dates": {"from": "2025-06-01", "to": "2025-06-04"}, "note": null,
        }),
    }
}

fn twelve() -> Value {
    let date = json!({"type": "string", "format": "date"});
    json!({
        "query": {"type": "string", "description": "What to look for"}, "city": {"type": "string"},
        "country": {"enum": ["DK", "FI", "NO", "SE"]}, "guests": {"type": "integer", "minimum": 1},
        "rooms": {"type": "integer"}, "max_price": {"type": "number", "minimum": 0},
        "currency": {"enum": ["DKK", "EUR", "NOK", "SEK"]}, "breakfast": {"type": "boolean"},
        "pets": {"type": "boolean"}, "stars": {"type": "array", "items": {"type": "integer"}},
        "dates": {"type": "object", "properties": {"from": date, "to": date}, "required": ["from"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    })
}
