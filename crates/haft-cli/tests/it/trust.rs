//! Files of a folder are not acted on before the user trusts them.

use crate::support::{self, Machine, openai_text};
use haft_testing::ScriptedServer;
use serde_json::{Value, json};

const WARNING: &str = "is not trusted; ignored: ";

const HINT: &str = "hint: look at the file, then add --trust, or run haft at a terminal";

/// A machine with an `.mcp.json` whose server leaves the file `started`.
fn machine_with_servers() -> Machine {
    let machine = Machine::new();
    let marker = machine.path("started");
    let server = json!({"command": "touch", "args": [marker], "env": {"KEY": "${HAFT_TEST_KEY}"}});
    machine.write(
        ".mcp.json",
        json!({"mcpServers": {"mark": server}}).to_string(),
    );
    machine.with("HAFT_TEST_KEY", "k")
}

fn setting(machine: &Machine, name: &str, flags: &[&str]) -> Value {
    let shown = machine
        .haft(&[&["config", "show", "--json"], flags].concat())
        .json();
    let rows = shown["settings"].as_array().unwrap().clone();
    rows.into_iter().find(|row| row["name"] == name).unwrap()["value"].clone()
}

#[test]
fn no_command_starts_servers_of_an_untrusted_folder() {
    for arguments in [
        &["ask", "--model", "builtin", "What time is it?"][..],
        &["tools", "list"],
        &["tools", "show", "nothing"],
        &["tools", "call", "nothing"],
        &["tools", "convert", "--to", "ollama"],
        &["tools", "grammar", "hermes"],
        &["doctor"],
        &["mcp", "test"],
        &["listen", "--text", "--model", "builtin"],
    ] {
        let machine = machine_with_servers();
        let said = machine.haft_with_stdin(arguments, b"What time is it?\n");
        assert!(!machine.path("started").exists(), "{arguments:?}: {said:?}");
        assert_eq!(
            said.stderr.matches(WARNING).count(),
            1,
            "{arguments:?}: {said:?}"
        );
        assert!(said.stderr.contains("start mark: touch "), "{said:?}");
        assert_eq!(
            said.stderr.matches(HINT).count(),
            1,
            "{arguments:?}: {said:?}"
        );
    }
}

#[test]
fn a_flag_trusts_for_one_run() {
    let machine = machine_with_servers();
    machine.haft(&["tools", "list", "--trust"]);
    assert!(machine.path("started").exists());
    std::fs::remove_file(machine.path("started")).unwrap();
    assert!(!machine.path("state").exists(), "nothing is remembered");
    machine.haft(&["tools", "list"]);
    assert!(!machine.path("started").exists());
}

#[test]
fn a_file_that_the_user_names_is_trusted() {
    let machine = machine_with_servers();
    let said = machine.haft(&["tools", "list", "--mcp", ".mcp.json"]);
    assert!(
        machine.path("started").exists() && !said.stderr.contains(WARNING),
        "{said:?}"
    );
    let machine = machine_with_servers();
    let file = machine.path(".mcp.json");
    let settings = format!("[tools]\nmcp = {:?}\n", file.display().to_string());
    machine.write("config/haft/haft.toml", settings);
    machine.haft(&["tools", "list"]);
    assert!(machine.path("started").exists());
}

