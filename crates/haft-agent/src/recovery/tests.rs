//! Recovery with scripted models: empty replies and the round limit here, the other steps in
//! `tests/`.

mod calls;
mod leaderboard;
mod prose;
mod repetition;
mod small;
mod truth;

use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::StreamExt;
use haft_core::{
    AiMessage, Answer, CallOptions, ContentBlock, Event, InvalidToolCall, Message, ModelError,
    ModelErrorKind, Outcome, RecoveryStep, StopReason, Tool, ToolAnnotations, ToolCall, ToolChoice,
    ToolError, Usage,
};
use haft_testing::{ScriptedModel, ScriptedRequest, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

use super::STEPS;
use crate::{Agent, AgentOptions, RecoverySteps, ToolNeedDetector};

const GUIDANCE: &str = "Answer the question directly without calling any tools";

fn agent(model: &ScriptedModel, tools: &[Arc<SpyTool>], options: AgentOptions) -> Agent {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool.clone() as Arc<dyn Tool>).unwrap();
    }
    Agent::new(Arc::new(model.clone()), ToolExecutor::new(manager), options).unwrap()
}

/// A tool whose result is the number of its runs, so that results can be distinguished.
fn counting(name: &str, read_only: bool) -> Arc<SpyTool> {
    let runs = AtomicU32::new(0);
    let run = move |_| {
        let run = runs.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(format!("run {run}").into())
    };
    Arc::new(SpyTool::new(name, run).with_annotations(ToolAnnotations {
        read_only,
        ..ToolAnnotations::default()
    }))
}

/// A tool that requires a city and always returns the same result.
fn weather() -> Arc<SpyTool> {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"]});
    let tool = SpyTool::new("get_weather", |_| Ok("sunny".into()));
    Arc::new(tool.with_schema(schema))
}

fn call(name: &str, args: Value) -> AiMessage {
    AiMessage::new("").with_tool_calls([ToolCall::new(name, args, "1")])
}

fn oslo() -> AiMessage {
    call("get_weather", json!({"city": "Oslo"}))
}

fn says(text: &str) -> AiMessage {
    AiMessage::new(text)
}

fn thinks(thought: &str) -> AiMessage {
    AiMessage::new(vec![ContentBlock::Thinking {
        thinking: thought.to_owned(),
        signature: None,
    }])
}

fn cut(reply: AiMessage) -> AiMessage {
    AiMessage {
        stop_reason: Some(StopReason::MaxTokens),
        ..reply
    }
}

fn with_due(due: bool) -> AgentOptions {
    AgentOptions {
        tool_need: Some(ToolNeedDetector::new(move |_, _| due)),
        ..AgentOptions::default()
    }
}

fn without(step: RecoveryStep) -> AgentOptions {
    AgentOptions {
        recovery: RecoverySteps::all().without(step),
        ..AgentOptions::default()
    }
}

fn choices(model: &ScriptedModel) -> Vec<ToolChoice> {
    let requests = model.requests().into_iter();
    requests
        .map(|request| request.options.tool_choice)
        .collect()
}

fn results(request: &ScriptedRequest) -> Vec<String> {
    let results = request.messages.iter().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.text()),
        _ => None,
    });
    results.collect()
}

fn steps(answer: &Answer) -> Vec<(RecoveryStep, bool)> {
    let steps = answer.recovery.iter();
    steps
        .map(|report| (report.step, report.recovered))
        .collect()
}

#[test]
fn every_step_is_listed_in_the_order_of_its_name() {
    let listed: Vec<_> = STEPS.iter().map(|step| step.step()).collect();
    assert_eq!(listed, RecoveryStep::ALL);
}

#[tokio::test]
async fn s003_01_replies_without_call_and_text_are_counted() {
    let blank = [says(""), says(" \n\t"), thinks(""), thinks("Hm.")];
    for (reply, tools) in blank.into_iter().zip([0, 1, 0, 1]) {
        let model = ScriptedModel::saying([reply, says("Paris")]);
        let tools = &[weather()][..tools];
        let agent = agent(&model, tools, AgentOptions::default());
        assert_eq!(agent.ask("Capital?").await.unwrap().text, "Paris");
        assert_eq!(agent.metrics().blank_replies(), 1);
    }
    for reply in [says("x"), oslo()] {
        let model = ScriptedModel::saying([reply, says("Paris")]);
        let agent = agent(&model, &[weather()], AgentOptions::default());
        let answer = agent.ask("Capital?").await.unwrap();
        assert_eq!(agent.metrics().blank_replies(), 0);
        assert_eq!(
            (answer.outcome, answer.recovery.len()),
            (Outcome::Answered, 0)
        );
    }
}

