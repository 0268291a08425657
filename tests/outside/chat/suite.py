#!/usr/bin/env python3
"""`haft chat` in a real terminal: what its screens show at 40, 80 and 200 columns, and what it does
with pasted text, wide characters, a changed size, Ctrl-C, a restart and a dead model server."""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

from model_server import ModelServer

SCREENS = pathlib.Path(__file__).parent / "screens"
WIDTHS = (40, 80, 200)
HEIGHT = 60


class Terminal:
    """One tmux session of this suite's own tmux server, with a shell that starts haft."""

    def __init__(self, haft, home, server, width):
        self.socket = str(home / "tmux")
        self.home = home
        keep = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.environment = {
            **keep, "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"), "OLLAMA_HOST": "127.0.0.1:1",
        }
        self.haft = haft
        self.model = f"openai:small@{server.url}"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(HEIGHT), "env PS1='$ ' sh")
        self.until("$")

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *arguments], env=self.environment,
                              cwd=self.home, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def screen(self):
        """What the screen shows, without empty lines at its end."""
        shown = self.tmux("capture-pane", "-p")
        return "\n".join(line.rstrip() for line in shown.splitlines()).rstrip()

    def until(self, part, seconds=30):
        """Waits until the screen has `part`, a text or a function of the screen."""
        is_there = part if callable(part) else (lambda screen: part in screen)
        begun = time.monotonic()
        while not is_there(screen := self.screen()):
            assert time.monotonic() - begun < seconds, f"never came: {part!r}\n{screen}"
            time.sleep(0.05)
        return screen

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def types(self, text):
        self.tmux("send-keys", "-l", text)

    def paste(self, text):
        self.tmux("set-buffer", text)
        # -p: as a terminal pastes, so that the program can tell; -r: line ends stay.
        self.tmux("paste-buffer", "-p", "-r")

    def start(self, *arguments):
        command = " ".join(map(shlex.quote, [self.haft, "chat", "--model", self.model, *arguments]))
        self.types(f"clear; {command}")
        self.keys("Enter")
        self.until(is_waiting)

    def ask(self, question):
        """Asks, and waits for the next prompt."""
        self.types(question)
        before = self.screen().count("\n>")
        self.keys("Enter")
        return self.until(lambda screen: is_waiting(screen) and screen.count("\n>") > before)

    def clear(self):
        """Clears the screen up to the empty prompt."""
        self.keys("C-l")
        self.until(lambda screen: screen.strip() == ">")

    def leave(self):
        self.keys("C-d")
        self.until(lambda screen: screen.splitlines()[-1].strip() == "$")

    def close(self):
        self.tmux("kill-server")


def is_waiting(screen):
    """True at an empty prompt of the chat."""
    return screen.splitlines()[-1:] == [">"]


def settled(screen):
    """The screen without what differs from run to run."""
    screen = re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:PORT", screen)
    return re.sub(r"\b\d+ ms\b", "N ms", screen)


def compare(name, screen, write):
    file = SCREENS / f"{name}.txt"
    screen = settled(screen) + "\n"
    if write:
        file.write_text(screen)
    expected = file.read_text()
    assert screen == expected, f"{name} is not as stored:\n{screen}\n-- stored:\n{expected}"


def widths_of(screen):
    """The columns of each line; characters of East Asia take two."""
    return [sum(2 if ord(char) > 0x2e80 else 1 for char in line) for line in screen.splitlines()]


def screens_at_width(suite, width):
    terminal = suite.terminal(width)
    terminal.start("--home", "demo")
    # What starts haft, and the address of the model, have other lengths elsewhere.
    assert "/expand [N]" in terminal.ask("/help"), terminal.screen()
    terminal.clear()
    compare(f"markdown-{width}", terminal.ask("Show markdown"), suite.write)
    terminal.clear()
    terminal.ask("Turn on the light")
    compare(f"call-{width}", terminal.ask("/expand"), suite.write)
    terminal.clear()
    screen = terminal.ask("東京の天気は？ 日本語で長い質問をもう一度書いてください。とても長い質問です。")
    compare(f"wide-{width}", screen, suite.write)
    assert max(widths_of(screen)) <= width, screen
    terminal.leave()
    terminal.close()


def approval_is_asked_in_place(suite):
    terminal = suite.terminal(80)
    terminal.start("--home", "demo", "--approve", "always")
    terminal.types("Turn on the light")
    terminal.keys("Enter")
    terminal.until("run it? [y/N, or say why not]")
    terminal.types("y")
    terminal.keys("Enter")
    terminal.until("The light is on.")
    # Ctrl-C at the question stops the answer, and takes no later line.
    terminal.until(is_waiting)
    terminal.types("Turn on the light")
    terminal.keys("Enter")
    terminal.until(lambda screen: screen.count("run it?") == 2)
    terminal.keys("C-c")
    terminal.until("stopped:")
    terminal.until(is_waiting)
    terminal.ask("/approve never")
    terminal.ask("Turn on the light")
    assert terminal.screen().count("The light is on.") == 2, terminal.screen()
    terminal.leave()
    terminal.close()


def pasted_lines_are_one_question(suite):
    terminal = suite.terminal(80)
    terminal.start()
    terminal.paste("A poem:\nroses are red,\nviolets are blue")
    terminal.until("violets are blue")
    assert "You pasted" not in terminal.screen(), "a pasted line end is no Enter"
    terminal.keys("Enter")
    terminal.until("You pasted 3 lines.")
    terminal.until(is_waiting)
    # Alt-Enter and a backslash at the end begin a new line, too.
    terminal.types("A poem:")
    terminal.keys("M-Enter")
    terminal.types("two\\")
    terminal.keys("Enter")
    terminal.types("three")
    terminal.keys("Enter")
    terminal.until(lambda screen: screen.count("You pasted 3 lines.") == 2)
    assert "two\nthree" in suite.server.seen[-1]["messages"][-1]["content"]
    terminal.until(is_waiting)
    terminal.leave()
    terminal.close()


