"""A scripted model server with chat completions: what it replies depends on the question alone."""
import http.server
import json
import threading
import time

MARKDOWN = """# Weather **today**

It is *cold* in `Oslo`, and **very cold** in the north of the country; see
[the source](https://example.org/weather).

- dress warmly, in several layers, and do not forget your gloves
- take the bus

1. first
2. second

| City | Degrees | What to expect |
|------|--------:|----------------|
| Oslo | -3 | snow in the morning and a little sun later |
| 東京 | 12 | 曇りのち晴れ |

```python
print("a * b * c")
```
> A quotation at the end."""

WIDE = "東京は今日も良い天気です。" * 6


class ModelServer(http.server.ThreadingHTTPServer):
    """Keeps the requests in `seen`."""

    def __init__(self):
        self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(handler):
                handler.send_response(404)
                handler.send_header("content-length", "0")
                handler.end_headers()

            def do_POST(handler):
                body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
                self.seen.append(body)
                handler.send_response(200)
                handler.send_header("content-type", "text/event-stream")
                handler.end_headers()
                try:
                    for delta, finish in reply(body["messages"]):
                        chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
                        handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                        handler.wfile.flush()
                    handler.wfile.write(b"data: [DONE]\n\n")
                except OSError:
                    # The answer was stopped.
                    pass

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def texts(text):
    """The pieces of a streamed text."""
    pieces = [text[place:place + 7] for place in range(0, len(text), 7)]
    return [({"content": piece}, None) for piece in pieces] + [({}, "stop")]


def call(name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    wanted = {"index": 0, "id": "call_1", "type": "function", "function": function}
    return [({"tool_calls": [wanted]}, None), ({}, "tool_calls")]


def counting():
    """An answer that takes too long."""
    for number in range(2000):
        yield {"content": f"number {number}, "}, None
        time.sleep(0.05)
    yield {}, "stop"


def reply(messages):
    last = messages[-1]
    if last["role"] == "tool":
        return texts("The light is on." if "is now on" in str(last["content"]) else "As you wish.")
    question = str(last["content"])
    if "markdown" in question:
        return texts(MARKDOWN)
    if "東京" in question:
        return texts(WIDE)
    if "count" in question:
        return counting()
    if "light" in question:
        return call("control_zwave_device", {"deviceName": "kitchen light", "action": "on"})
    if "door" in question:
        return call("control_zwave_device", {"deviceName": "front door", "action": "off"})
    if "poem" in question:
        return texts(f"You pasted {question.count(chr(10)) + 1} lines.")
    asked = sum(message["role"] == "user" for message in messages)
    return texts(f"That was question {asked}.")
