//! No traces and metrics for OpenTelemetry: the program was built without the feature `otlp`.

use tracing_subscriber::{Layer, Registry};

/// Nothing that runs.
pub(crate) struct Telemetry;

impl Telemetry {
    pub(crate) fn start() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(crate) fn layer(&self) -> Option<Box<dyn Layer<Registry> + Send + Sync>> {
        None
    }

    pub(crate) fn end(self) {}
}
