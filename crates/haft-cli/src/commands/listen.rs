//! `haft listen`: answers spoken questions on stdout, with a trace on stderr.
//!
//! `source` reads utterances, `parts` opens speech-to-text and text-to-speech, `record` is the
//! result of one utterance.

mod parts;
mod record;
mod satellite;
mod source;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use futures_util::StreamExt;
use haft::voice::wyoming::Playback;
use haft::voice::{Assistant, BackgroundTranscriber, Program, UtteranceId, VoiceEvents};

use self::record::Record;
use self::satellite::Observers;
use self::source::{Said, Source};
use crate::agent::{OpenedAgent, Purpose, WantedAgent};
use crate::approval::approver;
use crate::args::{ListenArgs, Verbosity};
use crate::attempts::Recording;
use crate::commands::assistant;
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::{print_json, print_text};
use crate::settings::{Settings, VoiceFlags, VoiceSettings};
use crate::text::without_secrets_of_command;
use crate::trace::Trace;
use crate::trust::Trust;

pub(crate) async fn run(
    arguments: ListenArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let settings =
        Settings::load(&arguments.model, arguments.tools.mcp.mcp.as_deref(), trust).await?;
    let voice = settings.voice.with_flags(flags(&arguments));
    let transcriber = parts::transcriber(&voice)?;
    let background = parts::background_options(&voice)?;
    if transcriber.is_none() && !arguments.text {
        return Err(no_speech_to_text());
    }
    let mut options = assistant::options(&settings);
    let recording = Recording::begin(&settings, &mut options, None)?;
    let mut observers = Observers::default();
    let player = voice.play.value.as_deref().map(str::parse::<Program>);
    let mut playback = player.transpose()?.map(Playback::Command);
    // Files and lines on the command line take precedence over a configured satellite.
    let is_named = arguments.text || !arguments.paths.is_empty();
    let source = match voice.satellite.value.as_deref() {
        _ if is_named => Source::open(&arguments)?,
        None => return Err(nothing_to_hear()),
        Some(address) => {
            let (heard, way) = satellite::listen(address.parse()?);
            playback = Some(Playback::Satellite(way.clone()));
            observers.satellite = Some(way);
            Source::Satellite(heard)
        }
    };
    let speech = parts::speech(&voice, playback)?;
    let mut interrupts = Interrupts::listen()?;
    let mut trace = Trace::new(verbosity);
    observers.mqtt = assistant::mqtt(&arguments.mqtt, &settings, &trace)?;

    trace.wait("looking for a model");
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools),
        approve: approver(settings.approval(arguments.approve), &trace),
        record: None,
        options,
    };
    let opening = wanted.open(Purpose::Session, &trace);
    let OpenedAgent { agent, servers } = interrupts.unless(opening).await??;
    show_parts(&voice, is_named, &trace);
    let assistant = Assistant::new(agent, assistant::spoken_options(&voice))?;
    let (hearing, events) =
        BackgroundTranscriber::start(assistant, transcriber, speech, background);
    let canceller = hearing.canceller();
    let watch = Watch::new(arguments.json, &mut trace, &observers);
    let working = async { tokio::try_join!(watch.hear(source, hearing), watch.see(events)) };
    let worked = interrupts.unless(working).await;
    let exit = watch.exit();
    trace.clear();
    let ending = async {
        // Answers run in tasks of their own, so MCP servers are only notified of cancelled calls.
        if !matches!(worked, Ok(Ok(_))) {
            canceller.cancel().await;
        }
        tokio::join!(
            recording.finish(&trace),
            servers.shutdown(),
            observers.finish()
        )
    };
    let stopped = interrupts.unless(ending).await;
    worked??;
    stopped?;
    Ok(exit)
}

fn flags(arguments: &ListenArgs) -> VoiceFlags {
    let satellite = arguments.satellite.as_ref().map(ToString::to_string);
    let arguments = &arguments.voice;
    VoiceFlags {
        transcriber: arguments.transcriber.clone(),
        speech: arguments.speech.clone(),
        play: arguments.play.clone(),
        satellite,
        wake: arguments.wake.clone(),
        no_local_commands: arguments.no_local_commands,
        interrupt: arguments.interrupt,
    }
}

