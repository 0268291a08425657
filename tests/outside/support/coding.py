"""A coding conversation in Claude Code's form, and how much of its prompts a llama-server computes.

The client sends the whole conversation in each turn. What changes at its front: the billing line
(new `cch`), the time in the system prompt, and a counter of tokens after each result.
"""
import json
import subprocess
import time
import urllib.request
from typing import NamedTuple

from web import free_port

FILES = ["parser.py", "lexer.py", "printer.py", "main.py", "errors.py", "tests.py", "cli.py", "cache.py", "graph.py"]

RULES = [
    "Read a file before you change it, and change only what the task needs.",
    "Run the tests after every change; a change without a run is not done.",
    "Keep answers short. Name the file and the line, not the whole function.",
    "Never delete a file that you did not write, and never rewrite history.",
    "Ask when two readings of a task lead to different code.",
    "Use the names that the code around yours uses.",
]

TOOL = {"name": "read_file", "description": "Reads a file of the project.", "input_schema": {
    "type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}}


class Size(NamedTuple):
    """How long the conversation is."""
    turns: int
    # In the system prompt.
    rules: int
    # Of each file that is read.
    lines: int
    task: str = "The tests fail since yesterday. Find out why and fix it."


def source(name, lines):
    """A file of the project."""
    stem = name.removesuffix(".py")
    return "\n".join(f"def {stem}_{line}(value):\n    return value + {line * 7 % 11}" for line in range(lines))


def request(turn, model, size):
    """The request of this turn, from 0."""
    billing = f"x-anthropic-billing-header: cc_version=2.1.37.0d9; cc_entrypoint=cli; cch={turn * 40503 % 0xfffff:05x};"
    text = "\n".join(["You are a coding agent in a terminal.", f"Current time: 14:{turn:02}:09", "# Rules",
                      *(f"{number}. {RULES[number % len(RULES)]}" for number in range(size.rules))])
    messages = [{"role": "user", "content": size.task}]
    for past in range(turn):
        call = f"toolu_{past:04}"
        name = FILES[past % len(FILES)]
        messages += [
            {"role": "assistant", "content": [
                {"type": "text", "text": f"I look at {name}."},
                {"type": "tool_use", "id": call, "name": "read_file", "input": {"path": name}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": source(name, size.lines)}]},
            {"role": "system", "content": f"<total_tokens>{200000 - 731 * past} tokens left</total_tokens>"},
        ]
    return {"model": model, "max_tokens": 16, "temperature": 0, "tools": [TOOL], "messages": messages,
            "system": [{"type": "text", "text": billing}, {"type": "text", "text": text}]}


def fetch(url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01", **(headers or {})}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=300) as answer:
        return json.load(answer)


def counted(engine):
    """What the engine, which needs --metrics, has computed and written so far, in tokens."""
    with urllib.request.urlopen(f"{engine}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if line.startswith("llamacpp:"))
    return int(float(values["llamacpp:prompt_tokens_total"])), int(float(values["llamacpp:tokens_predicted_total"]))


def play(base, engine, model, size, headers=None):
    """Plays the conversation at `base`, and returns for each turn the tokens of the prompt and how
    many of them the engine computed, and the seconds of all turns."""
    seen, begun = [], time.monotonic()
    for turn in range(size.turns):
        before = counted(engine)
        fetch(f"{base}/v1/messages", request(turn, model, size), headers)
        after = counted(engine)
        last = max(fetch(f"{engine}/slots"), key=lambda slot: slot.get("id_task", -1))
        # A slot counts what was written after the prompt, too.
        seen.append((last["n_prompt_tokens"] - (after[1] - before[1]), after[0] - before[0]))
    return seen, time.monotonic() - begun


def share(seen):
    """The share of the prompt that was computed, without the first turn, which has to be."""
    later = seen[1:]
    return sum(computed for _, computed in later) / sum(tokens for tokens, _ in later)


class Gateway:
    """`haft serve` before an engine."""

    def __init__(self, haft, upstream, folder, environment, options=()):
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [haft, "serve", "--listen", f"127.0.0.1:{port}", "--upstream", upstream, *options],
            env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(300):
            try:
                fetch(f"{self.base}/v1/models")
                return self
            except OSError:
                time.sleep(0.1)
        self.process.kill()
        raise SystemExit("haft serve did not start within 30 seconds")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
