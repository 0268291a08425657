//! The flags for publishing to an MQTT broker.

use clap::Args;

/// The broker that questions and answers are published to.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Voice")]
pub(crate) struct MqttArgs {
    /// Publish questions and answers to this MQTT broker: mqtt://[USER@]HOST[:PORT], or
    /// mqtts:// through TLS; the password comes from HAFT_MQTT_PASSWORD
    #[arg(long, value_name = "URL")]
    pub(crate) mqtt: Option<String>,
}
