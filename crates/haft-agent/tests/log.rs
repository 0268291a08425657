//! What the log and the counters say of first queries and retries, word for word as specified.
//!
//! A program of its own: a program has one log, and the questions of other tests would appear in
//! it. The tests here take turns for the same reason.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by a panic"
)]

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use haft_agent::{Agent, AgentOptions, ClientTurn, SuccessCount, ToolNeedDetector};
use haft_core::{
    AiMessage, CallOptions, ChatModel, ChatStream, Message, ModelError, ModelErrorKind,
    RecoveryStep, Tool, ToolCall,
};
use haft_testing::{CapturedLog, ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;
use tokio::sync::{Mutex, MutexGuard};

/// The log of the program from the beginning of one test to its end.
struct Log {
    begin: usize,
    _alone: MutexGuard<'static, ()>,
}

impl Log {
    async fn begin() -> Self {
        static ALONE: Mutex<()> = Mutex::const_new(());
        let alone = ALONE.lock().await;
        Self {
            begin: CapturedLog::of_program().text().len(),
            _alone: alone,
        }
    }

    /// The text logged since the test began.
    fn text(&self) -> String {
        CapturedLog::of_program().text().split_off(self.begin)
    }

    /// The number of lines that contain every one of `words`.
    fn count(&self, words: &[&str]) -> usize {
        let text = self.text();
        let has_all = |line: &&str| words.iter().all(|word| line.contains(word));
        text.lines().filter(has_all).count()
    }

    /// The lines about first queries and retries: their text, and the rate in them.
    fn lines(&self) -> Vec<String> {
        let text = self.text();
        let of_attempts = |line: &&str| line.contains("First query: ") || line.contains("Retry ");
        let lines = text.lines().filter(of_attempts);
        lines
            .map(|line| {
                assert!(line.starts_with("INFO"), "{line}");
                assert!(line.contains("model=\"scripted\""), "{line}");
                let message = line.split("message=").nth(1).unwrap();
                let message = message.split(" model=").next().unwrap();
                let rate = line.split(" rate=").nth(1).unwrap();
                format!("{message}, {}", rate.split(' ').next().unwrap())
            })
            .collect()
    }
}

fn agent_with(model: ScriptedModel, tools: &[Arc<SpyTool>], options: AgentOptions) -> Agent {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool.clone() as Arc<dyn Tool>).unwrap();
    }
    Agent::new(Arc::new(model), ToolExecutor::new(manager), options).unwrap()
}

fn agent(replies: &[&str]) -> Agent {
    let model = ScriptedModel::saying(replies.iter().map(|text| AiMessage::new(*text)));
    agent_with(model, &[], AgentOptions::default())
}

fn light() -> Arc<SpyTool> {
    Arc::new(SpyTool::new("light", |_| Ok("on".into())))
}

fn call() -> AiMessage {
    AiMessage::new("").with_tool_calls([ToolCall::new("light", json!({}), "1")])
}

fn counts(count: SuccessCount) -> (u64, u64) {
    (count.tries, count.successes)
}

#[tokio::test]
async fn s003_08_first_queries_are_logged_with_the_running_rate() {
    let log = Log::begin().await;
    let agent = agent(&["Paris", "", "Lyon", " ", "Nice", "Metz"]);
    let session = agent.session();
    session.ask("Capital?").await.unwrap();
    // Blank, recovered, and no first query.
    session.ask("And the next?").await.unwrap();
    assert_eq!(
        log.lines(),
        ["First query: success, 1.0", "Retry 1: success, 1.0"]
    );
    let session = agent.session();
    session.ask("Capital?").await.unwrap();
    session.ask("And the next?").await.unwrap();
    assert_eq!(
        log.lines()[2..],
        ["First query: failure, 0.5", "Retry 1: success, 1.0"]
    );
    let metrics = agent.metrics();
    assert_eq!(counts(metrics.first_queries()), (2, 1));
    assert_eq!(metrics.first_queries().rate(), Some(0.5));
    assert_eq!(metrics.blank_replies(), 2);
}

#[tokio::test]
async fn s003_08_the_duration_of_the_first_reply_is_logged() {
    let _log = Log::begin().await;
    agent(&["Paris"]).ask("Capital?").await.unwrap();
    let fields = ["First query: success", "rate=", "duration_ms="];
    assert!(!CapturedLog::of_program().lines_with(&fields).is_empty());
}

#[tokio::test]
async fn s003_08_a_conversation_with_a_reply_has_no_first_query() {
    let log = Log::begin().await;
    let agent = agent(&["a", "b", "c"]);
    let first = vec![Message::system("Be brief."), Message::human("?")];
    let mut later = first.clone();
    later.push(AiMessage::new("a").into());
    later.push(Message::human("and?"));
    for messages in [first.clone(), later, first] {
        agent.run(messages).collect::<Vec<_>>().await;
    }
    assert_eq!(
        log.lines(),
        ["First query: success, 1.0", "First query: success, 1.0"]
    );
}

#[tokio::test]
async fn s003_08_a_client_turn_counts_if_it_opens_the_conversation() {
    let log = Log::begin().await;
    let agent = agent_with(
        ScriptedModel::saying([call(), AiMessage::new("It is on.")]),
        &[light()],
        AgentOptions::default(),
    );
    let mut messages = vec![Message::human("Light on")];
    for _ in 0..2 {
        let events = agent.turn(messages.clone(), ClientTurn::default());
        events.collect::<Vec<_>>().await;
        messages.push(call().into());
        messages.push(haft_core::ToolMessage::success("on", "1").into());
    }
    assert_eq!(log.lines(), ["First query: success, 1.0"]);
}

