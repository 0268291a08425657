//! Replies that end too early: a stream without its end, and a reply cut by the token limit.

use haft_core::StopReason;

use super::*;

fn cut(reply: AiMessage) -> AiMessage {
    AiMessage {
        stop_reason: Some(StopReason::MaxTokens),
        ..reply
    }
}

async fn error_of(model: &ScriptedModel, tools: Vec<Arc<dyn Tool>>) -> AgentErrorKind {
    agent(model, tools).ask("go").await.unwrap_err().kind()
}

#[tokio::test]
async fn issue_6_a_stream_without_its_end_is_an_error() {
    let kind = AgentErrorKind::Model(ModelErrorKind::CutStream);
    let half = ScriptedModel::saying([]).then_cut(AiMessage::new("The answer is"));
    assert_eq!(error_of(&half, vec![]).await, kind);
    let nothing = ScriptedModel::saying([]).then_cut(AiMessage::new(""));
    assert_eq!(error_of(&nothing, vec![]).await, kind);
    let after_a_round = ScriptedModel::saying([calls([("f", "1", json!({}))])])
        .then_cut(AiMessage::new("The answer is"));
    assert_eq!(error_of(&after_a_round, vec![spy("f")]).await, kind);
}

#[tokio::test]
async fn issue_6_a_call_of_a_stream_without_its_end_does_not_run() {
    let tool = spy("f");
    let model = ScriptedModel::saying([]).then_cut(calls([("f", "1", json!({}))]));
    let kind = error_of(&model, vec![tool.clone()]).await;
    assert_eq!(kind, AgentErrorKind::Model(ModelErrorKind::CutStream));
    assert!(tool.seen().is_empty());
}

#[tokio::test]
async fn issue_6_a_retry_without_its_end_does_not_become_the_answer() {
    // Every step for a blank reply is met with a stream that is cut.
    let mut model = ScriptedModel::saying([AiMessage::new("")]);
    for _ in 0..3 {
        model = model.then_cut(AiMessage::new("The answer is"));
    }
    let answer = agent(&model, vec![]).ask("go").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Empty);
    assert!(!answer.text.contains("The answer is"), "{}", answer.text);
}

#[tokio::test]
async fn issue_3_a_reply_that_the_token_limit_cut_is_truncated() {
    let model = ScriptedModel::saying([cut(AiMessage::new("The three laws are: first,"))]);
    let answer = agent(&model, vec![]).ask("go").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Truncated);
    assert_eq!(answer.text, "The three laws are: first,");
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["outcome"], "truncated");
}

#[tokio::test]
async fn only_the_last_reply_decides_whether_an_answer_is_truncated() {
    let model =
        ScriptedModel::saying([cut(calls([("f", "1", json!({}))])), AiMessage::new("done")]);
    let answer = agent(&model, vec![spy("f")]).ask("go").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Answered);
    let model = ScriptedModel::saying([
        calls([("f", "1", json!({}))]),
        cut(AiMessage::new("It is do")),
    ]);
    let answer = agent(&model, vec![spy("f")]).ask("go").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Truncated);
}

#[tokio::test]
async fn an_answer_of_a_recovery_step_can_be_truncated() {
    let model = ScriptedModel::saying([AiMessage::new(""), cut(AiMessage::new("It is"))]);
    let answer = agent(&model, vec![]).ask("go").await.unwrap();
    assert_eq!(answer.outcome, Outcome::Truncated);
    assert!(answer.recovery.iter().any(|step| step.recovered));
}

#[tokio::test]
async fn truncated_data_is_asked_for_again_with_a_higher_limit() {
    let options = || AgentOptions {
        response_schema: Some(Arc::new(json!({"type": "object", "required": ["a"]}))),
        ..AgentOptions::default()
    };
    let half = || cut(AiMessage::new("{\"a\": [1, 2"));
    let model = ScriptedModel::saying([half(), AiMessage::new("{\"a\": [1, 2]}")]);
    let answer = agent_with(&model, vec![], options())
        .ask("go")
        .await
        .unwrap();
    assert_eq!(answer.structured, Some(json!({"a": [1, 2]})));
    let raise_max_tokens = |at: usize| model.requests()[at].options.raise_max_tokens;
    assert_eq!((raise_max_tokens(0), raise_max_tokens(1)), (false, true));
    let model = ScriptedModel::saying([half(), half()]);
    let error = agent_with(&model, vec![], options())
        .ask("go")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::StructuredOutput);
    assert_eq!(
        error.to_string(),
        "The answer was cut off at the token limit"
    );
}
