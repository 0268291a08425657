"""A collector: takes OTLP over HTTP with protobuf, as an OpenTelemetry Collector does, and keeps
what it was sent.
"""
import dataclasses
import gzip
import http.server
import threading
import time

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest, ExportMetricsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


def plain(attributes):
    """Attributes as a dictionary."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


@dataclasses.dataclass
class Seen:
    """A span."""
    name: str
    kind: str
    trace: str
    id: str
    parent: str
    is_error: bool
    attributes: dict


class Collector(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock, self.spans, self.points, self.resources, self.raw = threading.Lock(), [], {}, [], b""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def trace(self, identifier, count, seconds=20):
        """The spans of a trace by their names, as soon as there are so many."""
        begun = time.monotonic()
        while True:
            with self.lock:
                spans = [span for span in self.spans if span.trace == identifier]
            if len(spans) >= count or time.monotonic() - begun > seconds:
                return {span.name: span for span in spans}
            time.sleep(0.05)

    def metrics(self, is_enough, seconds=20):
        """The latest points of each metric: attributes and histogram, as soon as they are enough."""
        begun = time.monotonic()
        while True:
            with self.lock:
                points = dict(self.points)
            if is_enough(points) or time.monotonic() - begun > seconds:
                return points
            time.sleep(0.05)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        with self.server.lock:
            self.server.raw += body
            answer = {"/v1/traces": self.traces, "/v1/metrics": self.metrics}[self.path](body)
        data = answer.SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def traces(self, body):
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.server.resources.append(plain(group.resource.attributes))
            for span in (span for scope in group.scope_spans for span in scope.spans):
                self.server.spans.append(Seen(span.name, Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(), span.trace_id.hex(),
                    span.span_id.hex(), span.parent_span_id.hex(), span.status.code == Status.STATUS_CODE_ERROR, plain(span.attributes)))
        return ExportTraceServiceResponse()

    def metrics(self, body):
        for group in ExportMetricsServiceRequest.FromString(body).resource_metrics:
            self.server.resources.append(plain(group.resource.attributes))
            for metric in (metric for scope in group.scope_metrics for metric in scope.metrics):
                points = [(plain(point.attributes), point) for point in metric.histogram.data_points]
                self.server.points[metric.name] = (metric.unit, points)
        return ExportMetricsServiceResponse()

    def log_message(self, *_):
        pass
