//! `haft eval`: the summary, resuming from the run file, the report.

use crate::support::{self, Machine, openai_call, openai_text};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

/// A folder with two sums and a greeting.
fn sums(machine: &Machine) {
    let tool = json!({"key": "add#1", "name": "add", "description": "Adds", "parameters": {"type": "dict",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}});
    machine.write("sums/tools.jsonl", tool.to_string());
    let sum = |id: &str, a: u8, b: u8| {
        json!({"id": id, "category": "sum", "query": format!("{a} + {b}?"), "tools": ["add#1"],
            "answer": [{"name": "add", "args": {"a": [a], "b": [b]}}]})
    };
    let talk = json!({"id": "hi", "category": "talk", "query": "Hi", "tools": ["add#1"], "answer": [], "expect": "no_call"});
    let lines = [sum("1", 1, 2), sum("2", 3, 4), talk].map(|case| case.to_string());
    machine.write("sums/cases.jsonl", lines.join("\n"));
}

fn add(a: impl Into<Value>, b: u8) -> Reply {
    openai_call("add", &json!({"a": a.into(), "b": b}))
}

fn spec(server: &ScriptedServer) -> String {
    format!("openai:small@{}/v1", server.url())
}

fn counts(said: &Value) -> (u64, u64, u64) {
    let all = &said["summary"]["all"];
    let hits = |what: &str| all[what]["hits"].as_u64().unwrap();
    (hits("first"), hits("repaired"), hits("recovered"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_try_and_the_whole_run_are_scored_separately() {
    let replies = [
        add("1", 2),
        openai_text("3"),
        openai_call("add", &json!({"a": 3})),
        add(3, 4),
        openai_text("7"),
        openai_text("Hello!"),
    ];
    let server = ScriptedServer::start(replies).await;
    let machine = Machine::new();
    sums(&machine);
    let said = machine.haft(&["eval", "sums", "--json", "--model", &spec(&server)]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let object = said.json();
    assert_eq!(counts(&object), (1, 2, 3));
    assert_eq!(
        (&object["dataset"], &object["simulation"], &object["done"]),
        (&json!("sums"), &json!(false), &json!(3))
    );
    let case = &object["cases"][1];
    assert_eq!(
        (&case["first"], &case["recovered"]),
        (&json!("missing_argument"), &json!("right"))
    );
    assert_eq!(case["steps"][0]["step"], "invalid_calls");
    assert_eq!(
        (&case["prompt_tokens"], &case["rounds"]),
        (&json!(21), &json!(3))
    );
    assert_eq!(object["summary"]["steps"][0]["made_right"], 1);
    let progress = "2/3 2: first try a missing argument, recovered right (invalid_calls)";
    assert!(said.stderr.contains(progress), "{said:?}");
    // The tools answer, and the model reads the answers.
    let messages = &server.requests()[1].body["messages"];
    assert_eq!(
        messages.as_array().unwrap().last().unwrap()["content"],
        "ok"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_is_resumed_without_repeating_cases() {
    let machine = Machine::new();
    sums(&machine);
    let first = ScriptedServer::start([add(1, 2), openai_text("3")]).await;
    let only = [
        "eval", "sums", "--json", "--run", "r.jsonl", "--limit", "1", "--model",
    ];
    let model = spec(&first);
    let said = machine.haft(&[&only[..], &[&model]].concat());
    assert_eq!(said.json()["planned"], 1);
    drop(first);

    // The case with the incomplete line runs again, the complete one does not.
    let whole = std::fs::read_to_string(machine.path("r.jsonl")).unwrap();
    assert_eq!(whole.lines().count(), 2);
    machine.write("r.jsonl", format!("{whole}{{\"id\":\"2\",\"cat"));
    // The server is gone: the remaining cases fail, the stored results stay.
    let said = machine.haft(&["eval", "sums", "--run", "r.jsonl", "--model", &model]);
    said.fails(
        1,
        &[
            "known   1 of 3 cases",
            "1 of 3 cases are stored; run the command again to continue",
        ],
    );
    let said = machine.haft(&[
        "eval", "sums", "--run", "r.jsonl", "--limit", "1", "--model", &model,
    ]);
    assert!(said.answer().contains("1 of 1 cases"), "{said:?}");
    assert!(
        said.stderr.contains("--restart measures them again"),
        "{said:?}"
    );
    let said = machine.haft(&[
        "eval",
        "sums",
        "--run",
        "r.jsonl",
        "--without",
        "raise_max_tokens",
        "--model",
        &model,
    ]);
    said.fails(
        1,
        &[
            "r.jsonl belongs to another run: its without is unset, not raise_max_tokens",
            "hint: start again with --restart",
        ],
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_keeps_and_reports_its_results() {
    let machine = Machine::new();
    sums(&machine);
    let server = ScriptedServer::start([add(1, 2), openai_text("3"), Reply::silence()]).await;
    let arguments = [
        "eval",
        "sums",
        "--json",
        "--run",
        "r.jsonl",
        "--report",
        "r.html",
        "--model",
        &spec(&server),
    ];
    let child = machine.command(&arguments).spawn().unwrap();
    let started = std::time::Instant::now();
    while server.requests().len() < 3 {
        assert!(
            started.elapsed().as_secs() < 60,
            "never asked the third time"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-s", "INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let said = support::said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(130), "{said:?}");
    let object = said.json();
    assert_eq!(
        (&object["done"], &object["planned"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(
        std::fs::read_to_string(machine.path("r.jsonl"))
            .unwrap()
            .lines()
            .count(),
        2
    );
    let page = std::fs::read_to_string(machine.path("r.html")).unwrap();
    assert!(page.contains("1 of 3 cases are done"));
}

#[test]
fn home_50_runs_with_the_command_engine() {
    let machine = Machine::new();
    let said = machine.haft(&[
        "eval", "home-50", "--model", "builtin", "--jobs", "4", "--report", "r.html",
    ]);
    let lines: Vec<_> = said.answer().lines().collect();
    assert_eq!(lines[0], "builtin on home-50: 50 of 50 cases");
    assert!(!said.stdout.contains("simulation"));
    let all = lines.iter().find(|line| line.starts_with("all ")).unwrap();
    let share: f64 = all.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((80.0..=100.0).contains(&share), "{all}");
    assert!(
        said.stdout.contains("Regressions (made wrong): 0 of 50"),
        "{said:?}"
    );
    assert!(
        std::fs::read_to_string(machine.path("r.html"))
            .unwrap()
            .contains("builtin on home-50")
    );
    // Its run file is in the state folder.
    let folder = machine.path("state/haft/eval");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn a_simulation_is_labelled_everywhere() {
    let machine = Machine::new();
    let arguments = [
        "eval",
        "home-50",
        "--model",
        "flaky:small@3",
        "--run",
        "r.jsonl",
        "--report",
        "r.html",
    ];
    let said = machine.haft(&arguments);
    assert!(said.answer().starts_with(
        "flaky:small+reported@3 on home-50 (simulation, no model was asked): 50 of 50"
    ));
    assert!(said.stderr.contains("simulation: no model is asked"));
    let page = std::fs::read_to_string(machine.path("r.html")).unwrap();
    assert!(page.contains("<strong>simulation</strong>"));
    let json = machine.haft(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(json["simulation"], true);
    assert!(
        std::fs::read_to_string(machine.path("r.jsonl"))
            .unwrap()
            .contains("\"simulation\":true")
    );
    // An equal seed gives an equal run; without a recovery step the run differs.
    let again = machine
        .haft(&["eval", "home-50", "--model", "flaky:small@3", "--json"])
        .json();
    assert_eq!(counts(&again), counts(&json));
    let without = [
        "eval",
        "home-50",
        "--model",
        "flaky:small@3",
        "--json",
        "--without",
        "constrained_call,raise_max_tokens",
    ];
    let without = machine.haft(&without).json();
    assert!(counts(&without).2 < counts(&json).2);
    assert_eq!(
        without["options"]["without"],
        "constrained_call,raise_max_tokens"
    );
}

#[test]
fn wrong_usage_is_reported_with_a_hint() {
    let machine = Machine::new();
    sums(&machine);
    for (arguments, code, parts) in [
        (
            &["eval", "nothing", "--model", "builtin"][..],
            1,
            &["There is no dataset \"nothing\"", "home-50"][..],
        ),
        (
            &["eval", "sums", "--category", "talc", "--model", "builtin"],
            1,
            &["no category \"talc\"", "there are sum, talk"],
        ),
        (
            &["eval", "home-50", "--model", "flaky:huge"],
            2,
            &["no profile \"huge\"", "qwen3-0.6b"],
        ),
        (
            &["eval", "home-50", "--without", "magic"],
            2,
            &["constrained_call"],
        ),
        (
            &["eval", "home-50", "--limit", "0"],
            2,
            &["invalid value '0'"],
        ),
    ] {
        machine.haft(arguments).fails(code, parts);
    }
    let said = machine.haft(&[
        "eval",
        "sums",
        "--category",
        "talk",
        "--model",
        "builtin",
        "-q",
        "--json",
    ]);
    assert_eq!(
        (&said.json()["planned"], said.stderr.as_str()),
        (&json!(1), "")
    );
}

/// What `haft eval home-50 --json` prints for this simulated model, in a file.
fn stored(machine: &Machine, name: &str, flags: &[&str]) -> String {
    let eval = [
        "eval",
        "home-50",
        "-q",
        "--json",
        "--model",
        "flaky:small@5",
    ];
    let said = machine.haft(&[&eval[..], flags].concat());
    machine.write(name, said.answer());
    name.to_owned()
}

#[test]
fn two_runs_are_compared_case_by_case() {
    let machine = Machine::new();
    let steps = "constrained_call,without_tools,raise_max_tokens,thinking_only,invalid_calls";
    let without = ["--without", steps];
    let before = stored(&machine, "before.json", &without);
    let after = stored(&machine, "after.json", &["--run", "after.jsonl"]);
    let said = machine.haft(&["eval", "--compare", &before, &after]);
    let page = said.answer();
    assert!(page.starts_with("home-50: 50 cases, flaky:small"), "{page}");
    for part in [
        "McNemar's exact test",
        "Better at the end:",
        "so the second run is better.",
        "(before: no call although one was expected, after: right)",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let json = machine
        .haft(&["eval", "--json", "--compare", &before, &after])
        .json();
    let better = json["recovered"]["better"].as_array().unwrap().len();
    assert!(better > 5, "{json}");
    assert!(
        json["recovered"]["p_value"].as_f64().unwrap() < 0.05,
        "{json}"
    );
    // A run file says the same as what was printed.
    let same = machine.haft(&["eval", "--compare", "after.jsonl", &after]);
    assert!(same.answer().contains("No case changed."), "{same:?}");
    machine.write("else.json", "{}");
    let other = machine.haft(&["eval", "--compare", "else.json", &after]);
    other.fails(
        1,
        &["else.json holds no results of a run", "hint: name what"],
    );
    machine
        .haft(&["eval", "--compare", &before])
        .fails(2, &["2 values"]);
    machine.haft(&["eval"]).fails(2, &["DATASET"]);
}

#[test]
fn datasets_are_listed_with_source_licence_and_command() {
    let machine = Machine::new();
    let said = machine.haft(&["eval", "--list"]);
    for part in [
        "home-50:",
        "licence  Apache-2.0",
        "$ git clone --depth 1 https://github.com/ShishirPatil/gorilla",
        "$ haft eval gorilla/",
    ] {
        assert!(said.answer().contains(part), "{part}: {said:?}");
    }
    let json = machine.haft(&["eval", "--list", "--json"]).json();
    assert_eq!(json[1]["licence"], "Apache-2.0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_case_is_shown_with_what_was_expected_and_what_came() {
    let replies = [
        add(1, 3),
        openai_text("4"),
        openai_text("I cannot add."),
        openai_text("Hello!"),
    ];
    let server = ScriptedServer::start(replies).await;
    let machine = Machine::new();
    sums(&machine);
    let eval = [
        "eval",
        "sums",
        "--without",
        "constrained_call",
        "--run",
        "r.jsonl",
    ];
    let model = spec(&server);
    let model = ["--model", &model];
    let said = machine.haft(&[&eval[..], &model, &["-v", "--report", "r.html"]].concat());
    for part in [
        "1: a wrong value (first try: a wrong value)",
        "asked     1 + 2?",
        "expected  add {\"a\":",
        "came      add {\"a\":1,\"b\":3}",
        "2: no call although one was expected",
        "came      no call; it said: I cannot add.",
    ] {
        assert!(said.answer().contains(part), "{part}: {said:?}");
    }
    let page = std::fs::read_to_string(machine.path("r.html")).unwrap();
    assert!(page.contains("<dt>came</dt><dd>no call; it said: I cannot add.</dd>"));
    let json = machine
        .haft(&[&eval[..], &model, &["--json"]].concat())
        .json();
    assert_eq!(
        (&json["cases"][1]["asked"], &json["cases"][1]["answer"]),
        (&json!("3 + 4?"), &json!("I cannot add."))
    );
    // Without -v there are the figures alone.
    let said = machine.haft(&[&eval[..], &model].concat());
    assert!(!said.answer().contains("came "), "{said:?}");
}
