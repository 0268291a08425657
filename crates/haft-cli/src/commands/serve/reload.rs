//! Reads the settings of a running gateway again.

use haft::gateway::LiveSettings;
use tokio::signal::unix::Signal;

use super::{options, settings_for};
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::trust::Trust;

/// Reads flags and `haft.toml` again at each signal. What cannot be used is reported, and the old
/// settings stay.
pub(super) async fn on_each(
    mut signals: Signal,
    live: LiveSettings,
    arguments: ServeArgs,
    trust: Trust,
) {
    while signals.recv().await.is_some() {
        match reload(&live, &arguments, trust).await {
            Ok(()) => tracing::info!(target: "haft_gateway", "the settings were read again"),
            Err(error) => {
                let Failure { message, hint, .. } = error;
                tracing::warn!(
                    target: "haft_gateway",
                    error = message,
                    hint,
                    "the settings stay as they were"
                );
            }
        }
    }
}

async fn reload(live: &LiveSettings, arguments: &ServeArgs, trust: Trust) -> Result<(), Failure> {
    let settings = settings_for(arguments, trust).await?;
    Ok(live.replace(&options::of(arguments, &settings))?)
}
