"""Model servers of two kinds over one model by rules: OpenAI's wire and Ollama's.

The path says which one is meant. Scripts for what servers do wrong: `[[refuse]]`, `[[limit]]`,
`[[fail]]`, `[[dies]]`, `[[stops]]`; `[[slow]]` and `[[steady]]` take their time. `GET /left` counts the streams whose reader left.
"""
import base64
import http.server
import json
import sys
import threading
import time

import model

MODELS = ["scripted", "scripted-2"]
# Words, and seconds between the bits of them.
PACES = {"slow": (400, 0.05), "steady": (60, 0.1)}
REFUSALS = {"refuse": (400, "the question is refused"), "limit": (429, "slow down"), "fail": (500, "out of memory")}


def pieces(text):
    """A text in bits, as tokens come."""
    return [text[at:at + 7] for at in range(0, len(text), 7)]


def embedded(texts):
    """One vector for each text: its length, and one."""
    return [[len(text), 1] for text in ([texts] if isinstance(texts, str) else texts)]


EMBEDDINGS = {
    "/v1/embeddings": lambda body: {"object": "list", "model": body["model"], "usage": {"prompt_tokens": 2, "total_tokens": 2}, "data": [
        {"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(embedded(body["input"]))]},
    "/api/embed": lambda body: {"model": body["model"], "embeddings": embedded(body["input"]), "prompt_eval_count": 2},
    "/api/embeddings": lambda body: {"embedding": embedded(body["prompt"])[0]},
}


def tokens(value):
    return len(json.dumps(value)) // 4 + 1


class OpenAi:
    """`POST /v1/chat/completions`."""
    stream_type = "text/event-stream"

    def __init__(self, body):
        self.body = body
        self.is_streamed = body.get("stream", False)

    def asked(self):
        body = self.body
        choice = body.get("tool_choice", "auto")
        form = body.get("response_format") or {}
        schema = {"type": "object"} if form.get("type") == "json_object" else form.get("json_schema", {}).get("schema")
        stop = body.get("stop") or []
        return model.Asked(
            [self.message(message) for message in body["messages"]],
            [tool["function"] for tool in body.get("tools", [])],
            choice if isinstance(choice, str) else choice["function"]["name"], schema,
            [stop] if isinstance(stop, str) else stop,
            body.get("max_completion_tokens", body.get("max_tokens")), body.get("reasoning_effort"))

    def message(self, message):
        content = message.get("content") or ""
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        pictures = [url.removeprefix("data:").split(";base64,") for url in urls]
        return {
            "role": message["role"], "text": "".join(part.get("text", "") for part in parts),
            "images": [(kind, len(base64.b64decode(data))) for kind, data in pictures],
            "calls": [{"id": call["id"], "name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
                      for call in message.get("tool_calls") or []],
            "id": message.get("tool_call_id"), "name": message.get("name")}

    def head(self, kind):
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": self.body["model"]}

    def usage(self, said):
        prompt, completion = tokens(self.body["messages"]), tokens([said.text, said.thinking, said.calls])
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}

    def calls(self, said):
        # Ids begin anew in every reply, as with some servers.
        for index, (name, arguments) in enumerate(said.calls):
            written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            yield {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": written}}

    def events(self, said):
        def chunk(delta, reason=None):
            return b"data: " + json.dumps({**self.head("chat.completion.chunk"), "choices": [
                {"index": 0, "delta": delta, "finish_reason": reason}]}).encode() + b"\n\n"

        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces(said.thinking):
            yield chunk({"reasoning_content": piece})
        for piece in pieces(said.text):
            yield chunk({"content": piece})
        for call in self.calls(said):
            written = call["function"]["arguments"]
            call["function"]["arguments"] = ""
            yield chunk({"tool_calls": [call]})
            for piece in pieces(written):
                yield chunk({"tool_calls": [{"index": call["index"], "function": {"arguments": piece}}]})
        yield chunk({}, "tool_calls" if said.calls else said.reason)
        yield b"data: " + json.dumps({**self.head("chat.completion.chunk"), "choices": [], "usage": self.usage(said)}).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"

    def whole(self, said):
        message = {"role": "assistant", "content": said.text, "tool_calls": list(self.calls(said))}
        if said.thinking:
            message["reasoning_content"] = said.thinking
        return {**self.head("chat.completion"), "usage": self.usage(said), "choices": [
            {"index": 0, "message": message, "finish_reason": "tool_calls" if said.calls else said.reason}]}

    @staticmethod
    def refusal(message):
        return {"error": {"message": message, "type": "error"}}


class Ollama:
    """`POST /api/chat`."""
    stream_type = "application/x-ndjson"

    def __init__(self, body):
        self.body = body
        self.is_streamed = body.get("stream", True)

    def asked(self):
        body = self.body
        options = body.get("options") or {}
        schema = {"type": "object"} if body.get("format") == "json" else body.get("format") or None
        limit = options.get("num_predict", -1)
        return model.Asked([self.message(message) for message in body["messages"]],
            [tool["function"] for tool in body.get("tools") or []], "auto", schema,
            options.get("stop") or [], limit if limit >= 0 else None, body.get("think"))

    def message(self, message):
        pictures = [base64.b64decode(image) for image in message.get("images") or []]
        return {
            "role": message["role"], "text": message.get("content", ""),
            "images": [("image/png" if picture.startswith(b"\x89PNG") else "?", len(picture)) for picture in pictures],
            "calls": [{"id": call.get("id"), **call["function"]} for call in message.get("tool_calls") or []],
            "id": message.get("tool_call_id"), "name": message.get("tool_name")}

    def line(self, message, **more):
        return {"model": self.body["model"], "created_at": "2026-11-22T12:00:00Z",
                "message": {"role": "assistant", "content": "", **message}, "done": False, **more}

    def calls(self, said):
        for index, (name, arguments) in enumerate(said.calls):
            # Ollama reads the arguments itself: what it cannot read, it does not send.
            given = arguments if isinstance(arguments, dict) else json.loads(arguments.replace(",}", "}"))
            yield {"function": {"index": index, "name": name, "arguments": given}}

    def last(self, said):
        return {"done": True, "done_reason": said.reason, "total_duration": 5, "load_duration": 1,
                "prompt_eval_count": tokens(self.body["messages"]), "prompt_eval_duration": 2,
                "eval_count": tokens([said.text, said.thinking, said.calls]), "eval_duration": 2}

    def events(self, said):
        lines = [self.line({"thinking": piece}) for piece in pieces(said.thinking)]
        lines += [self.line({"content": piece}) for piece in pieces(said.text)]
        lines += [self.line({"tool_calls": [call]}) for call in self.calls(said)]
        lines += [self.line({}, **self.last(said))]
        for line in lines:
            yield json.dumps(line).encode() + b"\n"

    def whole(self, said):
        message = {"content": said.text, "thinking": said.thinking, "tool_calls": list(self.calls(said))}
        return self.line({key: value for key, value in message.items() if value}, **self.last(said))

    @staticmethod
    def refusal(message):
        return {"error": message}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        pages = {
            "/": "Ollama is running",
            "/v1/models": {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]},
            "/left": {"left": self.server.left},
            "/api/version": {"version": "0.12.10"},
            "/api/tags": {"models": [{"name": name, "model": name, "size": 1} for name in MODELS]},
            "/api/ps": {"models": [{"name": MODELS[0], "model": MODELS[0], "context_length": 8192}]},
        }
        is_there = self.path in pages and (self.server.is_ollama or self.path in ("/v1/models", "/left"))
        self.answer(200 if is_there else 404, pages.get(self.path) if is_there else {"error": "not here"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/api/show" and self.server.is_ollama:
            return self.answer(200, {"capabilities": ["completion", "tools", "thinking", "vision"], "details": {"family": "scripted"},
                "model_info": {"general.architecture": "scripted", "scripted.context_length": 32768}})
        if self.path in EMBEDDINGS and self.server.is_ollama == self.path.startswith("/api/"):
            return self.answer(200, EMBEDDINGS[self.path](body))
        wire = {"/api/chat": Ollama}.get(self.path) if self.server.is_ollama else {"/v1/chat/completions": OpenAi}.get(self.path)
        if wire is None:
            return self.answer(404, {"error": f"no {self.path} here"})
        wire = wire(body)
        if body["model"] not in MODELS:
            return self.answer(404, wire.refusal(f"model '{body['model']}' not found"))
        asked = wire.asked()
        if asked.script() in REFUSALS:
            status, message = REFUSALS[asked.script()]
            return self.answer(status, wire.refusal(message))
        if not wire.is_streamed:
            return self.answer(200, wire.whole(model.reply(asked)), asked.script())
        self.streamed(wire, asked)

    def streamed(self, wire, asked):
        script = asked.script()
        self.send_response(200)
        self.send_header("content-type", wire.stream_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        words, pause = PACES.get(script, (0, 0))
        said = model.Said("word " * words) if words else model.reply(asked)
        events = list(wire.events(said))
        if script in ("dies", "stops"):
            events = events[:4]
        try:
            for event in events:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                time.sleep(pause)
        except OSError:
            with self.server.counting:
                self.server.left += 1
            self.close_connection = True
            return
        if script == "dies":
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def answer(self, status, body, script=None):
        text = json.dumps(body).encode()
        sent = text[:len(text) // 2] if script in ("dies", "stops") else text
        self.send_response(status)
        self.send_header("content-type", "application/json")
        # Who dies has promised more; who stops believes that this was all.
        self.send_header("content-length", str(len(text if script == "dies" else sent)))
        self.end_headers()
        self.wfile.write(sent)
        if script == "dies":
            self.close_connection = True

    def log_message(self, *_):
        pass


class Upstream(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A reader who leaves is part of the checks; every other error is printed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def __init__(self, is_ollama):
        super().__init__(("127.0.0.1", 0), Handler)
        self.is_ollama, self.left, self.counting = is_ollama, 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"
