"""Codex CLI changes a file: with a command, with a patch, and with a patch whose call the model
printed as text.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

URL = os.environ["HAFT_URL"]
CODEX = pathlib.Path(os.environ["NODE_MODULES"]) / ".bin" / "codex"
# As in the guide, but for the address and the model.
CONFIG = (pathlib.Path(__file__).parent.parent / "snippets" / "codex.toml").read_text()
CONFIG = CONFIG.replace("127.0.0.1:11435", URL.removeprefix("http://")).replace("qwen3:0.6b", "scripted")
BEFORE = "print('hello')\n"
CASES = [
    ("shell", "print('goodbye')\n", []),
    ("patch", "print('hello, world')\n", []),
    ("printed_patch", "print('hello, world')\n", []),
    # The same list of models from a file.
    ("patch", "print('hello, world')\n", ["-c", 'model_catalog_json="models.json"', "-c", "model_providers.haft.auth={command='echo', args=['none']}"]),
]


def run(script, more, home, work):
    question = f"Please do as you are told: [[{script}]]"
    # Nothing but this folder can be changed here, and a container may not allow a sandbox in it.
    command = [str(CODEX), "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", *more, question]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "CODEX_HOME": str(home), "NO_PROXY": "*"}
    return subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def main():
    failed = 0
    for script, after, more in CASES:
        with tempfile.TemporaryDirectory() as folder:
            home, work = pathlib.Path(folder, "home"), pathlib.Path(folder, "work")
            home.mkdir()
            work.mkdir()
            (home / "config.toml").write_text(CONFIG)
            (work / "hello.py").write_text(BEFORE)
            with urllib.request.urlopen(f"{URL}/v1/models?client_version=0") as answer:
                models = home / "models.json"
                models.write_bytes(answer.read())
            more = [word.replace("models.json", str(models)) for word in more]
            done = run(script, more, home, work)
            seen = (work / "hello.py").read_text()
            if done.returncode != 0 or seen != after or "The tools say" not in done.stdout:
                failed += 1
                print(f"FAILED  codex {script}: {seen!r}\n{done.stdout}\n{done.stderr}")
    print(f"codex: {len(CASES) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
