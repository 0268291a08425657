//! The metrics of the upstreams, read when the page is requested.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::scheduler::{UpstreamStatus, Upstreams};

/// The upstreams as a source of metrics.
#[derive(Debug)]
pub(super) struct UpstreamMetrics(pub(super) Upstreams);

/// A metric of an upstream.
struct UpstreamMetric {
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    value: fn(&UpstreamStatus) -> u64,
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

const METRICS: [UpstreamMetric; 5] = [
    UpstreamMetric {
        name: "upstream_healthy",
        help: "Whether it is in use (1): its latest requests did not fail.",
        kind: MetricType::Gauge,
        value: |one| u64::from(one.is_healthy),
    },
    UpstreamMetric {
        name: "upstream_in_flight",
        help: "Running requests at the upstream.",
        kind: MetricType::Gauge,
        value: |one| number(one.in_flight),
    },
    UpstreamMetric {
        name: "upstream_waiting",
        help: "Waiting requests that the upstream could serve.",
        kind: MetricType::Gauge,
        value: |one| number(one.waiting),
    },
    UpstreamMetric {
        name: "upstream_requests",
        help: "Requests that the upstream was sent.",
        kind: MetricType::Counter,
        value: |one| one.requests,
    },
    UpstreamMetric {
        name: "upstream_failures",
        help: "Requests that failed because of the upstream.",
        kind: MetricType::Counter,
        value: |one| one.failures,
    },
];

impl Collector for UpstreamMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let status = self.0.status();
        for metric in METRICS {
            let UpstreamMetric {
                name,
                help,
                kind,
                value,
            } = metric;
            let mut family = encoder.encode_descriptor(name, help, None, kind)?;
            for one in &status {
                let labels = [("upstream", one.name.as_str())];
                let family = family.encode_family(&labels)?;
                match kind {
                    MetricType::Counter => ConstCounter::new(value(one)).encode(family)?,
                    _ => {
                        let value = i64::try_from(value(one)).unwrap_or(i64::MAX);
                        ConstGauge::new(value).encode(family)?;
                    }
                }
            }
        }
        Ok(())
    }
}
