//! `haft tools`: list, show, call, convert, grammar.

use crate::support::{Machine, redacted, stub_mcp};
use insta::assert_snapshot;
use serde_json::{Value, json};

fn machine_with_stub() -> Machine {
    let machine = Machine::new();
    stub_mcp(&machine);
    machine
}

#[test]
fn list_says_what_each_tool_is_and_where_it_comes_from() {
    let machine = machine_with_stub();
    let said = machine.haft(&[
        "tools",
        "list",
        "--mcp",
        "servers.json",
        "--tool",
        "echo,nap",
    ]);
    assert_snapshot!(said.answer(), @r"
    echo  MCP server stub  reads  Answers.
    nap   MCP server stub  acts   Sleeps
    ");
    let home = machine.haft(&["tools", "list", "--home", "demo"]);
    assert_eq!(home.answer().lines().count(), 7);
    assert!(
        home.answer()
            .contains("control_zwave_device    demo home  acts   "),
        "{home:?}"
    );
    let all = machine
        .haft(&["tools", "list", "--json", "--home", "demo"])
        .json();
    assert_eq!(
        (&all[0]["name"], &all[0]["origin"]),
        (&json!("get_current_datetime"), &json!("built in"))
    );
    assert_eq!(all[4]["read_only"], false);
    assert!(all[4]["schema"]["properties"]["deviceName"].is_object());
}

#[test]
fn show_prints_the_description_and_the_schema() {
    let machine = machine_with_stub();
    let said = machine.haft(&["tools", "show", "echo", "--mcp", "servers.json"]);
    assert_snapshot!(said.answer(), @r#"
    echo (MCP server stub, changes nothing)

    Answers.
    Second line.

    {
      "type": "object",
      "properties": {
        "level": {
          "type": "integer"
        }
      }
    }
    "#);
}

#[test]
fn an_unknown_tool_is_wrong_usage_with_a_suggestion() {
    let machine = Machine::new();
    for verb in ["show", "call"] {
        let said = machine.haft(&["tools", verb, "get_curent_datetime"]);
        said.fails(
            2,
            &[
                "There is no tool \"get_curent_datetime\"",
                "did you mean `get_current_datetime`?",
            ],
        );
    }
}

#[test]
fn call_prints_the_result_alone() {
    let machine = machine_with_stub();
    let said = machine.haft(&[
        "tools",
        "call",
        "get_current_datetime",
        "time_zone=Asia/Tokyo",
    ]);
    assert_snapshot!(redacted(said.answer()), @"It is HH:MM in Tokyo on [date] (Asia/Tokyo).");
    let said = machine.haft(&[
        "tools",
        "call",
        "echo",
        r#"{"level": "5"}"#,
        "--mcp",
        "servers.json",
    ]);
    assert_eq!(said.answer(), "heard you");
    assert!(
        said.stderr.contains("call    echo {\"level\":5} "),
        "{said:?}"
    );
    assert!(said.stderr.contains("repaired: "), "{said:?}");
    let quiet = machine.haft(&["tools", "call", "-q", "echo", "--mcp", "servers.json"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn call_with_json_gives_the_artifact_and_what_was_repaired() {
    let arguments = [
        "tools",
        "call",
        "--json",
        "--home",
        "demo",
        "control_zwave_device",
    ];
    let given = ["device_name=kitchen light", "command=on"];
    let said = Machine::new()
        .haft(&[&arguments[..], &given].concat())
        .json();
    assert_eq!(
        said["args"],
        json!({"deviceName": "kitchen light", "action": "on"})
    );
    assert_eq!(
        (&said["status"], &said["result"]),
        (&json!("success"), &json!("Kitchen Light is now on."))
    );
    assert_eq!(said["artifact"]["device"]["on"], true);
    assert_eq!(said["coercions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_call_that_fails_is_a_failure() {
    let machine = Machine::new();
    let call = ["tools", "call", "--home", "demo", "control_zwave_device"];
    let wrong = machine.haft(&[&call[..], &["deviceName=Fridge", "action=on"]].concat());
    wrong.fails(
        1,
        &[
            "failed  control_zwave_device",
            "error: ",
            "hint: `haft tools show",
        ],
    );
    assert_eq!(wrong.stdout, "");
    let missing = machine.haft(&[&call[..], &["--json", "action=on"]].concat());
    assert_eq!(
        (missing.code, &missing.json()["status"]),
        (Some(1), &json!("error"))
    );
    machine
        .haft(&[&call[..], &["oops"]].concat())
        .fails(2, &["\"oops\" is not an argument"]);
}

#[test]
fn synonyms_of_the_settings_are_known() {
    let machine = Machine::new();
    let synonym = r#"{ tool = "get_current_datetime", given = "town", parameter = "timezone" }"#;
    machine.write("haft.toml", format!("[tools]\nsynonyms = [{synonym}]\n"));
    let said = machine.haft(&["tools", "call", "get_current_datetime", "town=Lima"]);
    assert_snapshot!(redacted(said.answer()), @"It is HH:MM in Lima on [date] (America/Lima).");
}

#[test]
fn limits_of_the_settings_hold() {
    let machine = machine_with_stub();
    machine.write(
        "haft.toml",
        "[tools]\ntimeout = 0.2\nmcp = \"servers.json\"\n",
    );
    machine
        .haft(&["tools", "call", "--trust", "nap"])
        .fails(1, &["nap took longer than 0.2 seconds"]);
}

#[test]
fn convert_prints_the_tools_as_each_provider_wants_them() {
    let machine = Machine::new();
    let converted = |provider: &str| -> Value {
        machine
            .haft(&["tools", "convert", "--home", "demo", "--to", provider])
            .json()
    };
    for provider in ["ollama", "openai"] {
        let tools = converted(provider);
        assert_eq!(tools.as_array().unwrap().len(), 7);
        assert_eq!(tools[0]["type"], "function");
        assert_eq!(tools[0]["function"]["name"], "get_current_datetime");
        assert_eq!(tools[4]["function"]["parameters"]["type"], "object");
    }
    let tools = converted("anthropic");
    assert_eq!(tools[4]["name"], "control_zwave_device");
    assert!(tools[4]["input_schema"]["properties"]["deviceName"].is_object());
    machine
        .haft(&["tools", "convert", "--to", "nobody"])
        .fails(2, &["possible values: ollama, openai, anthropic"]);
}

#[test]
fn grammar_prints_a_structural_tag_with_each_tool() {
    let machine = Machine::new();
    let arguments = ["tools", "grammar", "Qwen2.5", "--home", "demo"];
    let grammar = machine.haft(&arguments).json();
    assert_eq!(grammar["format"]["triggers"][0], "<tool_call>");
    let tags = grammar["format"]["tags"].as_array().unwrap();
    assert_eq!(tags.len(), 7);
    let begin = "<tool_call>\n{\"name\": \"control_zwave_device\", \"arguments\": ";
    assert_eq!(tags[4]["begin"], begin);
    let schema = &tags[4]["content"]["json_schema"];
    assert!(schema["properties"]["deviceName"].is_object());
    for format in ["qwen3_coder", "morse"] {
        let said = machine.haft(&["tools", "grammar", format, "--home", "demo"]);
        said.fails(2, &[format, "hint: ", "hermes, ernie45"]);
    }
}

#[test]
fn a_long_result_is_cut_to_the_size_of_the_settings() {
    let machine = Machine::new();
    machine.write("haft.toml", "[tools]\nmax_output = 100\n");
    let said = machine.haft(&["tools", "call", "--home", "demo", "list_devices"]);
    assert!(said.answer().contains("characters left out"), "{said:?}");
}

#[test]
fn a_server_that_a_named_tool_does_not_need_is_not_started() {
    let machine = machine_with_stub();
    let call = [
        "tools",
        "call",
        "get_current_datetime",
        "--mcp",
        "servers.json",
    ];
    machine.haft(&call).answer();
    machine
        .haft(&[
            "tools",
            "show",
            "get_current_datetime",
            "--mcp",
            "servers.json",
        ])
        .answer();
    assert!(!machine.path("gone").exists());
}
