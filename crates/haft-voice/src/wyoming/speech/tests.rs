//! Tests with a scripted server; one that uses the `wyoming` package is in `tests/outside/voice`.

use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;

use super::*;
use crate::wyoming::audio;
use crate::wyoming::protocol::halves;
use crate::{Pcm, Program};

/// The requests that the server received, by type and text.
type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// A server that answers each sentence with `reply`, with or without support for streaming.
async fn voice(streams: bool, reply: Vec<Event>) -> (WyomingAddress, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let asked = Asked::default();
    let heard = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (mut reader, mut writer) = halves(stream);
            while let Ok(Some(event)) = reader.next().await {
                let text = event.text().unwrap_or_default().to_owned();
                heard.lock().unwrap().push((event.kind.clone(), text));
                let last = if streams {
                    "synthesize-stop"
                } else {
                    "synthesize"
                };
                let replies = match event.kind.as_str() {
                    "describe" => {
                        let voice =
                            json!([{ "name": "v", "supports_synthesize_streaming": streams }]);
                        vec![Event::new("info").with("tts", voice)]
                    }
                    kind if kind == last => reply.clone(),
                    _ => Vec::new(),
                };
                for reply in replies {
                    let _ = writer.send(&reply).await;
                }
            }
        }
    });
    (address.parse().unwrap(), asked)
}

fn sound() -> Pcm {
    Pcm::new((0..4_000).collect())
}

fn player(folder: &tempfile::TempDir) -> Playback {
    let file = folder.path().join("heard.wav");
    let script = format!("cat > {}", file.display());
    Playback::Command(Program::new("sh", ["-c", script.as_str()]))
}

fn kinds(asked: &Asked) -> Vec<String> {
    asked
        .lock()
        .unwrap()
        .iter()
        .map(|(kind, _)| kind.clone())
        .collect()
}

#[tokio::test]
async fn a_sentence_is_played_as_a_wav_file() {
    let (address, asked) = voice(false, audio::events(&sound()).collect()).await;
    let folder = tempfile::tempdir().unwrap();
    let speech = WyomingSpeech::new(address, player(&folder)).with_voice("amy");
    for _ in 0..2 {
        speech.speak("Good morning.").await.unwrap();
    }
    let heard = std::fs::read(folder.path().join("heard.wav")).unwrap();
    assert_eq!(&heard[44..], sound().to_bytes());
    assert_eq!(&heard[..12], b"RIFF\xff\xff\xff\xffWAVE");
    // Its abilities are requested once.
    assert_eq!(kinds(&asked), ["describe", "synthesize", "synthesize"]);
    assert_eq!(asked.lock().unwrap()[1].1, "Good morning.");
}

#[tokio::test]
async fn a_streaming_server_receives_streamed_requests() {
    let mut reply: Vec<Event> = audio::events(&sound()).collect();
    reply.extend(audio::events(&sound()));
    reply.push(Event::new("synthesize-stopped"));
    let (address, asked) = voice(true, reply).await;
    let folder = tempfile::tempdir().unwrap();
    let speech = WyomingSpeech::new(address, player(&folder));
    speech.speak("Good morning.").await.unwrap();
    let heard = std::fs::read(folder.path().join("heard.wav")).unwrap();
    assert_eq!(heard.len(), 44 + 2 * sound().to_bytes().len());
    let expected = [
        "describe",
        "synthesize-start",
        "synthesize-chunk",
        "synthesize",
        "synthesize-stop",
    ];
    assert_eq!(kinds(&asked), expected);
}

#[tokio::test]
async fn failures_of_server_and_player_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let no_player = Playback::Command(Program::new("no-such-player-anywhere", [""]));
    let failing = Playback::Command(Program::new("false", [""]));
    let sound: Vec<Event> = audio::events(&sound()).collect();
    for (playback, reply, says) in [
        (
            player(&folder),
            vec![Event::new("error").with("text", "no voice")],
            "reports an error",
        ),
        (
            player(&folder),
            vec![Event::new("audio-stop")],
            "made no sound",
        ),
        (
            player(&folder),
            vec![Event::new("audio-start")],
            "does not say what its sound is",
        ),
        (
            no_player,
            sound.clone(),
            "The program no-such-player-anywhere was not found",
        ),
        (failing, sound, "The player `false ` failed"),
    ] {
        let (address, _) = voice(false, reply).await;
        let failure = WyomingSpeech::new(address, playback).speak("Hello.").await;
        let failure = failure.unwrap_err();
        assert!(failure.to_string().contains(says), "{failure}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_player_ends_when_the_speech_is_cancelled() {
    // Endless audio.
    let reply: Vec<Event> = audio::events(&sound()).take(3).collect();
    let (address, _) = voice(false, reply).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > {}; exec cat > /dev/null", file.display());
    let playback = Playback::Command(Program::new("sh", ["-c", script.as_str()]));
    let speech = WyomingSpeech::new(address, playback);
    let speaking = timeout(Duration::from_millis(700), speech.speak("Hello.")).await;
    assert!(speaking.is_err(), "it is still speaking");
    let pid = std::fs::read_to_string(&file).unwrap();
    let there = || {
        std::path::Path::new("/proc")
            .join(pid.trim())
            .join("exe")
            .exists()
    };
    for _ in 0..50 {
        if !there() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the player goes on");
}
