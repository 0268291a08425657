//! The metrics at `/metrics` (Prometheus' text format, as in OpenMetrics 1.0).
//!
//! All label values are from fixed sets, or the names of keys, so that no client can make the page
//! grow.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use haft_core::Usage;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::interventions::Interventions;
use crate::scheduler::{UpstreamStatus, Upstreams};

/// Histogram buckets for the duration of a request in seconds.
const REQUEST: [f64; 9] = [0.05, 0.2, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0];

/// Histogram buckets for haft's own work in seconds, which takes microseconds.
const OVERHEAD: [f64; 9] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.02, 0.1,
];

type Labels = Vec<(&'static str, Cow<'static, str>)>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

/// The counters of a gateway.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    seconds: Histograms,
    overhead: Histograms,
    calls: Family<Labels, Counter>,
    repairs: Family<Labels, Counter>,
    recoveries: Family<Labels, Counter>,
    quoted: Family<Labels, Counter>,
    tokens: Family<Labels, Counter>,
    key_requests: Family<Labels, Counter>,
    key_tokens: Family<Labels, Counter>,
    pub(crate) in_flight: Gauge,
    /// The counters of each kind of request so far, found without looking up their labels.
    kinds: RwLock<Vec<(Kind, Counters)>>,
}

/// The labels of a request: dialect, streamed or not, and status.
type Kind = (&'static str, bool, u16);

/// The counters of one kind of request.
#[derive(Debug)]
struct Counters {
    requests: Counter,
    seconds: Histogram,
    overhead: Histogram,
    calls: Counter,
    tokens_in: Counter,
    tokens_out: Counter,
}

impl Counters {
    fn count(&self, answered: &Answered<'_>) {
        self.requests.inc();
        self.seconds.observe(answered.took.as_secs_f64());
        self.overhead.observe(answered.busy.as_secs_f64());
        let calls = u64::try_from(answered.calls).unwrap_or(u64::MAX);
        self.calls.inc_by(calls);
        self.tokens_in.inc_by(answered.usage.input_tokens);
        self.tokens_out.inc_by(answered.usage.output_tokens);
    }
}

/// A finished request.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) dialect: &'static str,
    /// The name of the key.
    pub(crate) key: Option<&'a Arc<str>>,
    pub(crate) stream: bool,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// The part of the duration in which haft itself worked.
    pub(crate) busy: Duration,
    pub(crate) calls: usize,
    pub(crate) usage: Usage,
    pub(crate) interventions: &'a Interventions,
}

/// The gauges of the upstreams, read when the page is requested.
#[derive(Debug)]
struct UpstreamCounters(Upstreams);

/// A gauge of an upstream: its name, its help text, and its value.
type UpstreamGauge = (&'static str, &'static str, fn(&UpstreamStatus) -> u64);

