// The official TypeScript SDK as one of the clients that `run` compares; see `turns.py`.
//
// usage: node client.mjs COMMAND [ARGUMENTS]     (run beside node_modules)
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const AT_ONCE = 50;
const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));

async function call() {
    const result = await client.callTool({ name: "echo", arguments: { message: "hello" } });
    if (result.content[0].text !== "Echo: hello") throw new Error(JSON.stringify(result));
}

const since = (begun) => Number(process.hrtime.bigint() - begun);
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
    const each = [];
    for (let count = Number(line); count > 0; count -= 1) {
        const begun = process.hrtime.bigint();
        await call();
        each.push(since(begun));
    }
    const begun = process.hrtime.bigint();
    await Promise.all(Array.from({ length: AT_ONCE }, call));
    console.log(JSON.stringify({ each, batch: since(begun) }));
}
await client.close();
