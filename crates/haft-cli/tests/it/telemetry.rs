//! What an OpenTelemetry collector receives, and what the log says: each test starts the real
//! binary, with a scripted collector.

use std::process::{Child, Command};

use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::metrics::v1::Metric;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};

use crate::support::Machine;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CLIENT_SPAN: &str = "b7ad6b7169203331";

/// A secret word in the conversation, which no span may have.
const WORD: &str = "xylophone";

fn streamed(delta: &Value) -> Reply {
    let delta = json!({"choices": [{"index": 0, "delta": delta}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
    Reply::sse([delta.to_string(), end.to_string(), "[DONE]".to_owned()])
}

/// A model server with the model `tiny`.
async fn model_server() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => streamed(&json!({"content": WORD})),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

async fn collector() -> ScriptedServer {
    ScriptedServer::with(|_: &CapturedRequest| Reply::new("application/x-protobuf", "")).await
}

/// A machine that sends to the collector.
fn exporting(collector: &ScriptedServer) -> Machine {
    Machine::new()
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url())
        .with(
            "OTEL_EXPORTER_OTLP_HEADERS",
            "authorization=Bearer collector-key",
        )
}

/// A gateway before a model server; its stderr goes to a file.
struct Gateway {
    child: Child,
    machine: Machine,
    url: String,
}

impl Gateway {
    async fn start(machine: Machine, upstream: &str) -> Self {
        let log = std::fs::File::create(machine.path("log")).unwrap();
        let upstream = format!("openai:{upstream}/v1");
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--upstream", &upstream];
        let child = machine.command(&arguments).stderr(log).spawn().unwrap();
        let mut gateway = Self {
            child,
            machine,
            url: String::new(),
        };
        while gateway.url.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            let log = gateway.log();
            let line = log.lines().find(|line| line.starts_with("listens"));
            let address = line.and_then(|line| line.split(' ').find(|word| word.contains("://")));
            gateway.url = address.unwrap_or_default().to_owned();
        }
        gateway
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.machine.path("log")).unwrap()
    }

    async fn ask(&self, id: &str) -> (u16, String) {
        let question = format!("Say {WORD}");
        let messages = json!([{"role": "user", "content": question}]);
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.post(format!("{}/v1/chat/completions", self.url));
        let answer = request
            .header("x-request-id", id)
            .header("traceparent", format!("00-{TRACE}-{CLIENT_SPAN}-01"))
            .json(&json!({"model": "tiny", "stream": true, "messages": messages}))
            .send()
            .await
            .unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// Ends it with Ctrl-C; returns its log.
    fn end(mut self) -> String {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-s", "INT", &id]).status();
        assert!(killed.unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        self.log()
    }
}

/// The requests at this path, decoded.
fn received<M: Message + Default>(collector: &ScriptedServer, path: &str) -> Vec<M> {
    let requests = collector.requests().into_iter();
    let requests = requests.filter(|request| request.path == path);
    requests
        .map(|request| {
            assert_eq!(
                request.header("authorization"),
                Some("Bearer collector-key")
            );
            M::decode(request.bytes.as_slice()).unwrap()
        })
        .collect()
}

fn spans(collector: &ScriptedServer) -> Vec<Span> {
    received::<ExportTraceServiceRequest>(collector, "/v1/traces")
        .into_iter()
        .flat_map(|request| request.resource_spans)
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans)
        .collect()
}

fn metrics(collector: &ScriptedServer) -> Vec<Metric> {
    received::<ExportMetricsServiceRequest>(collector, "/v1/metrics")
        .into_iter()
        .flat_map(|request| request.resource_metrics)
        .flat_map(|resource| resource.scope_metrics)
        .flat_map(|scope| scope.metrics)
        .collect()
}

/// The span whose name begins so.
fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let span = spans.iter().find(|span| span.name.starts_with(name));
    span.unwrap_or_else(|| panic!("no {name} in {spans:#?}"))
}

