"""opencode changes a file through chat completions: with a command, and with an edit whose call the
model printed as text.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

URL = os.environ["HAFT_URL"]
PACKAGE = pathlib.Path(os.environ["NODE_MODULES"]) / "opencode-ai"
# As in the guide, but for the address and the model.
CONFIG = (pathlib.Path(__file__).parent.parent / "snippets" / "opencode.json").read_text()
CONFIG = CONFIG.replace("127.0.0.1:11435", URL.removeprefix("http://")).replace("qwen3:0.6b", "scripted")
CASES = [("bash", "print('goodbye')\n"), ("printed_edit", "print('hello, world')\n")]


def run(script, home, work):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home), "NO_PROXY": "*",
                   # Nothing is asked beyond this machine.
                   "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}
    command = [str(PACKAGE.parent / ".bin" / "opencode"), "run", f"Please do as you are told: [[{script}]]"]
    return subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def main():
    # Puts the program for this machine in its place, which npm may not have been allowed to.
    subprocess.run(["node", "postinstall.mjs"], cwd=PACKAGE, check=True, stdout=subprocess.DEVNULL)
    failed = 0
    for script, after in CASES:
        with tempfile.TemporaryDirectory() as folder:
            home, work = pathlib.Path(folder, "home"), pathlib.Path(folder, "work")
            home.mkdir()
            work.mkdir()
            (work / "opencode.json").write_text(CONFIG)
            (work / "hello.py").write_text("print('hello')\n")
            done = run(script, home, work)
            seen = (work / "hello.py").read_text()
            if done.returncode != 0 or seen != after or "The tools say" not in done.stdout:
                failed += 1
                print(f"FAILED  opencode {script}: {seen!r}\n{done.stdout}\n{done.stderr}")
    print(f"opencode: {len(CASES) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
