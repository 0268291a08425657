"""The Python SDK `openai` with the Responses API."""
import json
import os
import sys

import httpx
import openai
import pydantic
import zstandard

import battery
from battery import Answer

STATUSES = {"completed": "end", "incomplete": "length"}


class City(pydantic.BaseModel):
    city: str
    inhabitants: int


class Client:
    name = "python openai responses"
    has_tool_choice = True
    has_stop = False
    errors = {"refuse": openai.BadRequestError, "limit": openai.RateLimitError, "fail": openai.InternalServerError,
              "unknown": openai.NotFoundError, "cut": openai.APIError}

    def __init__(self):
        self.sdk = openai.OpenAI(base_url=os.environ["HAFT_URL"] + "/v1", api_key="none", max_retries=0)

    def models(self):
        return [model.id for model in self.sdk.models.list()]

    def items(self, history, image):
        for kind, said in history:
            if kind == "user" and image:
                url = f"data:image/png;base64,{image}"
                yield {"role": "user", "content": [{"type": "input_text", "text": said}, {"type": "input_image", "image_url": url, "detail": "auto"}]}
            elif kind == "user":
                yield {"role": "user", "content": said}
            elif kind == "ai":
                # The items come back as they were.
                yield from said.raw.output
            else:
                for (identifier, _, _), text in reversed(said):
                    yield {"type": "function_call_output", "call_id": identifier, "output": text}

    def settings(self, history, image=None, tools=(), choice=None, schema=None, limit=None, think=None, model="scripted"):
        settings = {"model": model, "input": list(self.items(history, image)), "store": False}
        if tools:
            settings["tools"] = [{"type": "function", "name": name, "description": description, "parameters": parameters, "strict": False}
                                 for name, description, parameters in tools]
        if choice in ("required", "none"):
            settings["tool_choice"] = choice
        elif choice:
            settings["tool_choice"] = {"type": "function", "name": choice}
        if schema:
            settings["text"] = {"format": {"type": "json_schema", "name": "answer", "schema": schema, "strict": True}}
        more = {"max_output_tokens": limit, "reasoning": {"effort": "low", "summary": "auto"} if think else None}
        return settings | {key: value for key, value in more.items() if value is not None}

    def read(self, whole, pieces=0):
        calls = [(item.call_id, item.name, json.loads(item.arguments)) for item in whole.output if item.type == "function_call"]
        thinking = "".join(part.text for item in whole.output if item.type == "reasoning" for part in item.summary)
        stop = "calls" if calls else STATUSES[whole.status]
        return Answer(whole.output_text, thinking, calls, stop, (whole.usage.input_tokens, whole.usage.output_tokens), pieces, whole)

    def ask(self, history, streamed, **more):
        settings = self.settings(history, **more)
        if not streamed:
            return self.read(self.sdk.responses.create(**settings))
        text, last, numbers = [], None, []
        for event in self.sdk.responses.create(**settings, stream=True):
            numbers.append(event.sequence_number)
            if event.type == "response.output_text.delta":
                text.append(event.delta)
            if event.type in ("response.completed", "response.incomplete"):
                last = event.response
        assert numbers == list(range(len(numbers))), numbers
        assert "".join(text) == last.output_text, (text, last)
        return self.read(last, len(text))

    def leave(self, question):
        stream = self.sdk.responses.create(**self.settings([("user", question)]), stream=True)
        next(iter(stream))
        stream.close()

    def extras(self):
        question = "Tell me of 'Lima' with its 9 inhabitants"

        def parsed_to_a_class():
            seen = self.sdk.responses.parse(model="scripted", input=question, text_format=City)
            return seen.output_parsed == City(city="Lima", inhabitants=9), seen

        def streamed_to_a_class():
            with self.sdk.responses.stream(model="scripted", input=question, text_format=City) as stream:
                kinds = {event.type for event in stream}
                seen = stream.get_final_response()
            return seen.output_parsed == City(city="Lima", inhabitants=9) and "response.output_text.done" in kinds, (kinds, seen)

        def continued_by_id():
            tools = self.settings([], tools=battery.TOOLS)["tools"]
            first = self.sdk.responses.create(model="scripted", input="[[call]]", tools=tools, store=True)
            output = {"type": "function_call_output", "call_id": first.output[0].call_id, "output": "cold"}
            seen = self.sdk.responses.create(model="scripted", previous_response_id=first.id, input=[output], tools=tools)
            items = [item.type for item in self.sdk.responses.input_items.list(first.id)]
            again = self.sdk.responses.retrieve(first.id)
            return seen.output_text == "The tools say: Paris: cold" and items == ["message"] and again == first, (seen, items, again)

        def custom_tool():
            tools = [{"type": "custom", "name": "apply_patch", "description": "Edits files"}]
            seen = self.sdk.responses.create(model="scripted", input="[[printed_patch]]", tools=tools).output[-1]
            return seen.type == "custom_tool_call" and seen.input.endswith("*** End Patch"), seen

        def packed():
            body = json.dumps({"model": "scripted", "input": "[[hello]]" + " " * 500_000}).encode()
            zstd = zstandard.ZstdCompressor(level=19).compress(body)
            headers = {"content-encoding": "zstd", "content-type": "application/json"}
            seen = httpx.post(os.environ["HAFT_URL"] + "/v1/responses", content=zstd, headers=headers, trust_env=False)
            return seen.status_code == 200 and len(zstd) < 1000 and "Hello there" in seen.text, seen.text[:300]

        return [parsed_to_a_class, streamed_to_a_class, continued_by_id, custom_tool, packed]


sys.exit(battery.Battery(Client()).run() != 0)