#[tokio::test]
async fn s003_02_the_second_request_has_no_tools_and_the_guidance() {
    for system in [None, Some("Be brief.")] {
        let model = ScriptedModel::saying([says(""), says("Paris")]);
        let options = AgentOptions {
            system: system.map(str::to_owned),
            ..AgentOptions::default()
        };
        let agent = agent(&model, &[weather()], options);
        let session = agent.session();
        let answer = session.ask("Capital?").await.unwrap();
        assert_eq!(answer.text, "Paris");
        assert_eq!(
            answer.outcome,
            Outcome::Recovered(RecoveryStep::WithoutTools)
        );
        assert_eq!(choices(&model), [ToolChoice::Auto, ToolChoice::None]);
        let second = &model.requests()[1].messages;
        let said: Vec<_> = second
            .iter()
            .map(|message| message.content().text())
            .collect();
        let guided = system.map_or(GUIDANCE.to_owned(), |text| format!("{text}\n\n{GUIDANCE}"));
        assert_eq!(said, [guided.as_str(), "Capital?"]);
        assert!(matches!(second[0], Message::System(_)));
        // What was only said to get out of the hole does not stay.
        let kept: Vec<_> = session
            .history()
            .iter()
            .map(|message| message.content().text())
            .collect();
        assert_eq!(kept, ["Capital?", "Paris"]);
        let count = agent.metrics().of(RecoveryStep::WithoutTools);
        assert_eq!((count.seen, count.tried, count.recovered), (1, 1, 1));
    }
}

#[tokio::test]
async fn s003_02_switched_off_the_step_is_counted_but_not_tried() {
    let model = ScriptedModel::saying([says(""), says("Paris")]);
    let agent = agent(&model, &[weather()], without(RecoveryStep::WithoutTools));
    let answer = agent.ask("Capital?").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Empty);
    assert_eq!(model.requests().len(), 1);
    assert_eq!(agent.metrics().blank_replies(), 1);
    let count = agent.metrics().of(RecoveryStep::WithoutTools);
    assert_eq!((count.seen, count.tried), (1, 0));
}

#[tokio::test]
async fn s003_03_a_failed_retry_is_a_failure_and_no_crash() {
    let error = ModelError::new(ModelErrorKind::Server, "down");
    for second in [Ok(says(" ")), Err(error), Ok(oslo())] {
        let model = ScriptedModel::new([Ok(says("")), second]);
        let agent = agent(&model, &[weather()], AgentOptions::default());
        let answer = agent.ask("Capital?").await.unwrap();
        assert_eq!(answer.outcome, Outcome::Empty);
        assert!(!answer.text.trim().is_empty());
        assert_eq!(steps(&answer), [(RecoveryStep::WithoutTools, false)]);
        assert_eq!(answer.recovery[0].attempt, 1);
        assert_eq!(agent.metrics().of(RecoveryStep::WithoutTools).recovered, 0);
    }
}

#[tokio::test]
async fn s003_11_empty_replies_after_tools_and_in_the_last_round_are_recovered() {
    for max_rounds in [2, 10] {
        let model = ScriptedModel::saying([oslo(), says(""), says("Sunny.")]);
        let options = AgentOptions {
            max_rounds,
            ..AgentOptions::default()
        };
        let tool = weather();
        let answer = agent(&model, slice::from_ref(&tool), options)
            .ask("Coat?")
            .await
            .unwrap();
        assert_eq!(answer.text, "Sunny.");
        assert_eq!(
            answer.outcome,
            Outcome::Recovered(RecoveryStep::WithoutTools)
        );
        assert_eq!(tool.seen().len(), 1);
        // The work is kept.
        assert_eq!(results(&model.requests()[2]), ["sunny"]);
    }
}

#[tokio::test]
async fn an_empty_reply_at_the_token_limit_is_retried_with_a_higher_limit_and_tools() {
    let model = ScriptedModel::saying([cut(thinks("Let me")), oslo(), says("Sunny.")]);
    let answer = agent(&model, &[weather()], AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        ("Sunny.", Outcome::Recovered(RecoveryStep::RaiseMaxTokens))
    );
    let sent = model.requests();
    assert!(
        !sent[0].options.raise_max_tokens
            && sent[1].options.raise_max_tokens
            && !sent[2].options.raise_max_tokens
    );
    assert_eq!(sent[1].options.tool_choice, ToolChoice::Auto);
    assert_eq!(sent[0].messages, sent[1].messages);
}

