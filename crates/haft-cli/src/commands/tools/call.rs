//! `haft tools call`: one call through the executor, as a model would make it.

use futures_util::StreamExt;
use haft::types::{Event, ToolReport, ToolStatus, generate};
use haft::{AiMessage, ToolCall, ToolExecutor};
use serde_json::{Map, Value, json};

use crate::args::CallArgs;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::trace::Trace;

pub(super) async fn run(
    arguments: &CallArgs,
    executor: &ToolExecutor,
    trace: &mut Trace,
) -> Result<Exit, Failure> {
    let given = Value::Object(read(&arguments.arguments)?);
    let call = ToolCall::new(&arguments.name, given, "call_1");
    let report = execute(call, executor.clone()).await?;
    trace.call(&report);
    let failed = report.message.status == ToolStatus::Error;
    let text = report.message.content.text();
    if arguments.json {
        print_json(&json!({
            "name": report.call.name,
            "args": report.call.args,
            "status": report.message.status,
            "result": text,
            "artifact": report.message.artifact,
            "coercions": report.coercions,
            "duration_ms": u64::try_from(report.duration.as_millis()).unwrap_or(u64::MAX),
        }))?;
        return Ok(if failed { Exit::Failure } else { Exit::Success });
    }
    if failed {
        let sentence = text.strip_prefix("Error: ").unwrap_or(&text);
        return Err(Failure::new(sentence).with_hint(format!(
            "`haft tools show {}` tells what it takes",
            arguments.name
        )));
    }
    print_text(&text)?;
    Ok(Exit::Success)
}

/// Runs the call and waits for the report about it.
async fn execute(call: ToolCall, executor: ToolExecutor) -> Result<ToolReport, Failure> {
    let message = AiMessage::new("").with_tool_calls([call]);
    let mut events = generate(|events| async move {
        executor.run_round(&message, &events).await;
        Ok::<_, Failure>(())
    });
    while let Some(event) = events.next().await {
        if let Event::ToolFinished(report) = event? {
            return Ok(report);
        }
    }
    Err(Failure::new("The tool gave no result"))
}

/// The arguments: one JSON object, or key=value pairs, whose values the executor coerces to the
/// schema.
fn read(arguments: &[String]) -> Result<Map<String, Value>, Failure> {
    if let [object] = arguments
        && object.trim_start().starts_with('{')
    {
        return serde_json::from_str(object).map_err(|error| {
            Failure::usage(format!("The arguments are not a JSON object: {error}"))
                .with_hint("or write key=value for each argument")
        });
    }
    let mut read = Map::new();
    for argument in arguments {
        let Some((key, value)) = argument.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(Failure::usage(format!("\"{argument}\" is not an argument"))
                .with_hint("write key=value for each argument, or one JSON object"));
        };
        if read.insert(key.to_owned(), Value::from(value)).is_some() {
            return Err(Failure::usage(format!(
                "The argument \"{key}\" is given twice"
            )));
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests;
