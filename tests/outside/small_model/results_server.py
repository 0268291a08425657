#!/usr/bin/env python3
"""An MCP server (stdio) whose tools answer with the results in sentences.py."""
import json
import sys

from sentences import RESULTS, TOOLS


def tool(name):
    description, parameter, meaning = TOOLS[name]
    schema = {"type": "object", "properties": {parameter: {"type": "string", "description": meaning}}, "required": [parameter]}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": {"readOnlyHint": True}}


def called(parameters):
    value = str(next(iter(parameters.get("arguments", {}).values()), "")).lower()
    known = (text for (name, of), text in RESULTS.items() if name == parameters["name"] and of in value)
    text = next(known, None)
    content = [{"type": "text", "text": text or f"Nothing is known of {value}."}]
    return {"content": content, "isError": text is None}


def answer(method, parameters):
    if method == "initialize":
        return {"protocolVersion": parameters["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "results", "version": "1"}}
    if method == "tools/list":
        return {"tools": [tool(name) for name in TOOLS]}
    if method == "tools/call":
        return called(parameters)
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
