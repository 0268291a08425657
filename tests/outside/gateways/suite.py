#!/usr/bin/env python3
"""Two gateways with one store behind a load balancer: keys, limits and budgets are those of one.

HAProxy has the configuration of docs/guide/teams.md. One gateway is killed; on Postgres the
database is stopped, and the network between one gateway and the database is cut. Every check says
what was measured.
"""
import argparse
import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "durable")]

import database  # noqa: E402
import pausing  # noqa: E402
import web  # noqa: E402
from checks import Checks  # noqa: E402

GUIDE = HERE.parents[2] / "docs" / "guide" / "teams.md"
# Of one reply.
TOKENS = 10
STARTED = 60


def answer(path, _body):
    """What the model server says."""
    if "models" in path:
        return "application/json", json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]})
    usage = {"prompt_tokens": TOKENS - 1, "completion_tokens": 1, "total_tokens": TOKENS}
    choice = {"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}
    return "application/json", json.dumps(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage})


class Tried:
    """What became of some requests."""

    def __init__(self):
        self.statuses, self.slowest = [], 0.0

    def count(self, status):
        return self.statuses.count(status)


class House:
    """The gateways, the balancer and the store."""

    def __init__(self, haft, kind, folder):
        self.haft, self.folder = haft, folder
        self.model = web.Server(answer)
        self.log = open(folder / "log", "w", encoding="utf-8")
        self.disk = folder / "disk"
        self.disk.mkdir()
        self.is_mounted = kind == "sqlite" and os.getuid() == 0
        if self.is_mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(self.disk)], check=True)
        if kind == "sqlite":
            self.store, self.proxy = database.Sqlite(self.disk), None
            addresses = [self.store.address] * 2
        else:
            self.store = database.Postgres(folder)
            self.proxy = pausing.PausingProxy(self.store.port)
            through = self.store.address.replace(f":{self.store.port}", f":{self.proxy.port}")
            addresses = [self.store.address, through]
        self.addresses = addresses
        self.ports = [web.free_port(), web.free_port()]
        self.keys("add", "operator")
        self.gateways = [self.begin(0), self.begin(1)]
        self.balancer_port = web.free_port()
        self.balancer = self.balance()

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HAFT_")}
        return {**kept, "HOME": str(self.folder), "OPENAI_API_KEY": "none"}

    def begin(self, number, port=None, more=()):
        port = port or self.ports[number]
        upstream = f"openai:http://127.0.0.1:{self.model.server_port}/v1"
        command = [self.haft, "serve", "--store", self.addresses[number], "--upstream", upstream,
                   "--listen", f"127.0.0.1:{port}", *more]
        process = subprocess.Popen(command, env=self.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=self.log, stderr=self.log)
        time_until(lambda: self.get(port, "/readyz") == 200, STARTED, "a gateway starts")
        return process

    def balance(self, is_sticky=False):
        """Starts HAProxy with the configuration of the guide."""
        block, sticky = re.findall(r"```haproxy\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
        if is_sticky:
            block = block.replace("    balance leastconn\n", sticky)
        for old, new in (("*:11435", f"127.0.0.1:{self.balancer_port}"), ("desk:11435", f"127.0.0.1:{self.ports[0]}"),
                         ("attic:11435", f"127.0.0.1:{self.ports[1]}")):
            assert old in block, f"the guide has no {old}"
            block = block.replace(old, new)
        file = self.folder / "haproxy.cfg"
        file.write_text(block, encoding="utf-8")
        path = f"{os.environ['PATH']}:/usr/sbin"
        process = subprocess.Popen(["haproxy", "-db", "-f", str(file)], env={"PATH": path},
                                   stdout=self.log, stderr=self.log)
        time_until(lambda: self.get(self.balancer_port, "/readyz") == 200, STARTED, "the balancer starts")
        return process

    def keys(self, *arguments):
        done = subprocess.run([self.haft, "keys", *arguments, "--store", self.addresses[0]], text=True,
                              env=self.environment(), cwd=self.folder, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"haft keys {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def add(self, name, *limits):
        """Adds a key, and waits until both gateways know it."""
        key = self.keys("add", name, *limits)
        for port in self.ports:
            time_until(lambda port=port: self.get(port, "/v1/models", key) == 200, 5, f"{name} is known")
        return key

    def asked(self):
        """The number of questions that `haft stats` counts."""
        done = subprocess.run([self.haft, "stats", "--json", "--store", self.addresses[0]], text=True, check=True,
                              env=self.environment(), cwd=self.folder, capture_output=True)
        return sum(model["questions"] for model in json.loads(done.stdout)["models"])

    def used(self, name):
        """Requests and tokens of today."""
        keys = json.loads(self.keys("list", "--json"))
        used = next(key["used_today"] for key in keys if key["name"] == name)
        return used["requests"], used["input_tokens"] + used["output_tokens"]

    @staticmethod
    def healthy(port):
        """The number of upstreams that work, as the gateway with this port says."""
        request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"authorization": "Bearer operator"})
        with urllib.request.urlopen(request, timeout=10) as reply:
            text = reply.read().decode()
        return sum(int(value) for value in re.findall(r"^haft_upstream_healthy\{.*\} (\d)", text, re.M))

    @staticmethod
    def get(port, path, key=""):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"authorization": f"Bearer {key}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return reply.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def respond(self, key, **fields):
        """A response of the Responses API: its id, or the status of the refusal."""
        body = json.dumps({"model": "m", "input": "Is it?", "store": True, **fields}).encode()
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.balancer_port}/v1/responses", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.load(reply)["id"]
        except urllib.error.HTTPError as error:
            return error.code

    @staticmethod
    def ask(port, key):
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Is it?"}]}).encode()
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                reply.read()
                return reply.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def drive(self, key, seconds, ports=None, clients=6):
        """Asks as fast as some clients can, with a pause after each refusal."""
        tried, until = Tried(), time.monotonic() + seconds

        def client(number):
            port = (ports or [self.balancer_port])[number % len(ports or [0])]
            while time.monotonic() < until:
                began = time.monotonic()
                status = self.ask(port, key)
                tried.slowest = max(tried.slowest, time.monotonic() - began)
                tried.statuses.append(status)
                if status != 200:
                    time.sleep(0.05)

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            list(pool.map(client, range(clients)))
        return tried

    def end(self):
        for process in (*self.gateways, self.balancer):
            process.kill()
            process.wait()
        if self.proxy:
            self.proxy.go_on()
        self.store.end()
        if self.is_mounted:
            subprocess.run(["umount", str(self.disk)], check=True)


