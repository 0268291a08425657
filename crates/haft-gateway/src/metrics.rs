//! The metrics at `/metrics` (Prometheus' text format, as in OpenMetrics 1.0).
//!
//! All label values are from fixed sets, the configuration, or the lists of the model servers
//! (`model_names`), so that no client can make the page grow. `kind` has the labels of a request and
//! its counters, `upstreams` the metrics of the upstreams.

mod kind;
mod model_names;
mod upstreams;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use haft_core::Usage;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

use self::kind::{Counters, Kind};
use self::model_names::ModelNames;
use self::upstreams::UpstreamMetrics;
use crate::interventions::Interventions;
use crate::scheduler::Upstreams;
use crate::telemetry::GenAiMetrics;

/// Histogram buckets for the duration of a request in seconds.
const REQUEST: [f64; 9] = [0.05, 0.2, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0];

/// Histogram buckets for the time to the first token in seconds.
const FIRST_TOKEN: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];

/// Histogram buckets for haft's own work in seconds, which takes microseconds.
const OVERHEAD: [f64; 9] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.02, 0.1,
];

type Labels = Vec<(&'static str, Cow<'static, str>)>;
type Counts = Family<Labels, Counter>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

/// The counters of a gateway.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    upstreams: Upstreams,
    models: ModelNames,
    requests: Counts,
    seconds: Histograms,
    first_token: Histograms,
    overhead: Histograms,
    calls: Counts,
    repairs: Counts,
    recoveries: Counts,
    quoted: Counts,
    tokens: Counts,
    key_requests: Counts,
    key_tokens: Counts,
    pub(crate) in_flight: Gauge,
    /// The counters of each kind of request so far, found without looking up their labels.
    kinds: RwLock<HashMap<Kind, Counters>>,
    gen_ai: GenAiMetrics,
}

/// A finished request.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) dialect: &'static str,
    /// The name of the key.
    pub(crate) key: Option<&'a Arc<str>>,
    /// The model's name in the request.
    pub(crate) model: &'a str,
    /// The upstream that was asked last.
    pub(crate) upstream: Option<Arc<str>>,
    pub(crate) stream: bool,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// The time to the first part of a streamed reply.
    pub(crate) first_token: Option<Duration>,
    /// The part of the duration in which haft itself worked.
    pub(crate) busy: Duration,
    pub(crate) calls: usize,
    pub(crate) usage: Usage,
    pub(crate) interventions: &'a Interventions,
}

/// Registers a family and returns it.
fn registered<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, family: M) -> M {
    registry.register(name, help, family.clone());
    family
}

/// Registers a histogram of seconds and returns it.
fn timed(registry: &mut Registry, name: &str, help: &str, new: fn() -> Histogram) -> Histograms {
    let family = Histograms::new_with_constructor(new);
    registry.register_with_unit(name, help, Unit::Seconds, family.clone());
    family
}

impl Metrics {
    pub(crate) fn new(upstreams: Upstreams) -> Self {
        let mut registry = Registry::with_prefix("haft");
        registry.register_collector(Box::new(UpstreamMetrics(upstreams.clone())));
        let seconds = timed(
            &mut registry,
            "request",
            "Time from the request to the end of the reply",
            || Histogram::new(REQUEST),
        );
        let first_token = timed(
            &mut registry,
            "time_to_first_token",
            "Time from the request to the first part of a streamed reply",
            || Histogram::new(FIRST_TOKEN),
        );
        let overhead = timed(
            &mut registry,
            "overhead",
            "Time in which haft itself worked on a request",
            || Histogram::new(OVERHEAD),
        );
        let mut counts = |name, help| registered(&mut registry, name, help, Counts::default());
        Self {
            requests: counts("requests", "Requests for conversations"),
            calls: counts("calls", "Tool calls sent to clients"),
            repairs: counts("repairs", "Repairs of tool calls"),
            recoveries: counts(
                "recoveries",
                "Recovery steps: replies that the model was asked for again",
            ),
            quoted: counts(
                "quoted_calls",
                "Calls that a model only quoted from a text, which were sent as text",
            ),
            tokens: counts("tokens", "Tokens, as model servers count"),
            key_requests: counts(
                "key_requests",
                "Requests for conversations by key, including refused ones",
            ),
            key_tokens: counts("key_tokens", "Tokens by key, as model servers count"),
            in_flight: registered(
                &mut registry,
                "in_flight",
                "Running requests",
                Gauge::default(),
            ),
            seconds,
            first_token,
            overhead,
            registry,
            upstreams,
            models: ModelNames::default(),
            kinds: RwLock::default(),
            gen_ai: GenAiMetrics::new(),
        }
    }

    /// Counts a finished request.
    pub(crate) fn count(&self, answered: &Answered<'_>) {
        let has_answered = answered.status == 200;
        let kind = Kind {
            dialect: answered.dialect,
            stream: answered.stream,
            status: answered.status,
            model: self
                .models
                .label(answered.model, &self.upstreams, has_answered),
            upstream: answered.upstream.clone(),
        };
        self.gen_ai.record(&kind.model, &self.upstreams, answered);
        self.count_interventions(&kind, answered.interventions);
        self.count_as(kind, answered);
        if let Some(key) = answered.key {
            self.count_key(key, answered.usage);
        }
    }

    fn count_interventions(&self, kind: &Kind, interventions: &Interventions) {
        for repair in &interventions.repaired {
            let labels = kind.with_place([("kind", repair.kind.clone().into())]);
            self.repairs.get_or_create(&labels).inc();
        }
        for quoted in &interventions.quoted {
            let source = vec![("source", quoted.source.name().into())];
            self.quoted.get_or_create(&source).inc();
        }
        for report in &interventions.recovery {
            let outcome = if report.recovered {
                "helped"
            } else {
                "in_vain"
            };
            let labels = [
                ("step", report.step.name().into()),
                ("outcome", outcome.into()),
            ];
            self.recoveries
                .get_or_create(&kind.with_place(labels))
                .inc();
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
        if let Some(counters) = known.get(&kind) {
            counters.count(answered);
            return;
        }
        drop(known);
        let counters = self.counters(&kind);
        counters.count(answered);
        let mut known = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(kind, counters);
    }

    fn counters(&self, kind: &Kind) -> Counters {
        let mode = if kind.stream { "stream" } else { "whole" };
        let dialect = ("dialect", Cow::from(kind.dialect));
        let request = kind.with_place([
            dialect.clone(),
            ("mode", mode.into()),
            ("status", kind.status.to_string().into()),
        ]);
        let tokens = |direction: &'static str| {
            let labels = kind.with_place([("direction", direction.into())]);
            self.tokens.get_or_create_owned(&labels)
        };
        let by_dialect = vec![dialect.clone()];
        let by_place = kind.with_place([dialect]);
        Counters {
            requests: self.requests.get_or_create_owned(&request),
            seconds: self.seconds.get_or_create_owned(&by_place),
            first_token: self.first_token.get_or_create_owned(&by_place),
            overhead: self.overhead.get_or_create_owned(&by_dialect),
            calls: self.calls.get_or_create_owned(&by_dialect),
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
