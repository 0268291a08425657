//! Opens speech-to-text and text-to-speech from the settings.

use std::sync::Arc;

use haft::voice::wyoming::{Playback, WyomingSpeech, WyomingTranscriber};
use haft::voice::{
    BackgroundOptions, CommandSpeech, CommandTranscriber, HttpTranscriber, Speech, Transcriber,
    VoiceError, WakePhrase,
};

use crate::failure::Failure;
use crate::settings::VoiceSettings;

/// The prefix of a Wyoming server's address.
const WYOMING: &str = "tcp://";

/// The configured speech-to-text.
pub(super) fn transcriber(
    settings: &VoiceSettings,
) -> Result<Option<Arc<dyn Transcriber>>, Failure> {
    let Some(what) = &settings.transcriber.value else {
        return Ok(None);
    };
    let made = match what {
        address if address.starts_with(WYOMING) => {
            let mut transcriber = WyomingTranscriber::new(address.parse()?);
            if let Some(language) = &settings.language.value {
                transcriber = transcriber.with_language(language);
            }
            Arc::new(transcriber) as Arc<dyn Transcriber>
        }
        url if url.starts_with("http://") || url.starts_with("https://") => {
            Arc::new(behind_http(url, settings)?)
        }
        command => Arc::new(CommandTranscriber::new(command.parse()?)),
    };
    Ok(Some(made))
}

fn behind_http(url: &str, settings: &VoiceSettings) -> Result<HttpTranscriber, VoiceError> {
    let model = settings.transcriber_model.value.as_deref();
    let mut transcriber = HttpTranscriber::new(url, model.unwrap_or_default())?;
    if let Some(key) = settings.transcriber_key() {
        transcriber = transcriber.with_key(&key)?;
    }
    if let Some(language) = &settings.language.value {
        transcriber = transcriber.with_language(language);
    }
    Ok(transcriber)
}

/// The configured text-to-speech. The audio of a Wyoming server goes to `playback`.
pub(super) fn speech(
    settings: &VoiceSettings,
    playback: Option<Playback>,
) -> Result<Option<Arc<dyn Speech>>, Failure> {
    let Some(command) = &settings.speech.value else {
        return Ok(None);
    };
    if command.starts_with(WYOMING) {
        let playback = playback.ok_or_else(|| {
            Failure::usage("No player is configured for the speech")
                .with_hint("name a player with --play, such as --play \"aplay -q\"")
        })?;
        return Ok(Some(Arc::new(WyomingSpeech::new(
            command.parse()?,
            playback,
        ))));
    }
    Ok(Some(Arc::new(CommandSpeech::new(command.parse()?))))
}

pub(super) fn background_options(settings: &VoiceSettings) -> Result<BackgroundOptions, Failure> {
    let mut options = BackgroundOptions::default();
    options.interrupt = settings.interrupt.value == Some(true);
    if let Some(phrase) = &settings.wake.value {
        let wake = WakePhrase::new(phrase).ok_or_else(|| {
            Failure::usage(format!("The wake phrase {phrase:?} has no words"))
                .with_hint("write it as it is said, such as --wake \"hey haft\"")
        })?;
        options.wake = Some(wake);
    }
    Ok(options)
}
