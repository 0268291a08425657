"""Frameworks that use the Responses API: openai-agents, and LangChain with `use_responses_api`."""
import asyncio
import os
import sys

import agents
import openai
import pydantic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

URL = os.environ["HAFT_URL"] + "/v1"
TWO = "The tools say: Oslo: rain in Oslo; Rome: rain in Rome"
failed = []


class City(pydantic.BaseModel):
    city: str
    inhabitants: int


def check(name, good, seen):
    if not good:
        failed.append(name)
        print(f"FAILED  {name}\n        {seen}")


@agents.function_tool
def get_weather(city: str) -> str:
    """The weather in a city"""
    return f"rain in {city}"


async def openai_agents():
    agents.set_tracing_disabled(True)
    agents.set_default_openai_client(openai.AsyncOpenAI(base_url=URL, api_key="none", max_retries=0), use_for_tracing=False)
    agent = agents.Agent(name="Weather", model="scripted", tools=[get_weather])
    seen = await agents.Runner.run(agent, "[[two]]")
    check("openai-agents runs tools", seen.final_output == TWO, seen)
    streamed = agents.Runner.run_streamed(agent, "[[two]]")
    kinds = [event.type async for event in streamed.stream_events()]
    check("openai-agents streams", streamed.final_output == TWO and "raw_response_event" in kinds, kinds)
    data = agents.Agent(name="Cities", model="scripted", output_type=City)
    seen = await agents.Runner.run(data, "Tell me of 'Lima' with its 9 inhabitants")
    check("openai-agents reads data", seen.final_output == City(city="Lima", inhabitants=9), seen)


@tool("get_weather")
def weather(city: str) -> str:
    """The weather in a city"""
    return f"rain in {city}"


def langchain():
    chat = ChatOpenAI(model="scripted", base_url=URL, api_key="none", max_retries=0, use_responses_api=True)
    seen = chat.invoke("[[hello]]")
    check("langchain text", seen.text.startswith("Hello there"), seen)
    for streamed in (False, True):
        bound = chat.bind_tools([weather])
        messages = [HumanMessage("[[two]]")]
        if streamed:
            reply = None
            for chunk in bound.stream(messages):
                reply = chunk if reply is None else reply + chunk
        else:
            reply = bound.invoke(messages)
        results = [ToolMessage(weather.invoke(call["args"]), tool_call_id=call["id"]) for call in reply.tool_calls]
        seen = bound.invoke([*messages, reply, *results])
        check(f"langchain tools, streamed: {streamed}", seen.text == TWO, (reply, seen))
    data = chat.with_structured_output(City).invoke("Tell me of 'Lima' with its 9 inhabitants")
    check("langchain data", data == City(city="Lima", inhabitants=9), data)


asyncio.run(openai_agents())
langchain()
print("openai-agents, langchain responses:", "failed" if failed else "passed")
sys.exit(bool(failed))
