// The JavaScript SDK `openai` with the Responses API.
import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { Battery } from "./battery.mjs";

const sdk = new OpenAI({ baseURL: `${process.env.HAFT_URL}/v1`, apiKey: "none", maxRetries: 0 });
const STATUSES = { completed: "end", incomplete: "length" };

function items(history, image) {
  return history.flatMap(({ user, reply, results }) => {
    // The items come back as they were.
    if (reply) return reply.output;
    if (results) return results.toReversed().map(([call, output]) => ({ type: "function_call_output", call_id: call.id, output }));
    if (!image) return [{ role: "user", content: user }];
    const image_url = `data:image/png;base64,${image}`;
    return [{ role: "user", content: [{ type: "input_text", text: user }, { type: "input_image", image_url, detail: "auto" }] }];
  });
}

function settings(history, { image, tools, choice, schema, limit, think, model = "scripted" }) {
  const named = choice && !["required", "none"].includes(choice) ? { type: "function", name: choice } : choice;
  return {
    model, input: items(history, image), store: false, max_output_tokens: limit,
    reasoning: think ? { effort: "low", summary: "auto" } : undefined,
    tools: tools?.map((tool) => ({ type: "function", strict: false, ...tool })), tool_choice: named,
    text: schema && { format: { type: "json_schema", name: "answer", schema, strict: true } },
  };
}

function read(response, pieces) {
  const of = (type) => response.output.filter((item) => item.type === type);
  const calls = of("function_call").map((call) => ({ id: call.call_id, name: call.name, args: JSON.parse(call.arguments) }));
  const thinking = of("reasoning").flatMap((item) => item.summary).map((part) => part.text).join("");
  const text = of("message").flatMap((item) => item.content).map((part) => part.text).join("");
  const usage = [response.usage.input_tokens, response.usage.output_tokens];
  const stop = calls.length ? "calls" : STATUSES[response.status];
  return { text, thinking, calls, stop, usage, pieces, output: response.output };
}

async function ask(history, streamed, more) {
  if (!streamed) return read(await sdk.responses.create(settings(history, more)), 0);
  let pieces = 0;
  const stream = sdk.responses.stream(settings(history, more));
  for await (const event of stream) pieces += event.type === "response.output_text.delta" ? 1 : 0;
  return read(await stream.finalResponse(), pieces);
}

await new Battery({
  name: "javascript openai responses", hasToolChoice: true, hasStop: false, ask,
  status: (error) => error.status,
  models: async () => (await sdk.models.list()).data.map((model) => model.id),
  leave: async (question) => {
    const stream = await sdk.responses.create({ ...settings([{ user: question }], {}), stream: true });
    for await (const _ of stream) break;
  },
  extras: {
    "parses to a class": async () => {
      const city = z.object({ city: z.string(), inhabitants: z.number().int() });
      const input = "Tell me of 'Lima' with its 9 inhabitants";
      const seen = await sdk.responses.parse({ model: "scripted", input, text: { format: zodTextFormat(city, "city") } });
      return seen.output_parsed.inhabitants === 9 || seen;
    },
  },
}).run();
