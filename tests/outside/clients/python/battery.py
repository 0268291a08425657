"""What every SDK must see through haft, streamed and not. Each `check_*.py` brings a client: how
its SDK is asked, and what its errors are called.
"""
import base64
import dataclasses
import json
import os
import struct
import time
import urllib.request
import zlib

HELLO = "Hello there, how are you today? Åse says 🌧."


def _picture():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


PICTURE = _picture()
PICTURE_BASE64 = base64.b64encode(PICTURE).decode()

WEATHER = ("get_weather", "The weather in a city", {"type": "object", "required": ["city"], "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}})
TIME = ("get_time", "The time now", {"type": "object", "properties": {}})
TOOLS = [WEATHER, TIME]
CITY = {"type": "object", "required": ["city", "inhabitants"], "additionalProperties": False, "properties": {
    "city": {"type": "string"}, "inhabitants": {"type": "integer"}}}


@dataclasses.dataclass
class Answer:
    """What a client read: `stop` is end, calls or length; a call is (id, name, arguments)."""
    text: str = ""
    thinking: str = ""
    calls: list = dataclasses.field(default_factory=list)
    stop: str = ""
    usage: tuple = (0, 0)
    pieces: int = 0
    raw: object = None

    def made(self):
        return [(name, arguments) for _, name, arguments in self.calls]


class Battery:
    def __init__(self, client):
        self.client, self.failures, self.passed = client, 0, 0

    def check(self, name, good, seen=""):
        self.failures += not good
        self.passed += bool(good)
        if not good:
            print(f"FAILED  {self.client.name}: {name}\n        {seen}")

    def raises(self, name, kinds, action):
        try:
            seen = action()
        except kinds as error:
            return self.check(name, True, error)
        except Exception as error:
            return self.check(name, False, f"{type(error)} is none of {kinds}: {error}")
        self.check(name, False, f"no error, but {seen}")

    def run(self):
        models = self.client.models()
        self.check("lists models", {"scripted", "scripted-2"} <= set(models), models)
        for streamed in (False, True):
            mode = "streamed" if streamed else "whole"
            for part in (self.text, self.calls, self.results, self.settings, self.errors):
                try:
                    part(mode, streamed)
                except Exception as error:
                    self.check(f"{part.__name__} {mode}", False, repr(error))
        self.leaves()
        for extra in getattr(self.client, "extras", lambda: [])():
            try:
                self.check(extra.__name__, *extra())
            except Exception as error:
                self.check(extra.__name__, False, repr(error))
        print(f"{self.client.name}: {self.passed} passed, {self.failures} failed")
        return self.failures

    def ask(self, question, streamed, **more):
        history = more.pop("history", [])
        return self.client.ask([*history, ("user", question)], streamed, **more)

    def text(self, mode, streamed):
        seen = self.ask("[[hello]]", streamed)
        self.check(f"text {mode}", (seen.text, seen.calls, seen.stop) == (HELLO, [], "end"), seen)
        self.check(f"text comes in pieces {mode}", (seen.pieces > 3) == streamed, seen.pieces)
        self.check(f"usage {mode}", seen.usage[0] > 0 and seen.usage[1] > 5, seen.usage)
        seen = self.ask("[[length]]", streamed)
        self.check(f"the limit ended it {mode}", (seen.text, seen.stop) == ("One two three", "length"), seen)
        seen = self.ask("[[think]]", streamed, think=True)
        self.check(f"thinking {mode}", (seen.text, seen.thinking) == ("Forty-two.", "Let me count to 42."), seen)
        seen = self.ask("[[see]]", streamed, image=PICTURE_BASE64)
        self.check(f"a picture {mode}", seen.text == f"image/png of {len(PICTURE)} bytes", seen)

    def calls(self, mode, streamed):
        for script, text, calls in [
            ("call", "", [("get_weather", {"city": "Paris", "unit": "celsius"})]),
            ("two", "", [("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})]),
            ("beside", "Let me look.", [("get_weather", {"city": "Zürich 東京 🌦"})]),
            ("noargs", "", [("get_time", {})]),
            ("printed", "", [("get_weather", {"city": "Paris"})]),
            ("broken", "", [("get_weather", {"city": "Paris", "days": 3})]),
        ]:
            seen = self.ask(f"[[{script}]]", streamed, tools=TOOLS)
            ids = {identifier for identifier, _, _ in seen.calls}
            good = (seen.text, seen.made(), seen.stop) == (text, calls, "calls") and len(ids) == len(calls)
            self.check(f"call {script} {mode}", good, seen)

    def results(self, mode, streamed):
        first = self.ask("[[two]]", streamed, tools=TOOLS)
        history = [("user", "[[two]]"), ("ai", first), ("tool", list(zip(first.calls, ["cold", "warm"])))]
        seen = self.client.ask(history, streamed, tools=TOOLS)
        self.check(f"results {mode}", seen.text == "The tools say: Oslo: cold; Rome: warm", seen)
        again = self.ask("[[two]]", streamed, tools=TOOLS, history=[*history, ("ai", seen)])
        ids = [identifier for identifier, _, _ in first.calls + again.calls]
        self.check(f"ids stay unique {mode}", len(set(ids)) == 4, ids)
        seen = self.client.ask(history, streamed, tools=TOOLS, schema=CITY)
        self.check(f"results as data {mode}", set(json.loads(seen.text)) == {"city", "inhabitants"}, seen)

    def settings(self, mode, streamed):
        seen = self.ask("Tell me of 'Lima' with its 9 inhabitants", streamed, schema=CITY)
        self.check(f"schema {mode}", json.loads(seen.text) == {"city": "Lima", "inhabitants": 9}, seen)
        if getattr(self.client, "has_stop", True):
            seen = self.ask("Hello", streamed, stop=["how"])
            self.check(f"stop {mode}", seen.text.strip() == "Hello there,", seen)
        seen = self.ask("Hello", streamed, limit=2)
        self.check(f"limit {mode}", (seen.text.strip(), seen.stop) == ("Hello there,", "length"), seen)
        if not self.client.has_tool_choice:
            return
        for choice, names in [("required", 1), ("none", 0), ("get_time", 1)]:
            seen = self.ask("What is the weather in 'Rome'?" if choice != "get_time" else "Hello", streamed, tools=TOOLS, choice=choice)
            called = choice if choice == "get_time" else "get_weather"
            good = [name for name, _ in seen.made()] == [called] * names
            self.check(f"tool_choice {choice} {mode}", good, seen)

    def errors(self, mode, streamed):
        errors = self.client.errors
        for script in ("refuse", "limit", "fail"):
            self.raises(f"{script} {mode}", errors[script], lambda: self.ask(f"[[{script}]]", streamed))
        self.raises(f"unknown model {mode}", errors["unknown"], lambda: self.ask("Hello", streamed, model="nobody"))
        # The client was told by then that there will be an answer.
        self.raises(f"a call that stays wrong {mode}", errors["cut" if streamed else "fail"], lambda: self.ask("[[hopeless]]", streamed, tools=TOOLS))
        for script in ("dies", "stops"):
            kinds = errors["cut" if streamed else "fail"]
            self.raises(f"{script} in mid-stream {mode}", kinds, lambda: self.ask(f"[[{script}]]", streamed))

    def leaves(self):
        def left():
            with urllib.request.urlopen(os.environ["UPSTREAM"] + "/left") as answer:
                return json.load(answer)["left"]
        before = left()
        self.client.leave("[[slow]]")
        started = time.monotonic()
        while left() == before and time.monotonic() - started < 5:
            time.sleep(0.02)
        took = time.monotonic() - started
        self.check("a client that leaves frees the server within a second", took < 1, took)