def the_size_may_change(suite):
    terminal = suite.terminal(120)
    terminal.start()
    terminal.types("Show markdown")
    for width in (60, 40, 100, 50):
        terminal.tmux("resize-window", "-x", str(width), "-y", str(HEIGHT))
        time.sleep(0.2)
    terminal.keys("Enter")
    terminal.until("quotation at the end.")
    screen = terminal.until(is_waiting)
    assert "  sun later" in screen or "little sun" in screen, screen
    assert max(widths_of(screen)) <= 50, screen
    terminal.leave()
    terminal.close()


def interrupts_stop_the_answer_only(suite):
    terminal = suite.terminal(80)
    terminal.start()
    terminal.types("Please count")
    terminal.keys("Enter")
    terminal.until("number 12,")
    terminal.keys("C-c")
    terminal.until("stopped: interrupted after 1 round; no tool has run")
    terminal.until(is_waiting)
    # What was stopped is not in the conversation.
    terminal.ask("Hello")
    assert "That was question 1." in terminal.screen(), terminal.screen()
    # Ctrl-C takes what was typed; twice at an empty prompt leaves.
    terminal.types("never asked")
    terminal.keys("C-c")
    terminal.until("(Ctrl-C again or Ctrl-D leaves)")
    terminal.until(is_waiting)
    terminal.ask("Hello again")
    terminal.keys("C-c")
    terminal.until(lambda screen: screen.count("(Ctrl-C again") == 2 and is_waiting(screen))
    terminal.keys("C-c")
    terminal.until(lambda screen: screen.splitlines()[-1].strip() == "$")
    assert all("never asked" not in str(body) for body in suite.server.seen)
    terminal.close()


def a_chat_is_continued_after_a_restart(suite):
    terminal = suite.terminal(80)
    terminal.start()
    terminal.ask("Hello")
    terminal.leave()
    terminal.start("--continue")
    terminal.ask("And now?")
    assert "That was question 2." in terminal.screen(), terminal.screen()
    # The history has the question of the first chat.
    terminal.keys("Up", "Up")
    terminal.until("> Hello")
    terminal.keys("C-u")
    # Tab completes commands and files.
    (terminal.home / "attached notes.txt").write_text("Buy milk")
    terminal.types("/to")
    terminal.keys("Tab")
    terminal.until("> /tools")
    terminal.keys("C-u")
    terminal.types("Read @att")
    terminal.keys("Tab")
    terminal.until('> Read @"attached notes.txt"')
    terminal.keys("Enter")
    terminal.until("That was question 3.")
    assert "Buy milk" in str(suite.server.seen[-1]), "the file was not attached"
    terminal.until(is_waiting)
    history = terminal.home / "state" / "haft" / "history"
    assert history.stat().st_mode & 0o777 == 0o600, oct(history.stat().st_mode)
    # A signal that ends haft leaves a terminal that can be used.
    subprocess.run(["pkill", "-TERM", "-P", terminal.tmux("display", "-p", "#{pane_pid}").strip()], check=True)
    terminal.until(lambda screen: screen.splitlines()[-1].strip() == "$")
    terminal.types("echo sane")
    terminal.keys("Enter")
    terminal.until("\nsane")
    terminal.close()


def a_dead_server_does_not_end_the_chat(suite):
    server = ModelServer()
    terminal = Terminal(suite.haft, suite.home(), server, 80)
    terminal.start()
    terminal.ask("Hello")
    server.shutdown()
    server.server_close()
    screen = terminal.ask("Are you there?")
    assert "error:" in screen and "hint:" in screen, screen
    screen = terminal.ask("/model builtin")
    screen = terminal.ask("What time is it in Tokyo?")
    assert "in Tokyo." in screen, screen
    terminal.leave()
    terminal.close()


def haft_alone_is_a_chat(suite):
    terminal = suite.terminal(80)
    terminal.types(f"clear; HAFT_MODEL={terminal.model} {shlex.quote(suite.haft)}")
    terminal.keys("Enter")
    terminal.until(is_waiting)
    terminal.ask("Hello")
    assert "That was question 1." in terminal.screen(), terminal.screen()
    terminal.leave()
    terminal.close()


class Suite:
    def __init__(self, haft, write, folder):
        self.haft = str(pathlib.Path(haft).resolve())
        self.write = write
        self.server = ModelServer()
        self.folder = pathlib.Path(folder)

    def home(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def terminal(self, width):
        return Terminal(self.haft, self.home(), self.server, width)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--haft", required=True)
    parser.add_argument("--write", action="store_true", help="write the stored screens anew")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="haft-chat-") as folder:
        suite = Suite(arguments.haft, arguments.write, folder)
        try:
            for width in WIDTHS:
                screens_at_width(suite, width)
                print(f"ok  screens at {width} columns", flush=True)
            for check in (approval_is_asked_in_place, pasted_lines_are_one_question, the_size_may_change,
                          interrupts_stop_the_answer_only, a_chat_is_continued_after_a_restart,
                          a_dead_server_does_not_end_the_chat, haft_alone_is_a_chat):
                check(suite)
                print(f"ok  {check.__name__.replace('_', ' ')}", flush=True)
        finally:
            for socket in pathlib.Path(folder).glob("*/tmux"):
                subprocess.run(["tmux", "-S", str(socket), "kill-server"], capture_output=True, check=False)


if __name__ == "__main__":
    main()
