#!/usr/bin/env python3
"""Durable runs while their workers are killed and their database is away.

Four workers, one of which is killed each second for twenty seconds; one is stopped for longer than
its lease; Postgres is stopped for ten seconds, twice. Every run must end, no payment may be made
twice, and each key of an idempotent call must act once. A run whose payment was cut off stops as
uncertain; here the person looks into the file of effects, and decides by it.
"""
import argparse
import collections
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
WORKERS = 4
SECONDS_OF_KILLING = 20
LONGER_THAN_A_LEASE = 9
PATIENCE = 240


class House:
    """The workers, the store and the file of effects."""

    def __init__(self, haft, store, folder):
        self.haft, self.store, self.folder = haft, store, folder
        self.effects = folder / "effects"
        self.effects.touch()
        command = [str(HERE / "tool_server.py"), str(self.effects)]
        server = {"command": sys.executable, "args": command, "trust": True}
        config = folder / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"effects": server}}))
        model = f"openai:steps-8b@{model_server.start()}"
        self.work = ["work", "--model", model, "--mcp", config, "--slots", "2", "--approve", "never"]
        self.log = open(folder / "workers.log", "w", encoding="utf-8")
        self.workers = []

    def begin_all(self):
        self.workers = [self.begin() for _ in range(WORKERS)]

    def command(self, *arguments):
        environment = {**os.environ, "HAFT_STORE": self.store.address, "OPENAI_API_KEY": "none"}
        command = [str(part) for part in (self.haft, *arguments)]
        return {"args": command, "env": environment, "cwd": self.folder, "stdin": subprocess.DEVNULL}

    def begin(self):
        return subprocess.Popen(**self.command(*self.work), stdout=self.log, stderr=self.log)

    def ask(self, *arguments):
        done = subprocess.run(**self.command(*arguments), capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def kill_one(self):
        index = random.randrange(WORKERS)
        self.workers[index].kill()
        self.workers[index].wait()
        self.workers[index] = self.begin()

    def disturb(self):
        for second in range(SECONDS_OF_KILLING):
            time.sleep(1)
            self.kill_one()
            if second == 5:
                self.workers[0].send_signal(signal.SIGSTOP)
                time.sleep(LONGER_THAN_A_LEASE)
                self.workers[0].send_signal(signal.SIGCONT)
        for how in ("fast", "immediate"):
            self.store.stop(how)
            time.sleep(10 if isinstance(self.store, database.Postgres) else 0)
            self.store.start()
            time.sleep(5)

    def done(self):
        """The effects so far, by tool and key."""
        lines = self.effects.read_text(encoding="utf-8").splitlines()
        return collections.Counter(tuple(line.split()) for line in lines)

    def settle(self, count):
        """Decides what is uncertain until every run has ended; returns the states and decisions."""
        decided = {}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            runs = json.loads(self.ask("runs", "list", "--json"))
            states = collections.Counter(run["state"]["state"] for run in runs)
            for run in runs:
                if run["state"].get("reason") == "uncertain" and run["id"] not in decided:
                    took_effect = ("pay", f"{run['id']}:1") in self.done()
                    decided[run["id"]] = "did" if took_effect else "repeat"
                    self.ask("runs", "resume", "--decide", decided[run["id"]], run["id"])
            if states["answered"] == count:
                break
            time.sleep(1)
        return states, decided

    def end(self):
        for worker in self.workers:
            worker.kill()
            worker.wait()
        self.store.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgres"], required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    haft = pathlib.Path(arguments.haft).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kind = {"sqlite": database.Sqlite, "postgres": database.Postgres}[arguments.store]
        house = House(haft, kind(folder), folder)
        try:
            for number in range(arguments.runs):
                house.ask("run", "--detach", f"Job {number}")
            began = time.monotonic()
            house.begin_all()
            house.disturb()
            states, decided = house.settle(arguments.runs)
            done = house.done()
        finally:
            house.end()
    twice = [effect for effect, count in done.items() if count > 1]
    missing = 3 * arguments.runs - len(done)
    print(f"  {dict(states)} in {time.monotonic() - began:.0f} s; uncertain: {len(decided)}")
    print(f"  {len(done)} effects; twice: {len(twice)}; missing: {missing}")
    if states["answered"] != arguments.runs or twice or missing:
        sys.exit("  FAILED")


main()
