//! Cases run through the whole runtime: what is recorded of them, and that gold answers are
//! correct.

use std::sync::Arc;

use haft_core::{
    AiMessage, ChatModel, ModelError, ModelErrorKind, RecoveryStep, StopReason, ToolCall,
};
use haft_testing::{ScriptedModel, data_dir};
use serde_json::{Value, json};

use super::*;
use crate::dataset::Dataset;
use crate::error::EvalErrorKind;

fn dataset() -> Dataset {
    let tool = json!({"name": "add", "description": "Adds", "parameters": {"type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}});
    let cases = json!([
        {"id": "1", "category": "sum", "query": "1 + 2?", "tools": [tool], "answer": [{"name": "add", "args": {"a": [1], "b": [2]}}]},
        {"id": "2", "category": "talk", "query": "hello", "tools": [tool], "expect": "no_call"}
    ]);
    Dataset::read("sums", &cases.to_string()).unwrap()
}

fn call(args: Value) -> AiMessage {
    AiMessage::default().with_tool_calls([ToolCall::new("add", args, "call_1")])
}

async fn result(
    case: usize,
    replies: Vec<Result<AiMessage, ModelError>>,
    options: &EvalOptions,
) -> Result<CaseResult, EvalError> {
    let dataset = dataset();
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new(replies));
    let mut results = Vec::new();
    let keep = |result| {
        results.push(result);
        Ok(())
    };
    evaluate(
        &[&dataset.cases[case]],
        &Subject::Model(model),
        options,
        keep,
    )
    .await?;
    Ok(results.remove(0))
}

async fn said(case: usize, replies: Vec<AiMessage>) -> CaseResult {
    let replies = replies.into_iter().map(Ok).collect();
    result(case, replies, &EvalOptions::default())
        .await
        .unwrap()
}

#[tokio::test]
async fn the_first_reply_is_scored_separately_from_its_repair() {
    let right = json!({"a": 1, "b": 2});
    let text = || AiMessage::new("3");
    let all = |result: &CaseResult| (result.first, result.repaired, result.recovered);
    let same = |verdict| (verdict, verdict, verdict);

    let straight = said(0, vec![call(right.clone()), text()]).await;
    assert_eq!(all(&straight), same(Verdict::Right));
    assert_eq!(
        (straight.rounds, straight.calls, straight.outcome.as_str()),
        (2, 1, "answered")
    );
    assert_eq!(
        (straight.tools, straight.bound, straight.tool_lost),
        (1, 1, false)
    );

    let typed = said(0, vec![call(json!({"a": "1", "b": 2})), text()]).await;
    assert_eq!(
        all(&typed),
        (Verdict::WrongValue, Verdict::Right, Verdict::Right)
    );

    let result = said(0, vec![call(json!({"a": 1})), call(right.clone()), text()]).await;
    assert_eq!(
        all(&result),
        (Verdict::MissingArgument, Verdict::NoCall, Verdict::Right)
    );
    assert_eq!(
        result.steps.first().map(|report| report.step),
        Some(RecoveryStep::InvalidCalls)
    );
    assert!(result.is_gain() && result.answered);

    let prose = said(0, vec![AiMessage::new("Shall I?")]).await;
    assert_eq!(all(&prose), same(Verdict::NoCall));

    let talk = said(1, vec![AiMessage::new("Hello!")]).await;
    assert_eq!(all(&talk), same(Verdict::Right));
    assert!(!talk.wants_calls);
}

#[tokio::test]
async fn a_repeated_call_in_a_later_round_counts_once() {
    let right = || call(json!({"a": 1, "b": 2}));
    let again = said(0, vec![right(), right(), AiMessage::new("3")]).await;
    assert_eq!(
        (again.recovered, again.calls, again.repeated),
        (Verdict::Right, 2, 1)
    );
    let mut twice = right();
    twice
        .tool_calls
        .push(ToolCall::new("add", json!({"a": 1, "b": 2}), "call_2"));
    let twice = said(0, vec![twice, AiMessage::new("3")]).await;
    assert_eq!(twice.recovered, Verdict::WrongNumber);
    let other = said(
        0,
        vec![right(), call(json!({"a": 2, "b": 2})), AiMessage::new("3")],
    )
    .await;
    assert_eq!(
        (other.first, other.recovered),
        (Verdict::Right, Verdict::WrongNumber)
    );
    assert!(!other.is_false_recovery(), "no step acted");
}

#[tokio::test]
async fn an_empty_reply_recovered_with_text_is_answered_but_not_correct() {
    let blank = || AiMessage::default();
    let helped = said(0, vec![blank(), AiMessage::new("3")]).await;
    assert_eq!(
        (helped.first_of_use, helped.answered, helped.recovered),
        (false, true, Verdict::NoCall)
    );
    assert_eq!(helped.outcome, "recovered");
    let mut options = EvalOptions::default();
    options.agent.recovery = options.agent.recovery.without(RecoveryStep::WithoutTools);
    let left = result(0, vec![Ok(blank())], &options).await.unwrap();
    assert_eq!(
        (left.answered, left.outcome.as_str(), left.steps.len()),
        (false, "empty", 0)
    );
}

#[tokio::test]
async fn a_failure_of_the_model_makes_its_case_wrong() {
    let error = |kind| Err(ModelError::new(kind, "It broke"));
    let broken = result(
        0,
        vec![error(ModelErrorKind::Malformed)],
        &EvalOptions::default(),
    )
    .await
    .unwrap();
    assert_eq!(
        (broken.first, broken.recovered, broken.answered),
        (Verdict::Error, Verdict::Error, false)
    );
    assert_eq!(broken.error.as_deref(), Some("It broke"));
    // The first reply is unchanged.
    let replies = vec![
        Ok(call(json!({"a": 1, "b": 2}))),
        error(ModelErrorKind::Timeout),
    ];
    let late = result(0, replies, &EvalOptions::default()).await.unwrap();
    assert_eq!(
        (late.first, late.recovered),
        (Verdict::Right, Verdict::Error)
    );
}

#[tokio::test]
async fn an_unreachable_model_ends_the_run() {
    for kind in [
        ModelErrorKind::Connect,
        ModelErrorKind::Unauthorized,
        ModelErrorKind::ModelNotFound,
    ] {
        let error = ModelError::new(kind, "Nobody answers").with_hint("start it");
        let error = result(0, vec![Err(error)], &EvalOptions::default())
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.hint()),
            (EvalErrorKind::Agent, Some("start it"))
        );
    }
}

