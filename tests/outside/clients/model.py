"""A language model by rules: it calls the tool that a question is about, fills schemas, honours
`stop` and limits. `[[word]]` in a question makes it do what models and their servers do wrong.
"""
import dataclasses
import json
import re

HELLO = "Hello there, how are you today? Åse says 🌧."
PATCH = """*** Begin Patch
*** Update File: hello.py
@@
-print('hello')
+print('hello, world')
*** End Patch"""


@dataclasses.dataclass
class Asked:
    """A request, whichever wire it came over."""
    messages: list  # {role, text, images, calls, id, name}
    tools: list  # {name, description, parameters}
    choice: str = "auto"  # auto, none, required, or a tool
    schema: dict | None = None
    stop: list = dataclasses.field(default_factory=list)
    limit: int | None = None
    think: object = None

    def question(self):
        said = [message["text"] for message in self.messages if message["role"] == "user"]
        return said[-1] if said else ""

    def script(self):
        found = re.search(r"\[\[(\w+)\]\]", self.question())
        return found.group(1) if found else ""


@dataclasses.dataclass
class Said:
    """A reply. Arguments are an object, or text as it was written."""
    text: str = ""
    thinking: str = ""
    calls: list = dataclasses.field(default_factory=list)  # (name, arguments)
    reason: str = "stop"


SCRIPTS = {
    "hello": Said(HELLO),
    "call": Said(calls=[("get_weather", {"city": "Paris", "unit": "celsius"})]),
    "two": Said(calls=[("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})]),
    "beside": Said("Let me look.", calls=[("get_weather", {"city": "Zürich 東京 🌦"})]),
    "noargs": Said(calls=[("get_time", {})]),
    "printed": Said('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'),
    "broken": Said(calls=[("get_weather", '{"city": "Paris", "days": "3",}')]),
    "hopeless": Said(calls=[("get_weather", {"days": 3})]),
    "blank": Said(),
    "think": Said("Forty-two.", thinking="Let me count to 42."),
    "length": Said("One two three", reason="length"),
    # What Codex is asked to do to the file `hello.py`.
    "shell": Said(calls=[("exec_command", {"cmd": "sed -i s/hello/goodbye/ hello.py && cat hello.py"})]),
    # The same of opencode.
    "bash": Said(calls=[("bash", {"command": "sed -i s/hello/goodbye/ hello.py && cat hello.py"})]),
    "printed_edit": Said("<tool_call>\n" + json.dumps({"name": "edit", "arguments": {
        "filePath": "hello.py", "oldString": "'hello'", "newString": "'hello, world'"}}) + "\n</tool_call>"),
    "patch": Said(calls=[("apply_patch", {"input": PATCH})]),
    "printed_patch": Said("I change it.\n<tool_call>\n" + json.dumps({"name": "apply_patch", "arguments": {"input": PATCH}}) + "\n</tool_call>"),
}


def reply(asked):
    script = SCRIPTS.get(asked.script())
    last = asked.messages[-1]
    if asked.script() == "hopeless":
        return script
    if last["role"] == "tool":
        if asked.schema:
            return fitting(Said(json.dumps(filled(asked.schema, asked))), asked)
        return fitting(Said("The tools say: " + "; ".join(results(asked))), asked)
    if script and not asked.schema:
        return script
    if asked.script() == "see":
        return Said(", ".join(f"{kind} of {size} bytes" for kind, size in last["images"]) or "no picture")
    tool = wanted(asked)
    if tool:
        arguments = filled(tool["parameters"], asked) if tool["parameters"] else {}
        return Said(calls=[(tool["name"], arguments)])
    if asked.schema:
        return fitting(Said(json.dumps(filled(asked.schema, asked), ensure_ascii=False)), asked)
    return fitting(Said(HELLO), asked)


def results(asked):
    """What the tools said, each beside the arguments of its call, as far as that is known."""
    calls, found = {}, []
    waiting = []
    for message in asked.messages:
        for made in message["calls"]:
            # Ollama's clients send no ids: their results are in the order of the calls.
            if made["id"]:
                calls[made["id"]] = made
            waiting.append(made)
        if message["role"] == "tool":
            made = calls.get(message["id"]) or next((made for made in waiting if made["name"] == message["name"]), None)
            if made is None and not message["id"] and waiting:
                made = waiting[0]
            if made in waiting:
                waiting.remove(made)
            about = made["arguments"].get("city", made["name"]) if made else "?"
            found.append(f"{about}: {message['text']}")
        elif message["role"] == "user":
            found = []
    return found


def wanted(asked):
    """The tool that must be called, or that the question is about."""
    if not asked.tools or asked.choice == "none":
        return None
    question = asked.question().lower()
    about = [tool for tool in asked.tools
             if any(len(word) > 3 and word in question for word in re.split(r"\W|_", tool["name"].lower()))]
    named = [tool for tool in asked.tools if tool["name"] == asked.choice]
    if named:
        return named[0]
    if asked.choice == "required":
        return (about or asked.tools)[0]
    return about[0] if about else None


def filled(schema, asked, root=None, name=""):
    """A value that fits, from the words of the question where that is possible."""
    root = root or schema
    question = asked.question()
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return filled(target, asked, root, name)
    for choices in ("anyOf", "oneOf", "allOf"):
        if schema.get(choices):
            fit = [choice for choice in schema[choices] if choice.get("type") != "null"]
            return filled(fit[0], asked, root, name)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next(one for one in kind if one != "null")
    quoted = re.findall(r"'([^']+)'", question)
    if kind == "object":
        properties = schema.get("properties", {})
        if not properties and root is schema and schema is asked.schema:
            return {key: f"a {key}" for key in quoted}
        needed = schema.get("required", properties)
        return {key: filled(properties[key], asked, root, key) for key in properties if key in needed}
    if kind == "array":
        return [filled(schema.get("items", {"type": "string"}), asked, root, name)]
    if kind in ("integer", "number"):
        numbers = re.findall(r"\d+", question)
        return int(numbers[0]) if numbers else 1
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    capitals = re.findall(r"(?<!^)(?<![.!?] )[A-Z]\w+(?: [A-Z]\w+)*", question)
    return quoted[0] if quoted else capitals[-1] if capitals else f"a {name}"


def fitting(said, asked):
    """Ends where it is told to end."""
    for stop in asked.stop:
        said.text = said.text.split(stop)[0]
    if asked.limit is not None and said.text and asked.limit < len(said.text.split()):
        said.text, said.reason = " ".join(said.text.split()[:asked.limit]), "length"
    return said
