//! The log messages of the executor.
//!
//! A program of its own, because the log is shared by the whole process and is captured from its
//! first line on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

use std::sync::Arc;
use std::time::Duration;

use haft_core::{AiMessage, Emitter, Tool, ToolCall, ToolError};
use haft_testing::{CapturedLog, SpyTool};
use haft_tools::{ToolExecutor, ToolManager, tool};
use serde_json::{Value, json};

async fn run(tools: Vec<Arc<dyn Tool>>, name: &str, args: Value) -> &'static CapturedLog {
    let log = CapturedLog::of_program();
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool).unwrap();
    }
    let asked = AiMessage::new("").with_tool_calls([ToolCall::new(name, args, "call_1")]);
    ToolExecutor::new(manager)
        .run_round(&asked, &Emitter::silent())
        .await;
    log
}

fn spy(name: &str, result: Result<&'static str, &'static str>) -> Arc<dyn Tool> {
    Arc::new(SpyTool::new(name, move |_| {
        Ok(result.map_err(ToolError::new)?.into())
    }))
}

#[tokio::test]
async fn s002_06_duration_and_length_of_a_result_are_logged() {
    let log = run(vec![spy("quick", Ok("twelve chars"))], "quick", json!({})).await;
    let lines = log.lines_with(&["INFO", "tool=\"quick\"", "duration_ms=", "length=12"]);
    assert_eq!(lines.len(), 1, "{}", log.text());
    assert!(log.lines_with(&["slow tool", "\"quick\""]).is_empty());
}

#[tokio::test(start_paused = true)]
async fn s002_06_a_call_of_more_than_a_second_is_warned_about() {
    let slow = tool("dawdler", "", |(): ()| async {
        tokio::time::sleep(Duration::from_millis(1001)).await;
        Ok::<_, ToolError>("done")
    });
    let log = run(vec![slow.into()], "dawdler", json!({})).await;
    let lines = log.lines_with(&["WARN", "slow tool", "\"dawdler\"", "duration_ms=1001"]);
    assert_eq!(lines.len(), 1, "{}", log.text());
}

#[tokio::test]
async fn s002_06_arguments_are_logged_without_their_secrets() {
    let args = json!({"api_key": "hush-hush", "city": "Oslo"});
    let log = run(vec![spy("keyed", Ok("fine"))], "keyed", args).await;
    assert_eq!(
        log.lines_with(&["\"keyed\"", "Oslo"]).len(),
        1,
        "{}",
        log.text()
    );
    assert!(!log.text().contains("hush-hush"));
}

#[tokio::test]
async fn s002_06_the_log_reads_the_cause_that_the_model_does_not() {
    let technical = "connect ECONNREFUSED 127.0.0.1:1883";
    let log = run(vec![spy("broken", Err(technical))], "broken", json!({})).await;
    assert_eq!(
        log.lines_with(&["WARN", "tool failed", technical]).len(),
        1,
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn s000_11_an_unknown_tool_is_a_warning_that_names_those_there_are() {
    let log = run(vec![spy("known", Ok(""))], "unheard_of", json!({})).await;
    let lines = log.lines_with(&["WARN", "unknown tool", "\"unheard_of\"", "\"known\""]);
    assert_eq!(lines.len(), 1, "{}", log.text());
}
