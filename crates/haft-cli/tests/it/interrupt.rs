//! Ctrl-C and shutdown signals, while a model or a tool is running.

use std::io::{BufRead, Write};
use std::process::{Child, ChildStdin, Command};
use std::time::{Duration, Instant};

use crate::support::{self, Machine, Said, openai_call, said, stub_mcp};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::json;

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "never came: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap()
            .success()
    );
}

fn end(child: Child, signal: &str) -> Said {
    send(signal, &child);
    said(child.wait_with_output().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_question_reports_what_was_done() {
    let arguments = json!({"timezone": "Asia/Tokyo"});
    let call = openai_call("get_current_datetime", &arguments);
    let server = ScriptedServer::start([call, Reply::silence()]).await;
    let machine = Machine::new();
    let model = format!("openai:small@{}/v1", server.url());
    let child = machine
        .command(&["ask", "--json", "--model", &model, "Time?"])
        .spawn()
        .unwrap();
    wait_until("the second request", || server.requests().len() == 2);
    let said = end(child, "INT");
    let message = "interrupted after 2 rounds; \
        done: get_current_datetime {\"timezone\":\"Asia/Tokyo\"} -> It is ";
    said.fails(130, &[message]);
    assert!(!said.stderr.contains("error:"), "{said:?}");
    assert!(
        said.json()["error"]
            .as_str()
            .unwrap()
            .starts_with("interrupted after 2 rounds")
    );
    server.client_hung_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_tool_is_dropped_and_its_server_ended() {
    let server = ScriptedServer::start([openai_call("nap", &json!({}))]).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Sleep"];
    let unasked = ["--approve", "never"];
    let child = machine.command(&ask).args(unasked).spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    let said = end(child, "INT");
    said.fails(130, &["interrupted after 1 round", UNKNOWN]);
    assert!(
        machine.path("gone").exists(),
        "the server was not ended: {said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_is_handled_too() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    let model = format!("openai:small@{}/v1", server.url());
    let child = machine
        .command(&["ask", "--model", &model, "Hi"])
        .spawn()
        .unwrap();
    wait_until("the request", || server.requests().len() == 1);
    end(child, "TERM").fails(143, &["interrupted after 1 round; no tool has run"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_interrupt_does_not_wait_for_a_stubborn_server() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    // It ignores shutdown signals, and runs long after its input has ended.
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    machine.write("stub.sh", format!("trap '' TERM INT\n{script}\nsleep 9\n"));
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Hi"];
    let child = machine.command(&ask).spawn().unwrap();
    wait_until("the request", || server.requests().len() == 1);
    let started = Instant::now();
    send("INT", &child);
    wait_until("the end of the server's input", || {
        machine.path("gone").exists()
    });
    end(child, "INT").fails(130, &["interrupted after 1 round; no tool has run"]);
    // The first signal alone would wait 3 s for each of two gentler ways to end the server.
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}

/// An MCP server as a shell script that records every line it reads in `heard`, never answers
/// calls, ignores the end of its input and shutdown signals, and has started two processes that
/// left its group. All of them are found by `mark`.
fn stubborn_mcp(machine: &Machine, mark: &str) {
    stub_mcp(machine);
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    let script = script.replace(
        "while read -r line; do",
        "while read -r line; do printf '%s\\n' \"$line\" >> heard",
    );
    let script = format!(
        "trap '' TERM INT HUP QUIT\n\
        setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 600; done' {mark} > /dev/null 2>&1 &\n\
        (setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 601; done' {mark} > /dev/null 2>&1 &)\n\
        {script}\nwhile :; do sleep 602; done\n"
    );
    let script = machine.write("stub.sh", script);
    let folder = script.parent().unwrap().display().to_string();
    let server = json!({"command": "sh", "args": [script, mark], "cwd": folder});
    support::mcp_config(machine, &json!({"stub": server}));
}

/// The processes with `mark` in their command line or environment.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<String> {
    let has_mark = |file: std::path::PathBuf| {
        let text = std::fs::read(file).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(mark)
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .map(|entry| entry.path())
        .filter(|process| has_mark(process.join("cmdline")) || has_mark(process.join("environ")))
        .filter_map(|process| std::fs::read_to_string(process.join("stat")).ok())
        .filter(|stat| !stat.contains(") Z "))
        .collect()
}

/// The name of a folder is unique, and long enough to occur nowhere else.
#[cfg(target_os = "linux")]
fn mark_of(machine: &Machine) -> String {
    let folder = machine.path("");
    let name = folder.components().next_back().unwrap();
    format!("mark{}", name.as_os_str().to_str().unwrap())
}

const UNKNOWN: &str = "nap was under way; whether it took effect is not known";

#[cfg(target_os = "linux")]
#[test]
fn every_request_to_end_names_the_call_and_leaves_no_process() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)] {
        let machine = Machine::new();
        let mark = mark_of(&machine);
        stubborn_mcp(&machine, &mark);
        let call = ["tools", "call", "nap", "--mcp", "servers.json"];
        let child = machine.command(&call).spawn().unwrap();
        wait_until("the nap", || machine.path("napping").exists());
        assert!(marked(&mark).len() >= 3, "{:?}", marked(&mark));
        send(signal, &child);
        wait_until("the notice", || {
            let heard = std::fs::read_to_string(machine.path("heard")).unwrap();
            heard.contains("notifications/cancelled")
        });
        // The second signal does not wait.
        let said = end(child, signal);
        said.fails(code, &[UNKNOWN]);
        assert_eq!(marked(&mark), Vec::<String>::new(), "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_names_the_running_call_and_leaves_no_process() {
    let server = ScriptedServer::start([openai_call("nap", &json!({}))]).await;
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Sleep"];
    let unasked = ["--json", "--approve", "never"];
    let child = machine.command(&ask).args(unasked).spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    let said = end(child, "TERM");
    said.fails(143, &["interrupted after 1 round", UNKNOWN]);
    assert!(said.json()["error"].as_str().unwrap().contains(UNKNOWN));
    let heard = std::fs::read_to_string(machine.path("heard")).unwrap();
    assert!(heard.contains("notifications/cancelled"), "{heard}");
    assert_eq!(marked(&mark), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_never_becomes_ready_leaves_no_process_either() {
    for command in [
        &["tools", "list", "--mcp", "servers.json"][..],
        &["mcp", "test", "--mcp", "servers.json"][..],
        &["doctor", "--mcp", "servers.json"][..],
    ] {
        let machine = Machine::new();
        let mark = mark_of(&machine);
        let script = format!(
            "trap '' TERM INT HUP QUIT\n\
            (setsid sh -c 'trap \"\" TERM; while :; do sleep 603; done' {mark} > /dev/null 2>&1 &)\n\
            : > started\nwhile :; do sleep 604; done\n"
        );
        let script = machine.write("deaf.sh", script);
        let folder = machine.path("").display().to_string();
        let server = json!({"command": "sh", "args": [script, mark], "cwd": folder});
        support::mcp_config(&machine, &json!({"deaf": server}));
        let child = machine.command(command).spawn().unwrap();
        wait_until("the server", || machine.path("started").exists());
        end(child, "HUP").fails(129, &["interrupted"]);
        assert_eq!(marked(&mark), Vec::<String>::new(), "{command:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn processes_from_before_are_not_ended() {
    let machine = Machine::new();
    let mark = mark_of(&machine);
    // The shell becomes haft; the sleep is then its child.
    let script = format!(
        "sh -c 'sleep 605; :' {mark} > /dev/null 2>&1 & exec {} tools list",
        env!("CARGO_BIN_EXE_haft")
    );
    let mut shell = Command::new("sh");
    let output = shell
        .args(["-c", &script])
        .current_dir(machine.path(""))
        .env("HOME", machine.path(""))
        .output()
        .unwrap();
    said(output).answer();
    let left = marked(&mark);
    for stat in &left {
        let pid = stat.split(' ').next().unwrap();
        Command::new("kill").arg(pid).status().unwrap();
    }
    assert!(!left.is_empty(), "it was killed");
}

#[cfg(target_os = "linux")]
#[test]
fn haft_started_by_nohup_outlives_the_terminal() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let script = format!(
        "trap '' HUP; exec {} tools call nap --mcp servers.json",
        env!("CARGO_BIN_EXE_haft")
    );
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .current_dir(machine.path(""))
        .env("HOME", machine.path(""))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = shell.spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    send("HUP", &child);
    // The exit code shows which of the two signals ended it.
    end(child, "TERM").fails(143, &[UNKNOWN]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_does_not_panic() {
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let call = ["tools", "call", "nap", "-v", "--mcp", "servers.json"];
    let mut child = machine.command(&call).spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    // The terminal is closed, so writing any line fails from now on.
    drop((child.stdout.take(), child.stderr.take()));
    send("HUP", &child);
    assert_eq!(child.wait().unwrap().code(), Some(129));
    assert_eq!(marked(&mark), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_question_covers_the_start_of_the_servers() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    let mark = mark_of(&machine);
    let script = machine.write("deaf.sh", "while :; do sleep 606; done\n");
    let deaf = json!({"command": "sh", "args": [script, mark]});
    support::mcp_config(&machine, &json!({"deaf": deaf}));
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--timeout", "300ms"];
    let said = machine.haft(&[&ask[..], &["--model", &model, "Hi"]].concat());
    let message = "There was no answer within 0.3 seconds: the MCP servers were still starting";
    said.fails(1, &[message, "hint: allow more time with --timeout"]);
    assert!(server.requests().is_empty());
    assert_eq!(marked(&mark), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_when_haft_itself_is_killed() {
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let call = ["tools", "call", "nap", "--mcp", "servers.json"];
    let mut child = machine.command(&call).spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    assert!(marked(&mark).len() >= 3, "{:?}", marked(&mark));
    send("KILL", &child);
    child.wait().unwrap();
    // The input of the server is closed, which it ignores.
    wait_until("the end of its input", || machine.path("gone").exists());
    wait_until("the end of all", || marked(&mark).is_empty());
}

/// Tests a server that is this shell script and does not become ready.
#[cfg(target_os = "linux")]
fn tested(script: &str) -> String {
    let machine = Machine::new();
    let server = json!({"command": "sh", "args": ["-c", script]});
    support::mcp_config(&machine, &json!({"brief": server}));
    let said = machine.haft(&["mcp", "test", "--mcp", "servers.json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    said.stdout + &said.stderr
}

#[cfg(target_os = "linux")]
#[test]
fn a_watched_server_ends_with_its_own_exit_code() {
    let said = tested("exit 7");
    assert!(said.contains("(exit status: 7)"), "{said}");
    let said = tested("kill -KILL $$");
    assert!(said.contains("(exit status: 137)"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_watched_server_may_end_its_process_group() {
    let said = tested("trap 'echo heard it >&2; exit 8' TERM; kill -TERM 0; exit 9");
    assert!(said.contains("(exit status: 8)"), "{said}");
    assert!(said.contains("heard it"), "{said}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_exits_leaves_no_process_while_haft_runs() {
    let server = ScriptedServer::start([openai_call("nap", &json!({})), Reply::silence()]).await;
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    // In place of a short sleep, the server exits once; the processes that it started do not.
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    let script = script.replace(": > napping", ": > napping; exit 5");
    machine.write("stub.sh", format!("[ -e napping ] && exit 6\n{script}"));
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Sleep"];
    let unasked = ["--approve", "never"];
    let mut child = machine.command(&ask).args(unasked).spawn().unwrap();
    wait_until("the next request", || server.requests().len() == 2);
    assert!(machine.path("napping").exists());
    wait_until("the end of all", || marked(&mark).is_empty());
    assert!(child.try_wait().unwrap().is_none(), "haft has ended too");
    end(child, "TERM").fails(143, &["interrupted after 2 rounds"]);
}

/// The number of a process in a line of the process table.
#[cfg(target_os = "linux")]
fn pid(stat: &str) -> &str {
    stat.split(' ').next().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn adopted_processes_that_end_do_not_stay_as_zombies() {
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    machine.write("stub.sh", format!("[ -e napping ] && exit 6\n{script}"));
    let (mut child, _input) = listener(&machine);
    machine.write("napping", "");
    let family = marked(&mark);
    let is_watcher = |stat: &&String| stat.contains("(exe)");
    let watchers: Vec<_> = family.iter().filter(is_watcher).collect();
    assert_eq!(watchers.len(), 1, "{family:?}");
    kill(pid(watchers[0]));
    // Without its watcher, the remaining processes are adopted by haft.
    let haft = format!(" {} ", child.id());
    let others: Vec<_> = family.iter().filter(|stat| !is_watcher(stat)).collect();
    let of = |stat: &String| std::fs::read_to_string(format!("/proc/{}/stat", pid(stat)));
    wait_until("the adoption", || {
        let adopted = others.iter().filter_map(|stat| of(stat).ok());
        adopted.filter(|stat| stat.contains(&haft)).count() >= 2
    });
    others.iter().for_each(|stat| kill(pid(stat)));
    wait_until("the end of all", || {
        others.iter().all(|stat| of(stat).is_err())
    });
    assert!(child.try_wait().unwrap().is_none(), "haft has ended too");
    send("TERM", &child);
    child.wait().unwrap();
}

#[cfg(target_os = "linux")]
fn kill(pid: &str) {
    Command::new("kill")
        .args(["-s", "KILL", pid])
        .status()
        .unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_late_names_the_call_under_way() {
    let server = ScriptedServer::start([openai_call("nap", &json!({}))]).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Sleep"];
    // Long enough for the start of the server and the call on a busy machine.
    let late = ["--approve", "never", "--timeout", "15s"];
    let said = machine.haft(&[&ask[..], &late].concat());
    let message = format!("There was no answer within 15 seconds; {UNKNOWN}");
    said.fails(1, &[&message, "hint: "]);
    assert!(machine.path("gone").exists(), "the server was not ended");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_request_to_end_the_gateway_leaves_no_process() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--upstream",
        server.url(),
    ];
    let tools = ["--server-tools", "--mcp", "servers.json"];
    let mut child = machine.command(&serve).args(tools).spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    let listens = lines.find(|line| line.as_ref().unwrap().starts_with("listens"));
    assert!(listens.is_some());
    assert!(marked(&mark).len() >= 3, "{:?}", marked(&mark));
    // Its output is read, or it would block on a full pipe.
    std::thread::spawn(move || lines.count());
    send("TERM", &child);
    // It exited as requested, without running work.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(marked(&mark), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_to_end_a_listener_leaves_no_process() {
    let machine = Machine::new();
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    let (mut child, input) = listener(&machine);
    assert!(marked(&mark).len() >= 3, "{:?}", marked(&mark));
    send("TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(machine.path("gone").exists(), "its input was not closed");
    assert_eq!(marked(&mark), Vec::<String>::new());
    drop(input);
}

/// `haft listen` with the servers of the machine, after it has heard something. It listens as long
/// as its input is open.
#[cfg(target_os = "linux")]
fn listener(machine: &Machine) -> (Child, ChildStdin) {
    let listen = ["listen", "--text", "--model", "builtin"];
    let mut child = machine
        .command(&listen)
        .args(["--mcp", "servers.json"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "What time is it?").unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    let heard = lines.find(|line| line.as_ref().unwrap().starts_with("heard"));
    assert!(heard.is_some());
    // Its later output is read, or it would block on a full pipe.
    std::thread::spawn(move || lines.count());
    (child, input)
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_request_to_end_an_evaluation_leaves_no_process() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    // The only way for an evaluation to start a process: servers of the folder, which it must
    // ignore.
    let mark = mark_of(&machine);
    stubborn_mcp(&machine, &mark);
    std::fs::copy(machine.path("servers.json"), machine.path(".mcp.json")).unwrap();
    let model = format!("openai:small@{}/v1", server.url());
    let eval = ["eval", "home-50", "--trust", "--model", &model];
    let child = machine.command(&eval).spawn().unwrap();
    wait_until("the first question", || server.requests().len() == 1);
    end(child, "TERM").fails(143, &[]);
    assert_eq!(marked(&mark), Vec::<String>::new());
}
