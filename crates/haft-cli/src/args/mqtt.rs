//! The flags of what publishes to an MQTT broker.

use clap::Args;

/// Where what is heard and answered is published.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Voice")]
pub(crate) struct MqttArgs {
    /// Publish what is heard and answered to this MQTT broker: mqtt://[USER@]HOST[:PORT], or
    /// mqtts:// through TLS; the password comes from HAFT_MQTT_PASSWORD
    #[arg(long, value_name = "URL")]
    pub(crate) mqtt: Option<String>,
}
