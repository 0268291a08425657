#!/usr/bin/env python3
"""The grammar of each format that has one, as XGrammar reads it: calls that fit are accepted, with text
before them and without; a wrong type, a missing argument and an unknown tool are not.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import xgrammar
from xgrammar.testing import _is_grammar_accept_string as accepts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import Checks

TOOL = "control_zwave_device"
ARGUMENTS = {"deviceName": "kitchen light", "action": "on"}


def grammar_of(haft, name):
    command = [haft, "tools", "grammar", name, "--home", "demo"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def formats_of(haft):
    """Those that the message about a format without a grammar lists."""
    said = subprocess.run([haft, "tools", "grammar", "none"], capture_output=True, text=True)
    return re.search(r"JSON arguments: (.*)", said.stderr)[1].split(", ")


def is_right(tag):
    grammar = xgrammar.Grammar.from_structural_tag(json.dumps(tag))
    frame = next(frame for frame in tag["format"]["tags"] if TOOL in frame["begin"])

    def call(arguments):
        return frame["begin"] + json.dumps(arguments) + frame["end"]

    right = call(ARGUMENTS)
    accepted = [right, "I turn it on. " + right, "It is on."]
    refused = [
        right.replace(TOOL, "open_door"),
        call({"action": "on"}),
        call({**ARGUMENTS, "deviceName": 3}),
        frame["begin"] + "{'deviceName'",
    ]
    return all(accepts(grammar, text) for text in accepted) and not any(accepts(grammar, text) for text in refused)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    haft = parser.parse_args().haft
    checks = Checks()
    formats = formats_of(haft)
    checks.say(len(formats) >= 30, f"{len(formats)} formats have a grammar")
    for name in formats:
        checks.say(is_right(grammar_of(haft, name)), name)
    sys.exit(checks.failed > 0)


main()
