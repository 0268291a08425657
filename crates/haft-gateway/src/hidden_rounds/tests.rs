use haft_core::{ToolCall, ToolMessage};
use serde_json::json;

use super::*;

fn calling(ids: &[&str]) -> Message {
    let calls = ids.iter().map(|id| ToolCall::new("tool", json!({}), *id));
    AiMessage::new("").with_tool_calls(calls).into()
}

#[test]
fn hidden_rounds_are_restored() {
    let kept = HiddenRounds::default();
    let rounds = [
        calling(&["own"]),
        ToolMessage::success("noon", "own").into(),
        calling(&["own_2", "clients"]),
        ToolMessage::success("one", "own_2").into(),
    ];
    kept.keep("clients", rounds.to_vec());
    let result: Message = ToolMessage::success("sunny", "clients").into();
    let seen = vec![Message::human("?"), calling(&["clients"]), result.clone()];
    let mut whole = vec![Message::human("?")];
    whole.extend(rounds);
    whole.push(result);
    assert_eq!(kept.restored(seen), whole);
    let other = vec![Message::human("?"), calling(&["others"])];
    assert_eq!(kept.restored(other.clone()), other);
}

#[test]
fn the_oldest_rounds_are_forgotten() {
    let kept = HiddenRounds::default();
    for number in 0..=KEPT {
        kept.keep(
            &number.to_string(),
            vec![Message::human(number.to_string())],
        );
    }
    let oldest = vec![calling(&["0"])];
    assert_eq!(kept.restored(oldest.clone()), oldest);
    assert_eq!(kept.restored(vec![calling(&["1"])]), [Message::human("1")]);
}
