//! `haft listen`: recordings and transcripts as input, answers as output.

use crate::support::{Machine, openai_call, stub_mcp};
use haft_testing::ScriptedServer;
use serde_json::{Value, json};

/// Half a second of a tone, as a WAV file: 16 kHz, mono, 16 bits.
fn recording(loudness: i16) -> Vec<u8> {
    let samples = (0..8_000).map(|index| if index % 40 < 20 { loudness } else { -loudness });
    let data: Vec<u8> = samples.flat_map(i16::to_le_bytes).collect();
    let length = u32::try_from(data.len()).unwrap();
    let mut file = b"RIFF".to_vec();
    file.extend((length + 36).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data");
    file.extend(length.to_le_bytes());
    file.extend(data);
    file
}

fn lines(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn transcripts_are_answered_line_by_line() {
    let machine = Machine::new();
    let said = machine.haft_with_stdin(
        &["listen", "--text", "--home", "demo", "--model", "builtin"],
        b"Turn on the kitchen light\n\nIs the kitchen light on?\n",
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    let answers: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(answers.len(), 2, "{said:?}");
    assert!(answers[1].contains("on"), "{said:?}");
    assert!(
        said.stderr.contains("heard   Turn on the kitchen light"),
        "{said:?}"
    );
    assert!(
        said.stderr.contains("carried out here: a plain command"),
        "{said:?}"
    );
    assert!(said.stderr.contains("control_zwave_device"), "{said:?}");
}

#[test]
fn issue_3_a_line_over_the_limit_is_refused_and_not_run_in_part() {
    let long = format!("{} turn on the kitchen light", "never ever ".repeat(2_000));
    let input = format!("{long}\nIs the kitchen light on?\n");
    let asked = [
        "listen", "--text", "--json", "--home", "demo", "--model", "builtin",
    ];
    let said = Machine::new().haft_with_stdin(&asked, input.as_bytes());
    let records = lines(&said.stdout);
    assert_eq!(records.len(), 2, "{said:?}");
    let error = records[0]["error"].as_str().unwrap();
    assert!(
        error.starts_with("Line 1 on stdin has more than 10000 bytes"),
        "{error}"
    );
    assert_eq!(records[0]["calls"], Value::Null);
    assert_eq!(records[1]["text"], "Is the kitchen light on?");
    assert_eq!(said.code, Some(0));
}

#[test]
fn json_has_the_result_of_each_utterance() {
    let said = Machine::new().haft_with_stdin(
        &[
            "listen", "--text", "--json", "--home", "demo", "--model", "builtin", "--wake",
            "hey haft",
        ],
        b"Hey haft, turn on the kitchen light.\nNice weather today.\nHey haft, who wrote Faust?\n",
    );
    let records = lines(&said.stdout);
    assert_eq!(records.len(), 3, "{said:?}");
    assert_eq!(records[0]["text"], "turn on the kitchen light.");
    assert_eq!(records[0]["by"], "local");
    assert_eq!(records[0]["intent"], "device");
    assert_eq!(records[0]["calls"][0]["name"], "control_zwave_device");
    assert_eq!(records[0]["calls"][0]["is_error"], false);
    let dropped = json!({"id": 2, "dropped": "it does not begin with the wake phrase"});
    assert_eq!(records[1], dropped);
    assert_eq!(records[2]["by"], "model");
}

#[test]
fn local_commands_are_switched_off_by_flag_and_file() {
    let machine = Machine::new();
    let by = |machine: &Machine, more: &[&str]| {
        let arguments = [
            "listen", "--text", "--json", "--home", "demo", "--model", "builtin",
        ];
        let said = machine.haft_with_stdin(
            &[&arguments[..], more].concat(),
            b"Turn on the kitchen light",
        );
        lines(&said.stdout)[0]["by"].clone()
    };
    assert_eq!(by(&machine, &[]), "local");
    assert_eq!(by(&machine, &["--no-local-commands"]), "model");
    machine.write("haft.toml", "[voice]\nlocal_commands = false\n");
    assert_eq!(by(&machine, &[]), "model");
}

#[cfg(unix)]
#[test]
fn a_folder_of_recordings_is_transcribed_answered_and_spoken() {
    let machine = Machine::new();
    machine.write("said/1.wav", recording(8_000));
    machine.write("said/2.WAV", recording(0));
    machine.write("said/3.wav", "no sound");
    machine.write("said/notes.txt", "turn everything off");
    let script = "test -s $1 && echo '[00:00 --> 00:01] What time is it in Tokyo?'";
    let said = machine.haft(&[
        "listen",
        "--json",
        "--model",
        "builtin",
        "--transcriber",
        &format!("sh -c \"{script}\" hear {{file}}"),
        "--speech",
        "sh -c \"cat >> spoken.txt\"",
        "said",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let records = lines(&said.stdout);
    let answer = records[0]["answer"].as_str().unwrap();
    assert!(answer.contains("in Tokyo"), "{said:?}");
    assert_eq!(records[0]["file"], "said/1.wav");
    assert_eq!(records[1]["dropped"], "silence");
    let error = records[2]["error"].as_str().unwrap();
    assert_eq!(error, "said/3.wav: This is no WAV file");
    let spoken = std::fs::read_to_string(machine.path("spoken.txt")).unwrap();
    assert_eq!(spoken.trim(), answer);
}

#[test]
fn settings_that_cannot_work_are_reported_before_anything_starts() {
    let machine = Machine::new();
    machine.write("a.wav", recording(8_000));
    machine.write("empty/readme.txt", "");
    for (arguments, complaint) in [
        (&["a.wav"][..], "No speech-to-text is configured"),
        (
            &["--transcriber", "whisper-cli \"", "a.wav"],
            "A quote is not closed",
        ),
        (
            &["--transcriber", "http://", "a.wav"],
            "is not the address of a speech-to-text server",
        ),
        (
            &["--transcriber", "true", "b.wav"],
            "There is no file b.wav",
        ),
        (
            &["--transcriber", "true", "empty"],
            "no WAV files in the folder empty",
        ),
        (&["--text", "--wake", "..."], "has no words"),
    ] {
        let said = machine.haft(&[&["listen", "--model", "builtin"], arguments].concat());
        assert_ne!(said.code, Some(0), "{said:?}");
        assert!(said.stderr.contains(complaint), "{said:?}");
        assert!(said.stderr.contains("hint:"), "{said:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_failing_transcriber_is_reported_with_an_exit_code() {
    let machine = Machine::new();
    machine.write("a.wav", recording(8_000));
    let said = machine.haft(&[
        "listen",
        "--model",
        "builtin",
        "--transcriber",
        "false",
        "a.wav",
    ]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("The program false failed"), "{said:?}");
    assert_eq!(
        said.stdout.trim(),
        "Sorry, I could not understand that. Please say it again."
    );
}

#[test]
fn a_satellite_and_a_player_can_be_set_in_the_file() {
    let machine = Machine::new();
    let said = machine.haft(&["listen", "--transcriber", "hear"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("nothing to listen to"), "{said:?}");
    // No server listens there, which is reported after the address was parsed.
    machine.write(
        "haft.toml",
        "[voice]\nsatellite = \"nowhere\"\nplay = \"aplay -q\"\ntranscriber = \"hear\"\n",
    );
    let said = machine.haft(&["listen", "--trust", "--model", "builtin"]);
    assert!(said.stderr.contains("nowhere"), "{said:?}");
    // The flag overrides the file.
    let said = machine.haft_with_stdin(
        &["listen", "--trust", "--text", "--model", "builtin"],
        b"What time is it?\n",
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    machine.write("haft.toml", "[voice]\nplay = \"aplay 'q\"\n");
    let said = machine.haft(&["listen", "--trust", "--transcriber", "hear", "x.wav"]);
    assert!(said.stderr.contains("quote is not closed"), "{said:?}");
}

/// Answers run in tasks of their own; a shutdown signal cancels their calls all the same.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_signal_cancels_the_running_call_at_its_server() {
    use std::io::Write as _;

    let server = ScriptedServer::start([openai_call("nap", &json!({}))]).await;
    let machine = Machine::new();
    let script = std::fs::read_to_string(stub_mcp(&machine).with_file_name("stub.sh")).unwrap();
    let noting = "while read -r line; do printf '%s\\n' \"$line\" >> heard";
    machine.write("stub.sh", script.replace("while read -r line; do", noting));
    let model = format!("openai:small@{}/v1", server.url());
    let listen = [
        "listen",
        "--text",
        "--mcp",
        "servers.json",
        "--model",
        &model,
    ];
    let mut child = machine
        .command(&listen)
        .args(["--approve", "never"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "Sleep").unwrap();
    let started = std::time::Instant::now();
    while !machine.path("napping").exists() {
        assert!(started.elapsed().as_secs() < 60, "never slept");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-s", "TERM", &id])
        .status();
    assert!(sent.unwrap().success());
    let said = crate::support::said(child.wait_with_output().unwrap());
    said.fails(
        143,
        &["nap was under way; whether it took effect is not known"],
    );
    let heard = std::fs::read_to_string(machine.path("heard")).unwrap();
    assert!(heard.contains("notifications/cancelled"), "{heard}");
    drop(input);
}
