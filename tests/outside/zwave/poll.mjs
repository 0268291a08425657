// Asks devices what they report, over a WebSocket client that is not haft's.
//
// usage: node poll.mjs PORT 'NODE CLASS PROPERTY [KEY]' ...     prints a JSON list of values
import WebSocket from "ws";

const [port, ...wanted] = process.argv.slice(2);
const socket = new WebSocket(`ws://127.0.0.1:${port}`);
const waiting = new Map();
let last = 0;

const call = (command, fields) => new Promise((resolve, reject) => {
    const messageId = `poll-${++last}`;
    waiting.set(messageId, { resolve, reject });
    socket.send(JSON.stringify({ messageId, command, ...fields }));
});

socket.on("message", async (data) => {
    const message = JSON.parse(data);
    if (message.type === "result") {
        const { resolve, reject } = waiting.get(message.messageId);
        return message.success ? resolve(message.result) : reject(new Error(data));
    }
    if (message.type !== "version") return;
    await call("initialize", { schemaVersion: 44 });
    const values = [];
    for (const text of wanted) {
        const [nodeId, commandClass, property, key] = text.split(" ");
        const valueId = { commandClass: Number(commandClass), endpoint: 0, property: property.replaceAll("_", " ") };
        if (key) valueId.propertyKey = Number(key);
        const { value } = await call("node.poll_value", { nodeId: Number(nodeId), valueId });
        values.push(value);
    }
    console.log(JSON.stringify(values));
    process.exit(0);
});
socket.on("error", (error) => { console.error(String(error)); process.exit(1); });