def time_until(is_so, seconds, what):
    """How many seconds it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > seconds:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - began


def attempts(house, checks):
    """What came of the requests is counted for all gateways together."""
    key, before = house.add("counted"), house.asked()
    for port in house.ports * 10:
        house.ask(port, key)
    took = time_until(lambda: house.asked() - before >= 20, 10, "all requests are counted")
    checks.say(house.asked() - before == 20, f"haft stats counts the requests of both gateways after {took:.1f} s")


def limits(house, checks, seconds):
    """One limit, driven through the balancer, and from one side alone."""
    for limit in (60, 600):
        key = house.add(f"limited-{limit}", "--requests-per-minute", str(limit))
        tried = house.drive(key, seconds)
        due = limit + limit * seconds / 60
        what = f"{limit} per minute, {seconds} s through the balancer"
        if tried.count(429):
            checks.near(what, tried.count(200), due)
        else:
            checks.say(tried.count(200) <= due, f"{what}: too slow here to reach it, {tried.count(200)} of {due:.0f}")
        others = set(tried.statuses) - {200, 429}
        checks.say(not others, f"other answers: {others or 'none'}; the slowest took {tried.slowest * 1000:.0f} ms")
    key = house.add("lopsided", "--requests-per-minute", "120")
    first = house.drive(key, 5, [house.ports[0]]).count(200)
    second = house.drive(key, 10, [house.ports[1]]).count(200)
    checks.near("120 per minute, first one gateway and then the other", first + second, 120 + 30)
    key = house.add("tokens", "--tokens-per-minute", "3000")
    tried = house.drive(key, seconds)
    due = (3000 + 3000 * seconds / 60) / TOKENS
    checks.near(f"3000 tokens per minute in replies of {TOKENS}", tried.count(200), due)


def keys(house, checks):
    key = house.add("leaving", "--requests-per-minute", "60")
    house.keys("revoke", "leaving")
    took = [time_until(lambda port=port: house.get(port, "/v1/models", key) == 401, 10, "refused") for port in house.ports]
    checks.say(max(took) < 2, f"a revoked key is refused by both after {max(took):.2f} s")
    began = time.monotonic()
    house.add("coming")
    checks.say(time.monotonic() - began < 3, f"a new key is known to both after {time.monotonic() - began:.2f} s")


def budget(house, checks):
    key = house.add("budget", "--tokens-per-day", "1000")
    sent = 0
    for _ in range(160):
        sent += house.ask(house.balancer_port, key) == 200
        time.sleep(0.1)
    checks.say(100 <= sent <= 130, f"1000 tokens a day in replies of {TOKENS}: {sent} replies")
    for port in house.ports:
        status = time_until(lambda port=port: house.ask(port, key) == 429, 10, "the budget is used up")
    time_until(lambda: house.used("budget")[0] >= sent, 10, f"usage is written ({status})")


def conversations(house, name):
    """The number of conversations, of five, that go on by the id of a stored reply."""
    found = 0
    for number in range(5):
        key = house.add(f"{name}-{number}")
        last = house.respond(key)
        for _ in range(4):
            last = house.respond(key, previous_response_id=last)
        found += isinstance(last, str)
    return found


def stored(house, checks):
    """Stored replies are found at both gateways."""
    found = conversations(house, "stored")
    checks.say(found == 5, f"{found} of 5 conversations of stored replies went on, at both gateways")


def sticky(house, checks):
    """With the sticky setting of the guide, each key has its gateway."""
    house.balancer.kill()
    house.balancer.wait()
    house.balancer = house.balance(is_sticky=True)
    found = conversations(house, "sticky")
    checks.say(found == 5, f"{found} of 5 conversations of stored replies went on, each by its key")


def cool_downs(house, checks):
    """An upstream that one gateway finds down is left alone by the other, which asked it nothing."""
    # By 127.0.0.1 gateways on Postgres may mean the upstreams of several machines.
    host = "127.0.0.1" if house.proxy is None else own_address()
    if host is None:
        return checks.say(True, "left out: this machine has no address of its own")
    dying = http.server.ThreadingHTTPServer((host, 0), web.Server(answer).RequestHandlerClass)
    threading.Thread(target=dying.serve_forever, daemon=True).start()
    dead = f"openai:http://{host}:{dying.server_port}/v1"
    ports = [web.free_port(), web.free_port()]
    pair = [house.begin(number, port, ["--token", "operator", "--upstream", dead])
            for number, port in enumerate(ports)]
    healthy = [house.healthy(port) for port in ports]
    dying.shutdown()
    dying.server_close()
    for _ in range(6):
        house.ask(ports[0], "operator")
    found = time_until(lambda: house.healthy(ports[0]) == 1, 10, "the first gateway notices")
    took = time_until(lambda: house.healthy(ports[1]) == 1, 10, "the second gateway is told")
    checks.say(healthy == [2, 2] and took < 2, f"an upstream down: the other gateway knows it {found + took:.2f} s later")
    statuses = {house.ask(port, "operator") for port in ports}
    checks.say(statuses == {200}, f"and both answer: {statuses}")
    for process in pair:
        process.kill()
        process.wait()


def own_address():
    """An address of this machine other than loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def killed(house, checks):
    """One gateway is killed: the other one has the whole limit."""
    key = house.add("survivor", "--requests-per-minute", "240")
    house.drive(key, 2, clients=2)
    house.gateways[1].kill()
    house.gateways[1].wait()
    time.sleep(62)
    tried = house.drive(key, 10)
    checks.near("after kill -9 of a gateway, 240 per minute", tried.count(200), 240 + 40)
    checks.say(not tried.count(401) and not tried.count(0), "the balancer asks the one that is left")
    house.gateways[1] = house.begin(1)