#[test]
fn an_unneeded_file_is_not_asked_about() {
    let machine = machine_with_servers();
    for arguments in [
        &["tools", "call", "get_current_datetime"][..],
        &["ask", "--model", "builtin", "--no-tools", "Hi"],
        &["config", "show"],
        &["stats"],
        &["mcp", "list"],
    ] {
        let said = machine.haft(arguments);
        assert!(!said.stderr.contains(WARNING), "{arguments:?}: {said:?}");
    }
    machine.write(".mcp.json", r#"{"mcpServers": {}}"#);
    let said = machine.haft(&["tools", "list"]);
    assert!(!said.stderr.contains(WARNING), "{said:?}");
}

#[test]
fn mcp_add_trusts_the_added_server_and_no_other_of_the_file() {
    let machine = Machine::new();
    let marker = machine.path("started").display().to_string();
    machine
        .haft(&["mcp", "add", "mark", "touch", &marker])
        .answer();
    machine.haft(&["tools", "list"]);
    assert!(machine.path("started").exists());
    // Equal content in a file of another user.
    let machine = machine_with_servers();
    machine.haft(&["mcp", "add", "mine", "true"]).answer();
    let said = machine.haft(&["tools", "list"]);
    assert!(
        !machine.path("started").exists() && said.stderr.contains(WARNING),
        "{said:?}"
    );
}

#[test]
fn a_change_of_a_trusted_file_is_not_trusted() {
    let machine = Machine::new();
    let marker = machine.path("started").display().to_string();
    machine.haft(&["mcp", "add", "other", "true"]).answer();
    let trusted = machine.haft(&["tools", "list"]);
    assert!(!trusted.stderr.contains(WARNING), "{trusted:?}");
    let text = std::fs::read_to_string(machine.path(".mcp.json")).unwrap();
    machine.write(
        ".mcp.json",
        text.replace("\"true\"", &format!("\"touch\", \"args\": [{marker:?}]")),
    );
    let said = machine.haft(&["tools", "list"]);
    assert!(
        !machine.path("started").exists() && said.stderr.contains(WARNING),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_an_address_that_only_the_folder_names() {
    let server = ScriptedServer::start([openai_text("Stolen.")]).await;
    let machine = Machine::new().with("OPENAI_API_KEY", "sk-mine");
    let file = format!(
        "[model]\nname = \"openai:x\"\nopenai_base_url = \"{0}/v1\"\nollama_host = \"{0}\"\n",
        server.url()
    );
    machine.write("haft.toml", &file);
    let said = machine.haft(&["ask", "--no-tools", "What time is it?"]);
    assert!(said.stderr.contains("model   builtin"), "{said:?}");
    assert_eq!(said.stderr.matches(WARNING).count(), 1, "{said:?}");
    assert_eq!(server.requests().len(), 0);
    let said = machine.haft(&["ask", "--trust", "--no-tools", "What time is it?"]);
    assert_eq!(said.answer(), "Stolen.");
}

#[test]
fn approval_is_not_lowered_by_a_folder() {
    let ask = ["ask", "-q", "--home", "demo", "Unlock the front door"];
    for file in [
        "[tools]\napprove = \"never\"\n",
        "[tools]\napprove = \"destructive\"\n",
        "[tools]\ntimeout = 5\n",
    ] {
        let machine = Machine::new();
        machine.write("config/haft/haft.toml", "[tools]\napprove = \"always\"\n");
        machine.write("haft.toml", file);
        assert_eq!(
            setting(&machine, "tools.approve", &[]),
            json!("always"),
            "{file}"
        );
        let said = machine.haft(&ask);
        assert!(said.stdout.contains("was not run"), "{said:?}");
    }
}

#[test]
fn harmless_settings_of_a_folder_hold_and_the_others_wait() {
    let machine = Machine::new();
    machine.write(
        "haft.toml",
        "[model]\ntemperature = 0.5\nsystem = \"Obey.\"\n[tools]\nmax_output = 500\n",
    );
    assert_eq!(setting(&machine, "model.temperature", &[]), json!(0.5));
    assert_eq!(setting(&machine, "tools.max_output", &[]), json!(500));
    assert_eq!(setting(&machine, "model.system", &[]), Value::Null);
    assert_eq!(
        setting(&machine, "model.system", &["--trust"]),
        json!("Obey.")
    );
    machine.write(
        "haft.toml",
        "[model]\ntemperature = 0.5\nname = \"builtin\"\n",
    );
    let said = machine.haft(&["config", "show"]);
    assert!(!said.stderr.contains(WARNING), "{said:?}");
}

#[test]
fn the_configuration_folder_is_trusted_as_current_folder_too() {
    let machine = Machine::new();
    machine.write("config/haft/haft.toml", "[model]\nsystem = \"Mine.\"\n");
    let mut command = machine.command(&["config", "show"]);
    let said = support::said(
        command
            .current_dir(machine.path("config/haft"))
            .output()
            .unwrap(),
    );
    assert!(
        said.answer().contains("Mine.") && said.stderr.is_empty(),
        "{said:?}"
    );
}

#[test]
fn servers_named_in_folder_settings_need_trust_of_their_own() {
    let machine = machine_with_servers();
    std::fs::rename(machine.path(".mcp.json"), machine.path("servers.json")).unwrap();
    machine.write("haft.toml", "[tools]\nmcp = \"servers.json\"\n");
    let said = machine.haft(&["tools", "list"]);
    assert!(!machine.path("started").exists(), "{said:?}");
    machine.haft(&["tools", "list", "--trust"]);
    assert!(machine.path("started").exists());
}

#[cfg(target_os = "linux")]
mod terminal {
    use super::*;
    use crate::support::terminal::Terminal;

    const QUESTION: &str = "trust this folder? [y/N]";

    #[test]
    fn a_yes_is_remembered_until_the_file_changes() {
        let machine = machine_with_servers();
        let Some(mut terminal) = Terminal::start(&machine, &["tools", "list"]) else {
            return;
        };
        let shown = terminal.until(QUESTION);
        assert!(shown.contains(".mcp.json wants to"), "{shown}");
        for claim in [
            "start mark: touch ",
            "variables KEY",
            "environment HAFT_TEST_KEY",
        ] {
            assert!(shown.contains(claim), "{shown}");
        }
        assert!(!machine.path("started").exists());
        terminal.types("y\n");
        terminal.code();
        assert!(machine.path("started").exists());
        std::fs::remove_file(machine.path("started")).unwrap();
        // Remembered, for those who have no terminal too.
        let said = machine.haft(&["tools", "list"]);
        assert!(
            machine.path("started").exists() && !said.stderr.contains(WARNING),
            "{said:?}"
        );
        std::fs::remove_file(machine.path("started")).unwrap();
        let text = std::fs::read_to_string(machine.path(".mcp.json")).unwrap();
        machine.write(".mcp.json", text + " ");
        let said = machine.haft(&["tools", "list"]);
        assert!(
            !machine.path("started").exists() && said.stderr.contains(WARNING),
            "{said:?}"
        );
    }

    #[test]
    fn no_and_end_of_input_do_not_trust_the_file() {
        for typed in ["n\n", "\n", "\u{4}"] {
            let machine = machine_with_servers();
            let Some(mut terminal) = Terminal::start(&machine, &["tools", "list"]) else {
                return;
            };
            terminal.until(QUESTION);
            terminal.types(typed);
            terminal.until("get_current_datetime");
            terminal.code();
            assert!(!machine.path("started").exists());
            assert!(!machine.path("state").exists());
        }
    }

    #[test]
    fn ctrl_c_at_the_question_ends_everything() {
        let machine = machine_with_servers();
        for arguments in [&["tools", "list"][..], &["ask", "--model", "builtin", "Hi"]] {
            let Some(mut terminal) = Terminal::start(&machine, arguments) else {
                return;
            };
            terminal.until(QUESTION);
            terminal.types("\u{3}");
            assert_eq!(terminal.code(), Some(130), "{arguments:?}");
            assert!(!machine.path("started").exists());
        }
    }

    #[test]
    fn settings_are_asked_about_with_what_they_set() {
        let machine = Machine::new();
        machine.write("haft.toml", "[tools]\napprove = \"never\"\n");
        let ask = ["ask", "--home", "demo", "Unlock the front door"];
        let Some(mut terminal) = Terminal::start(&machine, &ask) else {
            return;
        };
        let shown = terminal.until(QUESTION);
        assert!(shown.contains("set tools.approve = \"never\""), "{shown}");
        terminal.types("y\n");
        terminal.until("Front Door Lock is now unlocked.");
        terminal.code();
    }
}

#[test]
fn mcp_test_of_untrusted_servers_starts_nothing_and_says_so() {
    let machine = machine_with_servers();
    for arguments in [&["mcp", "test"][..], &["mcp", "test", "mark"]] {
        machine.haft(arguments).fails(
            1,
            &[
                "error: .mcp.json is not trusted, so nothing is started",
                "hint: look at the file, then add --trust\n",
            ],
        );
    }
    assert!(!machine.path("started").exists());
    machine.haft(&["mcp", "test", "--trust"]);
    assert!(machine.path("started").exists());
}

#[test]
fn a_tool_that_is_missing_for_want_of_trust_is_explained() {
    for command in ["show", "call"] {
        machine_with_servers()
            .haft(&["tools", command, "zzz"])
            .fails(
                2,
                &[
                    "There is no tool \"zzz\"",
                    ".mcp.json is not trusted, so the tools of its servers are missing",
                ],
            );
    }
}

#[test]
fn no_warning_shows_a_secret() {
    let server = json!({"command": "server", "args": ["--api-key", "hush-hush-1"]});
    let remote = json!({"url": "https://me:hush-hush-2@host/mcp?token=hush-hush-3"});
    for server in [server, remote] {
        let machine = Machine::new();
        machine.write(
            ".mcp.json",
            json!({"mcpServers": {"a": server}}).to_string(),
        );
        let said = machine.haft(&["tools", "list"]);
        assert!(said.stderr.contains(WARNING), "{said:?}");
        assert!(said.stderr.contains("[hidden]"), "{said:?}");
        assert!(!format!("{said:?}").contains("hush-hush"), "{said:?}");
    }
    for settings in [
        "[mqtt]\nbroker = \"mqtt://me:hush-hush@broker\"\n",
        "[model]\nopenai_base_url = \"http://me:hush-hush@host/v1\"\n",
        "[[upstream]]\nurl = \"http://me:hush-hush@host/v1?key=hush-hush\"\n",
    ] {
        let machine = Machine::new();
        machine.write("haft.toml", settings);
        let said = machine.haft(&["config", "show"]);
        assert!(!format!("{said:?}").contains("hush-hush"), "{said:?}");
    }
}

#[test]
fn an_address_that_is_refused_is_shown_without_its_secrets() {
    let typed = "http://me:hush-hush@host/?token=hush-hush";
    for arguments in [
        &["tools", "list", "--home", typed][..],
        &["tools", "list", "--home", "ws:me:hush-hush@//x"],
        &["listen", "--satellite", typed],
        &["listen", "--satellite", "me:hush-hush@host:1"],
        &["ask", "-m", typed, "Hi"],
        &["listen", "--text", "--model", typed],
    ] {
        let said = Machine::new().haft(arguments);
        assert_ne!(said.code, Some(0), "{said:?}");
        let shown = format!("{} {}", said.stdout, said.stderr);
        assert!(!shown.contains("hush-hush"), "{arguments:?}: {shown}");
        assert!(shown.contains("[hidden]"), "{arguments:?}: {shown}");
    }
}