#[tokio::test]
async fn s003_08_a_model_error_is_a_failed_first_query() {
    let log = Log::begin().await;
    let failing = ModelError::new(ModelErrorKind::CutStream, "Busy");
    let replies = [Err(failing), Ok(AiMessage::new("Paris"))];
    let agent = agent_with(ScriptedModel::new(replies), &[], AgentOptions::default());
    let session = agent.session();
    session.ask("Capital?").await.unwrap_err();
    session.ask("Capital?").await.unwrap();
    assert_eq!(log.lines(), ["First query: failure, 0.0"]);
}

#[tokio::test]
async fn s003_08_of_two_concurrent_first_questions_one_counts() {
    let log = Log::begin().await;
    let session = agent(&["a", "b"]).session();
    let (one, other) = tokio::join!(session.ask("?"), session.ask("?"));
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(log.lines().len(), 1);
}

#[tokio::test]
async fn s003_08_a_call_is_a_success_and_replaced_prose_is_not() {
    let log = Log::begin().await;
    let mut options = AgentOptions::default();
    options.tool_need = Some(ToolNeedDetector::new(|_, _| true));
    let prose = || AiMessage::new("I would turn it on.");
    let done = || AiMessage::new("It is on.");
    for (replies, expected) in [
        (vec![call(), done()], vec!["First query: success, 1.0"]),
        (
            vec![prose(), call(), done()],
            vec!["Retry 1: success, 1.0", "First query: failure, 0.0"],
        ),
        (
            vec![prose(), AiMessage::new("")],
            vec!["Retry 1: failure, 0.0", "First query: success, 1.0"],
        ),
    ] {
        let before = log.lines().len();
        let agent = agent_with(ScriptedModel::saying(replies), &[light()], options.clone());
        agent.ask("Light on").await.unwrap();
        assert_eq!(log.lines()[before..], expected);
    }
}

#[tokio::test]
async fn s003_09_retries_are_numbered_per_query_and_have_their_own_rate() {
    let log = Log::begin().await;
    let thought = AiMessage::new(vec![haft_core::ContentBlock::Thinking {
        thinking: "Hm.".to_owned(),
        signature: None,
    }]);
    let mut cut = thought.clone();
    cut.stop_reason = Some(haft_core::StopReason::MaxTokens);
    let model = ScriptedModel::saying([
        cut,
        thought,
        AiMessage::new("Paris"),
        AiMessage::new(""),
        AiMessage::new(""),
    ]);
    let agent = agent_with(model, &[], AgentOptions::default());
    let session = agent.session();
    session.ask("Capital?").await.unwrap();
    session.ask("Capital?").await.unwrap();
    assert_eq!(
        log.lines(),
        [
            "First query: failure, 0.0",
            "Retry 1: failure, 0.0",
            "Retry 2: success, 0.5",
            "Retry 1: failure, 0.3333333333333333",
        ]
    );
    let metrics = agent.metrics();
    assert_eq!(counts(metrics.retries()), (3, 1));
    assert_eq!(counts(metrics.first_queries()), (1, 0));
    let json = serde_json::to_value(&metrics).unwrap();
    assert_eq!(
        json["steps"]["thinking_only"],
        json!({"seen": 1, "tried": 1, "recovered": 1})
    );
    assert_eq!(json["first_queries"]["rate"], json!(0.0));
}

/// A model with an empty first reply and a second one that never ends.
#[derive(Debug)]
struct Stuck(std::sync::Mutex<bool>);

#[async_trait::async_trait]
impl ChatModel for Stuck {
    fn id(&self) -> &str {
        "scripted"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        panic!("there are no tools")
    }

    fn stream(&self, _: &[Message], _: &CallOptions) -> ChatStream {
        if std::mem::replace(&mut *self.0.lock().unwrap(), true) {
            return stream::pending().boxed();
        }
        let blank = haft_core::ChatChunk::Done(AiMessage::new(""));
        stream::iter([Ok(blank)]).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn s003_03_a_retry_that_times_out_is_a_failure() {
    let log = Log::begin().await;
    let mut options = AgentOptions::default();
    options.timeout = Some(Duration::from_secs(7));
    let stuck = Arc::new(Stuck(std::sync::Mutex::new(false)));
    let agent = Agent::new(stuck, ToolExecutor::new(ToolManager::new()), options).unwrap();
    agent.ask("Capital?").await.unwrap_err();
    assert_eq!(
        log.lines(),
        ["First query: failure, 0.0", "Retry 1: failure, 0.0"]
    );
    let count = agent.metrics().of(RecoveryStep::WithoutTools);
    assert_eq!((count.seen, count.tried, count.recovered), (1, 1, 0));
    let times = ["Retry 1: failure", "original_ms=0", "retry_ms=7000"];
    assert_eq!(CapturedLog::of_program().lines_with(&times).len(), 1);
}

#[tokio::test]
async fn s003_01_and_03_empty_replies_and_retries_are_logged() {
    let log = Log::begin().await;
    agent(&["", "Paris"]).ask("Capital?").await.unwrap();
    let seen = ["Empty tool call pattern detected", "original_ms="];
    assert_eq!(log.count(&seen), 1, "{}", log.text());
    let fields = [
        "attempt=1",
        "original_ms=",
        "retry_ms=",
        "step=without_tools",
    ];
    let good = [&fields[..], &["Retry 1: success", "valid_response=true"]].concat();
    assert_eq!(log.count(&good), 1, "{}", log.text());
    agent(&["", " "]).ask("Capital?").await.unwrap();
    let bad = [&fields[..], &["Retry 1: failure", "valid_response=false"]].concat();
    assert_eq!(log.count(&bad), 1, "{}", log.text());
}
