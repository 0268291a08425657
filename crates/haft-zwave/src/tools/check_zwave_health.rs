//! `check_zwave_health`: whether the home answers.

use haft_core::ToolOutput;
use serde_json::json;

use crate::home::Home;
use crate::speech;

pub(super) const DESCRIPTION: &str = "Check whether the smart home system is available, and how \
    many devices it has. Use it when other device tools fail.";

/// Reports the health. An unreachable home is a valid answer here, not an error.
pub(super) async fn run(home: &Home) -> ToolOutput {
    let source = home.label();
    match home.health().await {
        Ok(health) => ToolOutput::from(format!(
            "The {source} is available with {}, {} of them online.",
            speech::count_of(health.devices, "device"),
            health.online
        ))
        .with_artifact(json!({
            "available": true,
            "nodeCount": health.devices,
            "online": health.online,
            "source": source,
        })),
        Err(error) => {
            tracing::warn!(error = error.detail(), "the home is not available");
            ToolOutput::from(format!(
                "The {source} is not available. {error} {}",
                error.hint()
            ))
            .with_artifact(json!({
                "available": false,
                "error": error.to_string(),
                "source": source,
            }))
        }
    }
}
