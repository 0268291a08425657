// Vercel's AI SDK with its default for OpenAI, `openai("...")`: the Responses API.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, Output, streamText, tool } from "ai";
import { z } from "zod";

const openai = createOpenAI({ baseURL: `${process.env.HAFT_URL}/v1`, apiKey: "none" });
const model = openai("scripted");
const TWO = "The tools say: Oslo: rain in Oslo; Rome: rain in Rome";
const tools = {
  get_weather: tool({
    description: "The weather in a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `rain in ${city}`,
  }),
};
let failed = 0;

async function check(name, action) {
  const seen = await action().catch((error) => String(error.stack));
  if (seen !== true) {
    failed += 1;
    console.log(`FAILED  ai sdk: ${name}\n        ${JSON.stringify(seen)}`);
  }
}

await check("text", async () => {
  const { text, usage, finishReason } = await generateText({ model, prompt: "[[hello]]", maxRetries: 0 });
  return (text.startsWith("Hello there") && usage.outputTokens > 5 && finishReason === "stop") || { text, usage, finishReason };
});
await check("runs tools, and refers to the items of the steps before", async () => {
  const { text } = await generateText({ model, tools, prompt: "[[two]]", stopWhen: isStepCount(3), maxRetries: 0 });
  return text === TWO || text;
});
await check("runs tools without a store", async () => {
  const providerOptions = { openai: { store: false } };
  const { text } = await generateText({ model, tools, prompt: "[[two]]", stopWhen: isStepCount(3), maxRetries: 0, providerOptions });
  return text === TWO || text;
});
await check("streams", async () => {
  const result = streamText({ model, tools, prompt: "[[two]]", stopWhen: isStepCount(3), maxRetries: 0 });
  let text = "";
  for await (const piece of result.textStream) text += piece;
  return text === TWO || text;
});
await check("streams reasoning", async () => {
  const providerOptions = { openai: { reasoningSummary: "auto", forceReasoning: true } };
  const result = streamText({ model, prompt: "[[think]]", maxRetries: 0, providerOptions });
  await result.consumeStream();
  const seen = [await result.reasoningText, await result.text];
  return seen.join("|") === "Let me count to 42.|Forty-two." || seen;
});
await check("reads data", async () => {
  const schema = z.object({ city: z.string(), inhabitants: z.number().int() });
  const { output } = await generateText({ model, output: Output.object({ schema }), prompt: "Tell me of 'Lima' with its 9 inhabitants", maxRetries: 0 });
  return (output.city === "Lima" && output.inhabitants === 9) || output;
});
await check("a refused question is an error with its status", async () => {
  const error = await generateText({ model, prompt: "[[refuse]]", maxRetries: 0 }).catch((error) => error);
  return error.statusCode === 400 || String(error);
});
console.log(`javascript ai sdk: ${failed} failed`);
process.exit(failed ? 1 : 0);
