#!/usr/bin/env python3
"""A browser as a tool: Playwright's MCP server over Chromium, started and stopped by `haft`.

The model is scripted: in each round it makes the next call of its script, with the element that
the last snapshot showed. The page is one of this machine. Processes are told by a variable in
their environment, so that other browsers on the machine do not matter.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import marked
from web import Server

MARK = f"HAFT_SUITE_{uuid.uuid4().hex}"
PAGE = """<!DOCTYPE html><html><head><title>Harbour office</title></head><body><h1>Harbour office</h1>
<button onclick="fetch('/rung').then(r => r.text()).then(t => document.getElementById('said').textContent = t)">Ring the bell</button>
<p id="said">Nobody is here.</p></body></html>"""
SECRET = "The harbour master says: tide at 17:42."


def page(path, _):
    return ("text/plain", SECRET) if path == "/rung" else ("text/html; charset=utf-8", PAGE)


def processes():
    """Those of this suite that are alive: number and command."""
    return marked(MARK)


def browsers():
    return [number for number, command in processes().items() if "chromium" in command.split(" ")[0]]


def servers():
    return [number for number, command in processes().items() if "@playwright/mcp/cli.js" in command]


class Suite:
    def __init__(self, haft, server, folder):
        self.haft, self.folder, self.failures = haft, folder, 0
        self.script, self.results, self.offered = [], [], {}
        self.model, self.page = Server(self.turn), Server(page)
        # What the server offers may change while its entry in the configuration does not.
        self.more = folder / "more-arguments"
        self.more.write_text("")
        start = folder / "playwright"
        start.write_text(f'#!/bin/sh\nexec node {server} --headless --no-sandbox --isolated --executable-path /usr/bin/chromium $(cat {self.more})\n')
        start.chmod(0o755)
        (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"playwright": {"command": str(start), "env": {MARK: "1"}}}}))
        (folder / "haft.toml").write_text("[web_search]\nplaywright = false\n")

    def turn(self, path, body):
        """The model: the next call of the script, then an answer from the last result."""
        if not body:
            return "application/json", '{"data": [{"id": "scripted"}]}'
        asked = json.loads(body)
        self.offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in asked.get("tools", [])}
        results = [message["content"] for message in asked["messages"] if message["role"] == "tool"]
        self.results = results
        step = self.script[len(results)] if len(results) < len(self.script) else None
        if step is None:
            message = {"role": "assistant", "content": "I read: " + (results[-1] if results else "nothing")}
        else:
            name, arguments = step(results) if callable(step) else step
            call = {"id": f"call-{len(results)}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        finish = "stop" if step is None else "tool_calls"
        return "application/json", json.dumps({"id": "1", "object": "chat.completion", "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}]})

    def command(self, *arguments):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "OPENAI_API_KEY": "none"}
        return {"args": [self.haft, "--trust", *arguments], "env": environment, "cwd": self.folder}

    def run(self, *arguments):
        done = subprocess.run(**self.command(*arguments), capture_output=True, text=True, timeout=120)
        return done.stdout, done.stderr

    def ask(self, question, script, *flags):
        self.script = script
        self.page.seen.clear()
        # Nobody is there to be asked whether a click is all right.
        out, trace = self.run("ask", "--json", "--approve", "never", "--model", f"openai:scripted@{self.model.url}/v1", *flags, question)
        return (json.loads(out) if out.strip() else {}), trace

    def navigate(self):
        return "browser_navigate", {"url": self.page.url}

    def click(self, results):
        """The element by the mark that this version of the server gives it and takes for it."""
        mark = re.search(r'button "Ring the bell".*?\[ref=(\w+)\]', results[-1])
        key = "target" if "target" in self.offered["browser_click"]["properties"] else "ref"
        return "browser_click", {"element": "the button", key: mark.group(1) if mark else "none"}

    def check(self, name, good, seen=""):
        self.failures += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {seen}"), flush=True)

    def gone(self, name):
        """Chromium ends within some seconds of its server, by whatever it was ended."""
        begun = time.monotonic()
        while processes() and time.monotonic() - begun < 10:
            time.sleep(0.1)
        self.check(f"{name}: no process is left ({time.monotonic() - begun:.1f} s)", not processes(), processes())

    def driven(self):
        read = ("browser_snapshot", {})
        answer, trace = self.ask("Ring the bell on the page, and read what it says", [self.navigate(), read, self.click, read], "--all-tools")
        visits = [path for path, agent, _ in self.page.seen if "Chrome/" in agent]
        self.check("navigate: a real Chromium opened the page", "/" in visits, (self.page.seen, trace))
        self.check("snapshot: the button is seen", len(self.results) == 4 and 'button "Ring the bell"' in self.results[1], (self.results, trace))
        self.check("click: the page was told", "/rung" in visits, (self.page.seen, self.results, trace))
        self.check("read: the answer is from the page", SECRET in answer.get("answer", ""), (answer, trace))
        self.gone("at the end")

    def not_asked_for(self):
        answer, trace = self.ask("Hello", [], "--no-tools")
        self.check("without tools nothing is started", not processes() and not self.page.seen and "answer" in answer, (processes(), trace))
        out, trace = self.run("tools", "call", "get_current_datetime")
        self.check("nor for another tool", out.strip() and not processes(), (out, trace))
        _, trace = self.ask("What time is it?", [("get_current_datetime", {})], "--all-tools")
        self.check("a question that opens no page opens no browser", not self.page.seen, trace)
        self.gone("after a question that opened none")

    def listed(self):
        def names():
            out, trace = self.run("tools", "list", "--json")
            return {tool["name"] for tool in json.loads(out)}, trace

        before, _ = names()
        self.more.write_text("--caps=vision")
        after, trace = names()
        new = sorted(after - before)
        self.check(f"a server that offers more is listed afresh ({', '.join(new[:2])}, ...)",
            len([name for name in before if name.startswith("browser_")]) >= 20 and any("xy" in name for name in new), (new, trace))
        self.ask("Open the page", [self.navigate()], "--all-tools")
        self.check("and offered so", set(new) <= set(self.offered), sorted(self.offered))
        self.more.write_text("")
        self.ask("Open the page", [self.navigate()], "--all-tools")
        self.check("a tool that is no more is not offered", not set(new) & set(self.offered), sorted(self.offered))
        self.gone("after lists")

    def server_killed(self):
        """kill -9 of the server between two calls, and in the middle of one."""
        def dies(results):
            self.check("the browser is open", browsers(), processes())
            self.old = set(processes())
            for server in servers():
                os.kill(server, signal.SIGKILL)
            return "browser_snapshot", {}

        answer, trace = self.ask("Read the page", [self.navigate(), dies], "--all-tools")
        self.check("kill -9 of the server: the next call is answered, and the question too", len(self.results) == 2 and self.results[1]
            and "answer" in answer, (self.results, trace))
        self.gone("after kill -9 of the server")

        def waits(results):
            def kill():
                time.sleep(1.5)
                self.died = time.monotonic()
                for server in servers():
                    os.kill(server, signal.SIGKILL)
            threading.Thread(target=kill, daemon=True).start()
            return "browser_wait_for", {"time": 20}

        answer, trace = self.ask("Wait a while", [self.navigate(), waits], "--all-tools")
        took = time.monotonic() - self.died
        self.check(f"kill -9 in mid-call is answered at once ({took:.1f} s to the end)", took < 6 and len(self.results) == 2
            and "answer" in answer, (self.results, trace))
        self.gone("after kill -9 in mid-call")

    def haft_ended(self, sign):
        self.script = [self.navigate(), ("browser_wait_for", {"time": 20})]
        self.page.seen.clear()
        command = self.command("ask", "--approve", "never", "--model", f"openai:scripted@{self.model.url}/v1", "--all-tools", "Wait a while")
        asked = subprocess.Popen(**command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            if self.page.seen:
                break
            time.sleep(0.1)
        time.sleep(0.5)
        open_now = browsers()
        asked.send_signal(sign)
        asked.wait(timeout=20)
        self.check(f"{sign.name} of haft comes while the browser is open", open_now)
        self.gone(f"after {sign.name} of haft")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--server", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(os.path.abspath(arguments.haft), arguments.server, pathlib.Path(folder))
        for case in (suite.driven, suite.not_asked_for, suite.listed, suite.server_killed):
            case()
        for sign in (signal.SIGINT, signal.SIGKILL):
            suite.haft_ended(sign)
    print("all passed" if suite.failures == 0 else f"{suite.failures} failed")
    sys.exit(suite.failures != 0)


main()