def stopped(house, checks):
    """Postgres is stopped: each gateway has its part, and what was used is written afterwards."""
    key = house.add("outage", "--requests-per-minute", "300")
    free = house.add("free")
    time.sleep(4)
    house.store.stop("immediate")
    before = time.monotonic()
    open_answers = house.drive(free, 3, clients=2)
    checks.say(set(open_answers.statuses) == {200},
               f"without Postgres a key without limits: {open_answers.count(200)} of {len(open_answers.statuses)}")
    tried = house.drive(key, 20)
    due = 300 + 300 * 20 / 60
    checks.near("without Postgres, 300 per minute through the balancer", tried.count(200), due)
    checks.say(tried.slowest < 2, f"the slowest took {tried.slowest * 1000:.0f} ms")
    one = house.drive(key, 5, [house.ports[0]]).count(200)
    checks.say(one <= 30, f"one gateway alone has its half: {one} in 5 s of 12.5 and what was left")
    house.store.start()
    total = tried.count(200) + one
    took = time_until(lambda: house.used("outage")[0] == total, 30, f"{house.used('outage')} is {total}")
    checks.say(True, f"all {total} requests are written {took:.1f} s after Postgres came back "
                     f"({time.monotonic() - before:.0f} s after it was stopped)")
    again = house.drive(key, 6).count(200)
    checks.say(again <= 150 + 30, f"the outage adds at most one part to the limit: {again} in 6 s")


