#!/usr/bin/env python3
"""Clients of OpenAI, Anthropic and Ollama, in Python and JavaScript, Codex, and LangChain's standard
tests, through the real `haft serve` to scripted model servers of two kinds.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from upstream import Upstream

HERE = pathlib.Path(__file__).parent


class Gateway:
    """`haft serve` in front of a scripted server."""

    def __init__(self, haft, upstream, folder):
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        self.process = subprocess.Popen([haft, "serve", "--listen", "127.0.0.1:0", "--upstream", upstream.url],
            env=environment, cwd=folder, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("listens"):
                self.url = line.split()[1]
                return
        sys.exit("haft serve did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=20)

    def __enter__(self):
        return self


def snippets(beside, gateway):
    """The programs of the documentation, with the address and the model that are here."""
    for script in sorted((HERE / "snippets").iterdir()):
        # Settings, which `check_codex.py` and `check_opencode.py` use.
        if script.suffix not in (".py", ".mjs"):
            continue
        text = script.read_text().replace("127.0.0.1:11435", gateway.url.removeprefix("http://")).replace("qwen3:0.6b", "scripted")
        # Named so that no program hides the package that it imports.
        copy = beside / f"snippet_{script.name}"
        copy.write_text(text)
        runner = [sys.executable] if script.suffix == ".py" else ["node"]
        yield f"snippet {script.name}", [*runner, str(copy)]


def is_good(name, done):
    """Whether it ended well; what a snippet prints is the call that it is about."""
    said_it = not name.startswith("snippet") or ("get_weather" in done.stdout and "Oslo" in done.stdout)
    return done.returncode == 0 and said_it


def cases(options, folder, gateway):
    """The commands to run: a name, the command."""
    for script in sorted((HERE / "python").glob("check_*.py")):
        yield f"python {script.stem}", [sys.executable, str(script)]
    # Node looks for packages beside the script.
    beside = folder / "javascript"
    shutil.copytree(HERE / "javascript", beside, dirs_exist_ok=True)
    if not (beside / "node_modules").exists():
        (beside / "node_modules").symlink_to(os.path.abspath(options.node_modules))
    for script in sorted(beside.glob("check_*.mjs")):
        yield f"javascript {script.stem}", ["node", str(script)]
    yield from snippets(beside, gateway)
    yield "langchain standard tests", [sys.executable, "-m", "pytest", "-q", "-rfEs", "--tb=short", "-p", "no:cacheprovider", "--asyncio-mode=auto",
        "-o", "asyncio_default_test_loop_scope=session", "-o", "asyncio_default_fixture_loop_scope=session", str(HERE / "langchain_standard")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    parser.add_argument("--node-modules", required=True)
    parser.add_argument("only", nargs="?", default="", help="runs what has this in its name")
    options = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for is_ollama in (False, True):
            upstream = Upstream(is_ollama)
            kind = "Ollama" if is_ollama else "OpenAI"
            with Gateway(os.path.abspath(options.haft), upstream, folder) as gateway:
                for name, command in cases(options, folder, gateway):
                    if options.only not in name:
                        continue
                    environment = {**os.environ, "HAFT_URL": gateway.url, "UPSTREAM": upstream.url, "NO_PROXY": "*", "NODE_MODULES": os.path.abspath(options.node_modules)}
                    print(f"-- {name} to {kind}", flush=True)
                    done = subprocess.run(command, env=environment, cwd=folder, timeout=300, stdout=subprocess.PIPE, text=True)
                    print(done.stdout, end="", flush=True)
                    if not is_good(name, done):
                        failed.append(f"{name} to {kind}")
    print("all passed" if not failed else f"failed: {', '.join(failed)}")
    sys.exit(bool(failed))


main()
