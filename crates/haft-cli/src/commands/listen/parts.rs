//! Who hears and who speaks, as the settings say.

use std::sync::Arc;

use haft::voice::{
    AssistantOptions, BackgroundOptions, CommandSpeech, CommandTranscriber, HttpTranscriber,
    Speech, Transcriber, VoiceError, WakePhrase,
};

use crate::failure::Failure;
use crate::settings::VoiceSettings;

/// Who writes down what is said, if anybody.
pub(super) fn transcriber(
    settings: &VoiceSettings,
) -> Result<Option<Arc<dyn Transcriber>>, Failure> {
    let Some(what) = &settings.transcriber.value else {
        return Ok(None);
    };
    let made = match what {
        url if url.starts_with("http://") || url.starts_with("https://") => {
            Arc::new(behind_http(url, settings)?) as Arc<dyn Transcriber>
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

/// Who speaks the answers, if anybody.
pub(super) fn speech(settings: &VoiceSettings) -> Result<Option<Arc<dyn Speech>>, Failure> {
    let Some(command) = &settings.speech.value else {
        return Ok(None);
    };
    Ok(Some(Arc::new(CommandSpeech::new(command.parse()?))))
}

pub(super) fn assistant_options(settings: &VoiceSettings) -> AssistantOptions {
    let mut options = AssistantOptions::default();
    options.local_commands = settings.local_commands.value != Some(false);
    if let Some(time) = settings.reset_after.value {
        options.reset_after = time;
    }
    options
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
