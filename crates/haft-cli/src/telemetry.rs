//! Traces and metrics for an OpenTelemetry collector, if the program has the feature `otlp`.

#[cfg(not(feature = "otlp"))]
mod no_export;
#[cfg(feature = "otlp")]
mod otlp;

#[cfg(not(feature = "otlp"))]
pub(crate) use self::no_export::Telemetry;
#[cfg(feature = "otlp")]
pub(crate) use self::otlp::Telemetry;
