//! Speech-to-text and text-to-speech programs: their input, how they end, and that nothing is left
//! behind.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::tone;
use haft_voice::{CommandSpeech, CommandTranscriber, Program, Speech, Transcriber, VoiceErrorKind};
use tempfile::TempDir;

/// `sh -c SCRIPT`, with the file as `$1`.
fn shell(script: &str) -> Program {
    Program::new("sh", ["-c", script, "hear", "{file}"])
}

/// Waits until the process with the number in the file is gone.
async fn is_gone(file: &Path) -> bool {
    let number = fs::read_to_string(file).unwrap();
    let stat = Path::new("/proc").join(number.trim()).join("stat");
    for _ in 0..200 {
        // A zombie counts as gone: it only waits for its parent.
        match fs::read_to_string(&stat) {
            Ok(stat) if !stat.contains(") Z ") => {}
            _ => return true,
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// The path of the file that the program received, as it recorded it.
fn given(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("file")).unwrap()
}

#[tokio::test]
async fn a_transcriber_gets_a_wav_file_that_is_removed_afterwards() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().display();
    let script = format!(
        "printf %s \"$1\" > {at}/file; cp \"$1\" {at}/copy.wav; \
         echo '[00:00:00.000 --> 00:00:01.000]  Hello there.'; echo noise >&2"
    );
    let transcriber = CommandTranscriber::new(shell(&script));
    assert_eq!(
        transcriber.transcribe(&tone()).await.unwrap(),
        "Hello there."
    );
    let copy = fs::read(folder.path().join("copy.wav")).unwrap();
    assert_eq!(haft_voice::Pcm::from_wav(&copy).unwrap(), tone());
    assert!(!Path::new(&given(&folder)).exists());
}

#[tokio::test]
async fn the_file_is_the_last_argument_without_a_placeholder() {
    let program = Program::new("sh", ["-c", "test -s \"$2\" && echo \"$1\"", "hear", "-nt"]);
    let words = CommandTranscriber::new(program).transcribe(&tone()).await;
    assert_eq!(words.unwrap(), "-nt");
}

#[tokio::test]
async fn a_hanging_transcriber_is_killed_with_its_children() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().display();
    // The grandchild ignores SIGTERM, and keeps the output open.
    let script = format!(
        "printf %s \"$1\" > {at}/file; sh -c 'trap \"\" TERM; echo $$ > {at}/pid; sleep 60; true' & wait"
    );
    let transcriber =
        CommandTranscriber::new(shell(&script)).with_limit(Duration::from_millis(500));
    let started = Instant::now();
    let error = transcriber.transcribe(&tone()).await.unwrap_err();
    assert_eq!(error.kind(), VoiceErrorKind::Timeout);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(is_gone(&folder.path().join("pid")).await);
    assert!(!Path::new(&given(&folder)).exists());
}

#[tokio::test]
async fn a_cancelled_transcriber_leaves_no_process_and_no_file() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().display();
    let script = format!("printf %s \"$1\" > {at}/file; echo $$ > {at}/pid; sleep 60; true");
    let transcriber = CommandTranscriber::new(shell(&script));
    let audio = tone();
    let pid = folder.path().join("pid");
    tokio::select! {
        heard = transcriber.transcribe(&audio) => panic!("{heard:?}"),
        () = async {
            while fs::read_to_string(&pid).unwrap_or_default().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        } => {}
    }
    assert!(is_gone(&pid).await);
    assert!(!Path::new(&given(&folder)).exists());
}

#[tokio::test]
async fn a_failing_or_missing_transcriber_is_reported() {
    let failing = CommandTranscriber::new(shell("echo model not found >&2; exit 3"));
    let error = failing.transcribe(&tone()).await.unwrap_err();
    assert_eq!(error.kind(), VoiceErrorKind::Transcription);
    assert!(
        error.detail().contains("model not found"),
        "{}",
        error.detail()
    );
    let missing = Program::new("no-such-transcriber", [""; 0]);
    let error = CommandTranscriber::new(missing)
        .transcribe(&tone())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "The program no-such-transcriber was not found"
    );
    assert!(error.hint().unwrap().contains("install"));
}

#[tokio::test]
async fn endless_output_of_a_transcriber_is_bounded() {
    let program = Program::new("sh", ["-c", "yes hello || true"]);
    let words = CommandTranscriber::new(program)
        .transcribe(&tone())
        .await
        .unwrap();
    assert!((200_000..300_000).contains(&words.len()), "{}", words.len());
}

#[tokio::test]
async fn speech_gets_the_sentence_on_stdin_and_stops_when_cancelled() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().display();
    let script = format!("cat > {at}/said");
    let speech = CommandSpeech::new(Program::new("sh", ["-c", &script]));
    speech.speak("It is on.").await.unwrap();
    assert_eq!(
        fs::read_to_string(folder.path().join("said")).unwrap(),
        "It is on.\n"
    );

    let script = format!("echo $$ > {at}/pid; sleep 60; true");
    let speech = CommandSpeech::new(Program::new("sh", ["-c", &script]));
    let pid = folder.path().join("pid");
    tokio::select! {
        spoken = speech.speak("A long story.") => panic!("{spoken:?}"),
        () = async {
            while fs::read_to_string(&pid).unwrap_or_default().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        } => {}
    }
    assert!(is_gone(&pid).await);
}
