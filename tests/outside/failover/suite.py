#!/usr/bin/env python3
"""What clients of a gateway get while its model servers fail: `haft serve`, or any other gateway.

Each model of the first server breaks in its own way. The second server is only a fallback: it has a
model `fine`, which it also answers for under the names of the others. An answer is right if it is
whole or an error that says so; half of one that looks whole, silence, and asking over and over what
was refused are failures.
"""
import argparse
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from faults import ANSWER, SOUND, Server

# model, what is wrong with it, whether an answer is due even without a fallback, how often it may
# be asked for one request
FAULTS = [
    ("busy-once", "429 with Retry-After, once", True, 3),
    ("busy", "429 always", False, 4),
    ("error-once", "500 once", True, 3),
    ("overloaded", "503 always", False, 6),
    ("reset-once", "reset before the head, once", True, 3),
    ("silent", "never answers", False, 3),
    ("slow", "is slow to begin", True, 1),
    ("cut", "cut in the middle", False, 3),
    ("stall", "stops in the middle", False, 3),
    ("malformed", "an event that is no JSON", False, 3),
    ("unmarked", "no [DONE] at the end", True, 1),
    ("unfinished", "ends early and cleanly", False, 3),
    ("empty", "200 without a body", False, 3),
    ("told-in-stream", "an error event", False, 3),
    ("too-long", "400, the context is too small", False, 1),
    ("filtered", "400, refused for its content", False, 1),
]
# Those that must not be answered by asking the same model again.
REFUSED = {"too-long", "filtered"}
STARTED = {"cut", "stall", "malformed", "unfinished", "told-in-stream"}


class Answer:
    """What a careful client makes of a reply."""

    def __init__(self, gateway, model, stream, seconds):
        self.text, self.error, self.model, self.usage = "", None, None, None
        began = time.monotonic()
        try:
            self.read(gateway, model, stream, seconds)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.error = self.error or f"{type(error).__name__}: {error}"
        self.took = time.monotonic() - began
        self.is_whole = self.error is None and self.text.strip() == ANSWER

    def read(self, gateway, model, stream, seconds):
        url = urllib.parse.urlsplit(gateway)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=seconds)
        body = {"model": model, "stream": stream, "messages": [{"role": "user", "content": "Count to sixty."}]}
        if stream:
            body["stream_options"] = {"include_usage": True}
        head = {"content-type": "application/json", "authorization": "Bearer key"}
        connection.request("POST", url.path.rstrip("/") + "/chat/completions", json.dumps(body), head)
        response = connection.getresponse()
        if response.status != 200:
            self.error = f"status {response.status}"
            return
        if not stream:
            self.take(json.loads(response.read()), "message")
            return
        is_done = False
        for line in response:
            if not line.startswith(b"data:"):
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                is_done = True
                continue
            self.take(json.loads(data), "delta")
        if not is_done and self.error is None:
            self.error = "the connection closed before [DONE]"

    def take(self, body, part):
        if body.get("error"):
            self.error = f"told: {body['error']}"
        self.model = body.get("model") or self.model
        self.usage = body.get("usage") or self.usage
        for choice in body.get("choices") or []:
            self.text += (choice.get(part) or {}).get("content") or ""


class Haft:
    """The gateway; it knows nothing of the fault before when it has been started again."""

    def __init__(self, options, folder, models):
        self.options, self.folder, self.process = options, folder, None
        (pathlib.Path(folder) / "haft.toml").write_text(settings(*options.ports, models))

    def start(self):
        self.end()
        command = [os.path.abspath(self.options.haft), "-q", "--trust", "serve", "--listen", f"127.0.0.1:{self.options.listen}", "--idle-timeout", "3s"]
        command += ["--no-repair"] if self.options.no_repair else []
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "HAFT_LOG": "off"}
        self.process = subprocess.Popen(command, cwd=self.folder, env=environment)

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=30)


