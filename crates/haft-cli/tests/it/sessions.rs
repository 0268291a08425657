//! Conversations that are kept: `--continue` and `haft sessions`.

use crate::support::{Machine, openai_call, openai_text};
use haft_testing::ScriptedServer;
use serde_json::{Value, json};

/// The id of the latest conversation.
fn latest(machine: &Machine) -> String {
    let listed = machine.haft(&["sessions", "list", "--json"]);
    listed.json()[0]["id"].as_str().unwrap().to_owned()
}

fn contents(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap();
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    messages.iter().map(text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_on_in_another_process() {
    let replies = ["Noon.", "Morning.", "Evening.", "Alone."].map(openai_text);
    let server = ScriptedServer::start(replies).await;
    let spec = format!("openai:small@{}/v1", server.url());
    let machine = Machine::new();
    let ask = |arguments: &[&str]| {
        machine.haft(&[&["ask", "--model", &spec, "--no-tools"], arguments].concat())
    };
    assert_eq!(ask(&["Hello in Oslo?"]).answer(), "Noon.");
    let said = ask(&["--continue", "Hello in Lima?"]);
    assert_eq!(said.answer(), "Morning.");
    let id = latest(&machine);
    assert!(
        said.stderr
            .contains(&format!("session {id}, 2 messages so far")),
        "{said:?}"
    );
    // The id with an equals sign, or as the first word.
    ask(&["Another conversation"]).answer();
    assert_ne!(latest(&machine), id);
    assert_eq!(
        ask(&["--continue", &id, "Hello in Rome?"]).answer(),
        "Alone."
    );
    let last = contents(&server.requests().last().unwrap().body);
    let expected = [
        "Hello in Oslo?",
        "Noon.",
        "Hello in Lima?",
        "Morning.",
        "Hello in Rome?",
    ];
    assert!(last.ends_with(&expected.map(str::to_owned)), "{last:?}");
    let listed = machine.haft(&["sessions", "list"]);
    let first = listed.answer().lines().next().unwrap().to_owned();
    assert!(
        first.starts_with(&id) && first.ends_with("    6  Hello in Oslo?"),
        "{first}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_shown_exported_and_deleted() {
    let call = openai_call("get_current_datetime", &json!({"timezone": "Asia/Tokyo"}));
    let server = ScriptedServer::start([call, openai_text("It is late.")]).await;
    let spec = format!("openai:small@{}/v1", server.url());
    let machine = Machine::new();
    machine
        .haft(&["ask", "--model", &spec, "Time in Tokyo?"])
        .answer();
    let id = latest(&machine);
    let shown = machine.haft(&["sessions", "show", &id]);
    let lines: Vec<&str> = shown.answer().lines().collect();
    assert_eq!(lines[0], "> Time in Tokyo?");
    assert!(
        lines[1].starts_with("  get_current_datetime {\"timezone\":\"Asia/Tokyo\"}"),
        "{lines:?}"
    );
    assert!(
        lines[2].starts_with("  -> It is ") && lines[3] == "It is late.",
        "{lines:?}"
    );
    let json = machine.haft(&["sessions", "show", &id, "--json"]).json();
    assert_eq!(
        json["messages"][0],
        json!({"type": "human", "content": "Time in Tokyo?"})
    );
    assert_eq!(json["model"], "openai:small");
    let markdown = machine.haft(&["sessions", "export", &id]);
    assert!(
        markdown
            .answer()
            .starts_with("# Time in Tokyo?\n\nModel: openai:small")
    );
    let file = machine.path("talk.json");
    let to_file = [
        "sessions",
        "export",
        &id,
        "--format",
        "json",
        "-o",
        "talk.json",
    ];
    machine.haft(&to_file).answer();
    let exported: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(exported, json);
    machine
        .haft(&to_file)
        .fails(1, &["talk.json cannot be written", "choose another name"]);
    let deleted = machine.haft(&["sessions", "delete", &id]);
    assert_eq!(deleted.answer(), format!("{id} is deleted"));
    machine
        .haft(&["sessions", "show", &id])
        .fails(1, &["There is no session", "sessions list"]);
    assert_eq!(machine.haft(&["sessions", "list"]).answer(), "no sessions");
}

#[test]
fn what_cannot_be_continued_is_an_error() {
    let machine = Machine::new();
    let nothing = machine.haft(&["ask", "--continue", "And in Lima?"]);
    nothing.fails(
        1,
        &[
            "There is no session to continue",
            "`haft chat` and `haft ask`",
        ],
    );
    machine
        .haft(&["ask", "--continue=k7m2x", "Hi"])
        .fails(1, &["There is no session k7m2x"]);
    machine
        .haft(&["ask", "--continue=seven", "Hi"])
        .fails(2, &["\"seven\" is not the id"]);
    machine
        .haft(&["sessions", "delete", "../x"])
        .fails(2, &["is not the id of a session"]);
    assert!(!machine.path("state/haft/sessions.db").exists());
}

#[test]
fn conversations_are_not_kept_where_the_settings_say_so() {
    let machine = Machine::new();
    machine.write("config/haft/haft.toml", "[store]\nsessions = false\n");
    machine.haft(&["ask", "What time is it in Oslo?"]).answer();
    assert_eq!(machine.haft(&["sessions", "list"]).answer(), "no sessions");
    assert!(!machine.path("state/haft/sessions.db").exists());
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_store() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    machine.haft(&["ask", "What time is it in Oslo?"]).answer();
    let mode = std::fs::metadata(machine.path("state/haft/sessions.db"))
        .unwrap()
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
}
