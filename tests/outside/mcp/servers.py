#!/usr/bin/env python3
"""Servers that people use, all bound together, through the real `haft`.

server-everything, filesystem, memory, time and fetch run as processes; a scripted model asks for
one tool of each, among all of them with selection on. The model and the page that is fetched run
here. Processes are counted at the end: nothing may be left behind.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from web import Server

SECRET = "sk-this-must-not-leak-71c4"

# A question, the tool that the model asks for, its arguments, and what has to be in the result.
QUESTIONS = [
    ("Read the file notes.txt aloud", "read_text_file", {"path": "{folder}/notes.txt"}, "the quick brown fox"),
    ("List what is in my directory", "list_directory", {"path": "{folder}"}, "notes.txt"),
    ("Remember that Ada likes tea: create entities in the knowledge graph", "create_entities",
        {"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]}, "likes tea"),
    ("Search nodes of the knowledge graph for Ada", "search_nodes", {"query": "Ada"}, "likes tea"),
    ("Fetch the URL {page} from the internet and extract its contents as markdown", "fetch", {"url": "{page}"}, "Harbour opens at nine"),
    ("Get the sum of 19 and 23", "get-sum", {"a": 19, "b": "23"}, "42"),
    ("Echo the word heron back", "echo", {"message": "heron"}, "heron"),
]


def page(path, _):
    if path == "/robots.txt":
        return "text/plain", "User-agent: *\nAllow: /\n"
    return "text/html", "<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1><p>Harbour opens at nine.</p></article></body></html>"


class Model:
    """An OpenAI-compatible server: calls the wanted tool, then repeats what it reads."""

    def __init__(self):
        self.call = None
        self.offered = []
        self.server = Server(self.answer)
        self.url = self.server.url

    def answer(self, path, body):
        if not body:
            return "application/json", json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        request = json.loads(body)
        last = request["messages"][-1]
        if last["role"] == "tool":
            content = last["content"]
            content = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
            delta, reason = {"role": "assistant", "content": content}, "stop"
        else:
            self.offered = [tool["function"]["name"] for tool in request.get("tools", [])]
            name, arguments = self.call
            function = {"name": name, "arguments": json.dumps(arguments)}
            delta = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, "id": "call_a", "type": "function", "function": function}]}
            reason = "tool_calls"
        if not request.get("stream"):
            message = {key: value for key, value in delta.items()}
            for call in message.get("tool_calls", []):
                call.pop("index")
            return "application/json", json.dumps({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": reason}]})
        chunks = [{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": part, "finish_reason": why}]}
            for part, why in ((delta, None), ({}, reason))]
        return "text/event-stream", "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def processes(marker):
    """The processes that have `marker` in their command line, with their ids."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if marker in line:
                found[int(entry.name)] = line
    return found


