//! `haft ask` with model servers: requests, replies, recording and replay.

use crate::support::{Machine, openai_call, openai_text, redacted};
use std::sync::atomic::{AtomicUsize, Ordering};

use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

fn spec(server: &ScriptedServer) -> String {
    format!("openai:small@{}/v1", server.url())
}

fn tokyo() -> Reply {
    openai_call("get_current_datetime", &json!({"time_zone": "Asia/Tokyo"}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_the_model_is_run_and_goes_back_to_it() {
    let server = ScriptedServer::start([tokyo(), openai_text("It is late.")]).await;
    let said = Machine::new().haft(&["ask", "-v", "--model", &spec(&server), "Time in Tokyo?"]);
    assert_eq!(said.answer(), "It is late.");
    for part in [
        "(given by --model)\n",
        "call    get_current_datetime {\"timezone\":\"Asia/Tokyo\"} [time]\n",
        "        repaired: ",
        "        -> It is HH:MM in Tokyo",
        "reply   7 tokens in, 3 out\n",
        "done    2 rounds, 14 tokens in, 6 out, [time]\n",
    ] {
        assert!(
            redacted(&said.stderr).contains(part),
            "no {part:?} in {said:?}"
        );
    }
    let requests = server.requests();
    let last = requests[1].body["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(
        (&last["role"], &last["tool_call_id"]),
        (&json!("tool"), &json!("call_a"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_drops_tools_is_warned_about_once_and_the_tool_runs() {
    let replies = [
        "get_current_datetime(timezone=\"Asia/Tokyo\")",
        "It is late.",
    ];
    let number = AtomicUsize::new(0);
    let server = ScriptedServer::with(move |request| match request.path.as_str() {
        "/props" => Reply::json(json!({"chat_template_caps": {"supports_tools": false}})),
        _ => openai_text(replies[number.fetch_add(1, Ordering::SeqCst)]),
    })
    .await;
    let said = Machine::new().haft(&["ask", "--model", &spec(&server), "Time in Tokyo?"]);
    assert_eq!(said.answer(), "It is late.");
    let warning = "the model gets no native tools, so they are taught in its prompt: the server \
        drops tools";
    assert_eq!(said.stderr.matches(warning).count(), 1, "{said:?}");
    assert!(
        said.stderr.contains("call    get_current_datetime"),
        "{said:?}"
    );
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.body.get("tools").is_none())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_reach_the_server() {
    let server = ScriptedServer::start([openai_text("A dot.")]).await;
    let machine = Machine::new().with("OPENAI_API_KEY", "sk-test");
    machine.write("dot.bin", b"GIF89a...");
    let model = spec(&server);
    let said = machine.haft(&[
        "ask",
        "--model",
        &model,
        "--temperature",
        "0.5",
        "--system",
        "Be brief.",
        "--image",
        "dot.bin",
        "--no-tools",
        "--timeout",
        "20s",
        "What is it?",
    ]);
    assert_eq!(said.answer(), "A dot.");
    let request = &server.requests()[0];
    assert_eq!(request.header("authorization"), Some("Bearer sk-test"));
    let body = &request.body;
    assert_eq!(
        (&body["model"], &body["temperature"]),
        (&json!("small"), &json!(0.5))
    );
    assert_eq!(body["messages"][0]["content"], "Be brief.");
    assert!(
        body["messages"][1]
            .to_string()
            .contains("data:image/gif;base64,R0lGODlhLi4u")
    );
    assert!(body.get("tools").is_none(), "{body}");
    assert!(!said.stderr.contains("sk-test"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_environment_and_the_file_reach_the_server() {
    let server = ScriptedServer::start([openai_text("one"), openai_text("two")]).await;
    let machine = Machine::new();
    let base_url = format!("{}/v1", server.url());
    let file = format!(
        "[model]\nname = \"openai:small\"\ntemperature = 1\nopenai_base_url = \"{base_url}\"\n"
    );
    machine.write("config/haft/haft.toml", &file);
    assert_eq!(machine.haft(&["ask", "-q", "Hi"]).answer(), "one");
    machine.write(
        "config/haft/haft.toml",
        file.replace(&base_url, "http://127.0.0.1:1/v1"),
    );
    let machine = machine
        .with("OPENAI_BASE_URL", &base_url)
        .with("HAFT_MODEL", "openai:large");
    assert_eq!(machine.haft(&["ask", "-q", "Hi"]).answer(), "two");
    let models: Vec<_> = server
        .requests()
        .iter()
        .map(|r| r.body["model"].clone())
        .collect();
    assert_eq!(models, [json!("small"), json!("large")]);
    assert_eq!(server.requests()[1].body["temperature"], 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_schema_stdout_is_the_data() {
    let data = r#"{"city": "Tokyo"}"#;
    let server = ScriptedServer::start([openai_text(data), openai_text(data)]).await;
    let machine = Machine::new();
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    machine.write("city.json", schema.to_string());
    let model = spec(&server);
    let ask = [
        "ask",
        "-q",
        "--model",
        &model,
        "--no-tools",
        "--schema",
        "city.json",
        "Which?",
    ];
    let plain = machine.haft(&ask);
    assert_eq!(
        serde_json::from_str::<Value>(plain.answer()).unwrap(),
        json!({"city": "Tokyo"})
    );
    let with_json = machine.haft(&[&ask[..], &["--json"]].concat());
    assert_eq!(with_json.json()["structured"], json!({"city": "Tokyo"}));
    assert_eq!(
        server.requests()[0].body["response_format"]["type"],
        "json_schema"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_round_gets_no_tools() {
    let server = ScriptedServer::start([tokyo(), openai_text("It is late.")]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--max-rounds", "2", "--model", &model, "Time?"]);
    assert_eq!(said.answer(), "It is late.");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0].body["tools"].is_array());
    assert!(
        requests[1]
            .body
            .get("tools")
            .is_none_or(|_| requests[1].body["tool_choice"] == "none")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_with_nothing_to_say_is_a_failure_with_an_apology() {
    let server = ScriptedServer::start([openai_text(""), openai_text("")]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--json", "--no-tools", "--model", &model, "Hi"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.json()["outcome"], "empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_takes_too_long_is_given_up() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--timeout", "200ms", "--model", &model, "Hi"]);
    said.fails(
        1,
        &["error: There was no answer within 0.2 seconds", "hint: "],
    );
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_fails_midway_is_a_failure() {
    let server = ScriptedServer::start([tokyo(), openai_text("It is late.")]).await;
    let model = spec(&server);
    let ask =
        |file: &str| Machine::new().haft(&["ask", "--record", file, "--model", &model, "Time?"]);
    // Before any request.
    ask("/no/such/folder/a.jsonl").fails(1, &["error: The recording /no/such", "hint: "]);
    assert!(server.requests().is_empty());
    // A full disk: the first exchange is lost, and no other is started.
    ask("/dev/full").fails(1, &["error: The recording /dev/full cannot", "hint: "]);
    assert_eq!(server.requests().len(), 1);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_its_recording_is_printed_and_fails() {
    let server = ScriptedServer::start([openai_text("It is late.")]).await;
    let model = spec(&server);
    let ask = ["ask", "--record", "/dev/full", "--model", &model, "Hello"];
    let said = Machine::new().haft(&ask);
    assert_eq!(said.stdout, "It is late.\n");
    said.fails(1, &["error: The recording /dev/full cannot be written"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_can_be_replayed() {
    let light = json!({"deviceName": "kitchen light", "action": "on"});
    let call = openai_call("control_zwave_device", &light);
    let server = ScriptedServer::start([call, openai_text("It shines.")]).await;
    let machine = Machine::new().with("OPENAI_API_KEY", "sk-test");
    let model = spec(&server);
    let ask = |flags: &[&str], question: &str| {
        machine.haft(&[&["ask", "--home", "demo"], flags, &[question]].concat())
    };
    let recorded = ask(&["--record", "talk.jsonl", "--model", &model], "Light!");
    assert_eq!(recorded.answer(), "It shines.");
    let talk = std::fs::read_to_string(machine.path("talk.jsonl")).unwrap();
    assert!(
        talk.contains("shines") && !talk.contains("sk-test"),
        "{talk}"
    );
    drop(server);
    let replay = ["--model", "replay:talk.jsonl"];
    let replayed = ask(&replay, "Light!");
    assert_eq!(replayed.answer(), "It shines.");
    assert!(
        replayed.stderr.contains("-> Kitchen Light is now on."),
        "{replayed:?}"
    );
    ask(&replay, "Darkness!").fails(1, &["error: "]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_gets_the_answer_unchanged() {
    let server = ScriptedServer::start([openai_text("\u{1b}[31mred\u{7}")]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--no-tools", "--model", &model, "Hi"]);
    assert_eq!(said.stdout, "\u{1b}[31mred\u{7}\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trace_is_free_of_escape_sequences_of_strangers() {
    let evil = openai_call("get_\u{1b}[2Jtime\u{7}", &json!({}));
    let server = ScriptedServer::start([evil, openai_text("I do not know.")]).await;
    // As on a terminal: no other program removes the sequences.
    let machine = Machine::new().with("CLICOLOR_FORCE", "1");
    let said = machine.haft(&["ask", "--model", &spec(&server), "Time?"]);
    assert_eq!(said.excuse(), "I do not know.");
    assert!(said.stderr.contains("get_time"), "{said:?}");
    assert!(
        !said.stderr.contains("[2J") && !said.stderr.contains('\u{7}'),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn s004_22_a_model_without_tools_is_taught_them_and_its_text_is_read() {
    let replies = [
        openai_text("One moment.\nget_current_datetime(timezone=\"Asia/Tokyo\")"),
        openai_text("It is late."),
    ];
    let server = ScriptedServer::start(replies).await;
    let model = spec(&server);
    let mode = [
        "ask",
        "--tool-mode",
        "text",
        "--format",
        "morse",
        "--model",
        &model,
    ];
    let said = Machine::new().haft(&[&mode[..], &["Time in Tokyo?"]].concat());
    assert_eq!(said.answer(), "It is late.");
    let warning = "warning --format: there is no format \"morse\", so all are recognised";
    assert!(said.stderr.contains(warning), "{said:?}");
    let requests = server.requests();
    let messages = |at: usize| requests[at].body["messages"].as_array().unwrap().clone();
    assert_eq!(requests[0].body.get("tools"), None);
    let system = messages(0)[0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("- get_current_datetime("), "{system}");
    let roles: Vec<_> = messages(1)
        .iter()
        .map(|message| message["role"].clone())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    let result = messages(1)[3]["content"].as_str().unwrap().to_owned();
    assert!(
        result.starts_with("Result of get_current_datetime: It is "),
        "{result}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn text_mode_is_recorded_and_replayed() {
    // The actual time would differ in the replay.
    let nowhere = "<tool_call>{\"name\": \"get_current_datetime\", \"arguments\": \
        {\"timezone\": \"Nowhere/Else\"}}</tool_call>";
    let server = ScriptedServer::start([openai_text(nowhere), openai_text("No idea.")]).await;
    let machine = Machine::new();
    let model = spec(&server);
    let mode = ["--tool-mode", "text", "--format", "hermes"];
    let ask = ["ask", "--record", "text.jsonl", "--model", &model, "Time?"];
    assert_eq!(
        machine.haft(&[&ask[..], &mode].concat()).excuse(),
        "No idea."
    );
    let replayed = machine.haft(&["ask", "--model", "replay:text.jsonl", "Time?"]);
    assert_eq!(replayed.excuse(), "No idea.");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn s003_02_and_03_a_blank_reply_is_recovered_and_the_trace_says_how() {
    let server = ScriptedServer::start([openai_text(""), openai_text("Paris.")]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--model", &model, "Capital of France?"]);
    assert_eq!(said.answer(), "Paris.");
    let trace = redacted(&said.stderr);
    for part in [
        "retry   without_tools: the reply is blank\n",
        "        -> without_tools helped [time] after [time]\n",
    ] {
        assert!(trace.contains(part), "no {part:?} in {trace}");
    }
    let requests = server.requests();
    assert!(requests[0].body.get("tools").is_some());
    assert!(requests[1].body.get("tools").is_none());
    let guidance = "Answer the question directly without calling any tools";
    assert_eq!(requests[1].body["messages"][0]["content"], guidance);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quoted_call_is_not_run_and_the_trace_says_so() {
    let call = "control_zwave_device(deviceName=\"Kitchen Light\", action=\"on\")";
    let server = ScriptedServer::start([openai_text(call)]).await;
    let model = spec(&server);
    let question = format!("What does this do: {call}");
    let said = Machine::new().haft(&[
        "ask", "--json", "--home", "demo", "--model", &model, &question,
    ]);
    let shown = "control_zwave_device {\"deviceName\":\"Kitchen Light\",\"action\":\"on\"}";
    let line = format!("not run {shown} (quoted from the user's text)\n");
    assert!(said.stderr.contains(&line), "{said:?}");
    let answer = said.json();
    assert_eq!(answer["answer"], shown);
    assert_eq!(answer["quoted_calls"][0]["source"], "user_message");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn bare_calls_count_where_the_flag_says_always() {
    let reply = "I would ask:\nget_current_datetime(timezone=\"Asia/Tokyo\")\nShall I?";
    let server = ScriptedServer::start([openai_text(reply)]).await;
    let model = spec(&server);
    let said = Machine::new().haft(&[
        "ask",
        "--bare-calls",
        "always",
        "--without",
        "constrained_call",
        "--model",
        &model,
        "Hello",
    ]);
    assert!(
        said.stderr.contains("call    get_current_datetime"),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_step_can_be_disabled_by_flag_and_by_file() {
    for by_file in [false, true] {
        let server = ScriptedServer::start([openai_text(""), openai_text("Paris.")]).await;
        let machine = Machine::new();
        let model = spec(&server);
        let mut ask = vec!["ask", "--json", "--model", &model, "Capital of France?"];
        if by_file {
            machine.write("haft.toml", "[recovery]\nwithout_tools = false\n");
        } else {
            ask.extend(["--without", "without_tools,round_limit"]);
        }
        let said = machine.haft(&ask);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert_eq!(said.json()["outcome"], "empty");
        assert_eq!(server.requests().len(), 1);
    }
    Machine::new()
        .haft(&["ask", "--without", "prayer", "Hi"])
        .fails(2, &["there are repeated_text, constrained_call"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outcome_names_the_step() {
    let clock = || openai_call("get_current_datetime", &json!({"timezone": "Asia/Tokyo"}));
    let replies = [clock(), clock(), clock(), openai_text("It is late.")];
    let server = ScriptedServer::start(replies).await;
    let model = spec(&server);
    let said = Machine::new().haft(&["ask", "--json", "--model", &model, "Time in Tokyo?"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let answer = said.json();
    assert_eq!(
        (&answer["outcome"], &answer["step"]),
        (&json!("recovered"), &json!("repeated_calls"))
    );
    assert_eq!(answer["recovery"][1]["recovered"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_the_context_is_left_out_with_a_warning() {
    let list = openai_call("list_devices", &json!({}));
    let server = ScriptedServer::start([list, openai_text("Many.")]).await;
    let machine = Machine::new();
    machine.write("haft.toml", "[model]\ncontext = 512\n");
    let model = spec(&server);
    let said = machine.haft(&["ask", "--home", "demo", "--model", &model, "Devices?"]);
    assert_eq!(said.answer(), "Many.");
    let warning =
        "warning left out to fit the context: the middle of a long result of list_devices";
    assert!(said.stderr.contains(warning), "{said:?}");
    let sent = server.requests()[1].body["messages"].to_string();
    assert!(sent.contains("characters left out"), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_tool_has_told_ends_with_an_exit_code_of_its_own() {
    let invented = "The front door is unlocked.";
    let none = || openai_text(r#"{"name": "none", "arguments": {}}"#);
    let server = ScriptedServer::start([openai_text(invented), none()]).await;
    let model = spec(&server);
    let ask = ["ask", "--home", "demo", "--model", &model];
    let question = ["Is the front door locked?"];
    let said = Machine::new().haft(&[&ask[..], &question[..]].concat());
    assert_eq!(said.code, Some(4), "{said:?}");
    assert_eq!(
        said.stdout,
        "No tool gave an answer, so I could not find that out.\n"
    );
    assert!(
        said.stderr.contains(&format!("dropped {invented}")),
        "{said:?}"
    );

    let server = ScriptedServer::start([openai_text(invented), none()]).await;
    let model = spec(&server);
    let ask = ["ask", "--json", "--home", "demo", "--model", &model];
    let said = Machine::new().haft(&[&ask[..], &question[..]].concat());
    assert_eq!(said.code, Some(4), "{said:?}");
    let answer = said.json();
    assert_eq!(
        (&answer["outcome"], &answer["withdrawn_text"]),
        (&json!("unverified"), &json!(invented))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_switches_nothing_and_the_result_is_the_answer() {
    let call = json!({"deviceName": "Kitchen Light", "action": "on"});
    let look = json!({"deviceName": "Kitchen Light"});
    let replies = [
        openai_call("control_zwave_device", &call),
        openai_call("verify_device", &look),
        openai_text("<tool_response>Kitchen Light</tool_response>"),
    ];
    let server = ScriptedServer::start(replies).await;
    let model = spec(&server);
    let ask = ["ask", "--json", "--home", "demo", "--model", &model];
    let question = ["Is the kitchen light on?"];
    let said = Machine::new().haft(&[&ask[..], &question[..]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let answer = said.json();
    assert_eq!(answer["step"], "ungrounded_answer");
    let text = answer["answer"].as_str().unwrap();
    assert!(text.contains("off") && !text.contains('<'), "{text}");
}
