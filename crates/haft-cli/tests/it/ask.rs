//! `haft ask` with the embedded command engine: no server, no key, no configuration.

use crate::support::{self, Machine, mcp_config, redacted, stub_mcp};
use insta::assert_snapshot;
use serde_json::json;

const QUESTION: &str = "Turn on the kitchen light and tell me the time in Tokyo";

#[test]
fn the_first_command_of_the_readme_answers_with_two_calls() {
    let said = Machine::new().haft(&["ask", "--home", "demo", QUESTION]);
    assert_snapshot!(redacted(said.answer()), @"Kitchen Light is now on. It is HH:MM in Tokyo.");
    assert_snapshot!(redacted(&said.stderr), @r#"
    model   builtin (no model server answers at 127.0.0.1:1)
    home    demo home (simulated)
    tools   7: get_current_datetime, list_zwave_devices, list_devices, verify_device, control_zwave_device, get_device_sensor_data, check_zwave_health
    hint: to use a language model, start Ollama (https://ollama.com), or set ANTHROPIC_API_KEY or OPENAI_API_KEY and name a model with --model
    call    control_zwave_device {"deviceName":"kitchen light","action":"on"} [time]
            -> Kitchen Light is now on.
    call    get_current_datetime {"timezone":"Tokyo"} [time]
            -> It is HH:MM in Tokyo on [date] (Asia/Tokyo).
    "#);
}

#[test]
fn json_is_one_object_with_everything() {
    let said = Machine::new().haft(&["ask", "--json", "--home", "demo", QUESTION]);
    let answer = said.json();
    let keys: Vec<_> = answer
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = [
        "answer",
        "outcome",
        "model",
        "messages",
        "tools_bound",
        "rounds",
        "usage",
        "duration_ms",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        (&answer["outcome"], &answer["model"]),
        (&json!("answered"), &json!("builtin"))
    );
    assert_eq!(answer["rounds"], 2);
    assert_eq!(answer["tools_bound"].as_array().unwrap().len(), 7);
    let kinds: Vec<_> = answer["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["type"])
        .collect();
    assert_eq!(kinds, ["human", "ai", "tool", "tool", "ai"]);
    assert_eq!(said.stdout.lines().count(), 1, "one line for programs");
}

#[test]
fn the_question_comes_from_stdin_too() {
    let machine = Machine::new();
    for arguments in [&["ask", "-q"][..], &["ask", "-q", "-"]] {
        let said = machine.haft_with_stdin(arguments, b"\xef\xbb\xbfWhat time is it in Lima?\n");
        assert_eq!(redacted(said.answer()), "It is HH:MM in Lima.");
    }
    let said = machine.haft_with_stdin(&["ask", "-q", "What time", "is it in Oslo?"], b"ignored");
    assert_eq!(redacted(said.answer()), "It is HH:MM in Oslo.");
}

#[test]
fn a_blank_question_is_wrong_usage() {
    let machine = Machine::new();
    for arguments in [&["ask"][..], &["ask", "-"], &["ask", " "]] {
        machine.haft(arguments).fails(
            2,
            &["error: The question is empty", "hint: ask one: haft ask"],
        );
    }
    let large = vec![b'a'; 1024 * 1024 + 1];
    machine
        .haft_with_stdin(&["ask"], &large)
        .fails(1, &["is larger than 1 MiB"]);
    machine
        .haft_with_stdin(&["ask"], b"\xff\xfe")
        .fails(1, &["is not text in UTF-8"]);
}

#[test]
fn quiet_prints_the_answer_and_nothing_else() {
    let said = Machine::new().haft(&["ask", "-q", "What time is it in Lima?"]);
    assert!(said.answer().starts_with("It is "));
    assert_eq!(said.stderr, "");
}

#[test]
fn verbose_adds_rounds_and_prompts() {
    let arguments = [
        "ask",
        "-v",
        "--model",
        "builtin",
        "--system",
        "Be\nkind.",
        "Time in Lima?",
    ];
    let said = Machine::new().haft(&arguments);
    assert_snapshot!(redacted(&said.stderr), @r#"
    model   builtin (given by --model)
    tools   1: get_current_datetime
    system  Be kind.
    user    Time in Lima?
    round   1, 1 tool offered
    call    get_current_datetime {"timezone":"Lima"} [time]
            -> It is HH:MM in Lima on [date] (America/Lima).
    round   2, 1 tool offered
    done    2 rounds, 0 tokens in, 0 out, [time]
    "#);
}

#[test]
fn a_pipe_gets_no_colours_and_no_spinner() {
    let said = Machine::new()
        .with("CLICOLOR", "1")
        .with("TERM", "xterm-256color")
        .haft(&["ask", "-v", "--home", "demo", QUESTION]);
    assert_eq!(said.code, Some(0));
    assert!(
        !said.stderr.contains('\u{1b}') && !said.stdout.contains('\u{1b}'),
        "{said:?}"
    );
}

#[test]
fn no_color_wins_over_forced_colours() {
    let forced = Machine::new().with("CLICOLOR_FORCE", "1");
    let arguments = ["ask", "--model", "builtin", "What time is it?"];
    assert!(
        forced.haft(&arguments).stderr.contains('\u{1b}'),
        "the test can see colours"
    );
    let plain = forced.with("NO_COLOR", "1").haft(&arguments);
    assert!(!plain.stderr.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn only_the_named_tools_are_bound() {
    let machine = Machine::new();
    let bound = |arguments: &[&str]| {
        let mut all = vec!["ask", "--json", "--home", "demo"];
        all.extend(arguments);
        all.push("What time is it in Lima?");
        machine.haft(&all).json()["tools_bound"].clone()
    };
    assert_eq!(
        bound(&["--tool", "get_current_datetime"]),
        json!(["get_current_datetime"])
    );
    assert_eq!(
        bound(&["--tool", "list_devices,get_current_datetime"]),
        json!(["get_current_datetime", "list_devices"])
    );
    let none = machine.haft(&["ask", "--json", "--no-tools", "What time is it in Lima?"]);
    assert_eq!(none.json()["tools_bound"], json!([]));
}

#[test]
fn an_unknown_tool_is_named_with_the_ones_that_there_are() {
    let said = Machine::new().haft(&["ask", "--tool", "get_curent_datetime", "What time is it?"]);
    said.fails(
        2,
        &[
            "error: There is no tool \"get_curent_datetime\"",
            "hint: did you mean `get_current_datetime`? There are: get_current_datetime",
        ],
    );
    assert_eq!(said.stdout, "");
}

#[test]
fn with_json_an_error_is_an_object_too() {
    let said = Machine::new().haft(&["ask", "--json", "--tool", "nothing", "What time is it?"]);
    said.fails(2, &["error: There is no tool \"nothing\""]);
    let hint = "there are: get_current_datetime";
    assert_eq!(
        said.json(),
        json!({"error": "There is no tool \"nothing\"", "hint": hint})
    );
}

#[test]
fn an_unknown_model_is_refused() {
    let machine = Machine::new();
    let said = machine.haft(&["ask", "--model", "qwen3:0.6b", "Hello"]);
    said.fails(
        2,
        &[
            "error: \"qwen3:0.6b\" does not say",
            "did you mean ollama:qwen3:0.6b?",
        ],
    );
    let said = machine
        .with("HAFT_MODEL", "nonsense")
        .haft(&["ask", "Hello"]);
    said.fails(1, &["error: HAFT_MODEL: \"nonsense\" does not say"]);
}

#[test]
fn an_unreachable_model_is_an_error_with_a_hint() {
    let said = Machine::new().haft(&["ask", "--model", "ollama:qwen3:0.6b", "Hello"]);
    said.fails(
        1,
        &[
            "model   ollama:qwen3:0.6b (given by --model)",
            "error: ",
            "hint: ",
        ],
    );
    assert_eq!(said.stdout, "");
    let said = Machine::new().haft(&["ask", "--model", "anthropic:claude-haiku-4-5", "Hello"]);
    said.fails(
        1,
        &[
            "error: Anthropic needs a key",
            "hint: set ANTHROPIC_API_KEY",
        ],
    );
}

#[test]
fn wrong_flags_are_wrong_usage() {
    let machine = Machine::new();
    for (arguments, complaint) in [
        (&["ask", "--oops", "hi"][..], "unexpected argument '--oops'"),
        (
            &["ask", "--home", "zwave", "hi"],
            "there is only `demo`, `demo:FILE`, or ws://HOST:PORT",
        ),
        (&["ask", "--temperature", "3", "hi"], "must be from 0 to 2"),
        (&["ask", "--timeout", "soon", "hi"], "write seconds"),
        (&["ask", "--max-rounds", "0", "hi"], "0 is not in 1..=1000"),
        (
            &["ask", "--no-tools", "--tool", "a", "hi"],
            "cannot be used with",
        ),
        (&["ask", "-q", "-v", "hi"], "cannot be used with"),
        (&["aks", "hi"], "unrecognized subcommand"),
    ] {
        machine.haft(arguments).fails(2, &[complaint]);
    }
}

#[test]
fn the_trace_says_who_named_the_model() {
    let machine = Machine::new().with("HAFT_MODEL", "builtin");
    let first = |arguments: &[&str]| {
        let said = machine.haft(arguments);
        said.stderr.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first(&["ask", "Time?"]), "model   builtin (HAFT_MODEL)");
    assert_eq!(
        first(&["ask", "-m", "builtin", "Time?"]),
        "model   builtin (given by --model)"
    );
    let machine = Machine::new();
    machine.write("haft.toml", "[model]\nname = \"builtin\"\n");
    let said = machine.haft(&["ask", "Time?"]);
    assert!(
        said.stderr.starts_with("model   builtin (haft.toml)\n"),
        "{said:?}"
    );
    assert!(
        !said.stderr.contains("hint:"),
        "who names builtin wants it: {said:?}"
    );
}

#[test]
fn a_home_in_a_file_keeps_its_state() {
    let machine = Machine::new();
    let home = format!("demo:{}", machine.path("home.json").display());
    let turned_on = machine.haft(&["ask", "--home", &home, "Turn on the kitchen light"]);
    assert_eq!(turned_on.answer(), "Kitchen Light is now on.");
    let asked = machine.haft(&["ask", "--home", &home, "Is the kitchen light on?"]);
    assert!(asked.answer().contains("on"), "{asked:?}");
    let state = std::fs::read_to_string(machine.path("home.json")).unwrap();
    assert!(state.contains("Kitchen Light"));
    machine.write("home.json", "oops");
    machine
        .haft(&["ask", "--home", &home, "Time?"])
        .fails(1, &["error: ", "home.json"]);
}

#[test]
fn mcp_tools_are_bound_and_failed_servers_are_warnings() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let bound = |said: &support::Said| said.json()["tools_bound"].clone();
    let ask = [
        "ask",
        "--json",
        "--mcp",
        "servers.json",
        "What time is it in Lima?",
    ];
    assert_eq!(
        bound(&machine.haft(&ask)),
        json!(["get_current_datetime", "echo", "nap"])
    );
    assert!(
        machine.path("gone").exists(),
        "the server was ended, not killed"
    );

    mcp_config(
        &machine,
        &json!({"broken": {"command": "no-such-program-here"}}),
    );
    let said = machine.haft(&ask);
    assert_eq!(bound(&said), json!(["get_current_datetime"]));
    assert!(
        said.stderr.contains("warning MCP server \"broken\": "),
        "{said:?}"
    );

    machine
        .haft(&["ask", "--mcp", "none.json", "Time?"])
        .fails(1, &["none.json cannot be read"]);
}

#[test]
fn the_mcp_file_of_the_folder_is_used_by_default() {
    let machine = Machine::new();
    let servers = stub_mcp(&machine);
    std::fs::copy(&servers, machine.path(".mcp.json")).unwrap();
    let bound = |arguments: &[&str]| {
        let said = machine.haft(&[&["--trust"], arguments].concat());
        said.json()["tools_bound"].clone()
    };
    assert_eq!(
        bound(&["ask", "--json", "Time?"]).as_array().unwrap().len(),
        3
    );
    machine.write("empty.json", r#"{"mcpServers": {}}"#);
    let flag = ["ask", "--json", "--mcp", "empty.json", "Time?"];
    assert_eq!(bound(&flag), json!(["get_current_datetime"]));
    machine.write("haft.toml", "[tools]\nmcp = \"empty.json\"\n");
    assert_eq!(
        bound(&["ask", "--json", "Time?"]),
        json!(["get_current_datetime"])
    );
}

#[test]
fn a_server_whose_tools_are_not_wanted_is_not_started() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let only = [
        "ask",
        "--mcp",
        "servers.json",
        "--tool",
        "get_current_datetime",
        "Time?",
    ];
    machine.haft(&only).answer();
    assert!(!machine.path("gone").exists());
}

#[test]
fn pictures_and_schemas_that_are_none_are_refused() {
    let machine = Machine::new();
    machine.write("notes.png", "no picture");
    machine.write("broken.json", "{");
    machine.write("odd.json", r#"{"type": "thing"}"#);
    for (flag, file, complaint) in [
        (
            "--image",
            "notes.png",
            "notes.png is not a supported picture",
        ),
        ("--image", "none.png", "none.png cannot be read"),
        ("--schema", "broken.json", "broken.json is not JSON"),
        ("--schema", "odd.json", "odd.json is not a usable schema"),
        ("--schema", "none.json", "none.json cannot be read"),
    ] {
        machine
            .haft(&["ask", flag, file, "What is it?"])
            .fails(1, &[complaint]);
    }
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let machine = Machine::new();
    let mut child = machine
        .command(&["ask", "--home", "demo", QUESTION])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panic"));
}

#[test]
fn logs_come_only_when_asked_for_and_never_to_stdout() {
    let arguments = ["ask", "--model", "builtin", "What time is it in Lima?"];
    let silent = Machine::new().haft(&arguments);
    assert!(!silent.stderr.contains("DEBUG"), "{silent:?}");
    let logged = Machine::new().with("HAFT_LOG", "debug").haft(&arguments);
    assert!(logged.stderr.contains("DEBUG"), "{logged:?}");
    assert_snapshot!(redacted(logged.answer()), @"It is HH:MM in Lima.");
    let odd = Machine::new().with("HAFT_LOG", "a=b=c").haft(&arguments);
    assert!(
        odd.stderr.contains("HAFT_LOG=a=b=c is not understood"),
        "{odd:?}"
    );
}

#[cfg(not(feature = "otlp"))]
#[test]
fn an_exporter_that_this_build_lacks_is_a_warning() {
    let machine = Machine::new().with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
    let said = machine.haft(&["tools", "list"]);
    assert_eq!(said.code, Some(0));
    assert!(said.stderr.contains("without the feature otlp"), "{said:?}");
}
