use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{Event, Tool};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

use super::*;
use crate::{Agent, AgentOptions};

/// The answer to one turn with a tool that wants a whole number.
async fn turn(model: &ScriptedModel, choice: ToolChoice) -> Result<Answer, AgentError> {
    turn_with(model, choice, AgentOptions::default()).await
}

async fn turn_with(
    model: &ScriptedModel,
    choice: ToolChoice,
    options: AgentOptions,
) -> Result<Answer, AgentError> {
    let schema = json!({"type": "object", "required": ["days"],
        "properties": {"days": {"type": "integer"}}});
    let tool = SpyTool::new("forecast", |_| panic!("tools run at the client"));
    let mut manager = ToolManager::new();
    manager
        .add(Arc::new(tool.with_schema(schema)) as Arc<dyn Tool>)
        .unwrap();
    let executor = ToolExecutor::new(manager);
    let model = Arc::new(model.clone());
    let agent = Agent::new(model, executor, options).unwrap();
    let mut events = agent.turn(vec![Message::human("?")], choice);
    while let Some(event) = events.next().await {
        if let Event::Done(answer) = event? {
            return Ok(*answer);
        }
    }
    panic!("no answer")
}

fn calling(days: &serde_json::Value) -> AiMessage {
    AiMessage::new("").with_tool_calls([ToolCall::new("forecast", json!({"days": days}), "1")])
}

fn calls(answer: &Answer) -> &[ToolCall] {
    match answer.messages.last() {
        Some(Message::Ai(reply)) => &reply.tool_calls,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn calls_come_out_mended_and_are_not_run() {
    let model = ScriptedModel::saying([calling(&json!("5"))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(calls(&answer)[0].args["days"], 5);
    assert_eq!((answer.outcome, answer.rounds), (Outcome::Answered, 1));
}

#[tokio::test]
async fn a_call_that_does_not_fit_is_made_again_once() {
    let model = ScriptedModel::saying([calling(&json!("soon")), calling(&json!(3))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(calls(&answer)[0].args["days"], 3);
    assert_eq!(answer.outcome, Outcome::Recovered(Rung::InvalidCalls));
    let again = &model.requests()[1].messages;
    assert!(matches!(&again[2], Message::Tool(result) if result.content.text().contains("days")));
    let model = ScriptedModel::saying([calling(&json!("soon")), calling(&json!("later"))]);
    let error = turn(&model, ToolChoice::Auto).await.unwrap_err();
    assert!(error.to_string().contains("cannot be used"), "{error}");
}

#[tokio::test]
async fn without_the_ladder_calls_are_as_they_were_made() {
    for days in [json!("5"), json!("soon")] {
        let model = ScriptedModel::saying([calling(&days)]);
        let options = AgentOptions {
            recovery: crate::Rungs::none(),
            ..AgentOptions::default()
        };
        let answer = turn_with(&model, ToolChoice::Auto, options).await.unwrap();
        assert_eq!(calls(&answer)[0].args["days"], days);
    }
}

#[tokio::test]
async fn a_blank_reply_is_asked_again() {
    let model = ScriptedModel::saying([AiMessage::new(""), AiMessage::new("Sunny.")]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(answer.text, "Sunny.");
    let model = ScriptedModel::saying([AiMessage::new(""), AiMessage::new("")]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.outcome), ("", Outcome::Empty));
}

#[tokio::test]
async fn the_wish_for_a_call_reaches_the_model() {
    let model = ScriptedModel::saying([calling(&json!(1))]);
    turn(&model, ToolChoice::Required).await.unwrap();
    assert_eq!(
        model.requests()[0].options.tool_choice,
        ToolChoice::Required
    );
}
