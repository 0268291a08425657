"""HTTP servers of this machine for suites: pages to be read, models to be asked."""
import http.server
import json
import socket
import threading


ABOUT_SERVER = ("/props", "/api/v0/models")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server(http.server.ThreadingHTTPServer):
    """Answers every request with what `answer(path, body)` says, a type and a text, and keeps
    what it was asked: path, user agent and body."""

    def __init__(self, answer):
        self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(handler):
                # What haft asks a model server about itself is no question.
                if handler.path.startswith(ABOUT_SERVER):
                    handler.send_response(404)
                    handler.send_header("content-length", "0")
                    handler.end_headers()
                    return
                body = handler.rfile.read(int(handler.headers.get("content-length") or 0)).decode()
                # Browsers ask for it by themselves.
                if handler.path != "/favicon.ico":
                    self.seen.append((handler.path, handler.headers.get("user-agent", ""), body))
                kind, text = answer(handler.path, body)
                handler.send_response(200)
                handler.send_header("content-type", kind)
                handler.send_header("content-length", str(len(text.encode())))
                handler.end_headers()
                handler.wfile.write(text.encode())

            do_POST = do_GET

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Ollama(Server):
    """An Ollama with one model, `scripted`: `calls(messages)` gives the calls that it makes, each a
    name and arguments; once there are results it repeats them."""

    def __init__(self, calls):
        self.asked = []
        self.calls = calls
        super().__init__(self.answer)

    def answer(self, path, body):
        return "application/x-ndjson", json.dumps(self.value(path, body)) + "\n"

    def value(self, path, body):
        known = {"/api/version": {"version": "0.12.0"}, "/api/ps": {"models": []}, "/api/show": {"capabilities": ["completion", "tools"]},
            "/api/tags": {"models": [{"name": "scripted:latest", "model": "scripted:latest", "size": 1}]}}
        if path != "/api/chat":
            return known.get(path, {})
        request = json.loads(body)
        self.asked.append(request)
        return {"model": "scripted", "created_at": "2026-01-01T00:00:00Z", "message": self.message(request["messages"]),
            "done": True, "done_reason": "stop", "prompt_eval_count": 1, "eval_count": 1}

    def message(self, messages):
        results = [message["content"] for message in messages if message["role"] == "tool"]
        if results:
            return {"role": "assistant", "content": "I heard: " + " ".join(results)}
        return {"role": "assistant", "content": "", "tool_calls": [
            {"function": {"name": name, "arguments": arguments}} for name, arguments in self.calls(messages)]}

    def offered(self):
        """The tools of the first request since this was last asked."""
        first = self.asked[0] if self.asked else {}
        self.asked.clear()
        return [tool["function"]["name"] for tool in first.get("tools", [])]
