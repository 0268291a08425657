//! `[mqtt]` of `haft.toml`: the broker to which transcripts and answers are published.

use haft::types::mask_url;
use serde::Deserialize;
use serde_json::json;

use super::row::{Row, row};
use super::{Setting, Source};

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["broker", "transcription_topic", "answer_topic"];

/// The section as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MqttSection {
    broker: Option<String>,
    transcription_topic: Option<String>,
    answer_topic: Option<String>,
}

/// The effective settings of the broker, without the flag.
#[derive(Clone, Debug)]
pub(crate) struct MqttSettings {
    pub(crate) broker: Setting<String>,
    pub(crate) transcription: Setting<String>,
    pub(crate) answer: Setting<String>,
    pub(crate) password: Setting<String>,
}

impl MqttSettings {
    pub(super) fn of(section: MqttSection, from_file: impl Fn() -> Source) -> Self {
        let set = |value| Setting::unset().or(value, from_file());
        Self {
            broker: set(section.broker),
            transcription: set(section.transcription_topic),
            answer: set(section.answer_topic),
            password: Setting::unset().or_environment("HAFT_MQTT_PASSWORD"),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        vec![
            row("mqtt.broker", &self.broker, |broker| {
                json!(mask_url(broker))
            }),
            row("mqtt.transcription_topic", &self.transcription, |topic| {
                json!(topic)
            }),
            row("mqtt.answer_topic", &self.answer, |topic| json!(topic)),
            row("HAFT_MQTT_PASSWORD", &self.password, |_| json!("set")),
        ]
    }
}
