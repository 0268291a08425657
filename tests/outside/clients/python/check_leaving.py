"""Clients that leave while others stay: nobody else notices, and the model server is freed."""
import asyncio
import json
import os
import sys
import urllib.request

import openai

CLIENTS = 120


def left():
    with urllib.request.urlopen(os.environ["UPSTREAM"] + "/left") as answer:
        return json.load(answer)["left"]


async def client(sdk, number):
    """Every third one leaves after some words, long before the last; what the others read."""
    leaves = number % 3 == 0
    script = "[[slow]]" if leaves else "[[steady]]"
    stream = await sdk.chat.completions.create(model="scripted", stream=True, messages=[{"role": "user", "content": script}])
    text = ""
    async for chunk in stream:
        text += chunk.choices[0].delta.content or ""
        if leaves and len(text) > number:
            await stream.close()
            return None
    return text


async def main():
    before = left()
    async with openai.AsyncOpenAI(base_url=os.environ["HAFT_URL"] + "/v1", api_key="none", max_retries=0) as sdk:
        read = await asyncio.gather(*(client(sdk, number) for number in range(CLIENTS)))
        wrong = [text for number, text in enumerate(read) if number % 3 and text != "word " * 60]
    for _ in range(100):
        freed = left() - before
        if freed == CLIENTS // 3:
            break
        await asyncio.sleep(0.1)
    good = not wrong and freed == CLIENTS // 3
    print(f"{CLIENTS} clients: {len(wrong)} read something wrong, the model server was freed of {freed} of {CLIENTS // 3}")
    sys.exit(not good)


asyncio.run(main())
