//! Shared by commands that answer speech: the agent's options and the MQTT broker.

use std::sync::Arc;

use haft::AgentOptions;
use haft::voice::mqtt::{Mqtt, MqttOptions};
use haft::voice::{AssistantOptions, SPOKEN_GUIDANCE};

use crate::args::MqttArgs;
use crate::failure::Failure;
use crate::settings::{Settings, VoiceSettings};
use crate::trace::Trace;

/// The options of an agent whose answers are spoken.
pub(crate) fn options(settings: &Settings) -> AgentOptions {
    let mut options = settings.agent_options();
    options
        .system
        .get_or_insert_with(|| SPOKEN_GUIDANCE.to_owned());
    options.web_search = settings.web_search.search();
    options
}

pub(crate) fn spoken_options(settings: &VoiceSettings) -> AssistantOptions {
    let mut options = AssistantOptions::default();
    options.local_commands = settings.local_commands.value != Some(false);
    if let Some(time) = settings.reset_after.value {
        options.reset_after = time;
    }
    options
}

/// Connects to the MQTT broker, if one is configured.
pub(crate) fn mqtt(
    arguments: &MqttArgs,
    settings: &Settings,
    trace: &Trace,
) -> Result<Option<Arc<Mqtt>>, Failure> {
    let section = &settings.mqtt;
    let Some(broker) = arguments.mqtt.as_ref().or(section.broker.value.as_ref()) else {
        return Ok(None);
    };
    let mut options = MqttOptions::parse(broker)?;
    if let Some(password) = &section.password.value {
        options.password = Some(password.clone());
    }
    for (topic, set) in [
        (&mut options.transcription_topic, &section.transcription),
        (&mut options.answer_topic, &section.answer),
    ] {
        if let Some(set) = &set.value {
            MqttOptions::check_topic(set)?;
            topic.clone_from(set);
        }
    }
    trace.note("mqtt", &options.to_string());
    Ok(Some(Arc::new(Mqtt::start(options))))
}
