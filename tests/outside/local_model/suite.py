#!/usr/bin/env python3
"""A model file in the process of `haft`: answers, errors, interruption, and the router.

The file is SmolLM2-135M, under a name that does not tell its size: the router must learn that from
the file itself. What the engine does with calls and schemas in detail is tested by
`crates/haft-models/tests/it/local.rs`.
"""
import argparse
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time

# Of the 50 cases of home-50.
WANTED = 44


class Suite:
    def __init__(self, haft, model, folder):
        self.haft, self.folder = haft.resolve(), folder
        self.file = folder / "model.gguf"
        self.file.symlink_to(model.resolve())
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb"}
        self.passed = self.failures = 0

    def check(self, name, good, seen=""):
        if good:
            self.passed += 1
            print(f"ok      {name}")
        else:
            self.failures += 1
            print(f"FAILED  {name}\n        {seen}")

    def run(self, *arguments, limit=300):
        return subprocess.run([self.haft, *arguments], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=limit)

    def ask(self, *arguments, model=None):
        return self.run("ask", "--model", f"local:{model or self.file}", "--temperature", "0", *arguments)

    def answers(self):
        done = self.ask("--json", "Write one sentence about rain.")
        answer = json.loads(done.stdout)
        usage = answer["usage"]
        self.check("an answer with its tokens", done.returncode == 0 and "rain" in answer["answer"].lower()
                   and usage["input_tokens"] > 10 and usage["output_tokens"] > 5, done.stdout + done.stderr)
        self.check("no line of llama.cpp is printed", "llama" not in done.stderr.replace("local:", ""), done.stderr)

        done = self.ask("What time is it in Tokyo?")
        self.check("the router is on by the size in the file", "route" in done.stderr and done.returncode == 0, done.stderr)

    def schema(self):
        """The reply is held to a schema while it is written."""
        wanted = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 30},
                  "rainy": {"type": "boolean"}, "month": {"enum": ["May", "June"]}}, "required": ["city", "rainy", "month"]}
        (self.folder / "schema.json").write_text(json.dumps(wanted))
        done = self.ask("--route=never", "--schema", "schema.json", "Is London rainy in June?")
        try:
            value = json.loads(done.stdout)
            good = isinstance(value["city"], str) and isinstance(value["rainy"], bool) and value["month"] in ("May", "June")
        except (ValueError, KeyError):
            good = False
        self.check("an answer that follows a schema", good, done.stdout + done.stderr)

    def streaming(self):
        """On a terminal the text comes while it is written."""
        main, terminal = pty.openpty()
        process = subprocess.Popen(
            [self.haft, "ask", "--route=never", "--temperature", "0", "--model", f"local:{self.file}",
             "Write a paragraph about rain."],
            env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.DEVNULL)
        os.close(terminal)
        times = []
        while True:
            try:
                if not os.read(main, 4096):
                    break
            except OSError:
                break
            times.append(time.monotonic())
        process.wait()
        self.check("text comes before its end", process.returncode in (0, 3) and len(times) > 10
                   and times[-1] - times[0] > 0.2, f"{len(times)} pieces")

    def interruption(self):
        process = subprocess.Popen(
            [self.haft, "ask", "--route=never", "--model", f"local:{self.file}", "Write a story of 2000 words about a king."],
            env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        # The notice about the tools comes with the reply.
        for line in process.stderr:
            if "warning" in line:
                break
        time.sleep(0.5)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        code = process.wait()
        took = time.monotonic() - begun
        self.check("Ctrl-C ends a reply at once", code == 130 and "interrupted" in rest and took < 5, f"exit {code} after {took:.1f} s: {rest}")

    def refused(self, name, said, *arguments, model=None):
        done = self.ask(*arguments, "--", "hi" if not arguments else "word " * 20000, model=model)
        self.check(name, done.returncode == 1 and said in done.stderr and "hint:" in done.stderr, f"exit {done.returncode}: {done.stderr}")

    def errors(self):
        whole = self.file.read_bytes()
        broken = self.folder / "broken.gguf"
        self.refused("a missing file", "There is no model file", model=self.folder / "missing.gguf")
        broken.write_text("hello")
        self.refused("another format", "is not a model in the GGUF format", model=broken)
        for length in (2000, len(whole) // 2, len(whole) - 1):
            broken.write_bytes(whole[:length])
            self.refused(f"the first {length} bytes of a file", "is not complete", model=broken)
        broken.write_bytes(whole[:30_000] + bytes(len(whole) - 30_000))
        done = self.ask("hi", model=broken)
        self.check("a file of zeros behind its head", done.returncode == 1 and "error:" in done.stderr, f"exit {done.returncode}: {done.stderr}")
        self.refused("too long a question", "the local model has a context of", "--route=never")

    def home_50(self):
        """Fifty questions to one process."""
        done = self.run("eval", "home-50", "--model", f"local:{self.file}", "--temperature", "0", "--json", "--restart", limit=1800)
        summary = json.loads(done.stdout)["summary"]
        right = summary["all"]["recovered"]["hits"]
        self.check(f"{right} of 50 cases right, {WANTED} wanted", right >= WANTED, summary["mistakes"])
        self.check("the share of a random pick is reported", "chance" in summary["all"])

    def doctor(self):
        done = self.run("doctor", "--model", f"local:{self.file}")
        self.check("doctor would take it", f"would take local:{self.file}" in done.stdout, done.stdout + done.stderr)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--haft", required=True, type=pathlib.Path)
    options.add_argument("--model", required=True, type=pathlib.Path)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(options.haft, options.model, pathlib.Path(folder))
        suite.answers()
        suite.schema()
        suite.streaming()
        suite.interruption()
        suite.errors()
        suite.doctor()
        suite.home_50()
    print(f"{suite.passed} passed, {suite.failures} failed")
    sys.exit(1 if suite.failures else 0)


main()
