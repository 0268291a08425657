use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{AiMessage, Emitter, Event, ToolAnnotations, ToolInput, ToolStatus};
use haft_testing::SpyTool;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::*;
use crate::tool;

mod approval;
mod unknown;

fn executor(tools: Vec<Arc<dyn Tool>>) -> ToolExecutor {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool).unwrap();
    }
    ToolExecutor::new(manager)
}

fn asks(calls: impl IntoIterator<Item = (&'static str, Value)>) -> AiMessage {
    let calls = calls.into_iter().enumerate();
    AiMessage::new("").with_tool_calls(
        calls.map(|(index, (name, args))| ToolCall::new(name, args, format!("id_{index}"))),
    )
}

async fn texts(executor: &ToolExecutor, message: &AiMessage) -> Vec<String> {
    let answers = executor.run_round(message, &Emitter::silent()).await;
    answers.iter().map(|answer| answer.content.text()).collect()
}

#[tokio::test]
async fn s002_05_a_tool_is_invoked_with_the_input_envelope() {
    let spy = Arc::new(SpyTool::new("f", |_| Ok("ok".into())));
    let executor = executor(vec![spy.clone()]);
    texts(&executor, &asks([("f", json!({"a": 1}))])).await;
    let Value::Object(input) = json!({"a": 1}) else {
        panic!("not an object")
    };
    assert_eq!(spy.seen(), [ToolInput::from(input)]);
}

#[tokio::test]
async fn s000_10_tool_failure_becomes_error_message() {
    let executor = executor(vec![Arc::new(SpyTool::new("f", |_| Err("boom".into())))]);
    let answers = executor
        .run_round(&asks([("f", json!({}))]), &Emitter::silent())
        .await;
    assert_eq!(answers[0].content.text(), "Error: boom");
    assert_eq!(answers[0].tool_call_id, "id_0");
    assert_eq!(answers[0].status, ToolStatus::Error);
}

#[tokio::test]
async fn s000_11_an_unknown_tool_is_answered_and_its_neighbours_run() {
    let executor = executor(vec![Arc::new(SpyTool::new("f", |_| Ok("ok".into())))]);
    let answers = texts(&executor, &asks([("g", json!({})), ("f", json!({}))])).await;
    assert_eq!(answers, ["Error: Unknown tool \"g\"", "ok"]);
}

#[tokio::test]
async fn s000_03_results_reach_the_model_as_text_with_the_right_id() {
    let pair = SpyTool::new("pair", |_| Ok(json!(["text", [{"id": 1}]]).into()));
    let object = SpyTool::new("object", |_| Ok(json!({"a": 1}).into()));
    let executor = executor(vec![Arc::new(pair), Arc::new(object)]);
    let message = asks([("pair", json!({})), ("object", json!({}))]);
    let answers = executor.run_round(&message, &Emitter::silent()).await;
    assert_eq!(answers[0].content.text(), "text");
    assert_eq!(answers[0].artifact, Some(json!([{"id": 1}])));
    assert_eq!(answers[1].content.text(), "{\"a\":1}");
    assert_eq!(answers[1].tool_call_id, "id_1");
}

#[tokio::test(start_paused = true)]
async fn s002_06_a_slow_tool_times_out_and_its_future_is_dropped() {
    struct Guard(Arc<AtomicBool>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let flag = dropped.clone();
    let slow = tool("slow", "", move |(): ()| {
        let guard = Guard(flag.clone());
        async move {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            drop(guard);
            Ok::<_, ToolError>("late")
        }
    });
    let executor = executor(vec![slow.into()]);
    let started = Instant::now();
    let answers = texts(&executor, &asks([("slow", Value::Null)])).await;
    assert_eq!(
        answers,
        ["Error: slow took longer than 30 seconds and was stopped."]
    );
    assert_eq!(started.elapsed().as_secs(), 30);
    assert!(dropped.load(Ordering::Relaxed));
}

#[tokio::test(start_paused = true)]
async fn progress_extends_the_deadline_up_to_the_total_limit() {
    let patient = |seconds: u64| {
        move |(): ()| async move {
            for _ in 0..seconds / 20 {
                tokio::time::sleep(Duration::from_secs(20)).await;
                crate::report_progress();
            }
            Ok::<_, ToolError>("done")
        }
    };
    let executor = executor(vec![
        tool("two_minutes", "", patient(120)).into(),
        tool("an_hour", "", patient(3600)).into(),
    ]);
    let message = asks([("two_minutes", Value::Null), ("an_hour", Value::Null)]);
    let answers = texts(&executor, &message).await;
    let stopped = "Error: an_hour took longer than 300 seconds and was stopped.";
    assert_eq!(answers, ["done", stopped]);
}

#[tokio::test(start_paused = true)]
async fn a_tools_own_limit_overrides_the_default() {
    let quick = tool("quick", "", |(): ()| {
        std::future::pending::<Result<String, ToolError>>()
    })
    .time_limit(Duration::from_secs(1));
    let answers = texts(
        &executor(vec![quick.into()]),
        &asks([("quick", Value::Null)]),
    )
    .await;
    assert_eq!(
        answers,
        ["Error: quick took longer than 1 second and was stopped."]
    );
}

#[tokio::test(start_paused = true)]
async fn calls_run_concurrently_and_answers_keep_the_order_of_the_calls() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Wait {
        seconds: u64,
    }
    let wait = tool("wait", "", |wait: Wait| async move {
        tokio::time::sleep(Duration::from_secs(wait.seconds)).await;
        Ok::<_, ToolError>(wait.seconds.to_string())
    });
    let executor = executor(vec![wait.into()]);
    let message = asks([3, 1, 2].map(|seconds| ("wait", json!({"seconds": seconds}))));
    let started = Instant::now();
    assert_eq!(texts(&executor, &message).await, ["3", "1", "2"]);
    assert_eq!(started.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_sequential_tool_is_a_barrier() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let logged = |name: &'static str| {
        let log = log.clone();
        move |(): ()| {
            let log = log.clone();
            async move {
                log.lock().unwrap().push(format!("{name} starts"));
                tokio::time::sleep(Duration::from_secs(1)).await;
                log.lock().unwrap().push(format!("{name} ends"));
                Ok::<_, ToolError>("")
            }
        }
    };
    let executor = executor(vec![
        tool("free", "", logged("free")).into(),
        tool("alone", "", logged("alone")).sequential().into(),
    ]);
    let names = ["free", "free", "alone", "free"];
    texts(&executor, &asks(names.map(|name| (name, Value::Null)))).await;
    let expected = [
        "free starts",
        "free starts",
        "free ends",
        "free ends",
        "alone starts",
        "alone ends",
        "free starts",
        "free ends",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_panic_is_caught_and_the_other_calls_run() {
    let executor = executor(vec![
        Arc::new(SpyTool::new("bad", |_| panic!("secret detail"))),
        tool(
            "worse",
            "",
            |(): ()| -> std::future::Ready<Result<String, ToolError>> {
                panic!("before there is a future")
            },
        )
        .into(),
        Arc::new(SpyTool::new("good", |_| Ok("ok".into()))),
    ]);
    let message = asks(["bad", "worse", "good"].map(|name| (name, Value::Null)));
    let answers = texts(&executor, &message).await;
    assert_eq!(
        answers[0],
        "Error: bad failed because of a fault of its own."
    );
    assert_eq!(
        answers[1],
        "Error: worse failed because of a fault of its own."
    );
    assert_eq!(answers[2], "ok");
}

#[tokio::test]
async fn arguments_are_coerced_reported_and_validated() {
    let schema = json!({"type": "object", "required": ["deviceName"], "properties": {
        "deviceName": {"type": "string"}, "level": {"type": "integer"}}});
    let spy =
        Arc::new(SpyTool::new("control_zwave_device", |_| Ok("ok".into())).with_schema(schema));
    let executor = executor(vec![spy.clone()]);
    let events = haft_core::generate::<_, (), _, _>({
        let executor = executor.clone();
        |events| async move {
            let args = json!({"device_name": "lamp", "brightness": "40"});
            executor
                .run_round(&asks([("control_zwave_device", args)]), &events)
                .await;
            Ok(())
        }
    });
    let events: Vec<_> = events.map(Result::unwrap).collect().await;
    let Event::ToolStarted { call } = &events[0] else {
        panic!("{events:?}")
    };
    assert_eq!(
        Value::Object(call.args.clone()),
        json!({"deviceName": "lamp", "level": 40})
    );
    let Event::ToolFinished(report) = &events[1] else {
        panic!("{events:?}")
    };
    assert_eq!(report.coercions.len(), 3, "{:?}", report.coercions);
    assert_eq!(spy.seen()[0].input, call.args);
    let answers = texts(
        &executor,
        &asks([("control_zwave_device", json!({"level": "x"}))]),
    )
    .await;
    assert!(
        answers[0].starts_with("Error: Invalid arguments for control_zwave_device: "),
        "{answers:?}"
    );
    assert!(
        answers[0].contains("deviceName") && answers[0].contains("level"),
        "{answers:?}"
    );
    assert_eq!(
        spy.seen().len(),
        1,
        "a tool never runs on invalid arguments"
    );
}

#[tokio::test]
async fn output_is_capped_with_head_and_tail() {
    let long = SpyTool::new("long", |_| {
        Ok(format!("start{}end", "x".repeat(50_000)).into())
    });
    let answers = texts(
        &executor(vec![Arc::new(long)]),
        &asks([("long", json!({}))]),
    )
    .await;
    assert!(answers[0].starts_with("start") && answers[0].ends_with("end"));
    assert!(answers[0].chars().count() < 16_100, "{}", answers[0].len());
}

#[tokio::test]
async fn s000_12_two_hundred_calls_get_two_hundred_answers() {
    let executor = executor(vec![Arc::new(SpyTool::new("f", |_| Ok("ok".into())))]);
    let message = asks((0..200).map(|index| ("f", json!({"i": index}))));
    let answers = executor.run_round(&message, &Emitter::silent()).await;
    let ids: Vec<_> = answers
        .iter()
        .map(|answer| answer.tool_call_id.clone())
        .collect();
    let expected: Vec<_> = (0..200).map(|index| format!("id_{index}")).collect();
    assert_eq!(ids, expected);
}

#[tokio::test]
async fn a_call_of_a_tool_with_an_unusable_schema_runs_unchecked() {
    let odd = SpyTool::new("odd", |_| Ok("ok".into())).with_schema(json!({"type": 17}));
    assert_eq!(
        texts(&executor(vec![Arc::new(odd)]), &asks([("odd", json!({}))])).await,
        ["ok"]
    );
}

#[tokio::test]
async fn a_misspelt_word_is_guessed_only_for_tools_that_change_nothing() {
    let schema = json!({"type": "object", "properties": {"location": {"type": "string"}},
        "required": ["location"]});
    let spy = |read_only| {
        let annotations = ToolAnnotations {
            read_only,
            ..ToolAnnotations::default()
        };
        let spy = SpyTool::new("f", |_| Ok("ok".into())).with_schema(schema.clone());
        Arc::new(spy.with_annotations(annotations))
    };
    let message = asks([("f", json!({"locaton": "Oslo"}))]);
    let reading = spy(true);
    assert_eq!(
        texts(&executor(vec![reading.clone()]), &message).await,
        ["ok"]
    );
    assert_eq!(json!(reading.seen()[0].input), json!({"location": "Oslo"}));
    let writing = spy(false);
    let answers = texts(&executor(vec![writing.clone()]), &message).await;
    assert!(answers[0].contains("location is missing"), "{answers:?}");
    assert!(writing.seen().is_empty());
}
