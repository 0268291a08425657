"""A model server that breaks on purpose: the name of the model says how. It notes when it is asked.

Sound answers are always the same sixty words, so that half of one is never taken for a whole one.
"""
import http.server
import json
import socket
import struct
import threading
import time

ANSWER = " ".join(f"word{number}" for number in range(1, 61))
USAGE = {"prompt_tokens": 12, "completion_tokens": 60, "total_tokens": 72}
SOUND = "fine"


class Server(http.server.ThreadingHTTPServer):
    """The model server; `scale` makes all waits longer, `models` are those that it tells of."""

    daemon_threads = True

    def __init__(self, port, models, scale=1.0):
        super().__init__(("127.0.0.1", port), Handler)
        self.models, self.scale = models, scale
        self.lock, self.asked, self.down_until = threading.Lock(), {}, 0.0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def count(self, model):
        """How often the model was asked."""
        with self.lock:
            return self.asked.get(model, 0)

    def note(self, model):
        with self.lock:
            self.asked[model] = self.asked.get(model, 0) + 1
            return self.asked[model]

    def handle_error(self, request, client_address):
        """Clients may leave."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        models = [{"id": model, "object": "model"} for model in self.server.models]
        self.whole(200, {"object": "list", "data": models})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        model = request.get("model", "")
        attempt = self.server.note(model)
        self.model, self.stream = model, bool(request.get("stream"))
        getattr(self, "fault_" + model.replace("-", "_"), self.fault_fine)(attempt)

    # What can be said.

    def whole(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": len(data), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, message, code=None, **headers):
        self.whole(status, {"error": {"message": message, "type": "error", "code": code}}, **headers)

    def begin(self, length=None):
        """A stream; with a length that is not reached its end is a broken connection."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        if length:
            self.send_header("content-length", str(length))
        self.end_headers()
        self.close_connection = True
        self.wfile.flush()

    def event(self, delta, reason=None, usage=None):
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": self.model,
                 "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        if usage:
            chunk["usage"] = usage
        self.raw(json.dumps(chunk))

    def raw(self, data):
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def words(self, first, last):
        for number in range(first, last + 1):
            self.event({"content": ("" if number == 1 else " ") + f"word{number}"})

    def end(self, is_marked=True):
        self.event({}, "stop", USAGE)
        if is_marked:
            self.raw("[DONE]")

    def wait(self, seconds):
        time.sleep(seconds * self.server.scale)

    def fault_fine(self, _attempt):
        if not self.stream:
            message = {"role": "assistant", "content": ANSWER}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return self.whole(200, {"id": "c", "object": "chat.completion", "created": 1, "model": self.model,
                                    "choices": [choice], "usage": USAGE})
        self.begin()
        self.words(1, 60)
        self.end()

    # The faults.

    def fault_busy_once(self, attempt):
        if attempt > 1:
            return self.fault_fine(attempt)
        self.refuse(429, "too many requests", retry_after=1)

    def fault_busy(self, _attempt):
        self.refuse(429, "too many requests")

    def fault_error_once(self, attempt):
        if attempt > 1:
            return self.fault_fine(attempt)
        self.refuse(500, "it broke")

    def fault_overloaded(self, _attempt):
        self.refuse(503, "overloaded")

    def fault_reset_once(self, attempt):
        if attempt > 1:
            return self.fault_fine(attempt)
        # Closing resets the connection where lingering is off.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def fault_silent(self, _attempt):
        self.wait(30)
        self.close_connection = True

    def fault_slow(self, attempt):
        self.wait(1.5)
        self.fault_fine(attempt)

    def fault_cut(self, _attempt):
        if not self.stream:
            return self.part(200)
        self.begin(100_000)
        self.words(1, 40)

    def part(self, length):
        """The beginning of a body that was to be longer."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(length + 400))
        self.end_headers()
        self.wfile.write(b'{"choices": [{"message": {"role": "assistant", "content": "' + b"x" * length)
        self.close_connection = True

    def fault_stall(self, _attempt):
        if self.stream:
            self.begin()
            self.words(1, 20)
        self.wait(30)
        self.close_connection = True

    def fault_malformed(self, _attempt):
        if not self.stream:
            return self.whole(200, b'{"choices": [{"message": {"content": "half')
        self.begin()
        self.words(1, 9)
        self.raw('{"choices": [{"delta": {"content": "wor')
        self.words(10, 60)
        self.end()

    def fault_unmarked(self, attempt):
        if not self.stream:
            return self.fault_fine(attempt)
        self.begin()
        self.words(1, 60)
        self.end(is_marked=False)

    def fault_unfinished(self, _attempt):
        """It ends as if it were complete, and tells of no end."""
        if not self.stream:
            return self.whole(200, {})
        self.begin()
        self.words(1, 40)

    def fault_empty(self, _attempt):
        self.whole(200, b"")

    def fault_told_in_stream(self, _attempt):
        if not self.stream:
            return self.whole(200, {"error": {"message": "it broke"}})
        self.begin()
        self.words(1, 5)
        self.raw(json.dumps({"error": {"message": "it broke"}}))

    def fault_too_long(self, _attempt):
        self.refuse(400, "This model's maximum context length is 10 tokens", "context_length_exceeded")

    def fault_filtered(self, _attempt):
        self.refuse(400, "the content policy was violated", "content_policy_violation")

    def fault_flap(self, attempt):
        if time.monotonic() < self.server.down_until:
            return self.refuse(503, "overloaded")
        self.fault_fine(attempt)
