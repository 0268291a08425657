//! Tests with a scripted satellite; one that uses the `wyoming` package is in
//! `tests/outside/voice`.

use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;
use crate::wyoming::audio;
use crate::wyoming::playback::Playback;
use crate::wyoming::protocol::halves;
use crate::{DropReason, VoiceEvent};

/// A satellite and the utterances that haft received from it.
struct Scene {
    reader: EventReader,
    writer: EventWriter,
    voice: SatelliteVoice,
    heard: mpsc::UnboundedReceiver<Pcm>,
}

impl Scene {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (satellite, voice) = Satellite::new(address.parse().unwrap());
        let (sender, heard) = mpsc::unbounded_channel();
        tokio::spawn(satellite.run(move |audio| {
            sender.send(audio).unwrap();
            Ok(())
        }));
        let (reader, writer) = halves(listener.accept().await.unwrap().0);
        let mut scene = Self {
            reader,
            writer,
            voice,
            heard,
        };
        assert_eq!(scene.next().await.kind, "run-satellite");
        scene
    }

    async fn next(&mut self) -> Event {
        let next = timeout(Duration::from_secs(5), self.reader.next()).await;
        next.expect("an event comes").unwrap().unwrap()
    }

    async fn kinds(&mut self, expected: &[&str]) {
        for kind in expected {
            assert_eq!(self.next().await.kind, *kind);
        }
    }

    async fn run_pipeline(&mut self, stage: &str, restarts: bool) {
        let run = Event::new("run-pipeline")
            .with("start_stage", stage)
            .with("end_stage", "tts")
            .with("restart_on_end", restarts);
        self.writer.send(&run).await.unwrap();
    }

    /// Sends silence, speech and silence, without the event that reports the end.
    async fn speak(&mut self, speech: usize) {
        let loud = |at: usize| if at % 80 < 40 { 5_000 } else { -5_000 };
        let mut samples = vec![3; 8_000];
        samples.extend((0..speech * 16).map(loud));
        samples.extend([3; 16_000]);
        for event in audio::events(&Pcm::new(samples)) {
            if event.kind == "audio-chunk" {
                self.writer.send(&event).await.unwrap();
            }
        }
    }
}

fn transcription() -> VoiceEvent {
    VoiceEvent::Transcription {
        text: "turn on the light".to_owned(),
        took: Duration::ZERO,
    }
}

#[tokio::test]
async fn an_utterance_is_cut_out_and_answered_aloud() {
    let mut scene = Scene::new().await;
    // Before it starts an utterance, its audio is ignored.
    scene.speak(500).await;
    scene.run_pipeline("asr", false).await;
    scene.speak(500).await;
    scene
        .kinds(&["transcribe", "voice-started", "voice-stopped"])
        .await;
    let heard = scene.heard.recv().await.unwrap();
    assert!(
        heard.duration() > Duration::from_millis(1_100),
        "{:?}",
        heard.duration()
    );
    assert!(scene.heard.try_recv().is_err());

    scene.voice.tell(&transcription());
    assert_eq!(scene.next().await.text(), Some("turn on the light"));
    let playback = Playback::Satellite(scene.voice.clone());
    let format = Format {
        rate: 16_000,
        width: 2,
        channels: 1,
    };
    let speaking = tokio::spawn(async move {
        let mut playing = playback.start(format).await?;
        playing.more(vec![1; 3_200]).await?;
        playing.end().await
    });
    scene
        .kinds(&["audio-start", "audio-chunk", "audio-stop"])
        .await;
    scene.writer.send(&Event::new("played")).await.unwrap();
    speaking.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_satellite_may_report_the_end_of_speech() {
    let mut scene = Scene::new().await;
    scene.run_pipeline("asr", false).await;
    let mut loud: Vec<Event> = audio::events(&Pcm::new(
        (0..8_000)
            .map(|at| if at % 80 < 40 { 5_000 } else { -5_000 })
            .collect(),
    ))
    .collect();
    loud.push(Event::new("ping").with("text", "there?"));
    for event in loud {
        scene.writer.send(&event).await.unwrap();
    }
    scene
        .kinds(&["transcribe", "voice-started", "voice-stopped"])
        .await;
    assert_eq!(
        scene.next().await,
        Event::new("pong").with("text", "there?")
    );
    assert!(scene.heard.recv().await.is_some());
}

#[tokio::test]
async fn a_silent_satellite_is_sent_to_sleep() {
    let mut scene = Scene::new().await;
    scene.run_pipeline("asr", false).await;
    for _ in 0..11 {
        // Each is a second and a half without speech.
        scene.speak(0).await;
    }
    scene.kinds(&["transcribe", "error"]).await;
    assert!(scene.heard.try_recv().is_err());
}

#[tokio::test]
async fn a_satellite_may_start_another_utterance_after_the_answer() {
    let mut scene = Scene::new().await;
    scene.run_pipeline("wake", true).await;
    for event in [
        VoiceEvent::Cancelled,
        VoiceEvent::Dropped(DropReason::NoWords),
    ] {
        scene.speak(500).await;
        scene
            .kinds(&["transcribe", "voice-started", "voice-stopped"])
            .await;
        assert!(scene.heard.recv().await.is_some());
        let is_dropped = matches!(event, VoiceEvent::Dropped(_));
        scene.voice.tell(&event);
        if is_dropped {
            assert_eq!(scene.next().await.kind, "error");
        }
    }
    assert_eq!(scene.next().await.kind, "transcribe");
}

#[tokio::test]
async fn cancelled_audio_ends_with_an_audio_stop() {
    let mut scene = Scene::new().await;
    let format = Format {
        rate: 22_050,
        width: 2,
        channels: 1,
    };
    let mut spoken = scene.voice.start(format).await.unwrap();
    spoken.more(vec![0; 64]).await.unwrap();
    drop(spoken);
    scene
        .kinds(&["audio-start", "audio-chunk", "audio-stop"])
        .await;
}

#[tokio::test]
async fn without_a_connection_nothing_is_played() {
    let (_satellite, voice) = Satellite::new("127.0.0.1:1".parse().unwrap());
    let format = Format {
        rate: 22_050,
        width: 2,
        channels: 1,
    };
    let failure = voice.start(format).await.unwrap_err();
    assert_eq!(failure.to_string(), "The satellite is not connected");
}