class Suite:
    def __init__(self, options, first, gateway, haft):
        self.options, self.first, self.gateway, self.haft, self.failed = options, first, gateway, haft, 0

    def begin(self):
        """The gateway has forgotten the fault before, or had time for that."""
        if self.haft:
            self.haft.start()
        elif self.options.pause:
            time.sleep(self.options.pause)
        for _ in range(100):
            if self.ask(SOUND, False).is_whole:
                self.first.asked.clear()
                return
            time.sleep(0.1)
        sys.exit(f"{self.gateway} does not answer for the model {SOUND}")

    def tell(self, name, problems, how):
        self.failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {name}: {'; '.join(problems) or how}")

    def ask(self, model, stream):
        return Answer(self.gateway, model, stream, self.options.bound + 5)

    def fault(self, model, what, is_due, most, stream):
        self.begin()
        answer = self.ask(model, stream)
        count = self.first.count(model)
        problems = [] if count else ["the model was never asked"]
        if answer.took > self.options.bound:
            problems.append(f"took {answer.took:.0f} s")
        if answer.error is None and not answer.is_whole:
            problems.append(f"{len(answer.text.split())} of 60 words pass for an answer")
        has_begun = stream and model in STARTED
        if not answer.is_whole and (is_due or (self.options.fallback and not has_begun and model not in REFUSED)):
            problems.append(f"no answer: {answer.error}")
        if count > most:
            problems.append(f"the model was asked {count} times")
        after = self.ask(SOUND, False)
        if not after.is_whole:
            problems.append(f"afterwards a sound model fails: {after.error}")
        how = "answered" if answer.is_whole else f"error ({answer.error})"
        self.tell(f"{what}, {'streamed' if stream else 'whole'}", problems, f"{how[:110]}, asked {count} times")

    def accounting(self):
        self.begin()
        answer = self.ask("overloaded", True)
        problems = [] if answer.is_whole else [f"no answer: {answer.error}"]
        if answer.model != SOUND:
            problems.append(f"the answer is said to be of {answer.model}")
        if not answer.usage:
            problems.append("no count of tokens")
        self.tell("an answer of the fallback says so", problems, f"model {answer.model}, {answer.usage}")

    def flap(self):
        self.begin()
        down, step = 5.0 * self.options.scale, 0.4 * self.options.scale
        began = time.monotonic()
        self.first.down_until = began + down
        unanswered, back = 0, None
        while time.monotonic() < began + down * 5 and back is None:
            before = self.first.count("flap")
            answer = self.ask("flap", True)
            is_down = time.monotonic() < began + down
            unanswered += is_down and not answer.is_whole
            if not is_down and answer.is_whole and self.first.count("flap") > before:
                back = time.monotonic() - began - down
            time.sleep(step)
        problems = [f"{unanswered} requests without an answer while it was down"] if unanswered and self.options.fallback else []
        if back is None:
            problems.append("it is not used again")
        self.tell("down for a while, then back", problems, f"used again after {back or 0:.1f} s")

    def all(self):
        for stream in (True, False):
            for model, what, is_due, most in FAULTS:
                self.fault(model, what, is_due, most, stream)
        if self.options.fallback:
            self.accounting()
        self.flap()
        return self.failed


def settings(first, second, models):
    aliases = ", ".join(f'"{model}" = "{SOUND}"' for model in models if model != SOUND)
    return f"""[[upstream]]
url = "openai:http://127.0.0.1:{first}/v1"
name = "first"

[[upstream]]
url = "openai:http://127.0.0.1:{second}/v1"
name = "second"
fallback = true
aliases = {{ {aliases} }}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", help="the program; it is started before the two servers")
    parser.add_argument("--no-repair", action="store_true", help="haft passes replies on as they are")
    parser.add_argument("--gateway", help="another gateway, such as http://127.0.0.1:4000/v1, which is set up before the servers")
    parser.add_argument("--ports", type=int, nargs=2, default=[9981, 9982], help="of the two servers")
    parser.add_argument("--listen", type=int, default=9983, help="where haft listens")
    parser.add_argument("--no-fallback", dest="fallback", action="store_false", help="the gateway knows the first server alone")
    parser.add_argument("--scale", type=float, default=1.0, help="makes the servers' waits longer")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each fault, in which another gateway may forget the one before")
    parser.add_argument("--bound", type=float, default=15.0, help="seconds that any answer may take")
    options = parser.parse_args()
    models = [model for model, *_ in FAULTS] + ["flap", SOUND]
    first = Server(options.ports[0], models, options.scale)
    Server(options.ports[1], [SOUND], options.scale)
    with tempfile.TemporaryDirectory() as folder:
        haft = Haft(options, folder, models) if options.haft else None
        gateway = options.gateway or f"http://127.0.0.1:{options.listen}/v1"
        try:
            failed = Suite(options, first, gateway, haft).all()
        finally:
            if haft:
                haft.end()
    sys.exit(f"{failed} failed" if failed else 0)


main()
