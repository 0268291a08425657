use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{
    AiMessage, Answer, Event, Message, ModelErrorKind, Outcome, RecoveryStep, Tool, ToolCall,
    ToolChoice,
};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

use crate::{Agent, AgentError, AgentOptions, ClientTurn};

/// The answer to one turn with a tool that wants a whole number.
async fn turn(model: &ScriptedModel, choice: ToolChoice) -> Result<Answer, AgentError> {
    let turn = ClientTurn {
        tool_choice: choice,
        ..ClientTurn::default()
    };
    let (answer, accepted) = turn_with(model, turn).await?;
    assert_eq!(calls(&answer), accepted);
    Ok(answer)
}

/// Takes a turn; the answer and the calls that the client was sent.
async fn turn_with(
    model: &ScriptedModel,
    turn: ClientTurn,
) -> Result<(Answer, Vec<ToolCall>), AgentError> {
    let schema = json!({"type": "object", "required": ["days"],
        "properties": {"days": {"type": "integer"}}});
    let tool = SpyTool::new("forecast", |_| panic!("tools run at the client"));
    let mut manager = ToolManager::new();
    manager
        .add(Arc::new(tool.with_schema(schema)) as Arc<dyn Tool>)
        .unwrap();
    let clock = SpyTool::new("clock", |_| Ok("noon".into()));
    manager.add(Arc::new(clock) as Arc<dyn Tool>).unwrap();
    let executor = ToolExecutor::new(manager);
    let model = Arc::new(model.clone());
    let agent = Agent::new(model, executor, AgentOptions::default()).unwrap();
    let mut events = agent.turn(vec![Message::human("?")], turn);
    let mut accepted = Vec::new();
    while let Some(event) = events.next().await {
        match event? {
            Event::CallAccepted { call, .. } => accepted.push(call),
            Event::Done(answer) => return Ok((*answer, accepted)),
            _ => {}
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
async fn client_calls_are_repaired_and_not_run() {
    let model = ScriptedModel::saying([calling(&json!("5"))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(calls(&answer)[0].args["days"], 5);
    assert_eq!((answer.outcome, answer.rounds), (Outcome::Answered, 1));
}

#[tokio::test]
async fn an_invalid_client_call_is_asked_for_again_once() {
    let model = ScriptedModel::saying([calling(&json!("soon")), calling(&json!(3))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(calls(&answer)[0].args["days"], 3);
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::InvalidCalls)
    );
    let again = &model.requests()[1].messages;
    assert!(matches!(&again[2], Message::Tool(result) if result.content.text().contains("days")));
    let model = ScriptedModel::saying([calling(&json!("soon")), calling(&json!("later"))]);
    let error = turn(&model, ToolChoice::Auto).await.unwrap_err();
    assert!(error.to_string().contains("cannot be used"), "{error}");
}

#[tokio::test]
async fn unchecked_calls_are_passed_on_unchanged() {
    for days in [json!("5"), json!("soon")] {
        let model = ScriptedModel::saying([calling(&days)]);
        let turn = ClientTurn {
            checks: false,
            ..ClientTurn::default()
        };
        let (answer, _) = turn_with(&model, turn).await.unwrap();
        assert_eq!(calls(&answer)[0].args["days"], days);
    }
}

fn both(first: &serde_json::Value, second: &serde_json::Value) -> AiMessage {
    AiMessage::new("").with_tool_calls([
        ToolCall::new("forecast", json!({"days": first}), "1"),
        ToolCall::new("forecast", json!({"days": second}), "2"),
    ])
}

#[tokio::test]
async fn valid_calls_stay_when_invalid_ones_are_asked_for_again() {
    let days = |answer: &Answer| -> Vec<_> {
        let calls = calls(answer).iter();
        calls.map(|call| call.args["days"].clone()).collect()
    };
    // The model may repeat all calls, or only the invalid one, or none.
    for again in [both(&json!(1), &json!(2)), calling(&json!(2))] {
        let model = ScriptedModel::saying([both(&json!(1), &json!("soon")), again]);
        let answer = turn(&model, ToolChoice::Auto).await.unwrap();
        assert_eq!(days(&answer), [1, 2]);
    }
    let model = ScriptedModel::saying([both(&json!(1), &json!("soon")), AiMessage::new("")]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(days(&answer), [1]);
    // Two equal calls in one reply are both meant.
    let model = ScriptedModel::saying([both(&json!(1), &json!(1))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(days(&answer), [1, 1]);
}

#[tokio::test]
async fn a_client_that_wants_no_call_gets_none() {
    let mut reply = calling(&json!(1));
    reply.content = "Sunny.".into();
    let model = ScriptedModel::saying([reply]);
    let answer = turn(&model, ToolChoice::None).await.unwrap();
    assert!(calls(&answer).is_empty());
    assert_eq!(answer.text, "Sunny.");
}

/// A turn in which the clock runs here.
async fn with_clock(replies: impl IntoIterator<Item = AiMessage>) -> (Answer, Vec<ToolCall>) {
    let here = ClientTurn {
        runs_here: ["clock".to_owned()].into(),
        ..ClientTurn::default()
    };
    let model = ScriptedModel::saying(replies);
    turn_with(&model, here).await.unwrap()
}

fn kinds(answer: &Answer) -> Vec<&'static str> {
    let kind = |message: &Message| match message {
        Message::Ai(_) => "ai",
        Message::Tool(_) => "tool",
        _ => "question",
    };
    answer.messages.iter().map(kind).collect()
}

#[tokio::test]
async fn tools_of_this_process_run_in_hidden_rounds() {
    let clock = AiMessage::new("").with_tool_calls([ToolCall::new("clock", json!({}), "c")]);
    let (answer, accepted) = with_clock([clock, AiMessage::new("It is noon.")]).await;
    assert!(accepted.is_empty());
    assert_eq!(answer.text, "It is noon.");
    assert_eq!(kinds(&answer), ["question", "ai", "tool", "ai"]);
}

#[tokio::test]
async fn one_reply_may_call_tools_of_the_client_and_of_this_process() {
    let mixed = AiMessage::new("").with_tool_calls([
        ToolCall::new("clock", json!({}), "c"),
        ToolCall::new("forecast", json!({"days": "2"}), "f"),
    ]);
    let (answer, accepted) = with_clock([mixed]).await;
    assert_eq!(accepted.len(), 1);
    assert_eq!(accepted[0].args["days"], 2);
    assert_eq!(kinds(&answer), ["question", "ai", "tool"]);
    assert!(
        matches!(&answer.messages[2], Message::Tool(result) if result.tool_call_id == "c"
            && result.content.text() == "noon")
    );
}

#[tokio::test]
async fn hidden_rounds_end_at_the_round_limit() {
    let clock = |id: usize| {
        let call = ToolCall::new("clock", json!({}), format!("c{id}"));
        AiMessage::new("").with_tool_calls([call])
    };
    let replies = (0..9).map(clock).chain([AiMessage::new("Noon.")]);
    let (answer, accepted) = with_clock(replies).await;
    assert!(accepted.is_empty());
    assert!(answer.rounds <= 10, "{}", answer.rounds);
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
async fn the_tool_choice_of_a_client_reaches_the_model() {
    let model = ScriptedModel::saying([calling(&json!(1))]);
    turn(&model, ToolChoice::Required).await.unwrap();
    assert_eq!(
        model.requests()[0].options.tool_choice,
        ToolChoice::Required
    );
}

#[tokio::test]
async fn issue_6_a_turn_whose_stream_has_no_end_is_an_error() {
    for reply in [AiMessage::new("Half an"), calling(&json!(5))] {
        let model = ScriptedModel::saying([]).then_cut(reply);
        let error = turn_with(&model, ClientTurn::default()).await.unwrap_err();
        let kind = crate::AgentErrorKind::Model(ModelErrorKind::CutStream);
        assert_eq!(error.kind(), kind);
    }
}

#[tokio::test]
async fn issue_3_a_turn_that_the_token_limit_cut_is_truncated() {
    let cut = |reply| AiMessage {
        stop_reason: Some(haft_core::StopReason::MaxTokens),
        ..reply
    };
    let model = ScriptedModel::saying([cut(AiMessage::new("Half an"))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(answer.outcome, Outcome::Truncated);
}

#[tokio::test]
async fn issue_3_an_unknown_argument_is_asked_again_and_never_dropped() {
    let with = |name: &str| {
        let args = json!({"days": 5, name: "Lima"});
        AiMessage::new("").with_tool_calls([ToolCall::new("forecast", args, "1")])
    };
    let model = ScriptedModel::saying([with("colour"), calling(&json!(5))]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::InvalidCalls)
    );
    let again = &model.requests()[1].messages;
    let Message::Tool(result) = &again[2] else {
        panic!("{again:?}")
    };
    let text = result.content.text();
    assert!(
        text.contains("unknown argument \"colour\"") && text.contains("days"),
        "{text}"
    );
    let model = ScriptedModel::saying([with("colour"), with("colour")]);
    assert!(turn_with(&model, ClientTurn::default()).await.is_err());
}

#[tokio::test]
async fn a_client_gets_a_reply_that_repeats_itself_whole() {
    let text = "word ".repeat(60);
    let model = ScriptedModel::saying([AiMessage::new(text.clone())]);
    let answer = turn(&model, ToolChoice::Auto).await.unwrap();
    assert_eq!(answer.text, text);
    assert_eq!(model.requests().len(), 1);
}
