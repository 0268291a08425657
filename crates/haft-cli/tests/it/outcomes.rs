//! Exit codes and outcomes of `haft ask`: what is no answer does not look like one to a script.

use crate::support::{Machine, Said, openai_call, openai_text};
use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

/// Asserts the exit code and the outcome of a question.
fn ends(said: &Said, code: i32, outcome: &str) {
    assert_eq!(said.code, Some(code), "{said:?}");
    assert_eq!(said.json()["outcome"], outcome, "{said:?}");
}

/// `haft ask --json` with the command engine, at home.
fn engine(home: &str, question: &str) -> Said {
    let home = ["--home", home, question];
    Machine::new().haft(&[&["ask", "-q", "--json", "--model", "builtin"][..], &home].concat())
}

/// `haft ask --json` with a model that gives these replies, in the demo home.
async fn model(question: &str, replies: impl IntoIterator<Item = Reply>) -> Said {
    let server = ScriptedServer::start(replies).await;
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "-q", "--json", "--home", "demo", "--model", &model];
    Machine::new().haft(&[&ask[..], &[question]].concat())
}

#[test]
fn the_command_engine_says_when_it_did_nothing() {
    for (question, code, outcome) in [
        ("Turn on the kitchen light", 0, "answered"),
        ("Is any window open?", 0, "answered"),
        ("Don't turn on the kitchen light", 0, "answered"),
        ("Thank you", 0, "answered"),
        ("How many miles are 5 km?", 0, "answered"),
        ("Write a poem", 4, "refused"),
        ("Turn it off", 4, "refused"),
        ("Turn on the kitchen light tomorrow", 4, "refused"),
        ("Turn the kitchen light on and off", 4, "refused"),
        ("Close the curtains", 4, "refused"),
        ("Turn on the sauna light", 4, "tools_failed"),
        ("Turn on the balcony light", 4, "tools_failed"),
        // Nobody can approve it here.
        ("Unlock the front door", 4, "tools_failed"),
        ("What time is it in Atlantis?", 4, "tools_failed"),
    ] {
        ends(&engine("demo", question), code, outcome);
    }
}

#[test]
fn a_home_that_cannot_be_reached_is_a_failure() {
    for question in [
        "Turn on the kitchen light",
        "Which lights are on?",
        "Turn off all the lights",
        "Is the front door locked?",
    ] {
        ends(&engine("ws://127.0.0.1:1", question), 4, "tools_failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_whose_calls_all_fail_has_not_answered() {
    let sauna = json!({"deviceName": "sauna", "action": "on"});
    let call = || openai_call("control_zwave_device", &sauna);
    let said = model("Turn on the sauna", [call(), openai_text("It is on.")]).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert_ne!(said.json()["outcome"], "answered", "{said:?}");
    let said = model(
        "Turn on the sauna",
        [call(), openai_text("There is no sauna.")],
    )
    .await;
    ends(&said, 4, "tools_failed");
    // Looking around did not turn anything on.
    let look = openai_call("list_devices", &json!({}));
    let said = model(
        "Turn on the sauna",
        [look, call(), openai_text("There is none.")],
    )
    .await;
    ends(&said, 4, "tools_failed");
    let light = json!({"deviceName": "kitchen light", "action": "on"});
    let again = openai_call("control_zwave_device", &light);
    let replies = [call(), again, openai_text("Kitchen Light is now on.")];
    ends(&model("Turn on a light", replies).await, 0, "answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_only_apologises_has_not_answered() {
    let sorry = "I'm sorry, but I don't have access to real-time information.";
    let said = model("Who won the match today?", [openai_text(sorry)]).await;
    ends(&said, 4, "refused");
    assert_eq!(said.json()["answer"], sorry);
    let fine = [openai_text("Paris.")];
    ends(
        &model("What is the capital of France?", fine).await,
        0,
        "answered",
    );
}

#[test]
fn statistics_count_each_end_by_its_name() {
    let machine = Machine::new();
    for question in [
        "Turn on the kitchen light",
        "Write a poem",
        "Turn on the sauna",
    ] {
        let ask = [
            "ask", "-q", "--model", "builtin", "--home", "demo", question,
        ];
        machine.haft(&ask);
    }
    let said = machine.haft(&["stats", "--json"]);
    assert_eq!(
        said.json()["models"][0]["outcomes"],
        json!({"answered": 1, "refused": 1, "tools_failed": 1})
    );
    let page = machine.haft(&["stats"]);
    assert!(
        page.answer()
            .contains("1 answered, 1 refused, 1 tools failed"),
        "{page:?}"
    );
}
