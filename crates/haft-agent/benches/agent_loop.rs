//! Benchmark: the cost of the loop itself, and the number of loops that run at the same time.
//!
//! In `two_rounds` the model answers from memory, so that only the loop's own work is measured: two
//! rounds and one call of a tool that does nothing. The server of `concurrent_loops` is in this
//! process and uses a part of the two cores.

#![allow(clippy::expect_used, reason = "a benchmark may die")]

use std::sync::Arc;

use futures_util::future::join_all;
use haft_agent::{Agent, AgentOptions};
use haft_core::{AiMessage, ChatModel, Event, Message, ToolCall};
use haft_models::ChatOpenAi;
use haft_testing::{Reply, ScriptedModel, ScriptedServer, named_tool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

fn main() {
    divan::main();
}

fn executor() -> ToolExecutor {
    let mut tools = ToolManager::new();
    for index in 0..20 {
        tools
            .add(named_tool(&format!("tool_{index}"), None))
            .expect("names differ");
    }
    ToolExecutor::new(tools)
}

/// With the tools chosen for the question, and with all of them bound.
#[divan::bench(args = ["chosen", "all"])]
fn two_rounds(bencher: divan::Bencher<'_, '_>, tools: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("runtime");
    let executor = executor();
    let mut options = AgentOptions::default();
    if tools == "all" {
        options.selection = None;
    }
    bencher
        .with_inputs(|| {
            let call = ToolCall::new("tool_19", json!({"a": 1}), "call_1");
            let asked = AiMessage::new("").with_tool_calls([call]);
            let model = ScriptedModel::saying([asked, AiMessage::new("done")]);
            Agent::new(Arc::new(model), executor.clone(), options.clone()).expect("agent")
        })
        .bench_values(|agent| runtime.block_on(agent.ask("go")).expect("answer"));
}

#[divan::bench(args = [1, 100, 1000], sample_count = 10, sample_size = 1)]
fn concurrent_loops(bencher: divan::Bencher<'_, '_>, loops: usize) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("runtime");
    let server = runtime.block_on(ScriptedServer::with(|request| {
        let answered = request.text.contains("\"role\":\"tool\"");
        Reply::json(if answered { text_reply() } else { call_reply() })
    }));
    let model: Arc<dyn ChatModel> = Arc::new(
        ChatOpenAi::new("m")
            .base_url(format!("{}/v1", server.url()))
            .streaming(false),
    );
    let agent = Agent::new(model, executor(), AgentOptions::default()).expect("agent");
    bencher.bench(|| {
        runtime.block_on(async {
            let runs = (0..loops).map(|_| {
                let agent = agent.clone();
                tokio::spawn(async move { collected(&agent).await })
            });
            for result in join_all(runs).await {
                result.expect("no panic");
            }
        });
    });
}

/// From a question to the start of the tool that its streamed reply asks for: request, stream,
/// decoding and validation. What lies between the last byte and the tool is a part of it.
#[divan::bench]
fn question_to_tool_start(bencher: divan::Bencher<'_, '_>) {
    use futures_util::StreamExt;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("runtime");
    let server = runtime.block_on(ScriptedServer::with(|_| Reply::sse(streamed_call())));
    let model = Arc::new(ChatOpenAi::new("m").base_url(format!("{}/v1", server.url())));
    let agent = Agent::new(model, executor(), AgentOptions::default()).expect("agent");
    bencher.bench(|| {
        runtime.block_on(async {
            let mut events = agent.run(vec![Message::human("go")]);
            while let Some(event) = events.next().await {
                if let Event::ToolStarted { .. } = event.expect("no question fails") {
                    return;
                }
            }
        });
    });
}

fn streamed_call() -> Vec<String> {
    let delta = |delta: serde_json::Value, end: Option<&str>| {
        json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}).to_string()
    };
    let piece = |arguments: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]});
    let start = json!({"role": "assistant", "tool_calls": [{"index": 0, "id": "c1",
        "type": "function", "function": {"name": "tool_19", "arguments": ""}}]});
    vec![
        delta(start, None),
        delta(piece("{\"a\":"), None),
        delta(piece(" 1}"), None),
        delta(json!({}), Some("tool_calls")),
        "[DONE]".to_owned(),
    ]
}

/// One question, without the agent's own conversation: that is shared by all clones.
async fn collected(agent: &Agent) {
    use futures_util::StreamExt;
    let mut events = agent.run(vec![Message::human("go")]);
    while let Some(event) = events.next().await {
        event.expect("no loop fails");
    }
}

fn call_reply() -> serde_json::Value {
    json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
        "function": {"name": "tool_19", "arguments": "{\"a\": 1}"}}]}}]})
}

fn text_reply() -> serde_json::Value {
    json!({"choices": [{"index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": "done"}}]})
}
