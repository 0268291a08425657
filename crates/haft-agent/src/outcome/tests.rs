use haft_core::ToolMessage;
use haft_testing::{SpyTool, named_tool};
use serde_json::json;

use super::*;

fn tools() -> Vec<Arc<dyn Tool>> {
    let schema = json!({
        "type": "object",
        "properties": {"device": {"type": "string"}},
        "required": ["device"],
    });
    let switch = SpyTool::new("turn_on", |_| Ok("".into()))
        .with_description("Turn a device on")
        .with_schema(schema);
    vec![
        Arc::new(switch),
        named_tool("get_weather", None),
        haft_tools::get_current_datetime(),
    ]
}

fn result(name: &str, status: ToolStatus) -> Message {
    let mut message = match status {
        ToolStatus::Success => ToolMessage::success("done", "1"),
        ToolStatus::Error => ToolMessage::error("no", "1"),
    };
    message.name = Some(name.to_owned());
    message.into()
}

/// The outcome after these results, with this reply.
fn outcome_of(question: &str, results: &[(&str, ToolStatus)], reply: &AiMessage) -> Outcome {
    let asked = Message::human(question);
    let results = results.iter().map(|(name, status)| result(name, *status));
    let conversation: Vec<_> = std::iter::once(asked).chain(results).collect();
    let ending = Ending {
        conversation: &conversation,
        tools: &tools(),
        answered: Outcome::Answered,
    };
    ending.outcome(reply)
}

#[test]
fn calls_that_all_failed_are_no_answer_whatever_the_words() {
    let fine = AiMessage::new("It is on.");
    let (ok, bad) = (ToolStatus::Success, ToolStatus::Error);
    for (results, expected) in [
        (&[("turn_on", bad)][..], Outcome::ToolsFailed),
        (&[("get_weather", bad)], Outcome::ToolsFailed),
        // Reading did not turn anything on.
        (
            &[("get_weather", ok), ("turn_on", bad)],
            Outcome::ToolsFailed,
        ),
        (&[("turn_on", bad), ("turn_on", ok)], Outcome::Answered),
        (
            &[("get_weather", bad), ("get_current_datetime", ok)],
            Outcome::Answered,
        ),
        (&[("turn_on", ok)], Outcome::Answered),
    ] {
        let outcome = outcome_of("Turn on the lamp", results, &fine);
        assert_eq!(outcome, expected, "{results:?}");
    }
}

#[test]
fn a_question_is_answered_by_what_only_reads() {
    let results = [
        ("turn_on", ToolStatus::Error),
        ("get_weather", ToolStatus::Success),
    ];
    let reply = AiMessage::new("No.");
    let outcome = outcome_of("Is the kitchen lamp on?", &results, &reply);
    assert_eq!(outcome, Outcome::Answered);
}

#[test]
fn an_earlier_question_does_not_count() {
    let mut conversation = vec![Message::human("Turn on the lamp")];
    conversation.push(result("turn_on", ToolStatus::Error));
    conversation.push(AiMessage::new("It failed.").into());
    conversation.push(Message::human("Tell me a joke"));
    let ending = Ending {
        conversation: &conversation,
        tools: &tools(),
        answered: Outcome::Answered,
    };
    let outcome = ending.outcome(&AiMessage::new("A joke."));
    assert_eq!(outcome, Outcome::Answered);
}

#[test]
fn a_refusal_is_known_from_the_reason_of_its_end() {
    for reason in [StopReason::Refusal, StopReason::Declined] {
        let reply = AiMessage {
            stop_reason: Some(reason),
            ..AiMessage::new("Which one?")
        };
        assert_eq!(outcome_of("Turn it on", &[], &reply), Outcome::Refused);
    }
    let cut = AiMessage {
        stop_reason: Some(StopReason::MaxTokens),
        ..AiMessage::new("I do not know")
    };
    assert_eq!(outcome_of("Who won?", &[], &cut), Outcome::Truncated);
}

#[test]
fn an_excuse_without_a_call_is_no_answer() {
    let excuse = AiMessage::new("I'm sorry, but I don't have access to real-time information.");
    assert_eq!(outcome_of("Who won today?", &[], &excuse), Outcome::Refused);
    let reply = AiMessage::new("I could not find out the time.");
    assert_eq!(
        outcome_of("What time is it in Nairobi?", &[], &reply),
        Outcome::Refused
    );
    // Nobody needs a tool for this, and a question back is no excuse.
    let reply = AiMessage::new("Sorry, there is no such word.");
    assert_eq!(outcome_of("Define blorp", &[], &reply), Outcome::Answered);
    let back = AiMessage::new("Sorry, which city do you mean?");
    assert_eq!(
        outcome_of("What time is it in Nairobi?", &[], &back),
        Outcome::Answered
    );
}
