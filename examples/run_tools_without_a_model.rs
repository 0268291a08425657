//! Runs tool calls with the executor alone: one message per call, also for calls that fail.
//!
//! `cargo run -p haft --example run_tools_without_a_model`

#![allow(clippy::print_stdout, reason = "programs may print")]

use haft::{AiMessage, Emitter, ToolCall, ToolError, ToolExecutor, ToolManager};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Division {
    dividend: f64,
    divisor: f64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tools = ToolManager::new();
    tools.add(haft::tool(
        "divide",
        "Divide two numbers",
        |d: Division| async move {
            if d.divisor == 0.0 {
                return Err(ToolError::new("Cannot divide by zero."));
            }
            Ok((d.dividend / d.divisor).to_string())
        },
    ))?;
    let asked = AiMessage::new("").with_tool_calls([
        // Text where a number is expected: coerced.
        ToolCall::new("divide", json!({"dividend": "10", "divisor": 4}), "call_1"),
        ToolCall::new("divide", json!({"dividend": 1, "divisor": 0}), "call_2"),
        ToolCall::new("divide", json!({"dividend": 1}), "call_3"),
        ToolCall::new("multiply", json!({}), "call_4"),
    ]);
    for answer in ToolExecutor::new(tools)
        .run_round(&asked, &Emitter::silent())
        .await
    {
        println!("{}: {}", answer.tool_call_id, answer.content.text());
    }
    Ok(())
}
