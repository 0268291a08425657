#!/usr/bin/env python3
"""Durable runs while their workers are killed and their database is away.

Workers are killed at random for some seconds; one is stopped for longer than its lease; then all
are killed and Postgres is stopped, twice. Every run must end, no payment may be made twice, and
each key of an idempotent call must act once. A run whose payment was cut off stops as uncertain;
here the person looks into the file of effects, and decides by it. Each run needs one approval. One
run begins later, while workers die.

Seed, number of runs, payments of each, workers, slots, seconds of killing and the seconds between
two kills are parameters.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import database
import model_server

HERE = pathlib.Path(__file__).parent
LONGER_THAN_A_LEASE = 9
PATIENCE = 600


class Refused(Exception):
    """A command failed, perhaps because the database is away."""


class House:
    """The workers, the store and the file of effects."""

    def __init__(self, haft, store, folder, wanted):
        self.haft, self.store, self.folder, self.wanted = haft, store, folder, wanted
        self.effects = folder / "effects"
        self.effects.touch()
        command = [str(HERE / "tool_server.py"), str(self.effects)]
        server = {"command": sys.executable, "args": command, "trust": True}
        config = folder / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"effects": server}}))
        self.model_url = model_server.start(wanted.payments)
        model = f"openai:steps-8b@{self.model_url}"
        self.work = ["work", "--model", model, "--mcp", config, "--slots", wanted.slots]
        self.log = open(folder / "workers.log", "w", encoding="utf-8")
        self.workers = []

    def begin_all(self):
        self.workers = [self.begin(index) for index in range(self.wanted.workers)]

    def command(self, *arguments, haft=None):
        environment = {**os.environ, "HAFT_STORE": self.store.address, "OPENAI_API_KEY": "none"}
        command = [str(part) for part in (haft or self.haft, *arguments)]
        return {"args": command, "env": environment, "cwd": self.folder, "stdin": subprocess.DEVNULL}

    def begin(self, index):
        """Every second worker is of the other version, if there is one."""
        command = self.command(*self.work, haft=self.wanted.other if index % 2 else None)
        return subprocess.Popen(**command, stdout=self.log, stderr=self.log)

    def ask(self, *arguments):
        done = subprocess.run(**self.command(*arguments), capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(f"haft {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout.strip()

    def ask_all(self):
        """Puts the runs into the store, one of which begins in ten seconds."""
        for number in range(self.wanted.runs - 1):
            self.ask("run", "--detach", f"Job {number}")
        at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=10)
        self.ask("run", "--at", at.isoformat(timespec="seconds"), "A later job")

    def kill(self, index):
        self.workers[index].kill()
        self.workers[index].wait()

    def disturb(self):
        until = time.monotonic() + self.wanted.seconds
        self.workers[0].send_signal(signal.SIGSTOP)
        stopped = self.workers[0]
        wakes = time.monotonic() + LONGER_THAN_A_LEASE
        while time.monotonic() < until:
            time.sleep(self.wanted.between * random.uniform(0.5, 1.5))
            index = random.randrange(1, self.wanted.workers)
            self.kill(index)
            self.workers[index] = self.begin(index)
            if stopped and time.monotonic() > wakes:
                stopped.send_signal(signal.SIGCONT)
                stopped = None
        for how in ("fast", "immediate"):
            for index in range(1, self.wanted.workers):
                self.kill(index)
            self.store.stop(how)
            time.sleep(10 if isinstance(self.store, database.Postgres) else 1)
            self.store.start()
            for index in range(1, self.wanted.workers):
                self.workers[index] = self.begin(index)
            time.sleep(5)

    def done(self):
        """The effects so far, by tool and key."""
        lines = self.effects.read_text(encoding="utf-8").splitlines()
        return collections.Counter(tuple(line.split()) for line in lines)

    def decide(self, run, decided):
        """Approves, or says what became of a payment. Returns what was decided."""
        state = run["state"]
        number = (run["id"], state["number"])
        if number in decided:
            return
        if state["reason"] == "approval":
            decision = "allow"
            self.ask("approvals", "allow", run["id"])
        else:
            took_effect = (state["tool"], f"{run['id']}:{state['arguments']['text']}") in self.done()
            decision = "did" if took_effect else "repeat"
            self.ask("runs", "resume", "--decide", decision, run["id"])
        decided[number] = decision

    def settle(self):
        """Decides until every run has ended; returns the states and decisions."""
        decided, states, last = {}, collections.Counter(), None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and states["answered"] < self.wanted.runs:
            time.sleep(1)
            try:
                runs = json.loads(self.ask("runs", "list", "--json"))
                states = collections.Counter(run["state"]["state"] for run in runs)
                for run in runs:
                    if run["state"]["state"] == "waiting":
                        self.decide(run, decided)
            except Refused as refused:
                last = refused
        if states["answered"] < self.wanted.runs:
            print(f"  the last refusal: {last}")
        return states, collections.Counter(decided.values())

    def end(self):
        for index in range(self.wanted.workers):
            self.kill(index)
        self.store.end()


def parameters():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgres"], required=True)
    parser.add_argument("--other", help="another version of haft, which every second worker is")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--payments", type=int, default=7, help="of each run, at most 7")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--slots", type=int, default=4, help="of each worker")
    parser.add_argument("--seconds", type=float, default=60, help="of killing")
    parser.add_argument("--between", type=float, default=2, help="seconds between two kills")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    wanted = parameters()
    random.seed(wanted.seed)
    haft = pathlib.Path(wanted.haft).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kind = {"sqlite": database.Sqlite, "postgres": database.Postgres}[wanted.store]
        house = House(haft, kind(folder), folder, wanted)
        try:
            house.ask_all()
            began = time.monotonic()
            house.begin_all()
            with concurrent.futures.ThreadPoolExecutor(1) as beside:
                disturbing = beside.submit(house.disturb)
                states, decided = house.settle()
                disturbing.result()
            done = house.done()
        finally:
            house.end()
    twice = [effect for effect, count in done.items() if count > 1]
    missing = (2 + wanted.payments) * wanted.runs - len(done)
    print(f"  {dict(states)} in {time.monotonic() - began:.0f} s; decided: {dict(decided)}")
    payments = sum(count for (tool, _), count in done.items() if tool == "pay")
    print(f"  {payments} payments; twice: {len(twice)}; missing: {missing}")
    if states["answered"] != wanted.runs or twice or missing:
        sys.exit("  FAILED")


if __name__ == "__main__":
    main()
