//! How long it takes to find a tool by name, and to answer a call of a tool that does nothing.

#![allow(clippy::expect_used, reason = "a benchmark may die")]

use haft_core::{AiMessage, Emitter, ToolCall};
use haft_testing::named_tool;
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

fn main() {
    divan::main();
}

fn tools(count: usize) -> ToolManager {
    let mut tools = ToolManager::new();
    for index in 0..count {
        tools
            .add(named_tool(&format!("tool_number_{index}"), None))
            .expect("names differ");
    }
    tools
}

/// Looks up the last tool in the list, which is the worst case.
#[divan::bench(args = [5, 20, 100])]
fn find_last(bencher: divan::Bencher<'_, '_>, count: usize) {
    let tools = tools(count);
    let name = format!("tool_number_{}", count - 1);
    bencher.bench(|| tools.find(divan::black_box(&name)).is_some());
}

/// Measures one whole call: lookup, coercion, validation, invocation and the resulting message.
#[divan::bench]
fn answer_one_call(bencher: divan::Bencher<'_, '_>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("runtime");
    let executor = ToolExecutor::new(tools(20));
    let call = ToolCall::new("tool_number_19", json!({}), "call_1");
    let asked = AiMessage::new("").with_tool_calls([call]);
    let events = Emitter::silent();
    bencher.bench(|| runtime.block_on(executor.run_round(&asked, &events)));
}
