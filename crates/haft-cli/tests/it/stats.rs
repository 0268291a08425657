//! `haft stats`, and what `haft ask` records for it.

use crate::support::{self, Machine, openai_text, said};
use haft_testing::{Reply, ScriptedServer};
use insta::assert_snapshot;
use serde_json::{Value, json};

const DATABASE: &str = "state/haft/attempts.db";

/// `haft ask` with a model that gives these replies.
async fn asked(machine: &Machine, replies: impl IntoIterator<Item = Reply>) -> support::Said {
    let server = ScriptedServer::start(replies).await;
    let model = format!("openai:small@{}/v1", server.url());
    machine.haft(&["ask", "--model", &model, "--no-tools", "Capital of France?"])
}

fn builtin(machine: &Machine) -> support::Said {
    machine.haft(&[
        "ask",
        "-q",
        "--model",
        "builtin",
        "What time is it in Tokyo?",
    ])
}

fn models(machine: &Machine, flags: &[&str]) -> Vec<Value> {
    let said = machine.haft(&[&["stats", "--json"], flags].concat());
    said.answer();
    said.json()["models"].as_array().unwrap().clone()
}

#[test]
fn an_empty_store_is_reported_with_a_hint_and_makes_no_file() {
    let machine = Machine::new();
    let said = machine.haft(&["stats"]);
    assert_eq!(said.answer(), "");
    assert_eq!(
        said.stderr,
        "no questions are counted yet\n\
         hint: ask one: haft ask \"What time is it in Tokyo?\"\n"
    );
    let json = machine.haft(&["stats", "--json"]).json();
    let file = machine.path(DATABASE).display().to_string();
    assert_eq!(json, json!({"file": file, "models": []}));
    assert!(!machine.path("state").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn s003_08_and_09_first_tries_and_retries_of_earlier_questions_are_shown() {
    let machine = Machine::new();
    let blank_then = |text| [openai_text(""), openai_text(text)];
    assert_eq!(asked(&machine, [openai_text("Paris")]).await.code, Some(0));
    assert_eq!(asked(&machine, blank_then("Paris")).await.code, Some(0));
    assert_eq!(asked(&machine, blank_then(" ")).await.code, Some(1));
    builtin(&machine).answer();
    let said = machine.haft(&["stats"]);
    let median = |line: &str| line.split("median").next().unwrap().trim_end().to_owned();
    let page: Vec<_> = said.answer().lines().map(median).collect();
    assert_snapshot!(page.join("\n"), @"
    openai:small  3 questions: 1 answered, 1 empty, 1 recovered
      first query         33.3 %  1 of 3
      retries             50.0 %  1 of 2
      empty replies         2
      step               seen  tried  recovered
      without_tools         2      2          1   50.0 %

    builtin  1 question: 1 answered
      first query        100.0 %  1 of 1
    ");
    let [small, _] = &models(&machine, &[])[..] else {
        panic!("there are two models")
    };
    assert_eq!(
        small["first_queries"],
        json!({"tries": 3, "successes": 1, "rate": 1.0 / 3.0})
    );
    assert_eq!(
        small["steps"],
        json!({"without_tools": {"seen": 2, "tried": 2, "recovered": 1}})
    );
    assert!(small["original_ms"].is_u64() && small["retry_ms"].is_u64());
    let whole = std::fs::read(machine.path(DATABASE)).unwrap();
    let log = std::fs::read(machine.path("state/haft/attempts.db-wal")).unwrap_or_default();
    let kept = String::from_utf8_lossy(&[whole, log].concat()).into_owned();
    assert!(kept.contains("openai:small") && !kept.contains("France") && !kept.contains("Paris"));
}

#[tokio::test(flavor = "multi_thread")]
async fn models_and_times_can_be_chosen() {
    let machine = Machine::new();
    asked(&machine, [openai_text("Paris")]).await.answer();
    builtin(&machine).answer();
    let names = |flags: &[&str]| -> Vec<String> {
        let models = models(&machine, flags);
        let name = |model: &Value| model["model"].as_str().unwrap().to_owned();
        models.iter().map(name).collect()
    };
    assert_eq!(names(&[]), ["builtin", "openai:small"]);
    assert_eq!(names(&["--model", "SMALL"]), ["openai:small"]);
    assert_eq!(names(&["--since", "1h"]), ["builtin", "openai:small"]);
    assert_eq!(names(&["--since", "0m"]), Vec::<String>::new());
    let none = machine.haft(&["stats", "--model", "qwen"]);
    assert_eq!(none.answer(), "");
    assert_eq!(
        none.stderr,
        "no model whose name holds \"qwen\" was asked\nhint: there are: builtin, openai:small\n"
    );
    machine
        .haft(&["stats", "--since", "yesterday"])
        .fails(2, &["write a time like 30m, 12h, 7d or 4w"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_without_an_answer_counts_too() {
    let machine = Machine::new();
    let said = machine.haft(&["ask", "--model", "openai:none@http://127.0.0.1:1/v1", "Hi"]);
    said.fails(1, &["No model server answers"]);
    let models = models(&machine, &[]);
    assert_eq!(models[0]["outcomes"], json!({"failed": 1}));
    assert_eq!(models[0]["first_queries"]["rate"], json!(0.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn s003_08_and_09_the_log_names_both_tries() {
    let machine = Machine::new().with("HAFT_LOG", "haft_agent=info");
    let said = asked(&machine, [openai_text(""), openai_text("Paris")]).await;
    for part in ["First query: failure", "Retry 1: success"] {
        assert!(said.stderr.contains(part), "no {part:?} in {said:?}");
    }
}

#[test]
fn it_can_be_switched_off() {
    let machine = Machine::new();
    machine.write("haft.toml", "[store]\nattempts = false\n");
    machine.write("config/haft/haft.toml", "[store]\nsessions = false\n");
    builtin(&machine).answer();
    assert!(!machine.path("state").exists());
    let said = machine.haft(&["stats"]);
    let hint = "hint: [store] attempts = false in haft.toml switches it off\n";
    assert!(said.stderr.ends_with(hint), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_not_counted() {
    let machine = Machine::new();
    let server = ScriptedServer::start([openai_text("Paris")]).await;
    let model = format!("openai:small@{}/v1", server.url());
    let ask = |flags: &[&str]| machine.haft(&[&["ask", "--no-tools", "Capital?"], flags].concat());
    let recorded = ask(&["--model", &model, "--record", "paris.jsonl"]);
    assert_eq!(recorded.answer(), "Paris");
    assert_eq!(ask(&["--model", "replay:paris.jsonl"]).answer(), "Paris");
    assert_eq!(models(&machine, &[])[0]["questions"], json!(1));
    assert_eq!(models(&machine, &[]).len(), 1);
}

#[test]
fn questions_asked_at_once_are_all_counted() {
    let machine = Machine::new();
    let ask = [
        "ask",
        "-v",
        "--model",
        "builtin",
        "What time is it in Tokyo?",
    ];
    let children: Vec<_> = (0..8)
        .map(|_| machine.command(&ask).spawn().unwrap())
        .collect();
    for child in children {
        let said = said(child.wait_with_output().unwrap());
        said.answer();
        assert!(!said.stderr.contains("warning"), "{said:?}");
    }
    assert_eq!(models(&machine, &[])[0]["questions"], json!(8));
}

#[test]
fn a_damaged_file_is_a_warning_of_ask_and_an_error_of_stats() {
    let machine = Machine::new();
    machine.write(DATABASE, [7; 5000]);
    let ask = ["ask", "--model", "builtin", "What time is it in Tokyo?"];
    let said = machine.haft(&ask);
    assert!(said.answer().contains("in Tokyo"));
    let warning = "warning this question is not counted: ";
    assert!(said.stderr.contains(warning), "{said:?}");
    assert!(said.stderr.contains("attempts.db is damaged"), "{said:?}");
    assert_eq!(builtin(&machine).stderr, "");
    let hint = "hint: move the file away to begin a new one";
    machine.haft(&["stats"]).fails(1, &["is damaged", hint]);
    let json = machine.haft(&["stats", "--json"]);
    assert!(
        json.json()["error"]
            .as_str()
            .unwrap()
            .contains("is damaged")
    );
    assert_eq!(std::fs::read(machine.path(DATABASE)).unwrap(), [7; 5000]);
}
