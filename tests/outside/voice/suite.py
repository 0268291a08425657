#!/usr/bin/env python3
"""What is said reaches the devices: the real `haft` among real partners on loopback.

Python's `wyoming` package is the client of `haft serve --wyoming` (as Home Assistant is, which uses
it) and the satellite; pocketsphinx behind it hears what espeak-ng speaks, as does Whisper; Mosquitto is the broker;
the Z-Wave driver and server are real, their nodes simulated. Whether a command worked is asked of
the node itself.
"""
import argparse
import asyncio
import os
import pathlib
import socket
import sys
import tempfile
import time

from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.handle import Handled, HandledChunk, HandledStart, HandledStop, NotHandled
from wyoming.info import Describe, Info
from wyoming.intent import Intent, NotRecognized, Recognize
from zeroconf import IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from house import Broker, Devices, Haft, free_port, wait_for
from household import Household
from listening import Listening

LIGHT, LAMP = "2 37 currentValue", "3 38 currentValue"
PASSWORD = "correct-horse-7"


async def ask(port, text, conversation="c"):
    """The events that answer one sentence, asked as Home Assistant asks."""
    async with AsyncTcpClient("127.0.0.1", port, connect_timeout=5, read_timeout=60) as client:
        await client.write_event(Transcript(text, context={"conversation_id": conversation}).event())
        events = []
        while not events or not any(kind.is_type(events[-1].type) for kind in (HandledStop, NotHandled, Error)):
            event = await client.read_event()
            if event is None:
                break
            events.append(event)
        return events


def text_of(events):
    texts = [event.data["text"] for event in events if Handled.is_type(event.type) or NotHandled.is_type(event.type)]
    return texts[0] if texts else None


