//! `[voice]` of `haft.toml`: speech-to-text, text-to-speech, and how `haft listen` answers.

use std::time::Duration;

use haft::voice::AssistantOptions;
use serde::Deserialize;
use serde_json::json;

use super::row::{Row, row};
use super::{Setting, Source, environment, values};
use crate::text::without_secrets_of_command;

/// The section as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct VoiceSection {
    pub(super) transcriber: Option<String>,
    pub(super) transcriber_model: Option<String>,
    pub(super) transcriber_key_env: Option<String>,
    pub(super) language: Option<String>,
    pub(super) speech: Option<String>,
    pub(super) play: Option<String>,
    pub(super) satellite: Option<String>,
    pub(super) wake: Option<String>,
    pub(super) local_commands: Option<bool>,
    pub(super) interrupt: Option<bool>,
    #[serde(deserialize_with = "values::time")]
    pub(super) reset_after: Option<Duration>,
    pub(super) announce: Option<bool>,
}

/// The keys of the section.
pub(super) const KEYS: &[&str] = &[
    "transcriber",
    "transcriber_model",
    "transcriber_key_env",
    "language",
    "speech",
    "play",
    "satellite",
    "wake",
    "local_commands",
    "interrupt",
    "reset_after",
    "announce",
];

/// The default model name of a speech-to-text server.
const MODEL: &str = "whisper-1";

/// The effective settings.
#[derive(Clone, Debug)]
pub(crate) struct VoiceSettings {
    /// Speech-to-text: an address or a command.
    pub(crate) transcriber: Setting<String>,
    /// The model of a speech-to-text server.
    pub(crate) transcriber_model: Setting<String>,
    /// The environment variable with its key.
    pub(crate) transcriber_key_env: Setting<String>,
    pub(crate) language: Setting<String>,
    /// Text-to-speech: a command or an address.
    pub(crate) speech: Setting<String>,
    /// The player for the audio of a Wyoming server: a command.
    pub(crate) play: Setting<String>,
    /// The address of a satellite.
    pub(crate) satellite: Setting<String>,
    pub(crate) wake: Setting<String>,
    pub(crate) local_commands: Setting<bool>,
    pub(crate) interrupt: Setting<bool>,
    pub(crate) reset_after: Setting<Duration>,
    /// Whether a Wyoming server is announced by zeroconf.
    pub(crate) announce: Setting<bool>,
}

/// The settings from flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct VoiceFlags {
    pub(crate) transcriber: Option<String>,
    pub(crate) speech: Option<String>,
    pub(crate) play: Option<String>,
    pub(crate) satellite: Option<String>,
    pub(crate) wake: Option<String>,
    pub(crate) no_local_commands: bool,
    pub(crate) interrupt: bool,
}

impl VoiceSettings {
    /// The settings from the file.
    pub(super) fn of(
        section: VoiceSection,
        from_file: impl Fn() -> Source,
        from_guarded: impl Fn() -> Source,
    ) -> Self {
        let defaults = AssistantOptions::default();
        Self {
            transcriber: Setting::unset().or(section.transcriber, from_guarded()),
            transcriber_model: Setting::unset()
                .or(section.transcriber_model, from_guarded())
                .or_default(MODEL.to_owned()),
            transcriber_key_env: Setting::unset().or(section.transcriber_key_env, from_guarded()),
            language: Setting::unset().or(section.language, from_file()),
            speech: Setting::unset().or(section.speech, from_guarded()),
            play: Setting::unset().or(section.play, from_guarded()),
            satellite: Setting::unset().or(section.satellite, from_guarded()),
            wake: Setting::unset().or(section.wake, from_file()),
            local_commands: Setting::unset()
                .or(section.local_commands, from_file())
                .or_default(defaults.local_commands),
            interrupt: Setting::unset()
                .or(section.interrupt, from_file())
                .or_default(false),
            reset_after: Setting::unset()
                .or(section.reset_after, from_file())
                .or_default(defaults.reset_after),
            announce: Setting::unset()
                .or(section.announce, from_guarded())
                .or_default(true),
        }
    }

    /// Applies flags, which override the file.
    pub(crate) fn with_flags(&self, flags: VoiceFlags) -> Self {
        let settings = self.clone();
        let given = |flag: Option<String>, name, setting: Setting<String>| {
            let flag = Setting::unset().or(flag, Source::Flag(name));
            flag.or(setting.value, setting.source)
        };
        let switched = |on: bool, to: bool, name, setting: Setting<bool>| match on {
            true => Setting::unset().or(Some(to), Source::Flag(name)),
            false => setting,
        };
        Self {
            transcriber: given(flags.transcriber, "--transcriber", settings.transcriber),
            speech: given(flags.speech, "--speech", settings.speech),
            play: given(flags.play, "--play", settings.play),
            satellite: given(flags.satellite, "--satellite", settings.satellite),
            wake: given(flags.wake, "--wake", settings.wake),
            local_commands: switched(
                flags.no_local_commands,
                false,
                "--no-local-commands",
                settings.local_commands,
            ),
            interrupt: switched(flags.interrupt, true, "--interrupt", settings.interrupt),
            ..settings
        }
    }

    /// The key of the speech-to-text server, from the configured environment variable.
    pub(crate) fn transcriber_key(&self) -> Option<String> {
        environment(self.transcriber_key_env.value.as_deref()?)
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let text = |text: &String| json!(text);
        let command = |command: &String| json!(without_secrets_of_command(command));
        vec![
            row("voice.transcriber", &self.transcriber, command),
            row("voice.transcriber_model", &self.transcriber_model, text),
            row("voice.transcriber_key_env", &self.transcriber_key_env, text),
            row("voice.language", &self.language, text),
            row("voice.speech", &self.speech, command),
            row("voice.play", &self.play, command),
            row("voice.satellite", &self.satellite, text),
            row("voice.wake", &self.wake, text),
            row("voice.local_commands", &self.local_commands, |on| json!(on)),
            row("voice.interrupt", &self.interrupt, |on| json!(on)),
            row("voice.reset_after", &self.reset_after, |time| {
                json!(time.as_secs_f64())
            }),
            row("voice.announce", &self.announce, |on| json!(on)),
        ]
    }
}
