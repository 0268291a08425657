//! Reads replies as `haft extract --jsonl` does, with parts of the reading switched off, to measure
//! what they are worth:
//!
//! `measure REPLIES.jsonl [coercion] [repair] [names] > PREDICTIONS.jsonl`
//!
//! A line of the input is `{"id", "reply", "tools"}`, one of the output `{"id", "calls"}`.
//! `tests/accuracy/run --without PART` makes the input, runs this and scores the output.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use haft_extract::measure::{Part, switch_off};
use haft_extract::{ExtractOptions, ToolDefinition, ToolSet, extract};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file of replies")?;
    for part in arguments {
        switch_off(match part.as_str() {
            "coercion" => Part::Coercion,
            "repair" => Part::Repair,
            "names" => Part::Names,
            other => return Err(format!("there is no part {other}").into()),
        });
    }
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut bound = (Value::Null, ToolSet::any());
    for line in BufReader::new(File::open(path)?).lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let tools = row.get("tools").unwrap_or(&Value::Null);
        if *tools != bound.0 {
            bound = (tools.clone(), tool_set(tools));
        }
        let reply = row.get("reply").and_then(Value::as_str).unwrap_or_default();
        let extraction = extract(&bound.1, ExtractOptions::default(), reply);
        let calls = extraction.calls.iter();
        let calls: Vec<Value> = calls
            .map(|call| json!({"name": call.name, "args": call.args}))
            .collect();
        writeln!(output, "{}", json!({"id": row.get("id"), "calls": calls}))?;
    }
    Ok(output.flush()?)
}

fn tool_set(tools: &Value) -> ToolSet {
    let definition = |tool: &Value| {
        let name = tool.get("name").and_then(Value::as_str)?;
        let parameters = tool.get("parameters").cloned().unwrap_or_default();
        Some(ToolDefinition::new(name, parameters))
    };
    ToolSet::from_definitions(
        tools
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(definition),
    )
}
