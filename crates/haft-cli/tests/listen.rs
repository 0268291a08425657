//! `haft listen`: recordings and transcripts in, answers out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use serde_json::{Value, json};
use support::Machine;

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
fn json_tells_what_came_of_each_utterance() {
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
fn a_folder_of_recordings_goes_through_the_recogniser_and_to_speech() {
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
fn what_cannot_work_is_said_before_anything_starts() {
    let machine = Machine::new();
    machine.write("a.wav", recording(8_000));
    machine.write("empty/readme.txt", "");
    for (arguments, complaint) in [
        (&["a.wav"][..], "nobody who could write down"),
        (
            &["--transcriber", "whisper-cli \"", "a.wav"],
            "A quote is not closed",
        ),
        (
            &["--transcriber", "http://", "a.wav"],
            "no address of a recogniser",
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
fn a_recogniser_that_fails_is_told_of_and_the_exit_code_says_so() {
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
    // No server listens there, which is told once the address was understood.
    machine.write(
        "haft.toml",
        "[voice]\nsatellite = \"nowhere\"\nplay = \"aplay -q\"\ntranscriber = \"hear\"\n",
    );
    let said = machine.haft(&["listen", "--model", "builtin"]);
    assert!(said.stderr.contains("nowhere"), "{said:?}");
    // What is named goes before it.
    let said = machine.haft_with_stdin(
        &["listen", "--text", "--model", "builtin"],
        b"What time is it?\n",
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    machine.write("haft.toml", "[voice]\nplay = \"aplay 'q\"\n");
    let said = machine.haft(&["listen", "--transcriber", "hear", "x.wav"]);
    assert!(said.stderr.contains("quote is not closed"), "{said:?}");
}
