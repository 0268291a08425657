"""A Home Assistant that is set up from nothing, through the interfaces that its windows use."""
import asyncio
import json
import pathlib
import shutil
import subprocess
import time

import aiohttp

PASSWORD = "correct-horse-7"
ADDRESS = "http://127.0.0.1:8123"
CONFIGURATION = f"""
homeassistant:
  name: House
  latitude: 52.0
  longitude: 5.0
  elevation: 0
  unit_system: metric
  time_zone: Europe/Amsterdam
  internal_url: {ADDRESS}
api:
config:
conversation:
assist_pipeline:
onboarding:
zeroconf:
http:
  server_host: 127.0.0.1
input_boolean:
  desk_lamp:
    name: Desk lamp
logger:
  default: warning
  logs:
    homeassistant.components.zeroconf.discovery: debug
"""


class HomeAssistant:
    """`tree` is the file system in which it is installed."""

    def __init__(self, tree):
        self.tree, self.session, self.token, self.number = pathlib.Path(tree), None, None, 0
        folder = self.tree / "ha" / "config"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "configuration.yaml").write_text(CONFIGURATION)
        self.log = open(folder / "output.log", "w+")
        self.process = subprocess.Popen(
            ["chroot", str(tree), "/usr/bin/env", "-i", "PATH=/ha/venv/bin:/usr/bin:/bin", "HOME=/ha", "LANG=C.UTF-8",
                "hass", "--config", "/ha/config", "--skip-pip", "--log-no-color"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)

    def said(self):
        return pathlib.Path(self.log.name).read_text()

    async def begin(self):
        """Waits until it answers, and makes the first user."""
        self.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60))
        end = time.monotonic() + 120
        while True:
            try:
                steps = await self.call("GET", "/api/onboarding")
                if isinstance(steps, list):
                    break
            except aiohttp.ClientError:
                pass
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit("Home Assistant did not start:\n" + self.said()[-3000:])
            await asyncio.sleep(0.3)
        client = f"{ADDRESS}/"
        user = await self.call("POST", "/api/onboarding/users", client_id=client, name="House", username="house", password=PASSWORD, language="en")
        form = {"grant_type": "authorization_code", "code": user["auth_code"], "client_id": client}
        async with self.session.post(f"{ADDRESS}/auth/token", data=form) as answer:
            self.token = (await answer.json())["access_token"]
        for step in ("core_config", "analytics"):
            await self.call("POST", f"/api/onboarding/{step}")
        await self.call("POST", "/api/onboarding/integration", client_id=client, redirect_uri=f"{client}?auth_callback=1")
        return (await self.call("GET", "/api/config"))["version"]

    async def call(self, method, path, **body):
        """What its REST interface answers; where that is no success, the status and text."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        async with self.session.request(method, ADDRESS + path, json=body if method == "POST" else None, headers=headers) as answer:
            text = await answer.text()
            if answer.status >= 400:
                return f"{answer.status}: {text}"
            return json.loads(text)

    async def ask(self, kind, **fields):
        """The result of one command over its WebSocket; with `until`, the events up to that one.
        `sound` is sent once it can be heard."""
        until, sound = fields.pop("until", None), fields.pop("sound", None)
        async with self.session.ws_connect(f"{ADDRESS}/api/websocket", timeout=aiohttp.ClientWSTimeout(ws_close=5)) as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.token})
            await socket.receive_json()
            await socket.send_json({"id": 1, "type": kind, **fields})
            events = []
            while True:
                message = await socket.receive_json(timeout=60)
                if message["type"] == "result" and (until is None or not message["success"]):
                    return message["result"] if message["success"] else message["error"]
                if message["type"] == "event":
                    events.append(message["event"])
                    if message["event"]["type"] == "stt-start" and sound is not None:
                        handler = bytes([events[0]["data"]["runner_data"]["stt_binary_handler_id"]])
                        for at in range(0, len(sound), 2048):
                            await socket.send_bytes(handler + sound[at:at + 2048])
                        # Nothing more is said.
                        await socket.send_bytes(handler)
                    if message["event"]["type"] in (until, "error"):
                        return events

    async def discovered(self, handler, wanted, seconds=40):
        """The flow that it began by itself for what was announced as `wanted`; or None."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for flow in await self.ask("config_entries/flow/progress"):
                context = flow["context"]
                if flow["handler"] == handler and context["source"] == "zeroconf" and wanted in context.get("unique_id", ""):
                    return flow
            await asyncio.sleep(0.3)
        return None

    async def set_up(self, handler, **answers):
        """Adds an integration as its window does."""
        flow = await self.call("POST", "/api/config/config_entries/flow", handler=handler)
        return await self.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", **answers) if "flow_id" in flow else flow

    async def set_up_part(self, entry, kind, **answers):
        """Adds a part of an integration, such as a conversation agent."""
        path = "/api/config/config_entries/subentries/flow"
        flow = await self.call("POST", path, handler=[entry, kind])
        return await self.call("POST", f"{path}/{flow['flow_id']}", **answers) if "flow_id" in flow else flow

    async def agents(self):
        """The conversation agents that can be chosen, by name."""
        listed = await self.ask("conversation/agent/list")
        return {agent["name"]: agent["id"] for agent in listed["agents"]}

    async def converse(self, agent, text, conversation=None):
        """What is spoken in answer, what kind of answer it is, and the conversation's name."""
        more = {"conversation_id": conversation} if conversation else {}
        answer = await self.call("POST", "/api/conversation/process", text=text, agent_id=agent, language="en", **more)
        if not isinstance(answer, dict):
            return answer, None, None
        response = answer["response"]
        return response["speech"].get("plain", {}).get("speech"), response["response_type"], answer["conversation_id"]

    async def state(self, entity):
        answer = await self.call("GET", f"/api/states/{entity}")
        return answer["state"] if isinstance(answer, dict) else answer

    async def end(self):
        await self.session.close()
        self.process.kill()
        self.process.wait()