class Servers:
    def __init__(self, options, folder):
        self.haft = os.path.abspath(options.haft)
        self.installed = pathlib.Path(options.installed)
        self.only = options.only
        self.folder = folder
        self.failed = []
        self.passed = 0
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "NO_PROXY": "*", "OPENAI_API_KEY": SECRET, "HAFT_TEST_SECRET": SECRET,
            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state")}
        modules = self.installed / "node_modules"
        node = str(modules / "node" / "bin" / "node")
        python = str(self.installed / "venv" / "bin" / "python")

        def script(name):
            return str(modules / "@modelcontextprotocol" / name / "dist" / "index.js")

        self.config = {
            "everything": {"command": node, "args": [script("server-everything"), "stdio"]},
            "files": {"command": node, "args": [script("server-filesystem"), str(folder)]},
            "memory": {"command": node, "args": [script("server-memory")], "env": {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")}},
            "time": {"command": python, "args": ["-m", "mcp_server_time", "--local-timezone", "Europe/Berlin"]},
            "fetch": {"command": python, "args": ["-m", "mcp_server_fetch", "--ignore-robots-txt", "--allow-private-ips"]},
        }
        self.file = folder / "servers.json"
        self.file.write_text(json.dumps({"mcpServers": self.config}))
        (folder / "notes.txt").write_text("the quick brown fox\n")

    def run(self, *arguments, timeout=120):
        return subprocess.run([self.haft, *arguments], env=self.environment, cwd=self.folder, timeout=timeout, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def judge(self, name, check):
        if self.only not in name:
            return
        try:
            said = check()
        except (AssertionError, subprocess.TimeoutExpired, StopIteration, ValueError) as error:
            said = f"{type(error).__name__}: {error}"
        if said is None:
            self.passed += 1
        else:
            self.failed.append(name)
        print(f"{'ok  ' if said is None else 'FAIL'} {name}{'' if said is None else ': ' + str(said)[-2500:]}", flush=True)

    def all_listed(self):
        done = self.run("tools", "list", "--json", "--mcp", str(self.file))
        assert done.returncode == 0, done.stderr
        tools = json.loads(done.stdout)
        origins = {tool["origin"] for tool in tools}
        missing = [name for name in self.config if f"MCP server {name}" not in origins]
        assert not missing, f"no tools of {missing}: {done.stderr}"
        names = [tool["name"] for tool in tools]
        assert len(names) == len(set(names)) and len(names) > 35, names
        self.count = len(names)

    def question(self, model, question, name, arguments, expected, page):
        question = question.replace("{page}", page)
        arguments = json.loads(json.dumps(arguments).replace("{folder}", str(self.folder)).replace("{page}", page))
        model.call = (name, arguments)
        done = self.run("ask", "--approve", "never", "--json", "--model", f"openai:scripted@{model.url}/v1", "--mcp", str(self.file), question)
        assert done.returncode == 0, done.stderr + done.stdout
        answer = json.loads(done.stdout)
        text = answer.get("answer") or answer.get("text") or json.dumps(answer)
        assert expected in text, done.stdout
        assert name in model.offered, f"{name} was not offered: {model.offered}"
        assert len(model.offered) < self.count, f"all {len(model.offered)} tools were offered"

    def clock_of_a_server(self):
        """For a question about the time haft's own clock goes before it; by name it is there."""
        done = self.run("tools", "call", "get_current_time", "timezone=Asia/Tokyo", "--mcp", str(self.file))
        assert done.returncode == 0, done.stderr
        assert "Asia/Tokyo" in done.stdout, done.stdout

    def same_through_call(self):
        done = self.run("tools", "call", "get-sum", "a=19", "b=23", "--mcp", str(self.file), "--json")
        assert done.returncode == 0, done.stderr
        assert "42" in json.loads(done.stdout)["result"], done.stdout

    def nothing_leaks(self):
        done = self.run("tools", "call", "get-env", "--mcp", str(self.file))
        assert done.returncode == 0, done.stderr
        assert "PATH" in done.stdout, done.stdout
        assert SECRET not in done.stdout and "HAFT_TEST_SECRET" not in done.stdout, done.stdout
        assert "OPENAI_API_KEY" not in done.stdout, done.stdout

    def killed_in_mid_call(self):
        """Kills the server while a call takes half a minute: the answer has to come at once."""
        file = self.folder / "alone.json"
        file.write_text(json.dumps({"mcpServers": {"everything": self.config["everything"]}}))
        arguments = ["tools", "call", "trigger-long-running-operation", "duration=25", "steps=100", "--mcp", str(file)]
        process = subprocess.Popen([self.haft, *arguments], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not (found := self.children(process.pid, "server-everything")):
            assert time.monotonic() < deadline and process.poll() is None, "the server never started"
            time.sleep(0.05)
        # Nothing tells from outside when the call is under way; a server starts in half a second.
        time.sleep(6)
        assert process.poll() is None, process.communicate()
        killed = time.monotonic()
        os.kill(found[0], signal.SIGKILL)
        try:
            stdout, stderr = process.communicate(timeout=15)
        finally:
            process.terminate()
        seconds = time.monotonic() - killed
        assert process.returncode == 1 and "error:" in stderr, (process.returncode, stdout, stderr)
        assert seconds < 3, f"{seconds:.1f} s: {stderr}"

    @staticmethod
    def children(parent, marker):
        found = []
        for pid, line in processes(marker).items():
            try:
                status = pathlib.Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                continue
            if int(status.rsplit(")", 1)[1].split()[1]) == parent:
                found.append(pid)
        return found

    def nothing_left(self):
        deadline = time.monotonic() + 10
        while left := {pid: line for folder in ("node_modules", "venv") for pid, line in processes(f"{self.installed}/{folder}/").items()}:
            assert time.monotonic() < deadline, left
            time.sleep(0.1)

    def haft_in_haft(self):
        """haft's own server beside the others, for haft as the host."""
        config = {"mcpServers": {**self.config, "home": {"command": self.haft, "args": ["mcp", "serve", "zwave"]}}}
        file = self.folder / "with_home.json"
        file.write_text(json.dumps(config))
        done = self.run("tools", "call", "control_zwave_device", "device_name=the kitchen light", "action=on", "--mcp", str(file))
        assert done.returncode == 0, done.stderr
        assert done.stdout == "Kitchen Light is now on.\n", done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--installed", required=True)
    parser.add_argument("only", nargs="?", default="", help="runs what has this in its name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        servers = Servers(options, folder)
        servers.count = 10_000
        model, site = Model(), Server(page)
        servers.judge("all servers are listed together", servers.all_listed)
        for question in QUESTIONS:
            servers.judge(f"ask {question[1]}", lambda: servers.question(model, *question, site.url + "/"))
        servers.judge("get_current_time of the server", servers.clock_of_a_server)
        servers.judge("a call without a model", servers.same_through_call)
        servers.judge("the environment does not leak", servers.nothing_leaks)
        servers.judge("haft as a server beside the others", servers.haft_in_haft)
        servers.judge("kill -9 in mid-call", servers.killed_in_mid_call)
        servers.judge("no process is left", servers.nothing_left)
    print(f"servers: {servers.passed} passed" if not servers.failed else f"failed: {', '.join(servers.failed)}")
    sys.exit(bool(servers.failed))


main()
