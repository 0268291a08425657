//! `haft ask --approve`: which calls run, which are refused, and what the user is asked.

use crate::support::{Machine, openai_call, openai_text, stub_mcp};
use haft_testing::ScriptedServer;
use serde_json::json;

const UNLOCK: &str = "Unlock the front door";

#[test]
fn a_light_is_switched_without_a_question() {
    let said = Machine::new().haft(&["ask", "-q", "--home", "demo", "Turn on the kitchen light"]);
    assert_eq!(said.answer(), "Kitchen Light is now on.");
}

#[test]
fn without_a_terminal_a_lock_stays_as_it_is() {
    let said = Machine::new().haft(&["ask", "--home", "demo", UNLOCK]);
    let excuse = said.excuse();
    assert!(excuse.contains("(unlock Front Door Lock)"), "{said:?}");
    assert!(excuse.contains("--approve never"), "{said:?}");
    assert!(
        said.stderr.contains("failed  control_zwave_device"),
        "{said:?}"
    );
    let asked = ["ask", "-q", "--home", "demo", "--approve", "never", UNLOCK];
    let said = Machine::new().haft(&asked);
    assert_eq!(said.answer(), "Front Door Lock is now unlocked.");
}

#[test]
fn the_file_sets_the_mode_and_the_flag_overrides_it() {
    let machine = Machine::new();
    machine.write("haft.toml", "[tools]\napprove = \"never\"\n");
    let ask = ["ask", "-q", "--trust", "--home", "demo", UNLOCK];
    let said = machine.haft(&ask);
    assert_eq!(said.answer(), "Front Door Lock is now unlocked.");
    let light = [
        "ask",
        "-q",
        "--trust",
        "--home",
        "demo",
        "--approve",
        "always",
        "Turn on the kitchen light",
    ];
    let said = machine.haft(&light);
    assert!(said.excuse().contains("was not run"), "{said:?}");
    let shown = machine.haft(&["config", "show", "--trust"]);
    assert!(
        shown.answer().contains("tools.approve              never"),
        "{shown:?}"
    );
    machine.write("haft.toml", "[tools]\napprove = \"sometimes\"\n");
    let wrong = machine.haft(&ask);
    wrong.fails(
        1,
        &["haft.toml, line 2", "say never, destructive or always"],
    );
    let flag = Machine::new().haft(&["ask", "--approve", "no", "Hi"]);
    flag.fails(2, &["say never, destructive or always"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_reads_why_a_call_was_refused_and_goes_on() {
    let replies = [openai_call("nap", &json!({})), openai_text("A pity.")];
    let server = ScriptedServer::start(replies).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    let model = format!("openai:small@{}/v1", server.url());
    // The stub has no annotations for this tool, so it counts as destructive.
    let said = machine.haft(&["ask", "--mcp", "servers.json", "--model", &model, "Say it"]);
    assert_eq!(said.excuse(), "A pity.");
    let requests = server.requests();
    let last = requests[1].body["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(
        last["content"],
        "Error: nap was not run: this call (Sleeps) needs a person's approval. Nobody can be asked here, \
         because this is no terminal. Calls like this one can be allowed with --approve never."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_the_file_of_servers_approves_runs() {
    let replies = [openai_call("echo", &json!({})), openai_text("Well.")];
    let server = ScriptedServer::start(replies).await;
    let machine = Machine::new();
    let file = stub_mcp(&machine);
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    machine.write("stub.sh", script.replace("readOnlyHint", "destructiveHint"));
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replacen("\"command\"", "\"autoApprove\": [\"echo\"], \"command\"", 1);
    machine.write("servers.json", text);
    let model = format!("openai:small@{}/v1", server.url());
    let said = machine.haft(&["ask", "--mcp", "servers.json", "--model", &model, "Say it"]);
    assert_eq!(said.answer(), "Well.");
    assert!(said.stderr.contains("heard you"), "{said:?}");
}

#[cfg(target_os = "linux")]
mod terminal {
    use std::time::Duration;

    use super::*;
    use crate::support::terminal::Terminal;

    const ASK: [&str; 4] = ["ask", "--home", "demo", UNLOCK];

    #[test]
    fn a_yes_lets_the_call_run() {
        let Some(mut terminal) = Terminal::start(&Machine::new(), &ASK) else {
            return;
        };
        let shown = terminal.until("run it? [y/N, or say why not]");
        assert!(
            shown.contains("approve unlock Front Door Lock")
                && shown.contains(
                    "control_zwave_device {\"deviceName\":\"front door\",\"action\":\"unlock\"}"
                ),
            "{shown}"
        );
        terminal.types("y\n");
        terminal.until("Front Door Lock is now unlocked.");
        assert_eq!(terminal.code(), Some(0));
    }

    #[test]
    fn a_no_a_reason_and_the_end_of_input_refuse_the_call() {
        for (typed, expected) in [
            ("n\n", "The user did not allow control_zwave_device."),
            ("not at night\n", "and says: not at night"),
            ("\u{4}", "Nobody said whether control_zwave_device may run."),
        ] {
            let Some(mut terminal) = Terminal::start(&Machine::new(), &ASK) else {
                return;
            };
            terminal.until("run it? [y/N, or say why not]");
            terminal.types(typed);
            let shown = terminal.until(expected);
            assert!(!shown.contains("is now unlocked"), "{shown}");
            terminal.code();
        }
    }

    #[test]
    fn ctrl_c_at_the_question_ends_haft_before_any_tool_runs() {
        let Some(mut terminal) = Terminal::start(&Machine::new(), &ASK) else {
            return;
        };
        terminal.until("run it? [y/N, or say why not]");
        terminal.types("\u{3}");
        terminal.until("no tool has run");
        assert_eq!(terminal.code(), Some(130));
    }

    #[test]
    fn several_calls_are_approved_one_at_a_time() {
        let both = "Unlock the front door and turn off the thermostat";
        let arguments = ["ask", "--home", "demo", both];
        let Some(mut terminal) = Terminal::start(&Machine::new(), &arguments) else {
            return;
        };
        let question = "run it? [y/N, or say why not]";
        let first = terminal.until(question);
        assert!(
            first.contains("front door") && !first.contains("thermostat\","),
            "{first}"
        );
        terminal.types("n\n");
        let second = terminal.until(question);
        assert!(
            second.contains("hermostat") && !second.contains("->"),
            "{second}"
        );
        terminal.types("y\n");
        let end = terminal.until("Thermostat is now off");
        assert!(end.contains("did not allow"), "{end}");
        terminal.code();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn input_typed_before_the_question_is_not_its_answer() {
        let arguments = json!({"deviceName": "front door", "action": "off"});
        let call = openai_call("control_zwave_device", &arguments);
        // Time for typing while the model works.
        let replies = [call.slowly(Duration::from_secs(1)), openai_text("Well.")];
        let server = ScriptedServer::start(replies).await;
        let model = format!("openai:small@{}/v1", server.url());
        let asked = ["ask", "--home", "demo", "--model", &model, UNLOCK];
        let Some(mut terminal) = Terminal::start(&Machine::new(), &asked) else {
            return;
        };
        terminal.until("tools ");
        terminal.types("y\n");
        terminal.until("run it?");
        terminal.types("not now\n");
        let rest = terminal.until("Well.");
        assert!(rest.contains("and says: not now"), "{rest}");
        assert_eq!(terminal.code(), Some(4));
    }
}
