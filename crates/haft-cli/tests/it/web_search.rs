//! `haft ask` and the web: what switches it on and off, what is shown of it, and the tool.

use crate::support::{Machine, openai_text, redacted};
use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

const EXCUSE: &str = "I don't have access to real-time information.";

const PAGE: &str =
    "<a href='https://example.org/boat'>Harbour Boat Race 2026</a> <p>Northquay won.</p>";

const QUESTION: &str = "Who won the boat race?";

fn spec(server: &ScriptedServer) -> String {
    format!("openai:small@{}/v1", server.url())
}

/// A machine whose search engine is this server.
fn machine(engine: &ScriptedServer, more: &str) -> Machine {
    let machine = Machine::new();
    let url = format!("{}/html/?q={{query}}", engine.url());
    machine.write(
        "config/haft/haft.toml",
        format!("[web_search]\nurl = \"{url}\"\n{more}\n"),
    );
    machine
}

#[tokio::test(flavor = "multi_thread")]
async fn query_and_sources_are_shown_and_the_answer_uses_them() {
    let model = ScriptedServer::start([openai_text(EXCUSE), openai_text("Northquay won.")]).await;
    let engine = ScriptedServer::start([Reply::new("text/html", PAGE)]).await;
    let flags = ["--web-search", "--json", "--without", "constrained_call"];
    let said = machine(&engine, "")
        .haft(&[&["ask", "--model", &spec(&model)], &flags[..], &[QUESTION]].concat());
    let answer = said.json();
    assert_eq!(answer["outcome"], "web_searched");
    assert_eq!(answer["answer"], "Northquay won.");
    assert_eq!(
        answer["sources"],
        json!([{"title": "Harbour Boat Race 2026", "url": "https://example.org/boat"}])
    );
    let trace = redacted(&said.stderr);
    for line in [
        "search  search_web: Who won the boat race?\n",
        "        -> Harbour Boat Race 2026 https://example.org/boat\n",
    ] {
        assert!(trace.contains(line), "{trace}");
    }
    assert_eq!(
        engine.requests()[0].path,
        "/html/?q=Who%20won%20the%20boat%20race%3F"
    );
    let again = &model.requests()[1].body;
    assert!(again.get("tools").is_none(), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leaves_the_machine_unless_it_is_switched_on() {
    for (more, flags) in [
        ("", &[][..]),
        ("enabled = true", &["--no-web-search"]),
        ("enabled = false", &[]),
        ("enabled = true", &["--no-tools"]),
    ] {
        let model = ScriptedServer::start([openai_text(EXCUSE)]).await;
        let engine = ScriptedServer::start([]).await;
        let model = spec(&model);
        let command = [&["ask", "--model", &model], flags, &[QUESTION]].concat();
        assert_eq!(machine(&engine, more).haft(&command).excuse(), EXCUSE);
        assert_eq!(engine.connections(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_web_is_a_tool_once_enabled() {
    let engine = ScriptedServer::start([Reply::new("text/html", PAGE)]).await;
    let names = |machine: &Machine| {
        let listed = machine.haft(&["tools", "list", "--json"]).json();
        let tools = listed.as_array().unwrap().clone();
        let names = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&machine(&engine, "")), ["get_current_datetime"]);
    let on = machine(&engine, "enabled = true");
    assert_eq!(names(&on), ["get_current_datetime", "search_web"]);
    let said = on.haft(&["tools", "call", "search_web", "query=boat race"]);
    assert!(
        said.answer()
            .contains("1. Harbour Boat Race 2026: Northquay won. (https://example.org/boat)")
    );
}

#[test]
fn wrong_settings_are_reported_with_line_and_hint() {
    let machine = Machine::new();
    machine.write("haft.toml", "[web_search]\nurl = \"http://localhost/\"\n");
    machine
        .haft(&["config", "show"])
        .fails(1, &["haft.toml, line 2", "has no {query}"]);
    machine.write("haft.toml", "[web_search]\nplaywright = \"brwser\"\n");
    machine.haft(&["ask", "--model", "builtin", "Hi"]).fails(
        1,
        &[
            "There is no MCP server \"brwser\" to search the web with",
            "hint: name one",
        ],
    );
}
