"""Asks the clients by turns, each at a server of its own, and prints what a call took them.

A machine is never quiet for long. What slows one client in a turn slows the others in theirs, so
medians of one run can be compared, and `noise` says how far they can be: how much slower or faster
the bare client is against itself, from one half of the turns to the other.
"""
import argparse
import json
import os
import statistics
import subprocess

TURNS, CALLS, WARM_UP = 60, 40, 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", required=True, help="the program of the example mcp_turns")
    parser.add_argument("--installed", required=True)
    options = parser.parse_args()
    modules = f"{options.installed}/node_modules"
    node = f"{modules}/node/bin/node"
    server = [node, f"{modules}/@modelcontextprotocol/server-everything/dist/index.js", "stdio"]
    clients = {
        "rmcp alone": [options.turns, "rmcp"],
        "haft": [options.turns, "haft"],
        "TypeScript SDK": [node, f"{options.installed}/client.mjs"],
        "Python SDK": [f"{options.installed}/venv/bin/python", f"{options.installed}/client.py"],
    }
    running = {name: subprocess.Popen([*command, *server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name, command in clients.items()}
    for name, process in running.items():
        assert process.stdout.readline() == "ready\n", name
    each, batches = {name: [] for name in clients}, {name: [] for name in clients}
    for turn in range(WARM_UP + TURNS):
        names = list(clients)
        # Whoever comes first in one turn is the last in the next.
        for name in names if turn % 2 else reversed(names):
            process = running[name]
            process.stdin.write(f"{CALLS}\n")
            process.stdin.flush()
            figures = json.loads(process.stdout.readline())
            if turn >= WARM_UP:
                each[name].append(figures["each"])
                batches[name].append(figures["batch"])
    for process in running.values():
        process.stdin.close()
        process.wait(timeout=20)

    def median(turns):
        return statistics.median(time for turn in turns for time in turn) / 1e6

    bare = each["rmcp alone"]
    noise = median(bare[1::2]) - median(bare[::2])
    # Each turn against the bare client's own in the same turn.
    added = statistics.median(statistics.median(ours) - statistics.median(theirs) for ours, theirs in zip(each["haft"], bare)) / 1e6
    print(f"load {os.getloadavg()[0]:.1f}, {TURNS} turns of {CALLS} calls and of 50 at once; ms")
    print("| client | a call, median | a call, 9 of 10 | 50 at once, median | 50 at once, best | 50 at once against one after the other |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in clients:
        calls = sorted(time / 1e6 for turn in each[name] for time in turn)
        batch = statistics.median(batches[name]) / 1e6
        one = statistics.median(calls)
        print(f"| {name} | {one:.3f} | {calls[len(calls) * 9 // 10]:.3f} | {batch:.2f} | {min(batches[name]) / 1e6:.2f} | {batch / (50 * one):.2f} |")
    print(f"haft adds {added:.3f} ms to rmcp's call (median of the turns' differences); noise {noise:+.3f} ms")


main()
