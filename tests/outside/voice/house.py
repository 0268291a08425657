"""The house around `haft`: devices, a broker, speech-to-text, a voice, and processes of `haft` itself."""
import array
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
# Samples per second for speech-to-text.
RATE = 16_000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process=None, seconds=20):
    for _ in range(seconds * 20):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process is not None and process.poll() is not None:
            break
        time.sleep(0.05)
    sys.exit(f"nothing listens on port {port}")


def speak(text, path):
    """`text` as a WAV file, spoken by espeak-ng."""
    subprocess.run(["espeak-ng", "-v", "en-us", "-s", "130", "-w", str(path), text], check=True)
    return str(path)


def resampled(sound, rate):
    """16-bit sound at 16 kHz, by straight lines between the samples."""
    samples = array.array("h", sound)
    made = array.array("h")
    for index in range((len(samples) - 1) * RATE // rate):
        whole, rest = divmod(index * rate, RATE)
        made.append(round(samples[whole] + (samples[whole + 1] - samples[whole]) * rest / RATE))
    return made.tobytes()


class Devices:
    """The Z-Wave driver and server over simulated nodes."""

    def __init__(self, folder, state):
        self.folder, self.port = folder, free_port()
        state.mkdir()
        self.process = subprocess.Popen(["node", f"{folder}/home.mjs", str(self.port), str(state)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("ready"):
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        sys.exit("the Z-Wave server did not start")

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}"

    def poll(self, *values):
        """What the nodes themselves report."""
        done = subprocess.run(["node", f"{self.folder}/poll.mjs", str(self.port), *values], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def certify(folder):
    """An authority and a certificate of it for this machine, as `ca.pem`, `key.pem` and `cert.pem`."""
    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=folder)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Authority of this test",
        "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
    openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "names", "-out", "cert.pem")
    (folder / "key.pem").chmod(0o644)


class Broker:
    """Mosquitto, for one user with a password, in the clear and through TLS, and a subscriber of
    everything."""

    def __init__(self, folder, password):
        self.port, self.tls_port, self.folder, self.password, self.lines = free_port(), free_port(), folder, password, []
        certify(folder)
        subprocess.run(["mosquitto_passwd", "-c", "-b", str(folder / "passwords"), "house", password], check=True, capture_output=True)
        (folder / "passwords").chmod(0o644)
        user = "" if os.getuid() else "user root\n"
        (folder / "mosquitto.conf").write_text(f"listener {self.port} 127.0.0.1\nlistener {self.tls_port} 127.0.0.1\n"
            f"certfile {folder}/cert.pem\nkeyfile {folder}/key.pem\nallow_anonymous false\npassword_file {folder}/passwords\n{user}")
        self.start()

    def start(self):
        self.process = subprocess.Popen(["/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.port, self.process)
        self.subscriber = subprocess.Popen(["mosquitto_sub", "-p", str(self.port), "-u", "house", "-P", self.password, "-t", "#", "-v", "-q", "1"],
            stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.listen, args=(self.subscriber,), daemon=True).start()
        time.sleep(0.5)

    def listen(self, subscriber):
        for line in subscriber.stdout:
            self.lines.append(line.strip())

    def kill(self):
        self.subscriber.kill()
        self.process.kill()
        self.process.wait()

    def heard(self, *lines, seconds=10):
        """Whether these lines come in time."""
        end = time.time() + seconds
        while time.time() < end:
            if all(line in self.lines for line in lines):
                return True
            time.sleep(0.05)
        return False


class Server:
    """A script of this folder, which listens."""

    def __init__(self, script, *arguments):
        self.port = free_port()
        self.process = subprocess.Popen([sys.executable, str(HERE / script), str(self.port), *arguments])
        wait_for(self.port, self.process)

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"


class Haft:
    """A process of `haft` that goes on until it is ended."""

    def __init__(self, binary, environment, folder, *arguments):
        self.log = open(folder / f"haft-{time.monotonic_ns()}.log", "w+")
        self.process = subprocess.Popen([binary, *arguments], env=environment, cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)

    def trace(self):
        return pathlib.Path(self.log.name).read_text()

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, seconds=15):
        """The exit code after a polite request."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None
