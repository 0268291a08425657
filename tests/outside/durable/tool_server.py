#!/usr/bin/env python3
"""An MCP server over stdio with three tools that write each call with its key into a file.

`note` and `lock` are idempotent: they act once per key. `lock` may do harm, so it needs approval.
`pay` is not idempotent, and acts on every call.
"""
import fcntl
import json
import sys
import time

KEY = "io.github.haft-rs/idempotency-key"
# Between the effect and the answer: where a worker dies that leaves an uncertain call.
DELAY = 0.2
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def tool(name, idempotent, destructive=False):
    hints = {"readOnlyHint": False, "destructiveHint": destructive, "idempotentHint": idempotent}
    return {"name": name, "description": name, "inputSchema": SCHEMA, "annotations": hints}


def call(path, params):
    """The effect is one line in the file, written before the answer."""
    key = params.get("_meta", {}).get(KEY, "")
    with open(path, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = any(line.split()[1] == key for line in file)
        if params["name"] == "pay" or not known:
            file.write(f"{params['name']} {key}\n")
    time.sleep(DELAY)
    return {"content": [{"type": "text", "text": "done"}]}


def answer(path, request):
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        server = {"name": "effects", "version": "1"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [tool("note", True), tool("lock", True, True), tool("pay", False)]}
    if method == "tools/call":
        return call(path, params)
    return None


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(sys.argv[1], request)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": "no such method"}
        else:
            reply["result"] = result
        print(json.dumps(reply), flush=True)


main()
