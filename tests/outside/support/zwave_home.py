"""The simulated Z-Wave home of `tests/outside/zwave`, and what its nodes say of themselves."""
import json
import signal
import subprocess
import sys
import threading

from web import free_port

TRANSCRIPT = "turn on the kitchen light, and what is the temperature?"
LIGHT, AIR = "2 37 currentValue", "5 49 Air_temperature"


def transcript_calls(_):
    """What a model calls for the transcript, in the way of small ones."""
    return [("control_zwave_device", {"device_name": "the kitchen light", "command": "on"}),
        ("get_device_sensor_data", {"deviceName": "temperature"})]


class Home:
    """The driver, the server and the nodes. `script` is `home.mjs`, `poll_script` `poll.mjs`."""

    def __init__(self, script, poll_script, folder):
        self.script, self.poll_script, self.folder = script, poll_script, folder
        self.port, self.process = free_port(), None
        folder.mkdir()
        self.start()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(["node", self.script, str(self.port), str(self.folder)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("ready"):
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        sys.exit("the Z-Wave server did not start")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def poll(self, *values):
        """What the nodes themselves say, over another client."""
        done = subprocess.run(["node", self.poll_script, str(self.port), *values], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr
