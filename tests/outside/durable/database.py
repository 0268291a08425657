"""The stores that the suite disturbs: a SQLite file, or a Postgres of its own on a free port."""
import glob
import os
import pathlib
import shutil
import socket
import subprocess


class Sqlite:
    def __init__(self, folder):
        self.address = f"sqlite:{folder}/runs.db"

    def stop(self, how):
        """A file cannot be stopped."""

    start = end = lambda self: None


class Postgres:
    """Runs as the user `postgres` where the suite runs as root, because it refuses root."""

    def __init__(self, folder):
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"))
        self.data = folder / "postgres"
        self.data.mkdir()
        folder.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(self.data, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.run("initdb", "-A", "trust", "-U", "haft", "-D", self.data / "data")
        self.start()
        self.run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "haft", "runs")
        self.address = f"postgres://haft@127.0.0.1:{self.port}/runs"

    def run(self, program, *arguments):
        command = [pathlib.Path(self.programs) / program, *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        command = [str(part) for part in command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.data}"
        log = self.data / "log"
        self.run("pg_ctl", "-w", "-D", self.data / "data", "-l", log, "-o", options, "start")

    def stop(self, how):
        self.run("pg_ctl", "-w", "-D", self.data / "data", "-m", how, "stop")

    def end(self):
        self.stop("immediate")