#[tokio::test]
async fn after_a_higher_limit_in_vain_the_next_step_is_taken() {
    let replies = [cut(thinks("a")), cut(thinks("b")), says("Sunny.")];
    let model = ScriptedModel::saying(replies);
    let answer = agent(&model, &[weather()], AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(
        steps(&answer),
        [
            (RecoveryStep::RaiseMaxTokens, false),
            (RecoveryStep::ThinkingOnly, true)
        ]
    );
    // The beginning of an answer is no reason to ask again.
    let model = ScriptedModel::saying([cut(says("Sunny and"))]);
    let answer = agent(&model, &[weather()], AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        ("Sunny and", Outcome::Truncated)
    );
}

#[tokio::test]
async fn a_reply_with_reasoning_only_is_retried_without_reasoning() {
    let thought =
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
    let model = ScriptedModel::saying([thinks(thought), says("No idea.")]);
    let tool = weather();
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::ThinkingOnly)
    );
    assert!(tool.seen().is_empty(), "what is only thought is not done");
    let options = &model.requests()[1].options;
    assert!(options.without_thinking);
    assert_eq!(options.tool_choice, ToolChoice::None);
    // Without that step the next one takes it.
    let model = ScriptedModel::saying([thinks("Hm."), says("No idea.")]);
    let agent = agent(&model, &[tool], without(RecoveryStep::ThinkingOnly));
    let answer = agent.ask("Coat?").await.unwrap();
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::WithoutTools)
    );
    assert!(!model.requests()[1].options.without_thinking);
}

#[tokio::test]
async fn the_round_limit_is_a_recovery_step_that_can_be_off() {
    let limited = |recovery| AgentOptions {
        max_rounds: 2,
        recovery,
        ..AgentOptions::default()
    };
    let model = ScriptedModel::saying([oslo(), says("Sunny.")]);
    let answer = agent(&model, &[weather()], limited(RecoverySteps::all()))
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(answer.outcome, Outcome::Recovered(RecoveryStep::RoundLimit));
    assert_eq!(choices(&model), [ToolChoice::Auto, ToolChoice::None]);

    let tool = weather();
    let model = ScriptedModel::saying([oslo(), oslo()]);
    let off = limited(RecoverySteps::all().without(RecoveryStep::RoundLimit));
    let answer = agent(&model, slice::from_ref(&tool), off)
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(choices(&model), [ToolChoice::Auto, ToolChoice::Auto]);
    assert_eq!((answer.outcome, tool.seen().len()), (Outcome::Empty, 1));
    assert_eq!(model.requests().len(), 2, "the limit is exact");
}

#[tokio::test]
async fn calls_in_a_round_without_tools_are_retried_as_text_once() {
    let options = AgentOptions {
        max_rounds: 2,
        ..AgentOptions::default()
    };
    let model = ScriptedModel::saying([oslo(), oslo(), says("Sunny.")]);
    let tool = weather();
    let answer = agent(&model, slice::from_ref(&tool), options)
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!((answer.text.as_str(), tool.seen().len()), ("Sunny.", 1));
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::WithoutTools)
    );
}

#[tokio::test]
async fn a_step_is_reported_in_events_and_in_the_answer() {
    let usage = Some(Usage {
        input_tokens: 5,
        ..Usage::default()
    });
    let model =
        ScriptedModel::saying([says(""), says("Paris")].map(|reply| AiMessage { usage, ..reply }));
    let agent = agent(&model, &[weather()], AgentOptions::default());
    let events: Vec<_> = agent.stream("Capital?").await.unwrap().collect().await;
    let mut story = Vec::new();
    for event in events {
        match event.unwrap() {
            Event::RoundStarted { round, tools } => story.push(format!("{round}: {tools:?}")),
            Event::RecoveryStarted { step, reason } => story.push(format!("{step}: {reason}")),
            Event::RecoveryFinished(report) => story.push(format!("{}", report.recovered)),
            Event::Message(message) => story.push(message.content().text()),
            Event::Done(answer) => {
                assert_eq!((answer.rounds, answer.usage.input_tokens), (2, 10));
                let json = serde_json::to_value(&*answer).unwrap();
                assert_eq!(
                    (&json["outcome"], &json["step"]),
                    (&json!("recovered"), &json!("without_tools"))
                );
                assert_eq!(json["recovery"][0]["step"], "without_tools");
                assert!(json["recovery"][0]["retry_ms"].is_u64());
            }
            _ => {}
        }
    }
    let expected = [
        "1: [\"get_weather\"]",
        "without_tools: the reply is blank",
        "2: []",
        "true",
        "Paris",
    ];
    assert_eq!(story, expected);
}

#[tokio::test]
async fn without_recovery_an_empty_reply_is_an_apology() {
    let options = AgentOptions {
        recovery: RecoverySteps::none(),
        ..AgentOptions::default()
    };
    let model = ScriptedModel::saying([says("")]);
    let answer = agent(&model, &[], options).ask("Hi").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Empty);
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        (&json["outcome"], json.get("step")),
        (&json!("empty"), None)
    );
    assert_eq!(
        model.requests()[0].options.tool_choice,
        CallOptions::default().tool_choice
    );
}
