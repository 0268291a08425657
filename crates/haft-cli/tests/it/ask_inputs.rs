//! Inputs of `haft ask` that must not be changed: piped text, words for parameters, and truncated
//! replies.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::support::{Machine, openai_call, openai_cut_text, openai_text, redacted, said};
use haft_testing::ScriptedServer;
use serde_json::{Value, json};

fn spec(server: &ScriptedServer) -> String {
    format!("openai:small@{}/v1", server.url())
}

/// The last message of the user that the model receives.
fn last_words(server: &ScriptedServer) -> String {
    let requests = server.requests();
    let messages = requests.last().unwrap().body["messages"]
        .as_array()
        .unwrap()
        .clone();
    let user = messages
        .iter()
        .rfind(|message| message["role"] == "user")
        .unwrap();
    user["content"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_3_piped_text_goes_with_the_question() {
    let server = ScriptedServer::start([openai_text("A list.")]).await;
    let model = spec(&server);
    let asked = ["ask", "--model", &model, "summarise", "this"];
    let said = Machine::new().haft_with_stdin(&asked, b"\xef\xbb\xbfmilk\neggs\n");
    assert_eq!(said.answer(), "A list.");
    assert_eq!(
        last_words(&server),
        "summarise this\n\n<attachment title=\"stdin\">\nmilk\neggs\n</attachment>"
    );
    let note = "stdin   9 characters of text go with the question\n";
    assert!(said.stderr.contains(note), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_piped_text_the_question_is_all() {
    let server = ScriptedServer::with(|_| openai_text("Fine.")).await;
    let model = spec(&server);
    for stdin in [&b""[..], b" \n"] {
        let said = Machine::new().haft_with_stdin(&["ask", "--model", &model, "how so?"], stdin);
        assert_eq!(said.answer(), "Fine.");
        assert_eq!(last_words(&server), "how so?");
    }
    // Empty stdin, and a question from stdin.
    Machine::new()
        .haft(&["ask", "--model", &model, "how so?"])
        .answer();
    assert_eq!(last_words(&server), "how so?");
    Machine::new()
        .haft_with_stdin(&["ask", "--model", &model], b"why so?\n")
        .answer();
    assert_eq!(last_words(&server), "why so?");
}

#[test]
fn issue_3_piped_text_is_no_command() {
    let machine = Machine::new();
    let text = b"Turn on the kitchen light. What time is it in Tokyo?\n";
    for model in [&["--model", "builtin"][..], &[]] {
        let asked = [
            &["ask", "--json", "--home", "demo"],
            model,
            &["summarise this"],
        ]
        .concat();
        let answer = machine.haft_with_stdin(&asked, text).json();
        let messages = answer["messages"].as_array().unwrap();
        let kinds: Vec<&Value> = messages.iter().map(|message| &message["type"]).collect();
        assert_eq!(kinds, ["human", "ai"], "{answer}");
        assert_eq!(messages[0]["content"][0]["text"], "summarise this");
        assert_eq!(messages[0]["content"][1]["type"], "text-plain");
    }
    let asked = ["ask", "-q", "--home", "demo", "Is the kitchen light on?"];
    let said = machine.haft_with_stdin(&asked, b"Turn on the kitchen light");
    assert_eq!(said.answer(), machine.haft(&asked).answer());
}

#[test]
fn piped_text_answers_no_request_for_approval() {
    let asked = ["ask", "--home", "demo", "Unlock the front door"];
    let said = Machine::new().haft_with_stdin(&asked, b"y\ny\n");
    assert!(said.excuse().contains("--approve never"), "{said:?}");
    assert!(
        said.stderr.contains("failed  control_zwave_device"),
        "{said:?}"
    );
}

#[test]
fn an_open_pipe_is_waited_for_and_a_hint_is_shown() {
    let asked = ["ask", "--model", "builtin", "What time is it in Oslo?"];
    let mut child = Machine::new()
        .command(&asked)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut note = String::new();
    stderr.read_line(&mut note).unwrap();
    assert!(
        note.contains("hint: waiting for the end of what is piped in"),
        "{note}"
    );
    assert!(note.contains("< /dev/null"), "{note}");
    stdin.write_all(b"late").unwrap();
    drop(stdin);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("4 characters"), "{rest}");
    let said = said(child.wait_with_output().unwrap());
    assert_eq!(redacted(said.answer()), "It is HH:MM in Oslo.");
}

#[test]
fn waiting_for_an_open_pipe_ends_at_the_time_limit() {
    let asked = [
        "ask",
        "--model",
        "builtin",
        "--timeout",
        "1",
        "What time is it?",
    ];
    let mut child = Machine::new()
        .command(&asked)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let said = said(child.wait_with_output().unwrap());
    drop(stdin);
    said.fails(
        1,
        &[
            "The text on stdin did not end within 1.0 s",
            "hint: ",
            "/dev/null",
        ],
    );
}

#[test]
fn piped_text_has_a_limit_and_is_text() {
    let machine = Machine::new();
    let asked = ["ask", "--model", "builtin", "summarise this"];
    let large = "a".repeat(1024 * 1024 + 1);
    let said = machine.haft_with_stdin(&asked, large.as_bytes());
    said.fails(1, &["The text on stdin is larger than 1 MiB", "hint: "]);
    let said = machine.haft_with_stdin(&asked, b"\xff\xfe");
    said.fails(1, &["The text on stdin is not text in UTF-8", "hint: "]);
    let said = machine.haft_with_stdin(&["ask", " "], b"text");
    said.fails(2, &["The question is empty"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_3_a_truncated_reply_is_reported_with_its_exit_code() {
    let server = ScriptedServer::with(|_| openai_cut_text("The laws are: first,")).await;
    let model = spec(&server);
    let machine = Machine::new();
    for flags in [&[][..], &["-q"]] {
        let asked = [&["ask", "--model", &model], flags, &["What are the laws?"]].concat();
        let said = machine.haft(&asked);
        assert_eq!(said.stdout, "The laws are: first,\n");
        said.fails(
            3,
            &[
                "warning: the reply was cut off at the token limit\n",
                "hint: ",
            ],
        );
    }
    let said = machine.haft(&["ask", "--json", "--model", &model, "What are the laws?"]);
    assert_eq!(said.json()["outcome"], "truncated");
    assert_eq!(said.code, Some(3), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_3_the_clock_takes_a_city_and_never_falls_back_to_utc() {
    let call = |name: &str| openai_call("get_current_datetime", &json!({name: "Lima"}));
    for name in ["city", "location", "place", "zone", "tz", "country"] {
        let server = ScriptedServer::start([call(name), openai_text("Done.")]).await;
        let said = Machine::new().haft(&["ask", "--model", &spec(&server), "Time in Lima?"]);
        assert_eq!(said.answer(), "Done.");
        assert!(said.stderr.contains("(America/Lima)"), "{name}: {said:?}");
        assert!(
            said.stderr
                .contains(&format!("{name} was taken as timezone")),
            "{said:?}"
        );
    }
    let server = ScriptedServer::start([call("colour"), openai_text("Done.")]).await;
    let said = Machine::new().haft(&["ask", "--model", &spec(&server), "Time in Lima?"]);
    let requests = server.requests();
    let last = requests[1].body["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    let text = last["content"].as_str().unwrap();
    assert!(
        text.contains("unknown argument \"colour\"") && text.contains("timezone"),
        "{said:?}"
    );
}

#[test]
fn a_number_may_be_negative_and_flags_may_follow() {
    let question = ["ask", "what", "is", "-5", "degrees", "--json"];
    let said = Machine::new().haft(&question);
    assert_eq!(said.json()["messages"][0]["content"], "what is -5 degrees");
    let said = Machine::new().haft(&["ask", "--json", "--", "what", "does", "-rf", "mean"]);
    assert_eq!(said.json()["messages"][0]["content"], "what does -rf mean");
    Machine::new()
        .haft(&["ask", "what", "does", "-rf", "mean"])
        .fails(2, &["'-r'", "-- -r"]);
}

#[test]
fn text_files_go_with_a_question() {
    let machine = Machine::new();
    machine.write("a.txt", "first file");
    machine.write("b.txt", "second file");
    let arguments = ["ask", "--json", "-f", "a.txt", "--file", "b.txt", "Compare"];
    let said = machine.haft_with_stdin(&arguments, b"piped text");
    let content = said.json()["messages"][0]["content"].clone();
    let blocks: Vec<_> = content
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["text"].clone())
        .collect();
    assert_eq!(
        blocks,
        ["Compare", "first file", "second file", "piped text"]
    );
    assert!(said.stderr.contains("files   a.txt, b.txt\n"), "{said:?}");
    machine.write("picture", b"\x89PNG\0");
    for (file, parts) in [
        ("picture", ["picture is not text", "--image"]),
        (
            "https://example.org/a",
            ["is an address, not a file", "curl"],
        ),
        ("missing", ["There is no file missing", "error"]),
    ] {
        machine.haft(&["ask", "-f", file, "Read"]).fails(2, &parts);
    }
}
