//! No traces and metrics for OpenTelemetry: the program was built without the feature `otlp`.

use std::env;

use tracing_subscriber::{Layer, Registry};

use crate::output::say;

/// The variables that switch the exporter on.
const ENDPOINTS: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

/// Nothing that runs.
pub(crate) struct Telemetry;

impl Telemetry {
    /// Warns if an exporter is configured.
    pub(crate) fn start() -> Self {
        let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
        if let Some(name) = ENDPOINTS.into_iter().find(is_set) {
            say(format_args!(
                "warning: {name} is set, but this haft was built without the feature otlp"
            ));
        }
        Self
    }

    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(crate) fn layer(&self) -> Option<Box<dyn Layer<Registry> + Send + Sync>> {
        None
    }

    pub(crate) fn end(self) {}
}
