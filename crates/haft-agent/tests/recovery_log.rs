//! What the log says of a blank reply and the retry, word for word as specified.

#![allow(clippy::unwrap_used, reason = "tests may die")]

use std::sync::Arc;

use haft_agent::{Agent, AgentOptions};
use haft_core::AiMessage;
use haft_testing::{CapturedLog, ScriptedModel};
use haft_tools::{ToolExecutor, ToolManager};

async fn ask(second: &str) {
    let model = ScriptedModel::saying(["", second].map(AiMessage::new));
    let executor = ToolExecutor::new(ToolManager::new());
    let agent = Agent::new(Arc::new(model), executor, AgentOptions::default()).unwrap();
    agent.ask("Capital?").await.unwrap();
}

#[tokio::test]
async fn s003_01_and_03_the_pattern_and_the_retry_are_logged_with_count_times_and_outcome() {
    let log = CapturedLog::of_program();
    ask("Paris").await;
    let seen = log.lines_with(&["Empty tool call pattern detected", "original_ms="]);
    assert_eq!(seen.len(), 1, "{}", log.text());
    let fields = [
        "attempt=1",
        "original_ms=",
        "retry_ms=",
        "rung=without_tools",
    ];
    let good = [&fields[..], &["Retry 1: success", "valid_response=true"]].concat();
    assert_eq!(log.lines_with(&good).len(), 1, "{}", log.text());
    ask(" ").await;
    let bad = [&fields[..], &["Retry 1: failure", "valid_response=false"]].concat();
    assert_eq!(log.lines_with(&bad).len(), 1, "{}", log.text());
}
