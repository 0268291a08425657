"""A model server with the API of OpenAI: calls one after the other, then an answer.

The first call is idempotent, the second one needs approval, and then come payments, as many as the
suite wants.
"""
import http.server
import json
import threading
import time

CALLS = ["note", "lock"]
ANSWER = "All is done."
LATENCY = 0.2
# The pause before each line of an answer that is streamed; without one it comes at once.
PAUSE = 0


def reply(messages):
    done = sum(message["role"] == "tool" for message in messages)
    if done == len(CALLS):
        return {"content": ANSWER}, "stop"
    function = {"name": CALLS[done], "arguments": json.dumps({"text": str(done)})}
    call = {"index": 0, "id": f"call_{done}", "type": "function", "function": function}
    return {"tool_calls": [call]}, "tool_calls"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send("application/json", json.dumps({"data": [{"id": "steps-8b"}]}).encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        time.sleep(LATENCY)
        delta, reason = reply(request["messages"])
        if request.get("stream") and PAUSE and "content" in delta:
            self.stream_lines(delta["content"].splitlines(keepends=True))
        elif request.get("stream"):
            chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
            self.send("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
        else:
            message = {"role": "assistant", "content": None, **delta}
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self.send("application/json", json.dumps({"choices": [choice]}).encode())


    def stream_lines(self, lines):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for line in lines:
            time.sleep(PAUSE)
            self.send_chunk({"index": 0, "delta": {"content": line}})
        self.send_chunk({"index": 0, "delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")

    def send_chunk(self, choice):
        self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        self.wfile.flush()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Workers that are killed leave their connections."""


def start(payments):
    """Starts the server on a free port of this machine and returns its address."""
    CALLS.extend(["pay"] * payments)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
