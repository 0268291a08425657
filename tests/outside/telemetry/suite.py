#!/usr/bin/env python3
"""The traces and metrics of `haft serve`, as docs/reference/telemetry.md has them: sent to this
program, and through the collector Rotel."""
import argparse
import http.server
import json
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import rotel

from collector import Collector

QUESTION, ANSWER = "What did the walrus say?", "Goo goo g'joob."
# So many that nobody could think the server dropped the tools.
USAGE = {"prompt_tokens": 5000, "completion_tokens": 7, "total_tokens": 5007}
TOKENS = {"gen_ai.usage.input_tokens": 5000, "gen_ai.usage.output_tokens": 7}
PATH = "/v1/chat/completions"


class Model(http.server.BaseHTTPRequestHandler):
    """A model server: answers, calls the tool of the gateway, or fails, as the question says."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, {"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.parents.append(self.headers.get("traceparent"))
        last = body["messages"][-1]
        if "[[fail]]" in str(last["content"]):
            return self.answer(400, {"error": {"message": "no"}})
        message = {"role": "assistant", "content": ANSWER}
        if "[[tool]]" in str(last["content"]):
            tool = body["tools"][0]["function"]["name"]
            message = {"role": "assistant", "content": None, "tool_calls": [
                {"index": 0, "id": "call_1", "type": "function", "function": {"name": tool, "arguments": "{}"}}]}
        choice = {"index": 0, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
        head = {"id": "c", "created": 1, "model": body["model"], "usage": USAGE}
        if not body.get("stream"):
            return self.answer(200, {**head, "object": "chat.completion", "choices": [{**choice, "message": message}]})
        event = {**head, "object": "chat.completion.chunk", "choices": [{**choice, "delta": message}]}
        self.answer(200, f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n", "text/event-stream")

    def answer(self, status, body, kind="application/json"):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Suite:
    def __init__(self, url, collector, model):
        self.url, self.collector, self.model, self.failed = url, collector, model, 0

    def check(self, name, good, seen=""):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}{'' if good else f': {seen}'}")

    def ask(self, question, is_sampled=True, **more):
        """The ids of the client's trace and span, and the status."""
        trace, span = secrets.token_hex(16), secrets.token_hex(8)
        headers = {"content-type": "application/json", "traceparent": f"00-{trace}-{span}-0{int(is_sampled)}",
            **{name.replace("_", "-"): value for name, value in more.items() if name.startswith("x_")}}
        body = {"model": "tiny", "stream": more.get("stream", False), "messages": [{"role": "user", "content": question}]}
        request = urllib.request.Request(self.url + PATH, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                answer.read()
                return trace, span, answer.status
        except urllib.error.HTTPError as error:
            return trace, span, error.code

    def is_child(self, spans, name, of):
        return spans[name].parent == spans[of].id

    def handled(self):
        trace, parent, _ = self.ask(QUESTION)
        spans = self.collector.trace(trace, 3)
        self.check("a handled request has three spans", set(spans) == {f"POST {PATH}", "invoke_agent haft", "chat tiny"}, spans)
        server, agent, chat = spans[f"POST {PATH}"], spans["invoke_agent haft"], spans["chat tiny"]
        self.check("the client's span is the parent", server.parent == parent and server.kind == "server", server)
        self.check("the agent is below the request, the model below the agent",
            agent.parent == server.id and chat.parent == agent.id and (agent.kind, chat.kind) == ("internal", "client"), spans)
        wanted = {"http.request.method": "POST", "http.route": PATH, "http.response.status_code": 200, "haft.upstream": "desk"}
        self.check("attributes of the request", wanted.items() <= server.attributes.items() and server.attributes["haft.request.id"], server)
        wanted = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "haft", "gen_ai.provider.name": "haft", "gen_ai.request.model": "tiny"}
        self.check("attributes of the agent", wanted.items() <= agent.attributes.items(), agent)
        wanted = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "tiny", **TOKENS}
        self.check("attributes of the model's reply", wanted.items() <= chat.attributes.items() and "gen_ai.provider.name" in chat.attributes, chat)
        sent = self.model.parents[-1] or ""
        self.check("the model server continues the trace", sent.split("-")[1:3] == [trace, server.id], sent)

    def passed(self):
        trace, parent, _ = self.ask(QUESTION, stream=True, x_haft_repair="off", x_haft_server_tools="off")
        spans = self.collector.trace(trace, 2)
        self.check("a passed request has two spans", set(spans) == {f"POST {PATH}", "chat tiny"}, spans)
        server, chat = spans[f"POST {PATH}"], spans["chat tiny"]
        self.check("they are nested", (server.parent, chat.parent) == (parent, server.id) and chat.kind == "client", spans)
        wanted = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "tiny", "server.address": "desk", **TOKENS}
        self.check("attributes of a passed reply", wanted.items() <= chat.attributes.items(), chat)

    def tool(self):
        trace, *_ = self.ask("[[tool]]")
        # Two of the spans are of the model, by one name.
        spans = self.collector.trace(trace, 5)
        runs = [span for name, span in spans.items() if name.startswith("execute_tool ")]
        self.check("a tool of the gateway has a span", len(runs) == 1, spans)
        run = next(iter(runs))
        wanted = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": run.name.removeprefix("execute_tool "), "gen_ai.tool.call.id": "call_1"}
        self.check("attributes of a tool", wanted.items() <= run.attributes.items() and run.kind == "internal", run)

    def failure(self):
        for handling, more in (("handled", {}), ("passed", {"x_haft_repair": "off", "x_haft_server_tools": "off"})):
            trace, _, status = self.ask("[[fail]]", **more)
            spans = self.collector.trace(trace, 2 if more else 3)
            chat = spans["chat tiny"]
            self.check(f"a failure is one, {handling}", status == 400 and chat.is_error and chat.attributes.get("error.type"), spans)

    def unsampled(self):
        trace, *_ = self.ask(QUESTION, is_sampled=False)
        after, *_ = self.ask(QUESTION)
        self.collector.trace(after, 3)
        self.check("what the client does not sample is not sent", not self.collector.trace(trace, 1, 1))

    def measures(self):
        wanted = {"gen_ai.client.operation.duration": "s", "gen_ai.server.time_to_first_token": "s", "gen_ai.client.token.usage": "{token}"}
        points = self.collector.metrics(lambda points: set(wanted) <= set(points))
        self.check("three metrics with their units", {name: unit for name, (unit, _) in points.items()} == wanted, points)
        labels = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "tiny", "server.address": "desk"}
        attributes = [found for _, all_of_one in points.values() for found, _ in all_of_one]
        self.check("attributes of every point", all(labels.items() <= found.items() for found in attributes), attributes)
        durations = points["gen_ai.client.operation.duration"][1]
        errors = [found.get("error.type") for found, _ in durations]
        self.check("failures are told apart", sorted(errors, key=str) == ["400", None], errors)
        tokens = {found["gen_ai.token.type"]: point for found, point in points["gen_ai.client.token.usage"][1]}
        # The question with a tool took two replies.
        is_counted = all(tokens[kind].sum == (tokens[kind].count + 1) * count for kind, count in (("input", 5000), ("output", 7)))
        self.check("tokens by type", set(tokens) == {"input", "output"} and is_counted, tokens)

    def all(self):
        for part in (self.handled, self.passed, self.tool, self.failure, self.unsampled, self.measures):
            try:
                part()
            except (KeyError, StopIteration) as error:
                self.check(part.__name__, False, repr(error))
        services = {resource.get("service.name") for resource in self.collector.resources}
        self.check("the service is haft", services == {"haft"}, services)
        said = [text for text in (QUESTION, ANSWER) if text.encode() in self.collector.raw]
        self.check("nothing of what was said is sent", not said, said)
        return self.failed


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def relay(target):
    """Rotel, which passes on to `target` what it is sent, and its URL."""
    address, grpc = free_address(), free_address()
    command = [pathlib.Path(rotel.__file__).parent / "rotel-agent", "start", "--otlp-http-endpoint", address, "--otlp-grpc-endpoint", grpc,
        "--exporter", "otlp", "--otlp-exporter-protocol", "http", "--otlp-exporter-endpoint", target, "--batch-timeout", "100ms"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            host, port = address.split(":")
            socket.create_connection((host, int(port)), 1).close()
            return process, f"http://{address}"
        except OSError:
            time.sleep(0.1)
    sys.exit("Rotel did not start")


def checked(haft, collector, endpoint):
    """How many checks fail where haft sends to this endpoint, behind which is the collector."""
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    model.daemon_threads, model.parents = True, []
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        upstream = f'[[upstream]]\nurl = "openai:http://127.0.0.1:{model.server_address[1]}/v1"\nname = "desk"\n'
        pathlib.Path(folder, "haft.toml").write_text(upstream)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
            "OTEL_BSP_SCHEDULE_DELAY": "100", "OTEL_METRIC_EXPORT_INTERVAL": "200"}
        command = [os.path.abspath(haft), "--trust", "serve", "--listen", "127.0.0.1:0", "--server-tools"]
        gateway = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)
        try:
            url = next((line.split()[1] for line in gateway.stderr if line.startswith("listens")), None)
            if url is None:
                sys.exit("haft serve did not start")
            threading.Thread(target=gateway.stderr.read, daemon=True).start()
            return Suite(url, collector, model).all()
        finally:
            gateway.terminate()
            gateway.wait(timeout=20)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    options = parser.parse_args()
    collector = Collector()
    print("sent to a collector of this suite")
    failed = checked(options.haft, collector, collector.url)
    collector = Collector()
    process, endpoint = relay(collector.url)
    print("sent through Rotel")
    try:
        failed += checked(options.haft, collector, endpoint)
    finally:
        process.terminate()
        process.wait(timeout=20)
    sys.exit(f"{failed} failed" if failed else 0)


main()