def parted(house, checks):
    """The network between the second gateway and Postgres is cut."""
    key = house.add("parted", "--requests-per-minute", "120")
    time.sleep(4)
    house.proxy.pause()
    tried = house.drive(key, 10, [house.ports[1]])
    checks.near("cut off, half of 120 per minute", tried.count(200), 60 + 10, 0.1)
    checks.say(tried.slowest < 2, f"the slowest took {tried.slowest * 1000:.0f} ms")
    late = house.keys("add", "late")
    other = time_until(lambda: house.get(house.ports[0], "/v1/models", late) == 200, 5, "known to the other")
    checks.say(True, f"the other gateway knows a new key after {other:.2f} s")
    house.proxy.go_on()
    back = time_until(lambda: house.get(house.ports[1], "/v1/models", late) == 200, 15, "known after the cut")
    checks.say(True, f"and the one that was cut off {back:.2f} s after the cut")


def full(house, checks):
    """The disk of the SQLite file is full for a while, which only root can arrange."""
    if os.getuid() != 0:
        return checks.say(True, "left out: only root can mount a file system")
    key = house.add("full", "--requests-per-minute", "6000")
    # What the write-ahead log has room for needs none on the disk.
    with contextlib.closing(sqlite3.connect(house.disk / "runs.db", timeout=10)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    filler = house.disk / "filler"
    with open(filler, "ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                """No room for this much."""
    tried = house.drive(key, 6)
    checks.say(set(tried.statuses) == {200}, f"on a full disk: {tried.count(200)} of {len(tried.statuses)} answered")
    refused = subprocess.run([house.haft, "keys", "add", "no-room", "--store", house.addresses[0]], text=True,
                             env=house.environment(), cwd=house.folder, capture_output=True, check=False).stderr
    checks.say("is full" in refused, f"a new key: {refused.splitlines()[0] if refused else 'accepted'}")
    filler.unlink()
    took = time_until(lambda: house.used("full")[0] == len(tried.statuses), 30, "usage is written once")
    checks.say(True, f"all {len(tried.statuses)} requests are written {took:.1f} s after there is room again")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgres"], required=True)
    parser.add_argument("--seconds", type=int, default=30, help="for which a limit is driven")
    parser.add_argument("--only", help="one of the parts")
    wanted = parser.parse_args()
    checks = Checks()
    parts = {"keys": keys, "attempts": attempts, "stored": stored, "limits": lambda house, checks: limits(house, checks, wanted.seconds), "budget": budget,
             "cool-downs": cool_downs, "killed": killed}
    if wanted.store == "postgres":
        parts |= {"stopped": stopped, "parted": parted}
    else:
        parts |= {"full": full}
    # The last one, as it changes the balancer.
    parts |= {"sticky": sticky}
    with tempfile.TemporaryDirectory() as folder:
        house = House(str(pathlib.Path(wanted.haft).resolve()), wanted.store, pathlib.Path(folder))
        try:
            for name, part in parts.items():
                if wanted.only in (None, name):
                    part(house, checks)
        except BaseException:
            house.log.flush()
            print((pathlib.Path(folder) / "log").read_text(encoding="utf-8")[-4000:])
            raise
        finally:
            house.end()
    sys.exit(bool(checks.failed))


main()
