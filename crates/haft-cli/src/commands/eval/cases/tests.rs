use super::*;
use insta::assert_snapshot;
use serde_json::json;

fn result(recovered: &str, done: &[&str], answer: &str) -> CaseResult {
    serde_json::from_value(json!({
        "id": "home-7", "category": "lights", "wants_calls": true, "first": "no_call",
        "repaired": "no_call", "recovered": recovered, "first_of_use": true, "answered": true,
        "outcome": "answered", "rounds": 1, "calls": 0, "repeated": 0, "prompt_tokens": 1,
        "completion_tokens": 1, "milliseconds": 1, "tools": 7, "bound": 7, "tool_lost": false,
        "asked": "Could you\u{1b}[2J turn on the light in the kitchen, please?",
        "expected": "control {\"device\":\"kitchen light\"}", "done": done, "answer": answer,
        "steps": [{"step": "constrained_call", "recovered": false}],
    }))
    .unwrap()
}

#[test]
fn a_wrong_case_says_what_was_asked_expected_and_came() {
    let results = [
        result("right", &["control {}"], "It is on."),
        result(
            "no_call",
            &[],
            "I have turned on the kitchen light for you.",
        ),
        result("wrong_value", &["control {\"device\":\"hall\"}"], "Done."),
    ];
    assert_snapshot!(wrong(&results, Some(60)), @r#"
    home-7: no call although one was expected (first try: no
      call although one was expected)
      asked     Could you turn on the light in the kitchen,
                please?
      expected  control {"device":"kitchen light"}
      came      no call; it said: I have turned on the kitchen
                light for you.
      recovery  constrained_call

    home-7: a wrong value (first try: no call although one was
      expected)
      asked     Could you turn on the light in the kitchen,
                please?
      expected  control {"device":"kitchen light"}
      came      control {"device":"hall"}
      recovery  constrained_call
    "#);
}