#[tokio::test]
async fn several_cases_at_once_give_the_same_results() {
    let dataset = Dataset::bundled("home-50").unwrap();
    let cases: Vec<_> = dataset.cases.iter().collect();
    let subject = Subject::Flaky("flaky:small@3".parse().unwrap());
    let mut both = Vec::new();
    for jobs in [1, 8] {
        let options = EvalOptions {
            jobs,
            ..EvalOptions::default()
        };
        let mut results: Vec<CaseResult> = Vec::new();
        let keep = |result| {
            results.push(result);
            Ok(())
        };
        evaluate(&cases, &subject, &options, keep).await.unwrap();
        results.sort_by(|a, b| a.id.cmp(&b.id));
        for result in &mut results {
            result.milliseconds = 0;
            // Results of the demo home contain the time of the reading.
            result.prompt_tokens = 0;
        }
        both.push(results);
    }
    assert_eq!(both[0], both[1]);
}

/// Every answer that counts as correct, as a model would give it: all lists, not only the first
/// one.
#[tokio::test]
async fn every_gold_answer_of_home_50_is_right_through_the_whole_runtime() {
    let dataset = Dataset::bundled("home-50").unwrap();
    assert_eq!(dataset.cases.len(), 50);
    let mut run = 0;
    for case in &dataset.cases {
        let answers = match &case.expected {
            crate::Expected::Calls(lists) => lists.clone(),
            _ => vec![Vec::new()],
        };
        for answer in answers {
            let gold = answer.iter().enumerate().map(|(at, gold)| {
                let first =
                    |(name, values): &(String, Vec<Value>)| match values.contains(&json!("")) {
                        true => None,
                        false => Some((name.clone(), values[0].clone())),
                    };
                let args = gold.args.iter().filter_map(first).collect();
                ToolCall::new(&gold.name, Value::Object(args), format!("call_{at}"))
            });
            let calls: Vec<ToolCall> = gold.collect();
            let replies = match calls.is_empty() {
                true => vec![AiMessage::new("So it is.")],
                false => vec![
                    AiMessage::default().with_tool_calls(calls),
                    AiMessage::new("Done."),
                ],
            };
            let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::saying(replies));
            let mut results = Vec::new();
            let keep = |result| {
                results.push(result);
                Ok(())
            };
            evaluate(
                &[case],
                &Subject::Model(model),
                &EvalOptions::default(),
                keep,
            )
            .await
            .unwrap();
            let result = &results[0];
            assert_eq!(
                (result.first, result.recovered),
                (Verdict::Right, Verdict::Right),
                "{}: {answer:?}",
                case.id
            );
            run += 1;
        }
    }
    assert!(run > 100, "{run}");
}

/// Some gold answers of the collection do not fit the schema of their own tool, and a tool never
/// runs on invalid arguments. All others are correct through the whole runtime.
#[tokio::test]
async fn leaderboard_gold_answers_score_right_if_the_schema_allows_them() {
    let Some(data) = data_dir("gold_answers_of_the_leaderboard_are_right") else {
        return;
    };
    let dataset = Dataset::open(data.join("bfcl").to_str().unwrap()).unwrap();
    let cases: Vec<_> = dataset.cases.iter().collect();
    let mut options = EvalOptions::default();
    // Without recovery nothing is requested again, so that only the gold answers are scored.
    options.agent.recovery = options
        .agent
        .recovery
        .without(RecoveryStep::ConstrainedCall);
    let mut wrong = Vec::new();
    let keep = |result: CaseResult| {
        assert_eq!(result.first, Verdict::Right, "{}", result.id);
        if !result.recovered.is_right() {
            wrong.push(result.id);
        }
        Ok(())
    };
    evaluate(&cases, &Subject::Flaky(Flaky::perfect()), &options, keep)
        .await
        .unwrap();
    // Two of them pass an argument that their tool does not have.
    assert!(wrong.len() <= 11, "{wrong:?}");
}

#[tokio::test]
async fn a_withheld_tool_is_seen() {
    let case = &dataset().cases[0];
    assert!(case.lacks_a_tool(&[]));
    assert!(!case.lacks_a_tool(&["add".to_owned()]));
    // A refusal is neither a reason to ask again nor an error.
    let refusal = AiMessage {
        stop_reason: Some(StopReason::Refusal),
        ..AiMessage::new("I will not.")
    };
    assert_eq!(said(0, vec![refusal]).await.recovered, Verdict::NoCall);
}