class Suite:
    def __init__(self, arguments, folder):
        self.binary, self.folder, self.failures = os.path.abspath(arguments.haft), folder, 0
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "HAFT_MQTT_PASSWORD": PASSWORD}
        self.devices = Devices(arguments.zwave, folder / "zwave")
        self.broker = Broker(folder, PASSWORD)

    def check(self, name, good, seen=""):
        self.failures += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {seen}"), flush=True)

    def haft(self, *arguments):
        return Haft(self.binary, self.environment, self.folder, *arguments)

    def serving(self):
        port = free_port()
        haft = self.haft("serve", "--wyoming", f"127.0.0.1:{port}", "--home", self.devices.url, "--model", "builtin",
            "--mqtt", f"mqtt://house@127.0.0.1:{self.broker.port}")
        wait_for(port, haft.process)
        try:
            asyncio.run(self.client(port))
            asyncio.run(self.fifty(port))
            asyncio.run(self.nonsense(port))
            asyncio.run(self.idle(port, haft))
            self.publishing(port, haft)
        finally:
            asyncio.run(self.announced(port, haft))
            code = haft.end()
        self.check("it ends when it is asked to", code == 0, code)
        self.check("no password in its trace", PASSWORD not in haft.trace(), haft.trace())
        self.through_tls()

    async def client(self, port):
        async with AsyncTcpClient("127.0.0.1", port, read_timeout=30) as client:
            await client.write_event(Describe().event())
            info = Info.from_event(await client.read_event())
            handle, intent = info.handle[0], info.intent[0]
            self.check("describe: a program that handles, streams and controls the home", (handle.name, handle.installed, handle.supports_handled_streaming,
                handle.supports_home_control, handle.models[0].name) == ("haft", True, True, True, "builtin"), handle)
            self.check("describe: a program that recognises intents", intent.installed and intent.models[0].installed, intent)
            await client.write_event(Recognize("turn on the kitchen light").event())
            event = await client.read_event()
            named = Intent.is_type(event.type) and Intent.from_event(event)
            entities = {entity.name: entity.value for entity in named.entities} if named else {}
            self.check("recognize: the tool and its arguments", entities == {"deviceName": "kitchen light", "action": "on"}, event)
            await client.write_event(Recognize("what do you think of Kant?").event())
            event = await client.read_event()
            self.check("recognize: no intent in small talk", NotRecognized.is_type(event.type), event)
        before = self.devices.poll(LIGHT)
        events = await ask(port, "turn on the kitchen light")
        after = self.devices.poll(LIGHT)
        self.check("handle: the light was off, also after recognize, and is on", (before, after) == ([False], [True]), (before, after, events))
        kinds = [event.type for event in events]
        wanted = [kind().event().type for kind in (HandledStart, )] + ["handled-chunk", "handled", "handled-stop"]
        pieces = "".join(HandledChunk.from_event(event).text for event in events if HandledChunk.is_type(event.type))
        self.check("handle: streamed and whole", kinds == wanted and pieces == text_of(events) == "Kitchen Light is now on.", events)

    async def fifty(self, port):
        questions = ["what time is it in Tokyo?", "what is the temperature in the living room?"]
        answers = await asyncio.gather(*(ask(port, questions[at % 2], f"room {at}") for at in range(50)))
        texts = [text_of(events) or "" for events in answers]
        good = ["Tokyo" in text if at % 2 == 0 else "21.5" in text for at, text in enumerate(texts)]
        self.check("fifty at once are all answered", all(good), [text for text, right in zip(texts, good) if not right])

    async def nonsense(self, port):
        for name, data in (("half an event", b'{"type": "transcript", "data_length": 50}\n{"te'), ("a web request", b"GET / HTTP/1.1\r\n\r\n"),
                ("too much", b'{"type": "transcript", "data_length": 99999999999}\n')):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            writer.write_eof()
            said = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            self.check(f"{name} is told of as an error", said.startswith(b'{"type":"error"'), said)
        events = await ask(port, "what time is it in Lima?")
        self.check("and costs nobody else anything", "Lima" in (text_of(events) or ""), events)

    async def idle(self, port, haft):
        waiting = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        await asyncio.sleep(1)
        before = haft.processor_seconds()
        await asyncio.sleep(10)
        used = haft.processor_seconds() - before
        print(f"        {used:.2f} s of processor time in 10 s with 20 idle connections", flush=True)
        self.check("idle, it takes next to no processor time", used <= 0.05, used)
        for _, writer in waiting:
            writer.close()

    def through_tls(self):
        """A broker is told through TLS when it is one that the system trusts, and otherwise not."""
        for trusted in (True, False):
            port = free_port()
            if trusted:
                self.environment["SSL_CERT_FILE"] = str(self.folder / "ca.pem")
            haft = self.haft("serve", "--wyoming", f"127.0.0.1:{port}", "--home", "demo", "--model", "builtin",
                "--mqtt", f"mqtts://house@localhost:{self.broker.tls_port}")
            self.environment.pop("SSL_CERT_FILE", None)
            wait_for(port, haft.process)
            self.broker.lines.clear()
            asyncio.run(ask(port, "what time is it in Oslo?"))
            heard = self.broker.heard("voice/transcription what time is it in Oslo?", seconds=10 if trusted else 3)
            haft.end()
            wanted = "mqtts://house@localhost" in haft.trace() if trusted else "invalid peer certificate" in haft.trace()
            name = "through TLS the broker is told" if trusted else "a broker that the system does not trust is not"
            self.check(name, heard == trusted and wanted, (self.broker.lines, haft.trace()))

    async def announced(self, port, haft):
        """Found by another implementation of zeroconf, on the loopback interface."""
        found, gone, name = asyncio.Event(), asyncio.Event(), []

        def changed(zeroconf, service_type, name, state_change):
            if f":{port}." in name:
                (gone if state_change is ServiceStateChange.Removed else found).set()

        listener = AsyncZeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
        browser = AsyncServiceBrowser(listener.zeroconf, "_wyoming._tcp.local.", handlers=[changed])
        try:
            # It is told every 20 s.
            await asyncio.wait_for(found.wait(), 30)
            full_name = f"haft on {socket.gethostname().split('.')[0]}:{port}._wyoming._tcp.local."
            info = AsyncServiceInfo("_wyoming._tcp.local.", full_name)
            known = await info.async_request(listener.zeroconf, 3000)
            self.check("announced: where it listens, to this machine", known and (info.parsed_addresses(), info.port) == (["127.0.0.1"], port), info)
            code = await asyncio.to_thread(haft.end)
            await asyncio.wait_for(gone.wait(), 10)
            self.check("and withdrawn at its end", code == 0, code)
        except asyncio.TimeoutError:
            self.check("announced by zeroconf, and withdrawn", False, (found.is_set(), gone.is_set(), haft.trace()))
        finally:
            await browser.async_cancel()
            await listener.async_close()

    def publishing(self, port, haft):
        heard = self.broker.heard("voice/transcription turn on the kitchen light", "voice/ai-response Kitchen Light is now on.")
        self.check("the broker was told what was heard and answered", heard, self.broker.lines[:6])
        self.broker.kill()
        begun = time.monotonic()
        events = asyncio.run(ask(port, "turn off the kitchen light"))
        took = time.monotonic() - begun
        self.check("without the broker it answers all the same", text_of(events) == "Kitchen Light is now off." and took < 15, (events, took))
        self.broker.lines.clear()
        self.broker.start()
        heard = self.broker.heard("voice/transcription turn off the kitchen light", "voice/ai-response Kitchen Light is now off.", seconds=45)
        self.check("and the broker is told once it is back", heard, (self.broker.lines, haft.trace()[-600:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--haft", required=True)
    parser.add_argument("--cache", required=True, help="the folder with what was installed")
    parser.add_argument("--zwave", required=True, help="the folder with the Z-Wave driver and its scripts")
    arguments = parser.parse_args()
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(arguments, pathlib.Path(folder))
        try:
            suite.serving()
            listening = Listening(suite)
            processes = listening.processes
            listening.run()
            household = Household(suite, arguments.cache)
            household.processes = processes
            household.run(listening.streaming.address)
        finally:
            suite.broker.kill()
            suite.devices.process.kill()
            for process in processes:
                process.kill()
    print("all passed" if suite.failures == 0 else f"{suite.failures} failed")
    sys.exit(suite.failures != 0)


main()