fn no_speech_to_text() -> Failure {
    Failure::usage("No speech-to-text is configured").with_hint(
        "name a speech-to-text program, such as --transcriber \"whisper-cli -nt -m model.bin\" or \
         --transcriber tcp://127.0.0.1:10300 (Wyoming), or give transcripts with --text",
    )
}

fn nothing_to_hear() -> Failure {
    Failure::usage("There is nothing to listen to").with_hint(
        "name WAV files or a folder, a satellite (--satellite HOST:PORT, or satellite in [voice] \
         of haft.toml), or give transcripts with --text",
    )
}

/// Shows the speech-to-text and text-to-speech in use.
fn show_parts(voice: &VoiceSettings, is_named: bool, trace: &Trace) {
    for (label, setting) in [
        ("listens", &voice.satellite),
        ("hears", &voice.transcriber),
        ("speaks", &voice.speech),
        ("wake", &voice.wake),
    ] {
        if is_named && label == "listens" {
            continue;
        }
        if let Some(what) = &setting.value {
            let what = without_secrets_of_command(what);
            trace.note(label, &format!("{what} ({})", setting.source));
        }
    }
}

/// The state of a running command. A single task listens and prints, so nothing is borrowed across
/// an await.
struct Watch<'a> {
    json: bool,
    observers: &'a Observers,
    trace: RefCell<&'a mut Trace>,
    /// The results that are not printed yet, in order.
    results: RefCell<VecDeque<UtteranceResult>>,
    heard: Cell<u64>,
    answered: Cell<u64>,
    failed: Cell<u64>,
}

struct UtteranceResult {
    /// The utterance while it is not finished.
    open: Option<UtteranceId>,
    record: Record,
}

impl<'a> Watch<'a> {
    fn new(json: bool, trace: &'a mut Trace, observers: &'a Observers) -> Self {
        Self {
            json,
            observers,
            trace: RefCell::new(trace),
            results: RefCell::default(),
            heard: Cell::default(),
            answered: Cell::default(),
            failed: Cell::default(),
        }
    }

    /// Hands all utterances to the transcriber. An unreadable one does not affect the others.
    async fn hear(
        &self,
        mut source: Source,
        hearing: BackgroundTranscriber,
    ) -> Result<(), Failure> {
        while let Some(Said { file, utterance }) = source.next().await {
            match utterance {
                Ok(utterance) => {
                    let open = Some(hearing.hear_when_free(utterance).await?);
                    let record = Record::new(self.count(), file);
                    let mut results = self.results.borrow_mut();
                    results.push_back(UtteranceResult { open, record });
                }
                Err(failure) => {
                    self.trace.borrow().warning(&failure.message);
                    if let Some(hint) = &failure.hint {
                        self.trace.borrow().hint(hint);
                    }
                    let record = Record::of_failure(self.count(), file, &failure);
                    let result = UtteranceResult { open: None, record };
                    self.results.borrow_mut().push_back(result);
                    self.print()?;
                }
            }
        }
        Ok(())
    }

    /// Shows events until all utterances are finished.
    async fn see(&self, mut events: VoiceEvents) -> Result<(), Failure> {
        while let Some((id, event)) = events.next().await {
            self.trace.borrow_mut().voice(id, &event);
            self.observers.event(&event);
            let mut results = self.results.borrow_mut();
            let result = results.iter_mut().find(|result| result.open == Some(id));
            if let Some(result) = result
                && result.record.add(&event)
            {
                result.open = None;
                drop(results);
                self.print()?;
            }
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.heard.update(|heard| heard + 1);
        self.heard.get()
    }

    /// Prints finished results in the order of the utterances.
    fn print(&self) -> Result<(), Failure> {
        let mut results = self.results.borrow_mut();
        while let Some(result) = results.pop_front_if(|result| result.open.is_none()) {
            let record = result.record;
            if record.is_answered() {
                self.answered.update(|answered| answered + 1);
            }
            if record.is_failed() {
                self.failed.update(|failed| failed + 1);
            }
            self.trace.borrow().clear();
            match record.said() {
                _ if self.json => print_json(&record)?,
                Some(said) => print_text(said)?,
                None => {}
            }
        }
        Ok(())
    }

    /// An error if every utterance failed.
    fn exit(&self) -> Exit {
        match (self.answered.get(), self.failed.get()) {
            (0, 1..) => Exit::Failure,
            _ => Exit::Success,
        }
    }
}
