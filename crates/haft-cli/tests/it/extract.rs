//! `haft extract`: the calls in a reply, for users and programs, and many replies.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{Machine, Said, said};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Numbers as strings, Python's quotes, an extra comma, and an unknown tool.
const REPLY: &str = "<think>Bright.</think>I will dim it.\n\
    <tool_call>{'name': 'dim', 'arguments': {'room': 'Hall', 'level': '40',}}</tool_call>\n\
    <tool_call>{\"name\": \"dimm_all\", \"arguments\": {}}</tool_call>\n";

fn dim() -> Value {
    let properties = json!({"room": {"type": "string"}, "level": {"type": "integer"}});
    json!({"type": "object", "properties": properties, "required": ["room"]})
}

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("reply.txt", REPLY);
    let tools = json!([{"name": "dim", "description": "Dims", "parameters": dim()}]);
    machine.write("tools.json", tools.to_string());
    machine
}

/// The answers to these lines, one for each.
fn jsonl(arguments: &[&str], lines: &[Value]) -> Vec<Value> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let arguments = [&["extract", "--jsonl"], arguments].concat();
    let said = machine().haft_with_stdin(&arguments, text.as_bytes());
    let answers = answers(&said);
    assert_eq!(answers.len(), lines.len());
    answers
}

fn answers(said: &Said) -> Vec<Value> {
    let lines = said.answer().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn people_see_calls_repairs_and_the_remaining_text() {
    let said = machine().haft(&["extract", "--tools", "tools.json", "reply.txt"]);
    assert_snapshot!(said.answer(), @r#"
    call    dim {"room":"Hall","level":40}
            repaired: the arguments: 'room' and 3 more was read with double quotes
            repaired: the arguments: a comma was missing or too many
            repaired: level: text "40" became the number 40
    invalid dimm_all {}
            There is no tool named "dimm_all"; there is dim

    I will dim it.
    "#);
    assert_eq!(said.stderr, "");
}

#[test]
fn text_without_calls_is_printed_alone() {
    for arguments in [&["extract"][..], &["extract", "-"]] {
        let said = machine().haft_with_stdin(arguments, b"Hello there.\n");
        assert_eq!(said.answer(), "Hello there.");
        assert_eq!(said.stderr, "no calls\n");
    }
    let quiet = machine().haft_with_stdin(&["extract", "-q"], b"Hello");
    assert_eq!(quiet.stderr, "");
}

#[test]
fn programs_get_one_object() {
    let said = machine().haft(&["extract", "--json", "--tools", "tools.json", "reply.txt"]);
    assert_eq!(said.answer().lines().count(), 1);
    assert_snapshot!(serde_json::to_string_pretty(&said.json()).unwrap(), @r#"
    {
      "calls": [
        {
          "id": "dim_0",
          "name": "dim",
          "args": {
            "room": "Hall",
            "level": 40
          }
        }
      ],
      "content": "I will dim it.",
      "reasoning": "Bright.",
      "invalid": [
        {
          "id": "dimm_all_1",
          "name": "dimm_all",
          "args": "{}",
          "error": "There is no tool named \"dimm_all\"; there is dim"
        }
      ],
      "repairs": [
        {
          "call": "dim_0",
          "path": "",
          "kind": "quotes_repaired",
          "before": "'room' and 3 more",
          "after": "room",
          "reason": "the arguments: 'room' and 3 more was read with double quotes"
        },
        {
          "call": "dim_0",
          "path": "",
          "kind": "comma_repaired",
          "before": ",",
          "after": "",
          "reason": "the arguments: a comma was missing or too many"
        },
        {
          "call": "dim_0",
          "path": "/level",
          "kind": "text_to_number",
          "before": "\"40\"",
          "after": "40",
          "reason": "level: text \"40\" became the number 40"
        }
      ],
      "format": "hermes"
    }
    "#);
}

#[test]
fn explain_shows_each_piece_of_the_reply() {
    let said = machine().haft(&["extract", "--explain", "--tools", "tools.json", "reply.txt"]);
    assert_snapshot!(said.answer(), @r#"
    markup    <think>
    thinking  Bright.
    markup    </think>
    text      I will dim it.
    markup    \n<tool_call>{'name': '
    call      dim
    markup    ', 'arguments': 
    arguments {'room': 'Hall', 'level': '40',}
    markup    }</tool_call>\n<tool_call>{"name": "dimm_all", "arguments": 
    arguments {}
    markup    }</tool_call>

    call    dim {"room":"Hall","level":40}
            repaired: the arguments: 'room' and 3 more was read with double quotes
            repaired: the arguments: a comma was missing or too many
            repaired: level: text "40" became the number 40
    invalid dimm_all {}
            There is no tool named "dimm_all"; there is dim
    "#);
}

#[test]
fn explain_uses_colours_if_enabled() {
    let arguments = ["extract", "--explain", "--tools", "tools.json", "reply.txt"];
    let forced = machine().with("CLICOLOR_FORCE", "1").haft(&arguments);
    assert!(
        forced.answer().contains("\u{1b}[32mdim\u{1b}[0m"),
        "{forced:?}"
    );
    let plain = machine()
        .with("CLICOLOR_FORCE", "1")
        .with("NO_COLOR", "1")
        .haft(&arguments);
    assert!(!plain.answer().contains('\u{1b}'), "{plain:?}");
}

#[test]
fn without_tools_every_name_is_accepted() {
    let said = machine().haft(&["extract", "--json", "reply.txt"]);
    let calls = said.json()["calls"].clone();
    assert_eq!(
        (&calls[0]["name"], &calls[1]["name"]),
        (&json!("dim"), &json!("dimm_all")),
        "{calls}"
    );
}

#[test]
fn an_unknown_format_is_a_warning() {
    let arguments = ["extract", "--json", "--format", "hermis", "reply.txt"];
    let said = machine().haft(&arguments);
    assert_snapshot!(
        said.stderr,
        @r#"warning: there is no format "hermis", so all are recognised; did you mean `hermes`?"#
    );
    assert_eq!(said.json()["format"], "hermes");
    let known = machine().haft(&["extract", "--json", "--format", "Qwen2.5", "reply.txt"]);
    assert_eq!((known.code, known.stderr.as_str()), (Some(0), ""));
}

#[test]
fn errors_in_a_file_are_reported() {
    let machine = machine();
    machine.write("bad.json", "[{\"name\": \"dim\"}, {\"title\": \"x\"}]");
    let missing = machine.haft(&["extract", "absent.txt"]);
    missing.fails(1, &["error: absent.txt cannot be read: "]);
    let tools = machine.haft(&["extract", "--tools", "bad.json", "reply.txt"]);
    tools.fails(
        1,
        &[
            "bad.json: `tools[1]` has no name",
            "hint: write a JSON list",
        ],
    );
    let folder = machine.haft(&["extract", "--jsonl", "."]);
    folder.fails(1, &["error: . cannot be read: "]);
    assert_eq!(folder.stdout, "");
    let split = machine.haft(&["extract", "--split", "0", "reply.txt"]);
    split.fails(2, &["'--split <N>'"]);
    let two = machine.haft(&["extract", "--jsonl", "--json", "reply.txt"]);
    two.fails(2, &["cannot be used with"]);
}

#[test]
fn a_reply_is_read_equally_in_any_chunking() {
    let machine = machine();
    let read = |mode: &str, more: &[&str]| {
        let arguments = ["extract", mode, "--tools", "tools.json", "reply.txt"];
        machine.haft(&[&arguments[..], more].concat()).stdout
    };
    for mode in ["--json", "--explain"] {
        let whole = read(mode, &[]);
        assert!(whole.contains("Hall"), "{whole}");
        for size in ["1", "2", "7", "4096"] {
            assert_eq!(read(mode, &["--split", size]), whole, "{mode} {size}");
        }
    }
    let line = json!({"reply": REPLY, "tools": [{"name": "dim", "parameters": dim()}]});
    let lines = [line];
    assert_eq!(jsonl(&["--split", "1"], &lines), jsonl(&[], &lines));
}

#[test]
fn each_line_is_answered_by_one_line() {
    let tools = json!([{"name": "dim", "parameters": dim()}]);
    let line = json!({"id": {"run": 1}, "reply": REPLY, "tools": tools, "model": "ignored"});
    let answers = jsonl(&[], &[line, json!({"reply": "Hello"})]);
    let keys: Vec<_> = answers[0].as_object().unwrap().keys().collect();
    let wanted = [
        "id",
        "calls",
        "content",
        "reasoning",
        "invalid",
        "repairs",
        "format",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(answers[0]["id"], json!({"run": 1}));
    assert_eq!(
        answers[0]["calls"],
        json!([{"id": "dim_0", "name": "dim", "args": {"room": "Hall", "level": 40}}])
    );
    assert_eq!(answers[0]["reasoning"], "Bright.");
    assert_eq!(answers[0]["invalid"][0]["name"], "dimm_all");
    assert_eq!(answers[0]["repairs"][0]["call"], "dim_0");
    let nothing = json!({
        "id": null, "calls": [], "content": "Hello", "reasoning": "",
        "invalid": [], "repairs": [], "format": null,
    });
    assert_eq!(answers[1], nothing);
}

#[test]
fn the_answers_keep_the_order_of_the_lines() {
    // Lines of very different length, so that threads finish out of order.
    let line = |id: usize| {
        let words = "word ".repeat(if id.is_multiple_of(50) {
            40_000
        } else {
            id % 7
        });
        json!({"id": id, "reply": words + "end"})
    };
    let lines: Vec<_> = (0..500).map(line).collect();
    let answers = jsonl(&[], &lines);
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, (0..500).map(Value::from).collect::<Vec<_>>());
    for (line, answer) in lines.iter().zip(&answers) {
        assert_eq!(line["reply"], answer["content"]);
    }
}

#[test]
fn a_bad_line_does_not_stop_the_run() {
    let text = b"{\"id\": 1, \"reply\": \"a\"}\nnonsense\n\n{\"id\": [2], \"reply\": 3}\n\
        {\"id\": 4, \"reply\": \"\xff\"}\r\n{\"id\": \"last\", \"reply\": \"z\"}";
    let said = machine().haft_with_stdin(&["extract", "--jsonl"], text);
    assert_snapshot!(said.answer(), @r#"
    {"id":1,"calls":[],"content":"a","reasoning":"","invalid":[],"repairs":[],"format":null}
    {"id":null,"error":"The line is not a JSON object"}
    {"id":null,"error":"The line is empty"}
    {"id":[2],"error":"`reply` is not a string"}
    {"id":null,"error":"The line is not UTF-8"}
    {"id":"last","calls":[],"content":"z","reasoning":"","invalid":[],"repairs":[],"format":null}
    "#);
    assert_eq!(said.stderr, "");
}

#[test]
fn tools_of_a_line_override_those_of_the_command() {
    let call = "<tool_call>{\"name\": \"NAME\", \"arguments\": {}}</tool_call>";
    let line =
        |name: &str, tools: Value| json!({"reply": call.replace("NAME", name), "tools": tools});
    let answers = jsonl(
        &["--tools", "tools.json"],
        &[
            line("other", json!(null)),
            line(
                "other",
                json!([{"type": "function", "function": {"name": "other"}}]),
            ),
            line(
                "other",
                json!({"tools": [{"name": "other", "inputSchema": {"type": "object"}}]}),
            ),
            line(
                "other",
                json!([{"name": "other", "input_schema": {"type": "object"}}]),
            ),
            line("other", json!([])),
        ],
    );
    let names: Vec<_> = answers
        .iter()
        .map(|answer| answer["calls"][0]["name"].clone())
        .collect();
    let other = json!("other");
    assert_eq!(
        names,
        [
            json!(null),
            other.clone(),
            other.clone(),
            other,
            json!(null)
        ]
    );
}

#[test]
fn a_line_may_say_how_it_is_to_be_read() {
    let thinking = json!({"reply": "Hm.</think>Hello", "starts_thinking": true});
    let format = json!({"reply": "Hello", "format": "morse"});
    let text = [&thinking, &format, &format]
        .map(|line| format!("{line}\n"))
        .concat();
    let said = machine().haft_with_stdin(&["extract", "--jsonl"], text.as_bytes());
    let answers = answers(&said);
    assert_eq!(answers[0]["reasoning"], "Hm.");
    assert_eq!(answers[0]["content"], "Hello");
    assert_eq!(answers[1]["content"], "Hello");
    let warning = "warning: there is no format \"morse\", so all are recognised";
    assert_eq!(said.stderr.matches(warning).count(), 1, "{said:?}");
}

#[test]
fn a_chat_template_is_a_hint() {
    let machine = machine();
    machine.write(
        "thinks.jinja",
        "{{ '<tool_call>' }}{% if add_generation_prompt %}{{ '<think>\\n' }}{% endif %}",
    );
    machine.write("plain.jinja", "{{ messages[0].content }}");
    let read = |arguments: &[&str], reply: &str| {
        let arguments = [&["extract", "--json", "--template"], arguments].concat();
        machine.haft_with_stdin(&arguments, reply.as_bytes())
    };
    let parts = |said: &Said| {
        let answer: Value = serde_json::from_str(said.answer()).unwrap();
        [&answer["reasoning"], &answer["content"]].map(|part| part.as_str().unwrap().to_owned())
    };
    let said = read(&["thinks.jinja"], "<tool_call> it is</think>Hello");
    assert_eq!(parts(&said), ["<tool_call> it is", "Hello"]);
    assert_eq!(said.stderr, "");
    // Without an end tag there is no reasoning, unless the user says so.
    let said = read(&["thinks.jinja"], "Hello");
    assert_eq!(parts(&said), ["", "Hello"]);
    let said = read(&["thinks.jinja", "--starts-thinking"], "Hello");
    assert_eq!(parts(&said), ["Hello", ""]);
    let said = read(&["plain.jinja"], "Hello");
    assert_eq!(parts(&said), ["", "Hello"]);
    let warning = "warning: plain.jinja shows no format of calls, so all are recognised";
    assert_eq!(said.stderr.trim_end(), warning);
    assert_eq!(read(&["plain.jinja", "--quiet"], "Hello").stderr, "");
    assert_eq!(
        read(&["plain.jinja", "--format", "hermes"], "").code,
        Some(2)
    );
    assert_eq!(read(&["missing.jinja"], "").code, Some(1));
}

#[test]
fn a_plain_call_counts_anywhere_in_text_mode() {
    let reply = "I will call dim(room=\"Hall\") now.";
    let line = |text_mode: bool| json!({"reply": reply, "text_mode": text_mode});
    let answers = jsonl(&["--tools", "tools.json"], &[line(false), line(true)]);
    assert_eq!(answers[0]["content"], reply);
    assert_eq!(answers[1]["calls"][0]["args"], json!({"room": "Hall"}));
    let said = machine().haft_with_stdin(&["extract", "--json", "--text-mode"], reply.as_bytes());
    assert_eq!(said.json()["calls"], answers[1]["calls"]);
}

#[test]
fn a_thought_alone_makes_its_call_on_request_where_the_tool_only_reads() {
    let tools =
        |read_only: bool| json!([{"name": "get_clock", "parameters": {}, "read_only": read_only}]);
    let reply = "<think>\nThe time.\nget_clock()\n</think>";
    let line = |read_only: bool, asked: bool| json!({"reply": reply, "tools": tools(read_only), "thought_calls": asked});
    let answers = jsonl(
        &[],
        &[line(true, false), line(true, true), line(false, true)],
    );
    let counts: Vec<usize> = answers
        .iter()
        .map(|answer| answer["calls"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [0, 1, 0]);
    let machine = machine();
    machine.write("clock.json", tools(true).to_string());
    let flags = [
        "extract",
        "--json",
        "--thought-calls",
        "--tools",
        "clock.json",
    ];
    let said = machine.haft_with_stdin(&flags, reply.as_bytes());
    assert_eq!(said.json()["calls"], answers[1]["calls"]);
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_alone() {
    let machine = machine();
    let path = machine.write("huge.jsonl", "{\"id\": 1, \"reply\": \"a\"}\n");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    // A sparse file, which takes no disk space.
    file.set_len(101 * 1024 * 1024).unwrap();
    file.write_all(b"\n{\"id\": 3, \"reply\": \"b\"}\n")
        .unwrap();
    let answers = answers(&machine.haft(&["extract", "--jsonl", "huge.jsonl"]));
    assert_eq!(answers.len(), 3);
    assert_eq!(
        answers[1],
        json!({"id": null, "error": "The line is longer than 100 MiB"})
    );
    assert_eq!(
        (&answers[0]["id"], &answers[2]["id"]),
        (&json!(1), &json!(3))
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let machine = machine();
    let line = json!({"reply": "x".repeat(1000)}).to_string() + "\n";
    machine.write("many.jsonl", line.repeat(3000));
    let mut child = machine
        .command(&["extract", "--jsonl", "many.jsonl"])
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let said = said(child.wait_with_output().unwrap());
    assert!(first.starts_with("{\"id\":null,\"calls\":[]"), "{first}");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
}

/// A program that writes a line and waits for the answer gets it, and Ctrl-C ends the wait for the
/// next line.
#[test]
#[cfg(unix)]
fn a_conversation_line_by_line_until_interrupted() {
    let machine = machine();
    let mut child = machine
        .command(&["extract", "--jsonl"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in 0..3 {
        writeln!(input, "{}", json!({"id": id, "reply": "x"})).unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["id"], id);
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-s", "INT", &id])
        .status();
    assert!(kill.unwrap().success());
    said(child.wait_with_output().unwrap()).fails(130, &["interrupted"]);
    drop(input);
}
