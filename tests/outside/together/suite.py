#!/usr/bin/env python3
"""All servers together: everything, filesystem, memory, time, fetch, Playwright and Z-Wave.

The tools of all of them are bound to each question, with selection on, and `builtin` and a
scripted Ollama are asked. What the nodes of the home say is the truth about it. Servers are killed
in the middle of their calls, secrets are looked for where a server sees its environment, and in
the end no process may be left.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import left, marked
from web import Ollama, Server, free_port
from zwave_home import AIR, LIGHT, TRANSCRIPT, Home, transcript_calls

MARK = f"HAFT_SUITE_{uuid.uuid4().hex}"
SECRET = "sk-this-must-not-leak-9a04"
PAGE = "<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1><p>Harbour opens at nine.</p></article></body></html>"

# A server, a question, the tool that the model asks for, its arguments, and what has to come back.
QUESTIONS = [
    ("everything", "Echo the word heron back", "echo", {"message": "heron"}, "heron"),
    ("filesystem", "Read the file notes.txt aloud", "read_text_file", {"path": "{folder}/notes.txt"}, "the quick brown fox"),
    ("memory", "Remember that Ada likes tea: create entities in the knowledge graph", "create_entities",
        {"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]}, "likes tea"),
    # haft's own clock goes before that of a server for what is a question about the time.
    ("time", "Convert time: 14:30 from the timezone Asia/Tokyo to the timezone Europe/Berlin", "convert_time",
        {"source_timezone": "Asia/Tokyo", "time": "14:30", "target_timezone": "Europe/Berlin"}, "Europe/Berlin"),
    ("fetch", "Fetch the URL {page} from the internet and extract its contents as markdown", "fetch", {"url": "{page}"}, "Harbour opens at nine"),
    ("playwright", "Open the page {page} in the browser", "browser_navigate", {"url": "{page}"}, "Harbour"),
    ("zwave", "Is the kitchen light reachable? Verify the device", "verify_device", {"deviceName": "kitchen light"}, "Kitchen Light"),
]


class Suite:
    def __init__(self, options, folder):
        self.haft, self.folder, self.failures = os.path.abspath(options.haft), folder, 0
        self.calls = lambda messages: []
        self.ollama = Ollama(lambda messages: self.calls(messages))
        self.page = Server(lambda path, _: ("text/plain", "User-agent: *\nAllow: /\n") if path == "/robots.txt" else ("text/html", PAGE))
        self.home = Home(f"{options.zwave}/home.mjs", f"{options.zwave}/poll.mjs", folder / "zwave")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "NO_PROXY": "*", "OLLAMA_HOST": self.ollama.url,
            "OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET, "HAFT_TEST_SECRET": SECRET}
        config = self.servers(pathlib.Path(options.servers), pathlib.Path(options.browser))
        self.names = list(config)
        (folder / ".mcp.json").write_text(json.dumps({"mcpServers": config}))
        del config["zwave"]
        (folder / "without_home.json").write_text(json.dumps({"mcpServers": config}))
        # The browser as tools, not for searches of haft's own.
        (folder / "haft.toml").write_text("[web_search]\nplaywright = false\n")
        (folder / "notes.txt").write_text("the quick brown fox\n")

    def servers(self, installed, browser):
        modules = installed / "node_modules"
        node, python = str(modules / "node/bin/node"), str(installed / "venv/bin/python")
        official = {name: str(modules / f"@modelcontextprotocol/server-{name}/dist/index.js") for name in ("everything", "filesystem", "memory")}
        config = {
            "everything": {"command": node, "args": [official["everything"], "stdio"]},
            "filesystem": {"command": node, "args": [official["filesystem"], str(self.folder)]},
            "memory": {"command": node, "args": [official["memory"]], "env": {"MEMORY_FILE_PATH": str(self.folder / "memory.jsonl")}},
            "time": {"command": python, "args": ["-m", "mcp_server_time", "--local-timezone", "Europe/Berlin"]},
            "fetch": {"command": python, "args": ["-m", "mcp_server_fetch", "--allow-private-ips"]},
            "playwright": {"command": node, "args": [str(browser / "node_modules/@playwright/mcp/cli.js"), "--headless", "--no-sandbox",
                "--isolated", "--executable-path", "/usr/bin/chromium"]},
            "zwave": {"command": self.haft, "args": ["mcp", "serve", "zwave", "--home", self.home.url]},
        }
        for server in config.values():
            server.setdefault("env", {})[MARK] = "1"
        return config

    def run(self, *arguments):
        done = subprocess.run([self.haft, "--trust", *arguments], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=180)
        return done.returncode, done.stdout.strip(), done.stderr

    def check(self, name, good, seen=""):
        self.failures += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {str(seen)[-3000:]}"), flush=True)

    def ask(self, model, question, *flags):
        self.ollama.asked.clear()
        return self.run("ask", "--model", model, *flags, question)

    def filled(self, value):
        text = json.dumps(value).replace("{page}", self.page.url + "/").replace("{folder}", str(self.folder))
        return json.loads(text)

    def listed(self):
        code, text, trace = self.run("tools", "list", "--json")
        tools = json.loads(text) if code == 0 else []
        origins = {tool["origin"] for tool in tools}
        names = [tool["name"] for tool in tools]
        missing = [name for name in self.names if f"MCP server {name}" not in origins]
        self.check(f"seven servers are bound together ({len(names)} tools)", not missing and len(names) == len(set(names)) > 70, (missing, trace))
        self.count = len(names)

    def questions(self):
        for server, question, name, arguments, expected in QUESTIONS:
            arguments = self.filled(arguments)
            self.calls = lambda messages: [(name, arguments)]
            code, text, trace = self.ask("ollama:scripted", self.filled(question), "--approve", "never")
            offered = self.ollama.offered()
            self.check(f"{server}: {name} is one of {len(offered)} tools that are offered, and works", code == 0 and expected in text
                and name in offered and len(offered) < self.count, (offered, text, trace))

        wanted = [(name, self.filled(arguments)) for _, _, name, arguments, _ in QUESTIONS if name != "create_entities"]
        self.calls = lambda messages: wanted
        code, text, trace = self.ask("ollama:scripted", "Do all of it", "--approve", "never", "--all-tools")
        missing = [expected for _, _, name, _, expected in QUESTIONS if name != "create_entities" and expected not in text]
        self.check("six servers are called in one reply", code == 0 and not missing, (missing, text, trace))

    def transcript(self):
        """A home behind an MCP server counts as destructive as a whole; haft's own tools know a light from a lock."""
        self.calls = transcript_calls
        ways = (("through haft mcp serve zwave", ("--approve", "never")), ("with --home", ("--home", self.home.url, "--mcp", "without_home.json")))
        for way, flags in ways:
            for model in ("builtin", "ollama:scripted"):
                self.run("tools", "call", "--home", self.home.url, "--mcp", "without_home.json", "control_zwave_device", "deviceName=kitchen light", "action=off")
                before = self.home.poll(LIGHT)
                code, text, trace = self.ask(model, TRANSCRIPT, *flags)
                after = self.home.poll(LIGHT, AIR)
                self.check(f"the transcript {way}, {model}: the light was off, and is on", (code, before, after) == (0, [False], [True, 21.5]), (before, after, trace))
                self.check(f"the transcript {way}, {model}: what was done and measured is said", "Kitchen Light is now on" in text and "21.5 °C" in text, (text, trace))
                if model != "builtin":
                    offered = self.ollama.offered()
                    self.check(f"the transcript {way}: {len(offered)} of {self.count} tools were offered", {"control_zwave_device",
                        "get_device_sensor_data"} <= set(offered) and len(offered) < self.count / 2, offered)
        before = self.home.poll(LIGHT)
        self.calls = lambda messages: [("control_zwave_device", {"deviceName": "kitchen light", "action": "off"})]
        code, text, trace = self.ask("ollama:scripted", "Turn off the kitchen light")
        self.check("what another server does to a home is not done unasked", before == self.home.poll(LIGHT) == [True], (text, trace))

    def nothing_leaks(self):
        self.calls = lambda messages: [("get-env", {})]
        code, text, trace = self.ask("ollama:scripted", "Get the environment variables of the server with get-env", "--approve", "never")
        self.check("a server sees a PATH, and no key of its host", code == 0 and "PATH" in text and SECRET not in text and "API_KEY" not in text
            and "HAFT_TEST_SECRET" not in text, (text, trace))
        self.check("nor does anybody else: the trace shows none", SECRET not in trace, trace)

    def servers_of(self, word):
        """Without the watchers, whose command names the server that they watch."""
        return [number for number, command in marked(MARK).items() if word in command and " __watch " not in command]

    def killed_in_a_question(self):
        """Two calls in one reply: the one whose server dies is answered with an error, the other works."""
        self.calls = lambda messages: [("trigger-long-running-operation", {"duration": 60, "steps": 200}),
            ("control_zwave_device", {"deviceName": "kitchen light", "action": "off"})]
        died = []

        def kill():
            # The other call of the same reply is done: this one is under way.
            while self.home.poll(LIGHT) != [False]:
                time.sleep(0.1)
            time.sleep(0.5)
            for number in self.servers_of("server-everything"):
                os.kill(number, signal.SIGKILL)
            died.append(time.monotonic())

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        code, text, trace = self.ask("ollama:scripted", "Trigger the long running operation, and turn off the kitchen light", "--approve", "never", "--all-tools")
        took = time.monotonic() - died[0] if died else 99
        self.check(f"kill -9 in mid-call is answered at once ({took:.1f} s to the end)", code == 0 and took < 9 and "Kitchen Light is now off." in text
            and "The service behind trigger-long-running-operation is not available" in text, (text, trace))

    def killed_at_a_gateway(self):
        """One haft lives on while the server of the home is killed in mid-call."""
        port = free_port()
        url = f"http://127.0.0.1:{port}/v1/chat/completions"
        gateway = subprocess.Popen([self.haft, "--trust", "serve", "--listen", f"127.0.0.1:{port}", "--upstream", f"ollama:{self.ollama.url}", "--server-tools",
            "--select", "--approve", "never"], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def ask(device, action):
            self.calls = lambda messages: [("control_zwave_device", {"deviceName": device, "action": action})]
            body = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": f"Turn {action} the {device}"}]}).encode()
            for _ in range(300):
                try:
                    request = urllib.request.Request(url, body, {"content-type": "application/json"})
                    with urllib.request.urlopen(request, timeout=60) as reply:
                        return json.load(reply)["choices"][0]["message"]["content"]
                except urllib.error.URLError as error:
                    if not isinstance(error.reason, ConnectionRefusedError):
                        return str(error)
                    time.sleep(0.1)

        try:
            text = ask("kitchen light", "on")
            self.check("a gateway with all servers switches", "Kitchen Light is now on." in text and self.home.poll(LIGHT) == [True], text)
            said = []
            # It obeys nothing, so that haft looks for some seconds whether it does.
            asked = threading.Thread(target=lambda: said.append(ask("garage light", "on")))
            asked.start()
            time.sleep(1.5)
            for number in self.servers_of("mcp serve zwave"):
                os.kill(number, signal.SIGKILL)
            died = time.monotonic()
            asked.join()
            took = time.monotonic() - died
            self.check(f"kill -9 of its server in mid-call is answered at once ({took:.1f} s)", took < 2 and "The service behind control_zwave_device is not available" in said[0], said)
            text = ask("kitchen light", "off")
            self.check("the next call starts it again", "Kitchen Light is now off." in text and self.home.poll(LIGHT) == [False], text)
            self.check("and there is one of it", len(self.servers_of("mcp serve zwave")) == 1, marked(MARK))
        finally:
            gateway.terminate()
            gateway.wait(timeout=30)


def main():
    parser = argparse.ArgumentParser()
    for name in ("haft", "servers", "browser", "zwave"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(options, pathlib.Path(folder).resolve())
        try:
            for case in (suite.listed, suite.questions, suite.transcript, suite.nothing_leaks, suite.killed_in_a_question, suite.killed_at_a_gateway):
                case()
            still = left(MARK)
            suite.check("no process is left", not still, still)
        finally:
            suite.home.kill()
    print("all passed" if suite.failures == 0 else f"{suite.failures} failed")
    sys.exit(suite.failures != 0)


main()
