// A model server of OpenAI's kind whose models fail in known ways. The model's name says how.

import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script><b>bold</b>`;

const native = (args) => [{ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "get_weather", arguments: args } }] }];
const words = (text) => text.match(/\S+\s*/g).map((content) => ({ content }));

// The pieces of a reply by the name of the model.
const MODELS = {
  "qwen3:4b": () => native('{"city": "Oslo", "days": 3}'),
  "llama3.2:3b": () => words('Sure, let me look!\n<tool_call>\n{\'name\': \'get_weather\', \'arguments\': {\'city\': \'Oslo\', \'days\': \'3\',}}\n</tool_call>'),
  "mistral:7b": () => native('{"city": "Oslo", "days": "3"}'),
  "tinyllama:1b": (asked) => (asked.tools?.length > 0 ? [{ content: "" }] : words("Oslo is cold in November: bring a coat.")),
  "gemma3:1b": () => words("I answer in words, slowly, so that the page can be watched while the reply is being written by the model."),
  hostile: () => words(HOSTILE),
  broken: () => null,
};

export async function startUpstream() {
  const server = http.createServer(async (request, response) => {
    if (request.method === "GET") {
      const isList = request.url.endsWith("/models");
      response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ object: "list", data: Object.keys(MODELS).map((id) => ({ id, object: "model" })) }));
    }
    let body = "";
    for await (const piece of request) body += piece;
    await answer(JSON.parse(body), response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => { server.closeAllConnections(); server.close(); } };
}

async function answer(asked, response) {
  const pieces = MODELS[asked.model]?.(asked);
  if (!pieces) {
    response.writeHead(500, { "content-type": "application/json" });
    return response.end('{"error": {"message": "out of memory"}}');
  }
  const pause = asked.model === "gemma3:1b" ? 120 : 4;
  const isCall = pieces.some((piece) => piece.tool_calls);
  const usage = { prompt_tokens: 214, completion_tokens: pieces.length, total_tokens: 214 + pieces.length };
  if (!asked.stream) {
    const content = pieces.map((piece) => piece.content ?? "").join("");
    const message = { role: "assistant", content, tool_calls: pieces.flatMap((piece) => piece.tool_calls ?? []) };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: isCall ? "tool_calls" : "stop" }], usage }));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const delta of pieces) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    await sleep(pause);
  }
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: isCall ? "tool_calls" : "stop" }] })}\n\n`);
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}
