#!/usr/bin/env python3
"""Durable runs over HTTP while workers are killed, connections are cut, and everything is restarted.

Two gateways share a store. Each run is begun at one of them and read by curl, which is killed again
and again and goes on with `Last-Event-ID` at the other one. Workers are killed while they write.
Once all runs wait for a person, workers, gateways and the database are restarted; then the calls are
allowed over HTTP. No event may be missing or come twice, and what a reader puts together must be
what is recorded.
"""
import argparse
import collections
import json
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import database
import model_server
from suite import House, Refused

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from checks import wait_for  # noqa: E402

TOKEN = "the-operators-key"
DEADLINE = 300


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Gateways:
    """Two of them, at addresses that stay the same."""

    def __init__(self, house, model_url):
        self.house, self.model_url = house, model_url
        self.ports = [free_port(), free_port()]
        self.processes = []

    def url(self, number, path):
        return f"http://127.0.0.1:{self.ports[number % 2]}{path}"

    def start(self):
        for port in self.ports:
            flags = ["--listen", f"127.0.0.1:{port}", "--token", TOKEN, "--upstream", f"openai:{self.model_url}"]
            command = self.house.command("serve", *flags)
            log = self.house.log
            self.processes.append(subprocess.Popen(**command, stdout=log, stderr=log))

    def kill(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes.clear()

    def post(self, number, path, body):
        """Posts until a gateway answers."""
        until = time.monotonic() + 60
        while True:
            request = urllib.request.Request(self.url(number, path), json.dumps(body).encode())
            request.add_header("authorization", f"Bearer {TOKEN}")
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except (urllib.error.URLError, OSError) as error:
                refused = isinstance(error, urllib.error.HTTPError) and error.code != 503
                if refused or time.monotonic() > until:
                    raise
                time.sleep(0.5)


class Reader(threading.Thread):
    """Reads the events of a run with curl, over many connections."""

    def __init__(self, gateways, run, random_cuts):
        super().__init__(daemon=True)
        self.gateways, self.run_id, self.cuts = gateways, run, random_cuts
        self.ids, self.steps, self.names = [], {}, collections.Counter()
        self.text, self.pending, self.ended, self.problems = "", None, None, []
        self.connections = 0

    def run(self):
        until = time.monotonic() + DEADLINE
        while self.ended is None and time.monotonic() < until:
            self.read_for(self.cuts.uniform(0.3, 2.5))
            self.connections += 1

    def read_for(self, seconds):
        url = self.gateways.url(self.connections, f"/v1/runs/{self.run_id}/events")
        command = ["curl", "-sN", "-H", f"authorization: Bearer {TOKEN}", url]
        if self.ids:
            command += ["-H", f"last-event-id: {self.ids[-1]}"]
        curl = subprocess.Popen(command, stdout=subprocess.PIPE)
        cut = threading.Timer(seconds, curl.kill)
        cut.start()
        # What was cut off within an event counts as not received.
        for frame in curl.stdout.read().decode(errors="replace").split("\n\n")[:-1]:
            self.receive(frame)
        cut.cancel()
        curl.wait()
        time.sleep(0.05)

    def receive(self, frame):
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if ": " in line)
        if "event" not in fields:
            return
        name, number, data = fields["event"], fields["id"], json.loads(fields["data"])
        if name != "reply.retracted" and number in self.ids:
            self.problems.append(f"{name} {number} came twice")
        self.ids.append(number)
        self.names[name] += 1
        if name == "text.delta":
            self.text += data["text"]
        elif name == "reply.retracted":
            self.text = ""
        elif name == "step":
            if data["number"] != len(self.steps) + 1:
                self.problems.append(f"step {data['number']} after {len(self.steps)}")
            if not data["text"].startswith(self.text):
                self.problems.append(f"{self.text!r} was not retracted before {data['text']!r}")
            self.steps[data["number"]], self.text = data, ""
        elif name == "waiting":
            self.pending = data
        elif name == "ended":
            self.ended = data


def kill_workers(house, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(random.uniform(1, 2.5))
        index = random.randrange(house.wanted.workers)
        house.kill(index)
        house.workers[index] = house.begin(index)


def recorded(house, run):
    while True:
        try:
            return json.loads(house.ask("runs", "show", "--steps", "--json", run))
        except Refused:
            time.sleep(1)


def restart_everything(house, gateways):
    for index in range(house.wanted.workers):
        house.kill(index)
    gateways.kill()
    house.store.stop("immediate")
    house.store.start()
    gateways.start()
    house.begin_all()


def examine(house, readers):
    """What is wrong with what the readers have."""
    problems = []
    for reader in readers:
        problems += reader.problems
        if not reader.ended or reader.ended["state"] != "answered":
            problems.append(f"{reader.run_id} ended as {reader.ended}")
        elif reader.ended["text"] != model_server.ANSWER:
            problems.append(f"{reader.run_id} answered {reader.ended['text']!r}")
        names = [step["name"] for step in recorded(house, reader.run_id)]
        if names != [step["name"] for step in reader.steps.values()]:
            problems.append(f"{reader.run_id}: {names} are recorded")
    twice = [effect for effect, count in house.done().items() if count > 1]
    return problems + [f"{effect} twice" for effect in twice]


def run(house, gateways, wanted):
    gateways.start()
    house.begin_all()
    runs = [gateways.post(number, "/v1/runs", {"question": f"Job {number}"})["id"] for number in range(wanted.runs)]
    readers = [Reader(gateways, run, random.Random(f"{wanted.seed} {run}")) for run in runs]
    for reader in readers:
        reader.start()
    wait_for("every run waits for a person", lambda: all(reader.pending for reader in readers), DEADLINE)
    restart_everything(house, gateways)
    for number, reader in enumerate(readers):
        body = {"decision": "allow", "number": reader.pending["number"]}
        gateways.post(number, f"/v1/runs/{reader.run_id}/approvals", body)
    kill_workers(house, wanted.seconds)
    wait_for("every run ends", lambda: all(reader.ended for reader in readers), DEADLINE)
    return readers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgres"], required=True)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slots", type=int, default=8, help="of each worker")
    parser.add_argument("--seconds", type=float, default=15, help="of killing workers that write")
    parser.add_argument("--seed", type=int, default=1)
    parser.set_defaults(other=None)
    wanted = parser.parse_args()
    wanted.payments = 0
    random.seed(wanted.seed)
    model_server.PAUSE = 0.25
    # More than what the first reply of a process holds back, to see whether the model saw the tools.
    lines = (f"Line {number} of the answer says that this part is done." for number in range(1, 41))
    model_server.ANSWER = "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kind = {"sqlite": database.Sqlite, "postgres": database.Postgres}[wanted.store]
        house = House(pathlib.Path(wanted.haft).resolve(), kind(folder), folder, wanted)
        gateways = Gateways(house, house.model_url)
        try:
            readers = run(house, gateways, wanted)
            problems = examine(house, readers)
        finally:
            gateways.kill()
            house.end()
    names = sum((reader.names for reader in readers), collections.Counter())
    connections = sum(reader.connections for reader in readers)
    print(f"  over HTTP: {dict(names)} over {connections} connections")
    for problem in problems:
        print(f"  {problem}")
    if problems or not names["text.delta"] or not names["reply.retracted"]:
        sys.exit("  FAILED")


if __name__ == "__main__":
    main()
