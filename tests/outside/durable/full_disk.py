#!/usr/bin/env python3
"""Durable runs in a SQLite file whose disk is full for a while.

The file is in a small file system of its own (root only). Each command says that the disk is full;
when there is room again, the worker goes on by itself and every run ends, with each call made once.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import model_server

HERE = pathlib.Path(__file__).parent
RUNS = 4
PAYMENTS = 2
FULL = 12
ENDS = 120


class House:
    def __init__(self, haft, folder, disk):
        self.haft, self.folder, self.disk = haft, folder, disk
        self.effects = folder / "effects"
        self.effects.touch()
        server = {"command": sys.executable, "args": [str(HERE / "tool_server.py"), str(self.effects)], "trust": True}
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"effects": server}}))

    def command(self, *arguments):
        store = f"sqlite:{self.disk}/runs.db"
        environment = {**os.environ, "HAFT_STORE": store, "OPENAI_API_KEY": "none"}
        command = [str(part) for part in (self.haft, *arguments)]
        return {"args": command, "env": environment, "cwd": self.folder, "stdin": subprocess.DEVNULL}

    def run(self, *arguments):
        return subprocess.run(**self.command(*arguments), capture_output=True, text=True, check=False, timeout=120)

    def runs(self):
        listed = self.run("runs", "list", "--json")
        return json.loads(listed.stdout) if listed.returncode == 0 else []

    def fill(self):
        """Leaves no byte."""
        with open(self.disk / "filler", "ab", buffering=0) as filler:
            for size in (65536, 4096, 1):
                try:
                    while True:
                        filler.write(b"x" * size)
                except OSError:
                    """No room for this much."""

    def settle(self, count):
        """Approves until so many runs have ended."""
        until, allowed = time.monotonic() + ENDS, set()
        while time.monotonic() < until:
            runs = self.runs()
            for run in runs:
                number = (run["id"], run["state"].get("number"))
                if run["state"]["state"] == "waiting" and number not in allowed:
                    if run["state"]["reason"] == "approval":
                        done = self.run("approvals", "allow", run["id"])
                    else:
                        effect = f"{run['state']['tool']} {run['id']}:{run['state']['arguments']['text']}"
                        decision = "did" if effect in self.effects.read_text().splitlines() else "repeat"
                        done = self.run("runs", "resume", "--decide", decision, run["id"])
                    if done.returncode == 0:
                        allowed.add(number)
            if sum(run["state"]["state"] == "answered" for run in runs) >= count:
                return runs
            time.sleep(0.5)
        return self.runs()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    haft = pathlib.Path(parser.parse_args().haft).resolve()
    if os.getuid() != 0:
        print("  left out: only root can mount a file system")
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        disk = folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=True)
        log = open(folder / "worker.log", "w", encoding="utf-8")
        house = House(haft, folder, disk)
        worker = None
        try:
            model = f"openai:steps-8b@{model_server.start(PAYMENTS)}"
            work = house.command("work", "--model", model, "--mcp", folder / "mcp.json")
            worker = subprocess.Popen(**work, stdout=log, stderr=log)
            for number in range(RUNS):
                assert house.run("run", "--detach", f"Job {number}").returncode == 0
            time.sleep(1)
            house.fill()
            time.sleep(FULL / 2)
            refused = house.run("run", "--detach", "One too many")
            time.sleep(FULL / 2)
            is_alive = worker.poll() is None
            (disk / "filler").unlink()
            more = house.run("run", "--detach", "Later").returncode == 0
            runs = house.settle(RUNS + more)
        finally:
            if worker:
                worker.kill()
                worker.wait()
            subprocess.run(["umount", str(disk)], check=True)
        effects = house.effects.read_text(encoding="utf-8").splitlines()
        answered = sum(run["state"]["state"] == "answered" for run in runs)
        print(f"  full: {refused.stderr.strip() or 'accepted'}")
        print(f"  worker alive: {is_alive}; {answered} of {RUNS + 1} runs answered; "
              f"{len(effects)} effects, twice: {len(effects) - len(set(effects))}")
        due = (2 + PAYMENTS) * (RUNS + 1)
        if "is full" not in refused.stderr or answered != RUNS + 1 or len(set(effects)) != due or len(effects) != due or not is_alive:
            print((folder / "worker.log").read_text(encoding="utf-8")[-3000:])
            sys.exit("  FAILED")


main()
