//! Sends traces and metrics to an OpenTelemetry collector (OTLP over HTTP with protobuf), if an
//! endpoint is configured with the `OTEL_*` variables of the specification:
//! <https://opentelemetry.io/docs/specs/otel/protocol/exporter/>.
//!
//! Threads of the exporter collect and send, so that a slow or dead collector delays nothing. What
//! does not fit into their queues is dropped.

use std::env;
use std::sync::mpsc;
use std::time::Duration;

use haft::types::TRACES;
use opentelemetry::global;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{Key, KeyValue};
use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, Protocol, SpanExporter, WithExportConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::{Layer, Registry};

use crate::output::say;
use crate::text::without_secrets;

/// How long the end of the process waits until the last spans and metrics are sent.
const LAST_SEND: Duration = Duration::from_secs(2);

/// The protocol that is supported, as in `OTEL_EXPORTER_OTLP_PROTOCOL`.
const PROTOCOL: &str = "http/protobuf";

/// The exporters that run. Without an endpoint there are none.
#[derive(Default)]
pub(crate) struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
}

/// What is exported.
#[derive(Clone, Copy)]
enum Signal {
    Traces,
    Metrics,
}

impl Signal {
    /// The signal's part of the variables' names.
    const fn name(self) -> &'static str {
        match self {
            Self::Traces => "TRACES",
            Self::Metrics => "METRICS",
        }
    }

    /// Whether an endpoint is configured, in a protocol that is supported.
    fn is_wanted(self) -> bool {
        let name = self.name();
        let own = |what: &str| variable(&format!("OTEL_EXPORTER_OTLP_{name}_{what}"));
        let of_all = |what: &str| variable(&format!("OTEL_EXPORTER_OTLP_{what}"));
        let has_endpoint = own("ENDPOINT").or_else(|| of_all("ENDPOINT")).is_some();
        let exporter = variable(&format!("OTEL_{name}_EXPORTER"));
        if !has_endpoint || exporter.is_some_and(|exporter| exporter == "none") {
            return false;
        }
        match own("PROTOCOL").or_else(|| of_all("PROTOCOL")) {
            Some(other) if other != PROTOCOL => {
                say(format_args!(
                    "warning: OTEL_EXPORTER_OTLP_PROTOCOL={other} is not supported, so no {} are \
                     sent; use {PROTOCOL}, usually at port 4318",
                    name.to_lowercase()
                ));
                false
            }
            _ => true,
        }
    }
}

/// The value of a variable; an empty one counts as unset, as the specification says.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Whether `OTEL_SDK_DISABLED` switches everything off.
fn is_disabled() -> bool {
    variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

impl Telemetry {
    /// Starts the exporters that the environment asks for. Call it before any request.
    pub(crate) fn start() -> Self {
        let wants = |signal: Signal| !is_disabled() && signal.is_wanted();
        let (wants_traces, wants_metrics) = (wants(Signal::Traces), wants(Signal::Metrics));
        if !wants_traces && !wants_metrics {
            return Self::default();
        }
        // The exporter's HTTP client needs it; it fails only if there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let traces = wants_traces.then(traces).and_then(or_warn);
        let metrics = wants_metrics.then(metrics).and_then(or_warn);
        if traces.is_some() {
            global::set_text_map_propagator(TraceContextPropagator::new());
        }
        if let Some(metrics) = &metrics {
            global::set_meter_provider(metrics.clone());
        }
        Self { traces, metrics }
    }

    /// The part of the `tracing` subscriber that takes the spans of [`TRACES`].
    pub(crate) fn layer(&self) -> Option<Box<dyn Layer<Registry> + Send + Sync>> {
        let tracer = self.traces.as_ref()?.tracer("haft");
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false);
        let spans = Targets::new().with_target(TRACES, Level::INFO);
        Some(layer.with_filter(spans).boxed())
    }

    /// Sends what was not sent yet, for at most two seconds.
    pub(crate) fn end(self) {
        let Self { traces, metrics } = self;
        if traces.is_none() && metrics.is_none() {
            return;
        }
        let (done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            // A collector that is away loses the rest; there is nobody left to tell.
            let _ = traces.map(|traces| traces.shutdown_with_timeout(LAST_SEND));
            let _ = metrics.map(|metrics| metrics.shutdown_with_timeout(LAST_SEND));
            let _ = done.send(());
        });
        let _ = is_done.recv_timeout(LAST_SEND);
    }
}

/// Warns that an exporter cannot start, such as for an invalid endpoint.
fn or_warn<T>(exporter: Result<T, ExporterBuildError>) -> Option<T> {
    exporter
        .inspect_err(|error| {
            let error = without_secrets(&error.to_string());
            say(format_args!(
                "warning: nothing is sent to the OpenTelemetry collector: {error} (see \
                 OTEL_EXPORTER_OTLP_ENDPOINT)"
            ));
        })
        .ok()
}

fn traces() -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .build()?;
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource())
        .build())
}

fn metrics() -> Result<SdkMeterProvider, ExporterBuildError> {
    let exporter = MetricExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .build()?;
    Ok(SdkMeterProvider::builder()
        .with_periodic_exporter(exporter)
        .with_resource(resource())
        .build())
}

/// Who sends: the service of `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES`, or else `haft`.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = || Resource::builder().with_attribute(version.clone());
    let named = resource().build();
    let name = named.get(&Key::from_static_str("service.name"));
    if name.is_some_and(|name| !name.as_str().starts_with("unknown_service")) {
        return named;
    }
    resource().with_service_name("haft").build()
}
