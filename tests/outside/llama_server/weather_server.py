#!/usr/bin/env python3
"""A small MCP server over stdio: three tools, every answer fixed. Standard library only."""
import json
import sys

TOOLS = [
    {"name": "get_weather", "description": "Current weather in a city", "inputSchema": {
        "type": "object", "required": ["city"], "properties": {
            "city": {"type": "string", "description": "City name"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}}},
    {"name": "get_time", "description": "Current time", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "place_order", "description": "Order goods", "inputSchema": {
        "type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"type": "object", "required": ["sku", "qty"], "properties": {
                "sku": {"type": "string"}, "qty": {"type": "integer"}}}},
            "gift": {"type": "boolean"},
            "note": {"type": ["string", "null"]},
            "price": {"type": "number"}}}},
]


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "weather", "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "21 degrees and sunny"}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params") or {})
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
