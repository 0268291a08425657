"""The official Python SDK as one of the clients that `run` compares; see `turns.py`.

usage: client.py COMMAND [ARGUMENTS]
"""
import asyncio
import json
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

AT_ONCE = 50


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    with open("/dev/null", "w") as nowhere:
        async with stdio_client(server, errlog=nowhere) as (reader, writer), ClientSession(reader, writer) as session:
            await session.initialize()

            async def call():
                result = await session.call_tool("echo", {"message": "hello"})
                assert result.content[0].text == "Echo: hello", result

            print("ready", flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                each = []
                for _ in range(int(line)):
                    begun = time.perf_counter_ns()
                    await call()
                    each.append(time.perf_counter_ns() - begun)
                begun = time.perf_counter_ns()
                await asyncio.gather(*(call() for _ in range(AT_ONCE)))
                print(json.dumps({"each": each, "batch": time.perf_counter_ns() - begun}), flush=True)


asyncio.run(main())
