import agents
import openai

client = openai.AsyncOpenAI(base_url="http://127.0.0.1:11435/v1", api_key="none")
agents.set_default_openai_client(client, use_for_tracing=False)
agents.set_tracing_disabled(True)


@agents.function_tool
def get_weather(city: str) -> str:
    """The current weather in a city"""
    print("get_weather", city)
    return "Rain, 7 degrees"


agent = agents.Agent(name="Assistant", model="qwen3:0.6b", tools=[get_weather])
print(agents.Runner.run_sync(agent, "What is the weather in Oslo?").final_output)
