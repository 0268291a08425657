//! Prose in place of a call.

use super::*;

#[tokio::test]
async fn prose_in_place_of_a_call_is_retried_as_a_call_or_none() {
    let model = ScriptedModel::saying([says("I would look it up."), oslo(), says("Sunny.")]);
    let tool = weather();
    let agent = agent(&model, slice::from_ref(&tool), with_due(true));
    let answer = agent.ask("Weather in Oslo?").await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome, answer.rounds),
        (
            "Sunny.",
            Outcome::Recovered(RecoveryStep::ConstrainedCall),
            3
        )
    );
    assert_eq!(tool.seen().len(), 1);
    let auto = ToolChoice::Auto;
    assert_eq!(choices(&model), [auto.clone(), ToolChoice::OneOrNone, auto]);
    let requests = model.requests();
    assert_eq!(requests[0].messages, requests[1].messages);
    assert_eq!(results(&requests[2]), ["sunny"]);
}

#[tokio::test]
async fn none_an_error_or_an_invalid_call_keeps_the_first_text() {
    let error = ModelError::new(ModelErrorKind::BadRequest, "no schemas here");
    let invalid = call("get_weather", json!({"town": 7}));
    for second in [Ok(says("")), Err(error), Ok(invalid), Ok(says("Prose!"))] {
        let model = ScriptedModel::new([Ok(says("It is sunny.")), second]);
        let tool = weather();
        let agent = agent(&model, slice::from_ref(&tool), with_due(true));
        let answer = agent.ask("Weather?").await.unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.outcome),
            ("It is sunny.", Outcome::Answered)
        );
        assert!(tool.seen().is_empty());
        assert_eq!(model.requests().len(), 2);
        let count = agent.metrics().of(RecoveryStep::ConstrainedCall);
        assert_eq!((count.tried, count.recovered), (1, 0));
    }
}

#[tokio::test]
async fn prose_is_not_retried_if_no_tool_is_needed() {
    // Not due, after a call, with nothing to call, refused, or switched off.
    let refused = AiMessage {
        stop_reason: Some(StopReason::Refusal),
        ..says("No.")
    };
    let off = AgentOptions {
        recovery: RecoverySteps::all().without(RecoveryStep::ConstrainedCall),
        ..with_due(true)
    };
    for (replies, tools, options) in [
        (vec![says("Hi!")], 1, with_due(false)),
        (vec![oslo(), says("Sunny.")], 1, with_due(true)),
        (vec![says("Hi!")], 0, with_due(true)),
        (vec![refused], 1, with_due(true)),
        (vec![says("Hi!")], 1, off),
    ] {
        let model = ScriptedModel::saying(replies.clone());
        let tools = &[weather()][..tools];
        let answer = agent(&model, tools, options).ask("Hm?").await.unwrap();
        assert_eq!(answer.text, replies.last().unwrap().content.text());
        assert_eq!(model.requests().len(), replies.len());
        let is_refusal = replies[0].stop_reason == Some(StopReason::Refusal);
        let outcome = if is_refusal {
            Outcome::Refused
        } else {
            Outcome::Answered
        };
        assert_eq!(answer.outcome, outcome);
    }
}