fn attribute(span: &Span, key: &str) -> Value {
    let attribute = span.attributes.iter().find(|one| one.key == key);
    match attribute.and_then(|one| one.value.clone()?.value) {
        Some(Any::StringValue(text)) => text.into(),
        Some(Any::IntValue(number)) => number.into(),
        _ => Value::Null,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_continues_the_trace_of_its_client() {
    let (collector, server) = (collector().await, model_server().await);
    let gateway = Gateway::start(exporting(&collector), server.url()).await;
    let (status, _) = gateway.ask("mine-1").await;
    assert_eq!(status, 200);
    gateway.end();
    let spans = spans(&collector);
    let request = named(&spans, "POST /v1/chat/completions");
    assert_eq!(hex(&request.trace_id), TRACE);
    assert_eq!(hex(&request.parent_span_id), CLIENT_SPAN);
    assert_eq!(attribute(request, "haft.request.id"), "mine-1");
    assert_eq!(attribute(request, "http.response.status_code"), 200);
    let chat = named(&spans, "chat tiny");
    assert_eq!(hex(&chat.trace_id), TRACE);
    assert_eq!(attribute(chat, "gen_ai.operation.name"), "chat");
    assert_eq!(attribute(chat, "gen_ai.request.model"), "tiny");
    assert_eq!(attribute(chat, "gen_ai.usage.input_tokens"), 7);
    assert_eq!(attribute(chat, "gen_ai.usage.output_tokens"), 3);
    let sent = server.requests();
    let sent = sent
        .iter()
        .filter_map(|one| one.header("traceparent"))
        .next_back();
    let parent = format!("00-{TRACE}-{}-01", hex(&request.span_id));
    assert_eq!(sent, Some(parent.as_str()));
    let metrics = metrics(&collector);
    let names: Vec<_> = metrics.iter().map(|one| (&*one.name, &*one.unit)).collect();
    for metric in [
        ("gen_ai.client.operation.duration", "s"),
        ("gen_ai.server.time_to_first_token", "s"),
        ("gen_ai.client.token.usage", "{token}"),
    ] {
        assert!(names.contains(&metric), "{metric:?} in {names:?}");
    }
    let everything = format!("{spans:?}{metrics:?}");
    assert!(!everything.contains(WORD), "{everything}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_a_trace_of_runs_requests_and_calls() {
    let collector = collector().await;
    let machine = exporting(&collector).with("OTEL_SERVICE_NAME", "kitchen");
    let said = machine.haft(&["ask", "--model", "builtin", "What time is it in Tokyo?"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let resources = received::<ExportTraceServiceRequest>(&collector, "/v1/traces");
    assert!(
        format!("{resources:?}").contains("kitchen"),
        "{resources:?}"
    );
    let spans = spans(&collector);
    let run = named(&spans, "invoke_agent haft");
    for name in ["chat builtin", "execute_tool get_current_datetime"] {
        let span = named(&spans, name);
        assert_eq!(span.parent_span_id, run.span_id, "{name}");
    }
    assert!(!format!("{spans:?}").contains("Tokyo"), "{spans:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_endpoint_or_with_a_dead_collector_requests_are_answered() {
    let dead = collector().await.url().to_owned();
    let server = model_server().await;
    for machine in [
        Machine::new(),
        Machine::new().with("OTEL_EXPORTER_OTLP_ENDPOINT", &dead),
        Machine::new().with("OTEL_EXPORTER_OTLP_ENDPOINT", "not an address"),
    ] {
        let gateway = Gateway::start(machine, server.url()).await;
        let (status, _) = gateway.ask("mine-1").await;
        assert_eq!(status, 200);
        gateway.end();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_protocol_that_is_not_supported_is_named() {
    let machine = Machine::new()
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
        .with("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let said = machine.haft(&["ask", "--model", "builtin", "What time is it?"]);
    assert_eq!(said.code, Some(0));
    assert!(said.stderr.contains("use http/protobuf"), "{}", said.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_of_a_request_has_its_id_when_an_upstream_dies() {
    for form in ["text", "json"] {
        let server = model_server().await;
        let machine = Machine::new().with("HAFT_LOG_FORMAT", form);
        let gateway = Gateway::start(machine, server.url()).await;
        assert_eq!(gateway.ask("mine-0").await.0, 200);
        drop(server);
        for number in 1..9 {
            let id = format!("mine-{number}");
            assert_eq!(gateway.ask(&id).await.0, 502);
        }
        let log = gateway.end();
        let is_line = |line: &&str| line.contains("WARN") || line.contains("INFO");
        let lines: Vec<&str> = log.lines().filter(is_line).collect();
        assert!(lines.len() > 4, "{log}");
        for line in &lines {
            assert!(line.contains("mine-"), "{line}");
            if form == "json" {
                let line: Value = serde_json::from_str(line).unwrap();
                let id = line["span"]["id"].as_str().unwrap();
                assert!(id.starts_with("mine-"), "{line}");
            }
        }
        // Equal failures are counted. A time or a port may hold the digits, so the field decides.
        let is_failure =
            |line: &&&str| line.contains("status=502") || line.contains("\"status\":502");
        assert_eq!(lines.iter().filter(is_failure).count(), 3, "{log}");
    }
}
