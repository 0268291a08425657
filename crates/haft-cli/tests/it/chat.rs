//! `haft chat` over a pipe, where each line is a question; `haft` alone.

use crate::support::{Machine, openai_call, openai_text};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

fn last_contents(server: &ScriptedServer) -> Vec<String> {
    let body = server.requests().last().unwrap().body.clone();
    let messages = body["messages"].as_array().unwrap().clone();
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    messages.iter().map(text).collect()
}

fn chat(machine: &Machine, server: &ScriptedServer, lines: &str) -> crate::support::Said {
    let spec = format!("openai:small@{}/v1", server.url());
    machine.haft_with_stdin(&["chat", "--model", &spec], lines.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_line_is_a_question_in_one_conversation() {
    let server = ScriptedServer::start([openai_text("Noon."), openai_text("Night.")]).await;
    let said = chat(&Machine::new(), &server, "Hello Oslo\n\nHello Lima");
    assert_eq!(said.answer(), "Noon.\nNight.");
    let last = last_contents(&server);
    assert!(
        last.ends_with(&["Hello Oslo", "Noon.", "Hello Lima"].map(str::to_owned)),
        "{last:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_takes_one_line_and_can_be_expanded() {
    let call = openai_call("get_current_datetime", &json!({"timezone": "Asia/Tokyo"}));
    let server = ScriptedServer::start([call, openai_text("Late.")]).await;
    let said = chat(
        &Machine::new(),
        &server,
        "Time in Tokyo?\n/expand\n/expand 7\n",
    );
    assert_eq!(said.stdout, "Late.\n");
    for part in [
        "call    1 get_current_datetime {\"timezone\":\"Asia/Tokyo\"} -> It is ",
        "\narguments  {\"timezone\":\"Asia/Tokyo\"}\nresult\nIt is ",
        "error: There is no call 7; there are 1 to 1",
    ] {
        assert!(said.stderr.contains(part), "no {part:?} in {said:?}");
    }
    assert_eq!(said.code, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_change_the_conversation() {
    let replies = ["One.", "Two.", "Three.", "Four."].map(openai_text);
    let server = ScriptedServer::start(replies).await;
    let machine = Machine::new();
    let lines = "First\n/save a.json\n/retry\n/reset\nSecond\n/load a.json\nThird\n\
        /approve always\n/model builtin\nWhat time is it in Oslo?\n/tools\n/mcp\n/exit\nnever";
    let said = chat(&machine, &server, lines);
    let answers: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(answers[..4], ["One.", "Two.", "Three.", "Four."]);
    // The clock is asked about, and nobody is there, so that the last question came to nothing.
    assert_eq!(said.code, Some(4));
    assert!(
        answers.len() == 5 && !said.stdout.contains("It is"),
        "{said:?}"
    );
    let requests = server.requests();
    let count = |index: usize| requests[index].body["messages"].as_array().unwrap().len();
    // A question that is asked again, and one after a reset, begin anew.
    assert_eq!((count(1), count(2)), (count(0), count(0)));
    let last = last_contents(&server);
    assert!(
        last.ends_with(&["First", "One.", "Third"].map(str::to_owned)),
        "{last:?}"
    );
    for part in [
        "saved in a.json",
        "a new conversation",
        "2 messages from a.json",
        "calls that need your approval: always",
        "model   builtin (given by /model)",
        "get_current_datetime: Get the current date",
        "no MCP servers",
    ] {
        assert!(said.stderr.contains(part), "no {part:?} in {said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_server_does_not_end_the_chat() {
    let broken = Reply::json(json!({"error": {"message": "no"}})).with_status(401);
    let server = ScriptedServer::start([broken, openai_text("Here again.")]).await;
    let machine = Machine::new();
    let said = chat(&machine, &server, "Hello\n/hlep\nHello again\n");
    assert_eq!(said.stdout, "Here again.\n");
    said.fails(
        1,
        &[
            "error: ",
            "There is no command /hlep",
            "did you mean /help?",
        ],
    );
    let last = last_contents(&server);
    assert!(!last.contains(&"Hello".to_owned()), "{last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_is_continued_with_its_files() {
    let server = ScriptedServer::start([openai_text("Milk."), openai_text("Eggs.")]).await;
    let machine = Machine::new();
    machine.write("notes.txt", "Buy milk\n");
    let said = chat(
        &machine,
        &server,
        "What is in @notes.txt?\nRead @missing.txt\n",
    );
    assert_eq!(said.stdout, "Milk.\n");
    said.fails(
        1,
        &["There is no file missing.txt", "type @@ for a plain @"],
    );
    assert!(last_contents(&server).concat().contains("Buy milk"));
    let spec = format!("openai:small@{}/v1", server.url());
    let again = machine.haft_with_stdin(&["chat", "--continue", "--model", &spec], b"And?\n");
    assert_eq!(again.answer(), "Eggs.");
    assert!(
        again
            .stderr
            .contains("2 messages so far: What is in @notes.txt?"),
        "{again:?}"
    );
    let last = last_contents(&server).concat();
    assert!(
        last.contains("Buy milk") && last.contains("Milk."),
        "{last}"
    );
}

#[test]
fn the_demo_home_is_there_in_a_chat() {
    let machine = Machine::new();
    let lines = b"Turn on the kitchen light\nIs the kitchen light on?\n";
    let said = machine.haft_with_stdin(&["chat", "--model", "builtin", "--home", "demo"], lines);
    let answers: Vec<&str> = said.answer().lines().collect();
    assert_eq!(answers[0], "Kitchen Light is now on.");
    assert!(answers[1].contains("on"), "{said:?}");
}

#[test]
fn haft_alone_without_a_terminal_says_what_there_is() {
    let said = Machine::new().haft(&[]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    for part in ["haft ask", "haft chat", "haft doctor", "haft --help"] {
        assert!(said.stderr.contains(part), "no {part:?} in {said:?}");
    }
    assert!(said.stderr.lines().count() < 12, "{said:?}");
    Machine::new()
        .haft(&["chta"])
        .fails(2, &["a similar subcommand exists: 'chat'"]);
    Machine::new()
        .haft(&["sesions"])
        .fails(2, &["a similar subcommand exists: 'sessions'"]);
}
