#!/usr/bin/env python3
"""The six Z-Wave tools of the real `haft` on the real Z-Wave driver and server.

The controller and the nodes are simulated where their radio would be; everything above is real.
Whether a command worked is asked of the node itself, over another WebSocket client (`poll.mjs`).
The models are `builtin` and a scripted Ollama; a gateway (`haft serve --server-tools`) is the
process that lives on while the server is killed.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from web import Ollama, free_port
from zwave_home import AIR, LIGHT, TRANSCRIPT, Home, transcript_calls

LAMP, LOCK, GARAGE = "3 38 currentValue", "6 98 currentMode", "7 37 currentValue"
MODE, SETPOINT = "4 64 mode", "4 67 setpoint 1"
LOCKED = 255


def calls(messages):
    """The calls of the transcript, or those that a question names as `[[DEVICE: ACTION]]`."""
    question = messages[-1]["content"]
    if question == TRANSCRIPT:
        return transcript_calls(messages)
    return [("control_zwave_device", {"deviceName": device, "action": action})
        for device, action in re.findall(r"\[\[(.+?): (\w+)\]\]", question)]


class Suite:
    def __init__(self, arguments, folder):
        self.haft = os.path.abspath(arguments.haft)
        self.folder, self.failures = folder, 0
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        self.ollama = Ollama(calls)
        self.environment["OLLAMA_HOST"] = self.ollama.url
        self.home = Home(arguments.home, arguments.poll, folder / "zwave")
        self.poll = self.home.poll

    def run(self, *arguments):
        done = subprocess.run([self.haft, *arguments], env=self.environment, cwd=self.folder,
            capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout.strip(), done.stderr

    def call(self, tool, **arguments):
        """One call of a tool, without a model: whether it worked, and what it said."""
        code, text, trace = self.run("tools", "call", "--home", self.home.url, tool, json.dumps(arguments))
        return code == 0, text or trace

    def check(self, name, good, seen=""):
        self.failures += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {seen}"), flush=True)

    def transcript(self):
        for model in ("builtin", "ollama:scripted"):
            self.call("control_zwave_device", deviceName="kitchen light", action="off")
            before = self.poll(LIGHT)
            code, text, trace = self.run("ask", "--home", self.home.url, "--model", model, TRANSCRIPT)
            after = self.poll(LIGHT, AIR)
            self.check(f"the transcript with {model}: the light was off, and is on", (code, before, after) == (0, [False], [True, 21.5]), (before, after, trace))
            self.check(f"the transcript with {model}: what was done and measured is said", "Kitchen Light is now on" in text and "21.5 °C" in text, (text, trace))
        offered = self.ollama.offered()
        self.check("the model was offered the six tools", set(offered) >= {"list_zwave_devices", "list_devices", "verify_device",
            "control_zwave_device", "get_device_sensor_data", "check_zwave_health"}, offered)

    def devices(self):
        for name, arguments, value, wanted, words in (
            ("a dimmer", {"deviceName": "bedroom lamp", "action": "dim", "level": 42}, LAMP, 42, "Bedroom Lamp is now at 42 percent."),
            ("a dimmer, as bright as can be", {"deviceName": "the lamp in the bedroom", "action": "dim", "level": 100}, LAMP, 99,
                "Bedroom Lamp is now at 99 percent, its maximum."),
            ("a dimmer", {"deviceName": "bedroom lamp", "action": "off"}, LAMP, 0, "Bedroom Lamp is now off."),
            ("a thermostat's target", {"deviceName": "thermostat", "action": "on", "level": 23}, SETPOINT, 23,
                "Thermostat is now on, set to 23 °C, measuring 20.5 °C."),
            ("a thermostat", {"deviceName": "thermostat", "action": "off"}, MODE, 0, "Thermostat is now off, measuring 20.5 °C."),
            ("a lock whose bolt travels", {"deviceName": "front door lock", "action": "on"}, LOCK, LOCKED, "Front Door Lock is now locked."),
            ("a lock", {"deviceName": "front door lock", "action": "off"}, LOCK, 0, "Front Door Lock is now unlocked."),
        ):
            worked, text = self.call("control_zwave_device", **arguments)
            seen = self.poll(value)
            self.check(f"{name}: {arguments['action']} {arguments.get('level', '')}".rstrip(), worked and text == words and seen == [wanted], (text, seen))
        before = self.poll(LOCK)
        _, text, trace = self.run("ask", "--home", self.home.url, "--model", "builtin", "lock the front door")
        self.check("where nobody can be asked, a question locks nothing", before == self.poll(LOCK) == [0], (text, trace))
        worked, text = self.call("control_zwave_device", deviceName="garage light", action="on")
        self.check("a switch that obeys nothing is not said to be on", not worked and self.poll(GARAGE) == [False]
            and "Garage Light took the command, but it still reports off." in text, text)

    def questions(self):
        _, text = self.call("list_zwave_devices")
        self.check("the home is listed", text.startswith("7 devices:\n- Bedroom Lamp (Bedroom): online, off\n"), text)
        _, text = self.call("list_devices", limit=3, offset=3)
        self.check("the home is listed in pages", text.startswith("Showing 3 of 7 devices:\n- Kitchen Light (switch) in Kitchen: ")
            and text.endswith("\nFor more, call list_devices with offset 6."), text)
        _, text = self.call("verify_device", deviceName="kitchn light")
        self.check("a misspelt name is asked about", text.endswith("Did you mean Kitchen Light?"), text)
        _, text = self.call("get_device_sensor_data", deviceName="humidity in the living room")
        self.check("a reading has its age", re.match(r"Living Room Sensor Humidity is 48 %, read (just now|\d seconds ago) at \d\d:\d\d\. Source: Z-Wave network\.$", text), text)
        _, text = self.call("check_zwave_health")
        self.check("the network is well", text == "The Z-Wave network is available with 7 devices, 7 of them online.", text)
        code, text, _ = self.run("doctor", "--home", self.home.url, "--model", "builtin")
        self.check("haft doctor finds it", code == 0 and "Z-Wave network: 7 devices, 7 of them online" in text, text)

    def killed(self):
        """One haft lives on while the server dies and comes back."""
        port = free_port()
        gateway = subprocess.Popen([self.haft, "serve", "--listen", f"127.0.0.1:{port}", "--upstream", f"ollama:{self.ollama.url}",
            "--server-tools", "--approve", "never", "--home", self.home.url], env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.kills(f"http://127.0.0.1:{port}/v1/chat/completions")
        finally:
            gateway.terminate()
            gateway.wait(timeout=20)

    def kills(self, url):
        def ask(question):
            body = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": question}]}).encode()
            request = urllib.request.Request(url, body, {"content-type": "application/json"})
            started = time.monotonic()
            for _ in range(100):
                try:
                    with urllib.request.urlopen(request, timeout=60) as reply:
                        text = json.load(reply)["choices"][0]["message"]["content"]
                        return text, time.monotonic() - started
                except urllib.error.URLError as error:
                    if not isinstance(error.reason, ConnectionRefusedError):
                        return str(error), 0
                    time.sleep(0.1)

        text, _ = ask("[[kitchen light: off]]")
        self.check("a gateway switches, too", "Kitchen Light is now off." in text and self.poll(LIGHT) == [False], text)
        slow = []
        asked = threading.Thread(target=lambda: slow.append(ask("[[garage light: on]]")))
        asked.start()
        time.sleep(1.5)
        self.home.kill()
        died = time.monotonic()
        asked.join()
        text, took = slow[0]
        self.check(f"kill -9 in mid-command is answered at once ({time.monotonic() - died:.1f} s)", time.monotonic() - died < 2
            and "It is not known whether Garage Light changed." in text, (text, took))
        text, took = ask("[[kitchen light: on]]")
        self.check(f"without a server the model is told so ({took:.1f} s)", "cannot be reached" in text and took < 5, text)
        # A home that does not answer is not known to be harmless, so that somebody would be asked first.
        code, text, trace = self.run("ask", "--approve", "never", "--home", self.home.url, "--model", "builtin", "turn on the kitchen light")
        self.check("and so is the user", "cannot be reached" in text + trace, (text, trace))
        code, text, _ = self.run("doctor", "--home", self.home.url, "--model", "builtin")
        self.check("and haft doctor says it", "failed   home" in text and "hint: Check the address" in text, text)
        self.home.start()
        text, _ = ask("[[kitchen light: on]]")
        self.check("when it is back, the same haft goes on", "Kitchen Light is now on." in text and self.poll(LIGHT) == [True], text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("haft", "home", "poll"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(arguments, pathlib.Path(folder))
        try:
            for case in (suite.transcript, suite.devices, suite.questions, suite.killed):
                case()
        finally:
            suite.home.kill()
    print("all passed" if suite.failures == 0 else f"{suite.failures} failed")
    sys.exit(suite.failures != 0)


main()