impl Collector for UpstreamCounters {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let status = self.0.status();
        let gauges: [UpstreamGauge; 5] = [
            ("upstream_healthy", "Whether it is asked at all", |one| {
                u64::from(one.is_healthy)
            }),
            ("upstream_in_flight", "Requests under way at it", |one| {
                u64::try_from(one.in_flight).unwrap_or(u64::MAX)
            }),
            ("upstream_waiting", "Requests that wait for it", |one| {
                u64::try_from(one.waiting).unwrap_or(u64::MAX)
            }),
            ("upstream_asked", "Requests given to it so far", |one| {
                one.requests
            }),
            ("upstream_failed", "How many of them failed", |one| {
                one.failures
            }),
        ];
        for (name, help, value) in gauges {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for one in &status {
                let labels = [("upstream", one.name.as_str())];
                let value = i64::try_from(value(one)).unwrap_or(i64::MAX);
                ConstGauge::new(value).encode(family.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}

impl Metrics {
    pub(crate) fn new(upstreams: Upstreams) -> Self {
        let mut registry = Registry::with_prefix("haft");
        let requests = Family::default();
        let seconds = Histograms::new_with_constructor(|| Histogram::new(REQUEST));
        let overhead = Histograms::new_with_constructor(|| Histogram::new(OVERHEAD));
        let (calls, repairs, recoveries, tokens) = <(Family<_, _>, _, _, _)>::default();
        let quoted = Family::default();
        let in_flight = Gauge::default();
        registry.register("requests", "Conversations continued", requests.clone());
        registry.register_with_unit(
            "request",
            "From request to end of reply",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register_with_unit(
            "overhead",
            "Of that, what haft itself needed, the model server left aside",
            Unit::Seconds,
            overhead.clone(),
        );
        registry.register(
            "calls",
            "Tool calls given to clients",
            Family::clone(&calls),
        );
        registry.register(
            "repairs",
            "What was put right in calls",
            Family::clone(&repairs),
        );
        registry.register(
            "recoveries",
            "Replies that were asked for again",
            Family::clone(&recoveries),
        );
        registry.register(
            "quoted_calls",
            "Calls that a model only repeated from a text, which went out as text",
            Family::clone(&quoted),
        );
        registry.register(
            "tokens",
            "Tokens, as model servers count",
            Family::clone(&tokens),
        );
        let (key_requests, key_tokens) = <(Family<_, _>, Family<_, _>)>::default();
        registry.register(
            "key_requests",
            "Requests for conversations, by key, the refused ones too",
            Family::clone(&key_requests),
        );
        registry.register(
            "key_tokens",
            "Tokens, as model servers count, by key",
            Family::clone(&key_tokens),
        );
        registry.register("in_flight", "Requests under way", in_flight.clone());
        registry.register_collector(Box::new(UpstreamCounters(upstreams)));
        Self {
            registry,
            requests,
            seconds,
            overhead,
            calls,
            repairs,
            recoveries,
            quoted,
            tokens,
            key_requests,
            key_tokens,
            in_flight,
            kinds: RwLock::default(),
        }
    }

    /// Counts a finished request.
    pub(crate) fn count(&self, answered: &Answered<'_>) {
        let kind = (answered.dialect, answered.stream, answered.status);
        self.count_as(kind, answered);
        if let Some(key) = answered.key {
            self.count_key(key, answered.usage);
        }
        for repair in &answered.interventions.repaired {
            let kind = vec![("kind", repair.kind.clone().into())];
            self.repairs.get_or_create(&kind).inc();
        }
        for quoted in &answered.interventions.quoted {
            let source = vec![("source", quoted.source.name().into())];
            self.quoted.get_or_create(&source).inc();
        }
        for report in &answered.interventions.recovery {
            let outcome = if report.recovered {
                "helped"
            } else {
                "in_vain"
            };
            let report = vec![
                ("step", report.step.name().into()),
                ("outcome", outcome.into()),
            ];
            self.recoveries.get_or_create(&report).inc();
        }
    }

    fn count_key(&self, key: &Arc<str>, usage: Usage) {
        let label = || ("key", Cow::from(key.to_string()));
        self.key_requests.get_or_create(&vec![label()]).inc();
        for (direction, tokens) in [("in", usage.input_tokens), ("out", usage.output_tokens)] {
            let labels = vec![label(), ("direction", direction.into())];
            self.key_tokens.get_or_create(&labels).inc_by(tokens);
        }
    }

    fn count_as(&self, kind: Kind, answered: &Answered<'_>) {
        let known = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, counters)) = known.iter().find(|(known, _)| *known == kind) {
            counters.count(answered);
            return;
        }
        drop(known);
        let counters = self.counters(kind);
        counters.count(answered);
        let mut known = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        known.push((kind, counters));
    }

    fn counters(&self, (dialect, stream, status): Kind) -> Counters {
        let mode = if stream { "stream" } else { "whole" };
        let dialect: Labels = vec![("dialect", dialect.into())];
        let mut request = dialect.clone();
        request.push(("mode", mode.into()));
        request.push(("status", status.to_string().into()));
        let tokens = |direction: &'static str| {
            let labels = vec![("direction", direction.into())];
            self.tokens.get_or_create_owned(&labels)
        };
        Counters {
            requests: self.requests.get_or_create_owned(&request),
            seconds: self.seconds.get_or_create_owned(&dialect),
            overhead: self.overhead.get_or_create_owned(&dialect),
            calls: self.calls.get_or_create_owned(&dialect),
            tokens_in: tokens("in"),
            tokens_out: tokens("out"),
        }
    }

    /// The page in text format.
    pub(crate) fn page(&self) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut page, &self.registry);
        page
    }
}
