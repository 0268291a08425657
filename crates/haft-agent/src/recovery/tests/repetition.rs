//! Replies that repeat themselves.

use super::*;

fn looping() -> AiMessage {
    AiMessage::new("The door is closed. ".repeat(40))
}

#[tokio::test]
async fn a_reply_that_repeats_itself_is_cut_and_asked_again() {
    let model = ScriptedModel::saying([looping(), AiMessage::new("It is closed.")]);
    let agent = agent(&model, &[], AgentOptions::default());
    let answer = agent.ask("Describe the door").await.unwrap();
    assert_eq!(answer.text, "It is closed.");
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::RepeatedText)
    );
    let penalty = model.requests()[1].options.generation.frequency_penalty;
    assert_eq!(penalty, Some(1.0));
}

#[tokio::test]
async fn a_second_loop_leaves_the_first_copy_of_the_text() {
    let model = ScriptedModel::saying([looping(), looping()]);
    let agent = agent(&model, &[], AgentOptions::default());
    let answer = agent.ask("Describe the door").await.unwrap();
    assert_eq!(answer.text, "The door is closed.");
    assert_eq!(answer.outcome, Outcome::Truncated);
}
