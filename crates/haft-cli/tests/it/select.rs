//! `haft select`: the tools that a query needs, for users and programs, and many queries.

use crate::support::{Machine, Said};
use serde_json::{Value, json};

/// Too many tools to be bound completely.
fn machine() -> Machine {
    let machine = Machine::new();
    let filling = "Takes arguments and returns a result to the caller. ".repeat(20);
    let tools: Vec<_> = ["weather", "mail", "music", "flight", "hotel", "alarm", "bank", "recipe"]
        .iter()
        .flat_map(|subject| {
            ["get", "delete"].map(|verb| {
                json!({"name": format!("{verb}_{subject}"), "description": format!("To {verb} {subject}. {filling}")})
            })
        })
        .collect();
    machine.write("tools.json", json!(tools).to_string());
    machine
}

fn lines(said: &Said) -> Vec<Value> {
    let lines = said.answer().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn people_see_the_best_tools_with_their_shares() {
    let said = machine().haft(&[
        "select",
        "--tools",
        "tools.json",
        "--top",
        "2",
        "get",
        "the weather",
    ]);
    let table: Vec<_> = said.answer().lines().collect();
    assert_eq!(table.len(), 2);
    assert!(table[0].contains(" %  get_weather"), "{}", table[0]);
    assert!(said.stderr.contains("2 of 16 tools"), "{}", said.stderr);
}

#[test]
fn programs_get_names_and_shares() {
    let said = machine().haft(&[
        "select",
        "--tools",
        "tools.json",
        "--json",
        "--top",
        "3",
        "play music",
    ]);
    let report: Value = serde_json::from_str(said.answer()).unwrap();
    assert_eq!(report["of"], 16);
    assert_eq!(report["tools"].as_array().unwrap().len(), 3);
    assert_eq!(report["tools"][0]["name"], "get_music");
    assert!(report["tools"][0]["share"].as_f64().unwrap() > 0.0);
}

#[test]
fn each_line_gets_the_requested_number_of_tools_in_order() {
    let input = [
        json!({"id": 1, "query": "get the weather"}).to_string(),
        json!({"id": {"a": [2]}, "query": 5}).to_string(),
        "no JSON".to_owned(),
        json!({"id": "3"}).to_string(),
        json!({"query": "delete the alarm"}).to_string(),
    ];
    let arguments = ["select", "--tools", "tools.json", "--top", "5", "--jsonl"];
    let said = machine().haft_with_stdin(&arguments, input.join("\n").as_bytes());
    let answers = lines(&said);
    assert_eq!(said.code, Some(0));
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0]["id"], 1);
    assert_eq!(answers[0]["tools"][0], "get_weather");
    assert_eq!(answers[0]["tools"].as_array().unwrap().len(), 5);
    assert_eq!(
        answers[1],
        json!({"id": {"a": [2]}, "error": "`query` is not a string"})
    );
    assert_eq!(
        answers[2],
        json!({"id": null, "error": "The line is not a JSON object"})
    );
    assert_eq!(
        answers[3],
        json!({"id": "3", "error": "`query` is missing"})
    );
    assert_eq!(answers[4]["tools"][0], "delete_alarm");
}

#[test]
fn without_a_number_those_that_would_be_bound() {
    let machine = machine();
    machine.write(
        "queries.jsonl",
        "{\"id\": 1, \"query\": \"get the weather\"}\n",
    );
    let said = machine.haft(&[
        "select",
        "--tools",
        "tools.json",
        "--jsonl",
        "queries.jsonl",
    ]);
    let bound = lines(&said)[0]["tools"].as_array().unwrap().len();
    assert!((5..16).contains(&bound), "{bound}");
    let few = json!([{"name": "a"}, {"name": "b"}]);
    machine.write("few.json", few.to_string());
    let said = machine.haft(&["select", "--tools", "few.json", "--jsonl", "queries.jsonl"]);
    assert_eq!(lines(&said)[0]["tools"].as_array().unwrap().len(), 2);
}

#[test]
fn missing_or_wrong_input_is_reported_with_a_hint() {
    let machine = machine();
    machine.write("broken.json", "{");
    for (arguments, message) in [
        (
            &["select", "--tools", "tools.json", " "][..],
            "There is no query",
        ),
        (
            &["select", "--tools", "broken.json", "x"],
            "broken.json: `tools` is not JSON",
        ),
        (
            &["select", "--tools", "none.json", "x"],
            "none.json cannot be read",
        ),
        (
            &["select", "--tools", "tools.json", "--jsonl", "a", "b"],
            "one file at the most",
        ),
    ] {
        let said = machine.haft(arguments);
        assert_ne!(said.code, Some(0));
        assert!(said.stderr.contains(message), "{}", said.stderr);
    }
}
