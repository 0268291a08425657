//! The metrics of OpenTelemetry's conventions for generative AI
//! (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/>), with the buckets that
//! they recommend. Without an exporter, recording does nothing.

use opentelemetry::metrics::Histogram;
use opentelemetry::{KeyValue, global};

use super::provider_name;
use crate::metrics::Answered;
use crate::scheduler::Upstreams;

/// Buckets for the duration of a request in seconds.
const DURATION: [f64; 14] = [
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/// Buckets for the time to the first token in seconds.
const FIRST_TOKEN: [f64; 16] = [
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];

/// Buckets for the tokens of a request.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];

/// The histograms of the gateway.
#[derive(Debug)]
pub(crate) struct GenAiMetrics {
    duration: Histogram<f64>,
    first_token: Histogram<f64>,
    tokens: Histogram<u64>,
}

impl GenAiMetrics {
    /// The histograms of the program's exporter.
    pub(crate) fn new() -> Self {
        let meter = global::meter("haft");
        let seconds = |name: &'static str, buckets: &[f64]| {
            let histogram = meter.f64_histogram(name).with_unit("s");
            histogram.with_boundaries(buckets.to_vec()).build()
        };
        Self {
            duration: seconds("gen_ai.client.operation.duration", &DURATION),
            first_token: seconds("gen_ai.server.time_to_first_token", &FIRST_TOKEN),
            tokens: meter
                .u64_histogram("gen_ai.client.token.usage")
                .with_unit("{token}")
                .with_boundaries(TOKENS.to_vec())
                .build(),
        }
    }

    /// Records a finished request. Without an upstream nothing was generated, so nothing is
    /// recorded.
    pub(crate) fn record(&self, model: &str, upstreams: &Upstreams, answered: &Answered<'_>) {
        let Some(upstream) = &answered.upstream else {
            return;
        };
        let provider = provider_name(upstreams.kind_of(upstream));
        let mut labels = vec![
            KeyValue::new("gen_ai.operation.name", "chat"),
            KeyValue::new("gen_ai.provider.name", provider),
            KeyValue::new("gen_ai.request.model", model.to_owned()),
            KeyValue::new("server.address", upstream.to_string()),
        ];
        for (direction, tokens) in [
            ("input", answered.usage.input_tokens),
            ("output", answered.usage.output_tokens),
        ] {
            if tokens > 0 {
                labels.push(KeyValue::new("gen_ai.token.type", direction));
                self.tokens.record(tokens, &labels);
                labels.pop();
            }
        }
        if let Some(first) = answered.first_token {
            self.first_token.record(first.as_secs_f64(), &labels);
        }
        if answered.status != 200 {
            labels.push(KeyValue::new("error.type", answered.status.to_string()));
        }
        self.duration.record(answered.took.as_secs_f64(), &labels);
    }
}
