"""The Python SDK `ollama`."""
import os
import sys

import ollama

import battery
from battery import Answer


class Client:
    name = "python ollama"
    # The API has none.
    has_tool_choice = False
    errors = dict.fromkeys(("refuse", "limit", "fail", "unknown", "cut"), ollama.ResponseError)

    def __init__(self):
        self.sdk = ollama.Client(host=os.environ["HAFT_URL"])

    def models(self):
        return [model.model for model in self.sdk.list().models]

    def messages(self, history, image):
        for kind, said in history:
            if kind == "user":
                yield {"role": "user", "content": said, **({"images": [image]} if image else {})}
            elif kind == "ai":
                calls = [{"function": {"name": name, "arguments": arguments}} for _, name, arguments in said.calls]
                yield {"role": "assistant", "content": said.text, "tool_calls": calls}
            else:
                # This wire has no ids: the order says what belongs to what.
                for (_, name, _), text in said:
                    yield {"role": "tool", "tool_name": name, "content": text}

    def settings(self, history, image=None, tools=(), schema=None, stop=None, limit=None, think=None, model="scripted"):
        offered = [{"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
                   for name, description, parameters in tools]
        options = {key: value for key, value in {"stop": stop, "num_predict": limit}.items() if value is not None}
        return {"model": model, "messages": list(self.messages(history, image)), "tools": offered or None,
                "format": schema, "think": think, "options": options}

    def ask(self, history, streamed, **more):
        settings = self.settings(history, **more)
        parts = list(self.sdk.chat(**settings, stream=True)) if streamed else [self.sdk.chat(**settings)]
        last = parts[-1]
        if not last.done:
            raise RuntimeError("the stream ended before it was done, and nothing was raised")
        called = [call for part in parts for call in part.message.tool_calls or []]
        # Calls are told apart by their places.
        calls = [(str(id(call)), call.function.name, dict(call.function.arguments)) for call in called]
        stop = "calls" if calls else {"stop": "end", "length": "length"}[last.done_reason]
        return Answer("".join(part.message.content or "" for part in parts), "".join(part.message.thinking or "" for part in parts),
            calls, stop, (last.prompt_eval_count, last.eval_count), sum(bool(part.message.content) for part in parts), called)

    def leave(self, question):
        stream = self.sdk.chat(**self.settings([("user", question)]), stream=True)
        next(stream)
        stream.close()

    def extras(self):
        def shows_what_a_model_can():
            seen = self.sdk.show("scripted")
            return "tools" in seen.capabilities, seen

        def lists_what_is_loaded():
            seen = self.sdk.ps()
            return isinstance(seen.models, list) or seen.models == [], seen

        def generates():
            seen = self.sdk.generate(model="scripted", prompt="[[hello]]")
            parts = list(self.sdk.generate(model="scripted", prompt="[[think]]", think=True, stream=True))
            said = "".join(part.response for part in parts), "".join(part.thinking or "" for part in parts)
            return (seen.response, said, parts[-1].done) == (battery.HELLO, ("Forty-two.", "Let me count to 42."), True), (seen, parts)

        def embeds():
            several = self.sdk.embed(model="scripted", input=["one", "three"])
            one = self.sdk.embeddings(model="scripted", prompt="three")
            vectors = [list(vector) for vector in several.embeddings], list(one.embedding)
            return vectors == ([[3, 1], [5, 1]], [5, 1]), vectors

        def a_function_is_a_tool():
            def get_weather(city: str) -> str:
                """The weather in a city."""
                return f"rain in {city}"
            messages = [{"role": "user", "content": "[[two]]"}]
            first = self.sdk.chat(model="scripted", messages=messages, tools=[get_weather])
            messages.append(first.message)
            messages += [{"role": "tool", "content": get_weather(**call.function.arguments)} for call in first.message.tool_calls]
            last = self.sdk.chat(model="scripted", messages=messages, tools=[get_weather])
            return last.message.content == "The tools say: Oslo: rain in Oslo; Rome: rain in Rome", last

        return [shows_what_a_model_can, lists_what_is_loaded, generates, embeds, a_function_is_a_tool]


sys.exit(battery.Battery(Client()).run() != 0)
