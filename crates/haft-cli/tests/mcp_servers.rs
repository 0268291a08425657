//! `haft mcp list`, `add`, `remove` and `test`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use insta::assert_snapshot;
use serde_json::json;
use support::{Machine, mcp_config, redacted, stub_mcp};

fn read(machine: &Machine, name: &str) -> String {
    std::fs::read_to_string(machine.path(name)).unwrap()
}

#[test]
fn a_server_is_added_listed_and_removed() {
    let machine = Machine::new();
    let added = machine.haft(&["mcp", "add", "time", "uvx", "mcp-server-time", "--local"]);
    assert_eq!(
        added.answer(),
        "Added time to .mcp.json; try it with: haft mcp test time"
    );
    let home = "http://127.0.0.1:8123/api/mcp";
    let header = "Authorization: Bearer ${NO_SUCH_TOKEN}";
    let home = ["--header", header, "--include", "a,b", home];
    let keyed = ["-e", "KEY=secret-value", "--", "server", "-e", "x y"];
    for (name, rest) in [("home", &home[..]), ("keyed", &keyed)] {
        machine
            .haft(&[&["mcp", "add", name], rest].concat())
            .answer();
    }
    assert_snapshot!(read(&machine, ".mcp.json"), @r#"
    {
      "mcpServers": {
        "time": {
          "command": "uvx",
          "args": [
            "mcp-server-time",
            "--local"
          ]
        },
        "home": {
          "type": "http",
          "url": "http://127.0.0.1:8123/api/mcp",
          "headers": {
            "Authorization": "Bearer ${NO_SUCH_TOKEN}"
          },
          "include": [
            "a",
            "b"
          ]
        },
        "keyed": {
          "command": "server",
          "args": [
            "-e",
            "x y"
          ],
          "env": {
            "KEY": "secret-value"
          }
        }
      }
    }
    "#);
    let listed = machine.haft(&["mcp", "list"]);
    assert_snapshot!(listed.answer(), @r#"
    time   stdio  uvx mcp-server-time --local
    home   http   http://127.0.0.1:8123/api/mcp
           error: "headers" in .mcp.json uses the variable NO_SUCH_TOKEN, which is not set
           hint: set NO_SUCH_TOKEN in the environment, or write ${NO_SUCH_TOKEN:-default}
    keyed  stdio  server -e x y
    "#);
    let listed = machine.haft(&["mcp", "list", "--json"]);
    assert!(!listed.stdout.contains("secret-value"), "{listed:?}");
    let listed = listed.json();
    assert_eq!(listed[2]["env"], json!(["KEY"]));
    assert_eq!(listed[0]["transport"], "stdio");
    assert_eq!(listed[0]["problem"], json!(null));
    assert_eq!(
        machine.haft(&["mcp", "remove", "home"]).answer(),
        "Removed home from .mcp.json"
    );
    assert!(!read(&machine, ".mcp.json").contains("home"));
}

#[test]
fn the_rest_of_the_file_stays_as_it_is() {
    let machine = Machine::new();
    let text = "{\"x\": [1,2],\n\t\"servers\" : {\n\t\t\"a\": {\"command\":\"a\", \"gallery\": true}\n\t}\n}";
    machine.write("mcp.json", text);
    let file = ["--mcp", "mcp.json"];
    machine
        .haft(&[&["mcp", "add"], &file[..], &["b", "c"]].concat())
        .answer();
    assert!(read(&machine, "mcp.json").contains("\"gallery\": true},\n\t\t\"b\": {"));
    machine
        .haft(&[&["mcp", "remove", "b"], &file[..]].concat())
        .answer();
    assert_eq!(read(&machine, "mcp.json"), text);
}

#[test]
fn what_cannot_be_added_is_told_before_anything_is_written() {
    let machine = Machine::new();
    let add = |arguments: &[&str]| machine.haft(&[&["mcp", "add"], arguments].concat());
    add(&["a", "--env", "PATH=/tmp", "server"]).fails(
        2,
        &[
            "\"env\" sets PATH, which decides what code runs",
            "hint: take it out",
        ],
    );
    add(&["a", "--env", "K", "server"]).fails(2, &["write NAME=VALUE"]);
    add(&["a", "--env", "K=1", "http://127.0.0.1:1/mcp"]).fails(2, &["--header"]);
    add(&["a", "--header", "K: 1", "server"])
        .fails(2, &["hint: a key for a command goes into --env"]);
    add(&["a", "http://127.0.0.1:1/mcp", "more"]).fails(2, &["takes no arguments"]);
    add(&["a"]).fails(2, &["required"]);
    assert!(!machine.path(".mcp.json").exists());
    add(&["a", "server"]).answer();
    add(&["a", "other"]).fails(
        1,
        &["has a server \"a\" already", "hint: choose another name"],
    );
    let remove = machine.haft(&["mcp", "remove", "b"]);
    remove.fails(1, &["has no server \"b\"", "hint: there are: a"]);
    machine.write(".mcp.json", "{ // mine\n}");
    add(&["b", "server"]).fails(1, &["is not a JSON object", "comments are not JSON"]);
    assert_eq!(read(&machine, ".mcp.json"), "{ // mine\n}");
}

#[test]
fn without_servers_the_next_step_is_told() {
    let machine = Machine::new();
    machine.haft(&["mcp", "list"]).fails(
        1,
        &[
            "There are no servers in .mcp.json",
            "hint: add one: haft mcp add",
        ],
    );
    assert_eq!(machine.haft(&["mcp", "list", "--json"]).json(), json!([]));
}

#[test]
fn a_test_tells_what_a_server_is() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let said = machine.haft(&["mcp", "test", "--mcp", "servers.json"]);
    assert_snapshot!(redacted(said.answer()), @"
    stub: ok, stdio, MCP 2025-11-25, 2 tools, [time]
      tools    echo, nap
      asks     nap
    ");
    assert!(machine.path("gone").exists(), "the server was not ended");
    let json = machine
        .haft(&["mcp", "test", "stub", "--json", "--mcp", "servers.json"])
        .json();
    assert_eq!(json[0]["ok"], true);
    assert_eq!(
        json[0]["tools"][1],
        json!({"name": "nap", "read_only": false, "asks": true})
    );
    let unknown = machine.haft(&["mcp", "test", "stob", "--mcp", "servers.json"]);
    unknown.fails(2, &["There is no server \"stob\"", "did you mean `stub`?"]);
}

#[test]
fn a_test_tells_why_a_server_does_not_start() {
    let machine = Machine::new();
    let script = "echo 'no module named zwave' >&2; exit 3";
    mcp_config(
        &machine,
        &json!({
            "broken": {"command": "sh", "args": ["-c", script]},
            "missing": {"command": "no-such-program"},
            "preloaded": {"command": "sh", "env": {"LD_PRELOAD": "x.so"}}
        }),
    );
    let said = machine.haft(&["mcp", "test", "--mcp", "servers.json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "broken: failed, ",
        "no module named zwave",
        "missing: failed, its command \"no-such-program\" was not found\n  hint: install",
        "preloaded: failed, its \"env\" sets LD_PRELOAD",
    ] {
        assert!(said.stdout.contains(part), "no {part:?} in {said:?}");
    }
}

#[test]
fn help_of_add() {
    assert_snapshot!(Machine::new().haft(&["mcp", "add", "--help"]).answer(), @"
    Add a server to the file of MCP servers

    Usage: haft mcp add [OPTIONS] <NAME> <COMMAND|URL>...

    Arguments:
      <NAME>            What the server is called here
      <COMMAND|URL>...  The command that starts it and its arguments, or the address where it runs

    Options:
      -e, --env <NAME=VALUE>      A variable that the command gets; may be repeated
          --header <NAME: VALUE>  A header that goes to the address; may be repeated
          --include <TOOL>        Only these of its tools, separated by commas
          --exclude <TOOL>        All but these of its tools
          --mcp <FILE>            The file with MCP servers; without it that of haft.toml, else
                                  `.mcp.json` in the current folder
      -q, --quiet                 Print no trace on stderr
      -v, --verbose               Print more on stderr: rounds, tokens, prompts, thoughts, warnings
      -h, --help                  Print help

    Examples:
      haft mcp add time uvx mcp-server-time
      haft mcp add files --exclude write_file -- npx -y @modelcontextprotocol/server-filesystem .
      haft mcp add weather --env 'API_KEY=${WEATHER_KEY}' -- weather-server --stdio
      haft mcp add home --header 'Authorization: Bearer ${HASS_TOKEN}' http://127.0.0.1:8123/api/mcp

    Flags go before the command or the address. ${VAR} is written as it is and taken from the
    environment when the server is started: no key has to stand in the file.
    ");
}

#[test]
fn help_of_the_others_has_examples() {
    for command in ["list", "remove", "test"] {
        let said = Machine::new().haft(&["mcp", command, "--help"]);
        assert!(said.answer().contains("Example"), "{command}: {said:?}");
    }
}
