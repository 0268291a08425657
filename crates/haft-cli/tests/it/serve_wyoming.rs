//! `haft serve --wyoming` as a process. `tests/outside/voice` has a client with another
//! implementation of the protocol.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::support::Machine;

#[test]
fn a_sentence_is_answered_and_the_end_is_clean() {
    let machine = Machine::new();
    let arguments = [
        "serve",
        "--wyoming",
        "127.0.0.1:0",
        "--home",
        "demo",
        "--model",
        "builtin",
    ];
    let mut haft = machine
        .command(&arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut trace = BufReader::new(haft.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let listens = trace.find(|line| line.starts_with("listens")).unwrap();
    let address = listens.split_whitespace().nth(1).unwrap();
    let announced = trace.next().unwrap();
    assert!(announced.starts_with("mdns    \"haft on "), "{announced}");
    assert!(
        announced.ends_with("is announced to this machine alone"),
        "{announced}"
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(
            b"{\"type\": \"transcript\", \"data\": {\"text\": \"turn on the kitchen light\"}}\n",
        )
        .unwrap();
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line).unwrap();
    assert_eq!(line, "{\"type\":\"handled-start\"}\n");
    let heard = trace.next().unwrap();
    assert_eq!(heard, "heard   turn on the kitchen light");
    let pid = haft.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(haft.wait().unwrap().success());
}

#[test]
fn flags_of_the_other_kind_of_server_are_refused() {
    let machine = Machine::new();
    for (arguments, says) in [
        (&["serve", "--model", "builtin"][..], "add --wyoming"),
        (&["serve", "--mqtt", "mqtt://localhost"], "add --wyoming"),
        (
            &["serve", "--wyoming", "--listen", "127.0.0.1:1"],
            "cannot be used with",
        ),
        (&["serve", "--no-announce"], "--wyoming"),
        (
            &["serve", "--wyoming", "--server-tools"],
            "cannot be used with",
        ),
    ] {
        let said = machine.haft(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(says), "{arguments:?}: {said:?}");
    }
    let odd = [
        "serve",
        "--wyoming",
        "127.0.0.1:0",
        "--model",
        "builtin",
        "--mqtt",
        "http://me:hush@b",
    ];
    let said = machine.haft(&odd);
    assert!(
        said.stderr.contains("does not begin with mqtt://"),
        "{said:?}"
    );
    assert!(!said.stderr.contains("hush"), "{said:?}");
}
