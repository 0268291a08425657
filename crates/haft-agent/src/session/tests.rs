use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{AiMessage, Role};
use haft_testing::ScriptedModel;
use haft_tools::{ToolExecutor, ToolManager};

use super::*;
use crate::{Agent, AgentErrorKind, AgentOptions};

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct City {
    name: String,
}

fn agent(model: &ScriptedModel) -> Agent {
    let executor = ToolExecutor::new(ToolManager::new());
    Agent::new(Arc::new(model.clone()), executor, AgentOptions::default()).unwrap()
}

fn saying(replies: &[&str]) -> ScriptedModel {
    ScriptedModel::saying(replies.iter().map(|text| AiMessage::new(*text)))
}

fn texts(messages: &[Message]) -> Vec<String> {
    let texts = messages.iter().map(|message| message.content().text());
    texts.collect()
}

#[tokio::test]
async fn concurrent_questions_on_clones_are_queued_and_none_is_lost() {
    let model = saying(&["1", "2", "3", "4"]);
    let session = agent(&model).session();
    let questions = ["a", "b", "c", "d"].map(|question| {
        let session = session.clone();
        tokio::spawn(async move { session.ask(question).await.unwrap().text })
    });
    for question in questions {
        question.await.unwrap();
    }
    let sent: Vec<_> = model.requests().iter().map(|r| r.messages.len()).collect();
    assert_eq!(sent, [1, 3, 5, 7]);
    let mut said = texts(&session.history());
    said.sort();
    assert_eq!(said, ["1", "2", "3", "4", "a", "b", "c", "d"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_questions_to_one_agent_are_separate_and_none_is_lost() {
    let model = saying(&["1", "2", "3", "4"]);
    let agent = agent(&model);
    let questions = ["a", "b", "c", "d"].map(|question| {
        let agent = agent.clone();
        tokio::spawn(async move { agent.ask(question).await.unwrap().messages })
    });
    let mut said = Vec::new();
    for question in questions {
        said.extend(texts(&question.await.unwrap()));
    }
    said.sort();
    assert_eq!(said, ["1", "2", "3", "4", "a", "b", "c", "d"]);
    // No question saw another one.
    let sent: Vec<_> = model.requests().iter().map(|r| r.messages.len()).collect();
    assert_eq!(sent, [1, 1, 1, 1]);
}

#[tokio::test]
async fn a_question_waits_for_an_earlier_stream_to_end_or_be_dropped() {
    let session = agent(&saying(&["one", "two", "three"])).session();
    let mut earlier = session.stream("first").await.unwrap();
    earlier.next().await.unwrap().unwrap();
    let mut second = Box::pin(session.ask("second"));
    assert!(second.as_mut().now_or_never().is_none());
    drop(earlier);
    assert_eq!(second.await.unwrap().text, "two");
    assert_eq!(texts(&session.history()), ["second", "two"]);
    // A stream that was read to its end need not be dropped.
    let mut read = session.stream("third").await.unwrap();
    while read.next().await.is_some() {}
    session.ask("fourth").await.unwrap_err();
    drop(read);
    assert_eq!(session.history().len(), 4);
}

#[tokio::test]
async fn sessions_of_one_agent_have_separate_histories() {
    let agent = agent(&saying(&["one", "two"]));
    let (one, other) = (agent.session(), agent.session());
    one.ask("first").await.unwrap();
    other.ask("second").await.unwrap();
    assert_eq!(texts(&one.history()), ["first", "one"]);
    let roles: Vec<_> = other.history().iter().map(Message::role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant]);
}

#[tokio::test]
async fn ask_as_returns_the_type_and_sends_its_schema() {
    let model = saying(&[r#"{"name": "Oslo"}"#, r#"{"name": "Lima"}"#, "Rome"]);
    let agent = agent(&model);
    let city: City = agent.ask_as("Which city?").await.unwrap();
    assert_eq!(city.name, "Oslo");
    let schema = model.requests()[0].options.response_schema.clone().unwrap();
    assert_eq!(schema["required"], serde_json::json!(["name"]));
    let session = agent.session();
    let city: City = session.ask_as("And another?").await.unwrap();
    assert_eq!(city.name, "Lima");
    assert_eq!(session.history().len(), 2);
    // Only this question asks for the type.
    assert_eq!(session.ask("And one more?").await.unwrap().text, "Rome");
}

#[tokio::test]
async fn ask_as_reports_an_answer_that_does_not_fit() {
    let agent = agent(&saying(&["Oslo", "Oslo again"]));
    let error = agent.ask_as::<City>("Which city?").await.unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::StructuredOutput);
}
