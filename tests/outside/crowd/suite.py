#!/usr/bin/env python3
"""Crowds before `haft serve`: requests without a key, over the limit of a key and beyond the room,
and how much of them is logged; idle connections of one address while others work.
"""
import argparse
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

BODY = json.dumps({"model": "tiny", "messages": [{"role": "user", "content": "Hello?"}]})
CONNECTIONS = 16
# Requests that one connection has on the way.
BATCH = 50
# A line for each kind of refusal in ten seconds, and those of the start.
LONGEST_LOG = 64 * 1024
# The room of the gateway, which slow conversations fill: more than there are connections, because
# a request takes room until it is refused.
ROOM = 2 * CONNECTIONS
# More connections of an address are closed at once.
PER_ADDRESS = 1500
FIRST_REQUEST = 3
SETTINGS = f"""[[upstream]]
url = "openai:http://127.0.0.1:%d/v1"

[gateway.limits]
conversations = {ROOM}
connections_per_address = {PER_ADDRESS}
first_request = "{FIRST_REQUEST}s"
"""


class Model(http.server.BaseHTTPRequestHandler):
    """A model server whose answers wait until `go_on` is set."""
    protocol_version = "HTTP/1.1"
    go_on, waiting = threading.Event(), threading.Semaphore(0)

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        if not self.go_on.is_set():
            self.waiting.release()
            self.go_on.wait()
        choice = {"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}
        self.answer({"id": "c", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice]})

    def answer(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Gateway:
    def __init__(self, haft, folder, port):
        self.haft, self.folder = haft, pathlib.Path(folder)
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder}
        (self.folder / "haft.toml").write_text(SETTINGS % port)
        self.free = self.key("free")
        self.limited = self.key("limited", "--requests-per-minute", "1")
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            command = [haft, "--trust", "serve", "--listen", "127.0.0.1:0"]
            self.process = subprocess.Popen(command, cwd=folder, env=self.environment, stderr=log)
        for _ in range(200):
            line = next((line for line in self.log.read_text().splitlines() if line.startswith("listens")), None)
            if line:
                host, port = line.split()[1].removeprefix("http://").split(":")
                self.address = host, int(port)
                return
            time.sleep(0.05)
        sys.exit("haft serve did not start")

    def key(self, *arguments):
        done = subprocess.run([self.haft, "keys", "add", *arguments], cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout.split()[-1]

    def request(self, key):
        authorization = f"authorization: Bearer {key}\r\n" if key else ""
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{authorization}content-length: {len(BODY)}\r\n\r\n"
        return (head + BODY).encode()

    def memory(self):
        """Resident, in MB."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def ask(self, key):
        """The status of one request on a new connection."""
        with socket.create_connection(self.address, timeout=600) as connection:
            connection.sendall(self.request(key))
            return connection.recv(65536).split(b" ", 2)[1].decode()


def statuses(gateway, request, count, found):
    """Sends so many requests on one connection after the other, and counts the statuses."""
    left, connection, counted = count, None, {}
    while left > 0:
        batch = min(BATCH, left)
        connection = connection or socket.create_connection(gateway.address, timeout=30)
        answer = b""
        try:
            connection.sendall(request * batch)
            while answer.count(b"HTTP/1.1 ") < batch or not answer.endswith(b"}"):
                piece = connection.recv(65536)
                if not piece:
                    raise ConnectionResetError
                answer += piece
        except ConnectionError:
            # Who never had a key is not kept for long.
            connection.close()
            connection = None
        for part in answer.split(b"HTTP/1.1 ")[1:]:
            counted[part[:3].decode()] = counted.get(part[:3].decode(), 0) + 1
            left -= 1
    if connection:
        connection.close()
    found.append(counted)


class Suite:
    def __init__(self, gateway):
        self.gateway, self.failed = gateway, 0

    def check(self, name, good, seen):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}: {seen}", flush=True)

    def refusals(self, name, key, status, count):
        before, began, found = self.gateway.log.stat().st_size, time.monotonic(), []
        request, each = self.gateway.request(key), -(-count // CONNECTIONS)
        threads = [threading.Thread(target=statuses, args=(self.gateway, request, each, found)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counted = {}
        for one in found:
            for kind, number in one.items():
                counted[kind] = counted.get(kind, 0) + number
        grown = self.gateway.log.stat().st_size - before
        took = time.monotonic() - began
        self.check(name, counted.get(status, 0) >= count and grown <= LONGEST_LOG,
            f"{counted}, {took:.0f} s, {grown} bytes of log, {self.gateway.memory():.0f} MB")

    def crowd(self, count):
        self.refusals("no key", None, "401", count)
        Model.go_on.set()
        self.gateway.ask(self.gateway.limited)
        self.refusals("over the limit of a key", self.gateway.limited, "429", count)
        Model.go_on.clear()
        waiting = [threading.Thread(target=self.gateway.ask, args=(self.gateway.free,)) for _ in range(ROOM)]
        for thread in waiting:
            thread.start()
        for _ in waiting:
            Model.waiting.acquire(timeout=60)
        self.refusals("no room", self.gateway.free, "503", count)
        Model.go_on.set()
        for thread in waiting:
            thread.join()

    def idle(self, count):
        open_ones = []
        for _ in range(count):
            connection = socket.create_connection(self.gateway.address, source_address=("127.0.0.2", 0), timeout=30)
            connection.setblocking(False)
            open_ones.append(connection)
        began, slowest, asked = time.monotonic(), 0.0, []
        while time.monotonic() - began < FIRST_REQUEST * 2:
            start = time.monotonic()
            asked.append(self.gateway.ask(self.gateway.free))
            slowest = max(slowest, time.monotonic() - start)
        self.check(f"others beside {count} idle connections", set(asked) == {"200"}, f"{len(asked)} answers, the slowest in {1000 * slowest:.0f} ms")
        closed = sum(is_closed(connection) for connection in open_ones)
        self.check("idle connections without a key are closed", closed == count, f"{closed} of {count}, {self.gateway.memory():.0f} MB")
        for connection in open_ones:
            connection.close()


def is_closed(connection):
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--requests", type=int, default=15_000, help="refused ones, a third of each kind")
    parser.add_argument("--idle", type=int, default=2000, help="idle connections of one address")
    options = parser.parse_args()
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    model.daemon_threads = True
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(os.path.abspath(options.haft), folder, model.server_address[1])
        try:
            suite = Suite(gateway)
            suite.crowd(-(-options.requests // 3))
            suite.idle(options.idle)
            print(f"the whole log: {gateway.log.stat().st_size} bytes")
        finally:
            gateway.process.terminate()
            gateway.process.wait(timeout=30)
    sys.exit(f"{suite.failed} failed" if suite.failed else 0)


main()
