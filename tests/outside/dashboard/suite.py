#!/usr/bin/env python3
"""The dashboard for Grafana, docs/grafana/haft.json: Grafana's own types know everything in it, and each
of its queries gives a curve in a real Prometheus that reads the metrics of `haft serve` with the
configuration of docs/guide/monitoring.md.
"""
import argparse
import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/outside/support"))
from checks import Checks, wait_for

USAGE = {"prompt_tokens": 5000, "completion_tokens": 7, "total_tokens": 5007}
TOOL = {"type": "function", "function": {"name": "set_timer", "description": "Sets a timer",
    "parameters": {"type": "object", "required": ["minutes"], "properties": {"minutes": {"type": "integer"}}}}}
PRINTED = '<tool_call>{"name": "set_timer", "arguments": {"minutes": 3}}</tool_call>'
# What each question is for: a call, a repair, a call in a quotation, a recovery, a failure.
QUESTIONS = ["Hello", "[[call]]", "[[wrong type]]", f"What does {PRINTED} mean? [[quote]]", "[[empty]]", "[[fail]]"]


class Model(http.server.BaseHTTPRequestHandler):
    """A model server that does what the last message asks for."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, {"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = json.dumps(body["messages"][-1]["content"])
        if "[[fail]]" in asked:
            return self.answer(500, {"error": {"message": "broken"}})
        message = {"role": "assistant", "content": "Hello."}
        if "[[empty]]" in asked:
            message["content"] = ""
        if "[[quote]]" in asked:
            message["content"] = PRINTED
        if "[[call]]" in asked or "[[wrong type]]" in asked:
            arguments = '{"minutes": 3}' if "[[call]]" in asked else '{"minutes": "3"}'
            message = {"role": "assistant", "content": None, "tool_calls": [
                {"index": 0, "id": "call_1", "type": "function", "function": {"name": "set_timer", "arguments": arguments}}]}
        head = {"id": "c", "created": 1, "model": body["model"], "usage": USAGE}
        choice = {"index": 0, "finish_reason": "stop"}
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


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def ask_everything(gateway, key):
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    for question in QUESTIONS:
        body = {"model": "tiny", "tools": [TOOL], "messages": [{"role": "user", "content": question}]}
        request = urllib.request.Request(f"{gateway}/v1/chat/completions", json.dumps(body).encode(), headers)
        try:
            urllib.request.urlopen(request, timeout=60).close()
        except urllib.error.HTTPError as error:
            error.close()


def curves(prometheus, query):
    """The curves that Grafana would draw, as Prometheus gives them."""
    query = urllib.parse.urlencode({"query": query.replace("$__rate_interval", "30s")})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query?{query}", timeout=20) as answer:
        return json.load(answer)["data"]["result"]


def differences(written, read, path=""):
    """Where what was read is not what was written: types drop what they do not know."""
    if isinstance(written, dict) and isinstance(read, dict):
        for key, value in written.items():
            yield from differences(value, read.get(key), f"{path}.{key}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for place, (value, other) in enumerate(zip(written, read)):
            yield from differences(value, other, f"{path}[{place}]")
    elif written != read:
        yield f"{path}: {written!r} is {read!r}"


def check_types(checks, dashboard):
    register_default_plugins()

    def unknown(dashboard):
        read = JSONEncoder(sort_keys=True).encode(Dashboard.from_json(dashboard))
        return list(differences(dashboard, json.loads(read)))

    found = unknown(dashboard)
    checks.say(not found, f"Grafana's types know everything in the dashboard {found or ''}")
    misspelled = json.loads(json.dumps(dashboard).replace('"gridPos"', '"gridPosition"', 1))
    checks.say(unknown(misspelled), "and would not know a misspelled member")


def check(checks, dashboard, gateway, key, prometheus):
    ask_everything(gateway, key)
    wait_for("Prometheus reads haft", lambda: any(curve["value"][1] == "1" for curve in curves(prometheus, 'up{job="haft"}')))
    ask_everything(gateway, key)
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            try:
                wait_for(target["expr"], lambda: curves(prometheus, target["expr"]), 20)
                checks.say(True, f"{panel['title']}: {target['expr']}")
            except (SystemExit, urllib.error.HTTPError) as error:
                checks.say(False, f"{panel['title']}: {target['expr']}: {error}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--prometheus", required=True, help="its program")
    options = parser.parse_args()
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    model.daemon_threads = True
    threading.Thread(target=model.serve_forever, daemon=True).start()
    checks, processes = Checks(), []
    dashboard = json.loads((ROOT / "docs/grafana/haft.json").read_text())
    check_types(checks, dashboard)
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        added = subprocess.run([options.haft, "keys", "add", "alice", "--json"], env=environment, capture_output=True, check=True)
        key, operator = json.loads(added.stdout)["key"], "operators-key"
        ports = [free_port(), free_port()]
        upstreams = [f"openai:http://127.0.0.1:{port}/v1" for port in (model.server_address[1], free_port())]
        given = [word for upstream in upstreams for word in ("--upstream", upstream)]
        serve = [options.haft, "serve", "--listen", f"127.0.0.1:{ports[0]}", "--token", operator, *given]
        guide = (ROOT / "docs/guide/monitoring.md").read_text()
        scrape = re.search(r"```yaml\n(scrape_configs:.*?)```", guide, re.S)[1]
        scrape = scrape.replace("KEY", operator).replace("11435", str(ports[0]))
        config = pathlib.Path(folder, "prometheus.yml")
        config.write_text(f"global: {{scrape_interval: 1s}}\n{scrape}")
        watch = [options.prometheus, f"--config.file={config}", f"--storage.tsdb.path={folder}/data", f"--web.listen-address=127.0.0.1:{ports[1]}"]
        try:
            for command in (serve, watch):
                processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            for port in ports:
                wait_for(f"port {port}", lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
            check(checks, dashboard, f"http://127.0.0.1:{ports[0]}", key, f"http://127.0.0.1:{ports[1]}")
        finally:
            for process in processes:
                process.terminate()
                process.wait(timeout=30)
    sys.exit(f"{checks.failed} failed" if checks.failed else 0)


main()
