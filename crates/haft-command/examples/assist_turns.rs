//! Answers questions over tools that are only described: what `tests/accuracy/home-engine` measures
//! the engine with.
//!
//! Each line of the input is an object with `id`, `system`, `text`, `tools` (definitions of
//! functions, as model servers take them) and `live`, the answer of `GetLiveContext`. Each line of
//! the output has `id`, `calls`, what was `said`, and how many `micros`econds a turn took, binding
//! the tools and reading the system prompt included.
#![expect(
    clippy::indexing_slicing,
    reason = "indexing into JSON gives null where nothing is"
)]

use std::error::Error;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use haft_command::Builtin;
use haft_core::{
    CallOptions, ChatModel, Message, Tool, ToolError, ToolInput, ToolMessage, ToolOutput,
};
use serde_json::{Value, json};

/// More rounds than the engine needs.
const MOST_ROUNDS: usize = 5;

/// A tool that is described and never runs.
#[derive(Debug)]
struct Described(Value);

#[async_trait]
impl Tool for Described {
    fn name(&self) -> &str {
        self.0["name"].as_str().unwrap_or_default()
    }

    fn description(&self) -> &str {
        self.0["description"].as_str().unwrap_or_default()
    }

    fn schema(&self) -> &Value {
        &self.0["parameters"]
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Err("this tool is only described".into())
    }
}

fn tools(case: &Value) -> Vec<Arc<dyn Tool>> {
    let tools = case["tools"].as_array().into_iter().flatten();
    tools
        .map(|tool| Arc::new(Described(tool["function"].clone())) as Arc<dyn Tool>)
        .collect()
}

/// What a tool would answer: the states for a question, and success for all else.
fn result(tool: &str, live: &str) -> String {
    if tool == "GetLiveContext" {
        return json!({"success": true, "result": live}).to_string();
    }
    json!({"speech": {}, "response_type": "action_done", "data": {"success": [], "failed": []}})
        .to_string()
}

async fn turn(case: &Value) -> Result<Value, Box<dyn Error>> {
    let text = |key: &str| case[key].as_str().unwrap_or_default();
    let tools = tools(case);
    let start = Instant::now();
    let model = Builtin::with_tools(&tools);
    let mut messages = vec![
        Message::system(text("system")),
        Message::human(text("text")),
    ];
    let mut calls = Vec::new();
    let mut said = String::new();
    for _ in 0..MOST_ROUNDS {
        let reply = model.invoke(&messages, &CallOptions::default()).await?;
        said = reply.content.text();
        let made = reply.tool_calls.clone();
        messages.push(reply.into());
        if made.is_empty() {
            break;
        }
        for call in made {
            calls.push(json!({"name": call.name, "args": call.args}));
            let answer = result(&call.name, text("live"));
            messages.push(ToolMessage::success(answer, call.id).into());
        }
    }
    let micros = start.elapsed().as_micros() as u64;
    Ok(json!({"id": case["id"], "calls": calls, "said": said, "micros": micros}))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        writeln!(output, "{}", turn(&case).await?)?;
    }
    Ok(())
}
