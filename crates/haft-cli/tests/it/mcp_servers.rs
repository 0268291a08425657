//! `haft mcp list`, `add`, `remove` and `test`.

use crate::support::{self, Machine, mcp_config, redacted, stub_mcp};
use haft_testing::{Reply, ScriptedServer};
use insta::assert_snapshot;
use serde_json::json;

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
fn the_rest_of_the_file_is_unchanged() {
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
fn a_server_that_cannot_be_added_is_reported_before_anything_is_written() {
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
fn without_servers_the_next_step_is_suggested() {
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
fn a_test_describes_a_server() {
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
fn a_test_reports_why_a_server_does_not_start() {
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
fn twenty_processes_that_add_servers_at_once_lose_nothing() {
    let machine = Machine::new();
    machine.write(
        ".mcp.json",
        "{\n  \"mcpServers\": {\"first\": {\"command\": \"a\"}}\n}\n",
    );
    let adding = (0..20).map(|number| {
        let name = format!("server{number}");
        machine
            .command(&["mcp", "add", &name, "uvx", &name])
            .spawn()
            .unwrap()
    });
    let adding: Vec<_> = adding.collect();
    for child in adding {
        let said = support::said(child.wait_with_output().unwrap());
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let listed = machine.haft(&["mcp", "list", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 21, "{listed}");
    let left = std::fs::read_dir(machine.path(".")).unwrap();
    let left = left.map(|file| file.unwrap().file_name().into_string().unwrap());
    let left: Vec<_> = left.filter(|name| name.starts_with(".mcp")).collect();
    assert_eq!(left, [".mcp.json"]);
}

#[cfg(unix)]
#[test]
fn a_file_with_servers_that_haft_makes_is_for_its_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let mode = || {
        let metadata = std::fs::metadata(machine.path(".mcp.json")).unwrap();
        metadata.permissions().mode() & 0o777
    };
    machine.haft(&["mcp", "add", "one", "server"]).answer();
    assert_eq!(mode(), 0o600);
    // A shared file stays shared until it contains a secret.
    let shared = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(machine.path(".mcp.json"), shared).unwrap();
    machine.haft(&["mcp", "add", "two", "server"]).answer();
    assert_eq!(mode(), 0o644);
    let keyed = ["mcp", "add", "three", "-e", "API_KEY=hush-hush", "server"];
    machine.haft(&keyed).answer();
    assert_eq!(mode(), 0o600);
}

#[test]
fn every_command_that_lists_tools_reports_those_left_out() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let script = read(&machine, "stub.sh");
    let nap = r#"{"name":"nap""#;
    let again = r#"{"name":"echo","description":"Again","inputSchema":{"type":"object"}},"#;
    machine.write("stub.sh", script.replacen(nap, &format!("{again}{nap}"), 1));
    let left_out = "the tool echo is left out: the server has a tool of this name before it";
    let mcp = ["--mcp", "servers.json"];
    let said = machine.haft(&[&["mcp", "test"], &mcp[..]].concat());
    assert!(said.stdout.contains(left_out), "{said:?}");
    let report = machine.haft(&[&["mcp", "test", "--json"], &mcp[..]].concat());
    let report = &report.json()[0]["left_out"][0];
    assert_eq!(
        (&report["tool"], &report["reason"]["kind"]),
        (&json!("echo"), &json!("listed_twice"))
    );
    let said = machine.haft(&[&["doctor"], &mcp[..]].concat());
    assert!(said.stdout.contains(left_out), "{said:?}");
    // Twice, because the second list comes from the cache.
    for _ in 0..2 {
        let said = machine.haft(&[&["tools", "list"], &mcp[..]].concat());
        assert!(said.stderr.contains(left_out), "{said:?}");
    }
    let said = machine.haft(&[&["ask", "-v", "--model", "builtin", "Time?"], &mcp[..]].concat());
    assert!(said.stderr.contains(left_out), "{said:?}");
}

#[test]
fn no_command_shows_a_secret_of_its_settings() {
    let secret = |name: &str| format!("hush-{name}-4711");
    let url = format!(
        "http://user:{}@127.0.0.1:1/v1?api_key={}",
        secret("password"),
        secret("query")
    );
    let machine = Machine::new()
        .with("OPENAI_BASE_URL", &url)
        .with("OPENAI_API_KEY", &secret("openai"))
        .with("ANTHROPIC_API_KEY", &secret("anthropic"))
        .with("OLLAMA_HOST", &url);
    stub_mcp(&machine);
    let echoing = "echo \"no access for $API_KEY and $0 $1\" >&2; exit 1";
    mcp_config(
        &machine,
        &json!({
            "failing": {
                "command": "sh",
                "args": ["-c", echoing, "--token", secret("argument")],
                "env": {"API_KEY": secret("environment")}
            },
            "away": {"url": url, "headers": {"Authorization": format!("Bearer {}", secret("header"))}},
            "stub": {
                "command": "sh",
                "args": [machine.path("stub.sh"), format!("--api-key={}", secret("assigned"))]
            }
        }),
    );
    let model = format!("openai:small@{url}");
    for command in [
        &["config", "show"][..],
        &["config", "show", "--json"],
        &["config", "show", "--model", &model],
        &["mcp", "list", "--mcp", "servers.json"],
        &["mcp", "list", "--json", "--mcp", "servers.json"],
        &["mcp", "test", "-v", "--mcp", "servers.json"],
        &["tools", "list", "-v", "--mcp", "servers.json"],
        &["doctor", "-v", "--mcp", "servers.json"],
        &["doctor", "--json", "--mcp", "servers.json"],
        &[
            "ask",
            "-v",
            "--model",
            &model,
            "--record",
            "tape.jsonl",
            "Hello",
        ],
    ] {
        let said = machine.haft(command);
        let shown = format!("{}{}", said.stdout, said.stderr);
        assert!(!shown.contains("hush-"), "{command:?}: {said:?}");
    }
}

#[test]
fn help_of_add() {
    assert_snapshot!(Machine::new().haft(&["mcp", "add", "--help"]).answer(), @"
    Add a server to the file of MCP servers

    Usage: haft mcp add [OPTIONS] <NAME> <COMMAND|URL>...

    Arguments:
      <NAME>            The server's name
      <COMMAND|URL>...  The command that starts it and its arguments, or the address where it runs

    Options:
      -e, --env <NAME=VALUE>      An environment variable for the command; may be repeated
          --header <NAME: VALUE>  A header sent to the address; may be repeated
          --include <TOOL>        Only these of its tools, separated by commas
          --exclude <TOOL>        All but these of its tools
          --mcp <FILE>            The file with MCP servers; without it that of haft.toml, else
                                  `.mcp.json` in the current folder
      -q, --quiet                 Print no trace on stderr
      -v, --verbose               Print more on stderr: rounds, tokens, prompts, reasoning, warnings
          --trust                 Trust this folder's haft.toml and .mcp.json for this run only
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

#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_a_server_repeats_is_not_shown() {
    let repeating = |_: &haft_testing::CapturedRequest| {
        Reply::text("no such key: plainword99").with_status(401)
    };
    let server = ScriptedServer::with(repeating).await;
    let machine = Machine::new();
    let headers = json!({"X-Api-Key": "plainword99"});
    let servers = json!({"s": {"type": "http", "url": server.url(), "headers": headers}});
    mcp_config(&machine, &servers);
    for words in [
        &["tools", "list", "-v", "--mcp", "servers.json"][..],
        &["mcp", "test", "-v", "--mcp", "servers.json"],
    ] {
        let said = machine.haft(words);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(
            all.contains("HTTP 401") && !all.contains("plainword99"),
            "{all}"
        );
    }
}
